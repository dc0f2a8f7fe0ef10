package readme

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// root is the repository's folder.
const root = "../../.."

// TestLinks follows each link from a Markdown file of the repository to a file,
// a folder or a heading of the repository.
func TestLinks(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("the module alone lacks the modules within it")
	}
	pages, followed := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" || d.Name() == "node_modules":
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		pages++
		for _, link := range links(string(text)) {
			if err := follow(path, link); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			followed++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 10 || followed < 30 {
		t.Errorf("only %d links of %d files", followed, pages)
	}
}

// follow returns an error if the link in the file at path leads nowhere.
func follow(path, link string) error {
	u, err := url.Parse(link)
	if err != nil {
		return err
	}
	if u.Path != "" {
		path = filepath.Join(filepath.Dir(path), filepath.FromSlash(u.Path))
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%s: no such file", link)
	}
	if info.IsDir() {
		path = filepath.Join(path, "README.md") // which is shown for the folder
	}
	if u.Fragment == "" || filepath.Ext(path) != ".md" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !slices.Contains(anchors(string(text)), u.Fragment) {
		return fmt.Errorf("%s: no such heading", link)
	}
	return nil
}

var (
	inline     = regexp.MustCompile(`\]\(([^)\s]+)[^)]*\)`)
	definition = regexp.MustCompile(`(?m)^\[[^\]]+\]: *(\S+)`)
	attribute  = regexp.MustCompile(`(?:src|href)="([^"]+)"`)
	code       = regexp.MustCompile("`[^`\n]*`")
	heading    = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *$`)
	linked     = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// links returns where the links of a Markdown text lead within its repository.
func links(text string) (list []string) {
	text = code.ReplaceAllString(withoutBlocks(text), "")
	for _, pattern := range []*regexp.Regexp{inline, definition, attribute} {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			if target := match[1]; !strings.Contains(target, ":") {
				list = append(list, target)
			}
		}
	}
	return list
}

// anchors returns the anchors that GitHub gives to the headings of a Markdown
// text.
func anchors(text string) (list []string) {
	count := map[string]int{}
	for _, match := range heading.FindAllStringSubmatch(withoutBlocks(text), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, linked.ReplaceAllString(match[1], "$1"))
		if n := count[name]; n > 0 {
			list = append(list, fmt.Sprintf("%s-%d", name, n))
		} else {
			list = append(list, name)
		}
		count[name]++
	}
	return list
}

// withoutBlocks returns the text without its blocks of code.
func withoutBlocks(text string) string {
	var kept strings.Builder
	block := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			block = !block
		} else if !block {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func TestLinksOfAText(t *testing.T) {
	const text = "# A `b`: c-d_e\n\n[x](one.md \"title\") ![y](two.svg) [z](https://example.com/f)\n" +
		"`[n](no.md)`\n```md\n[n](no.md)\n# no\n```\n<img src=\"three.svg\">\n## [A](#f) b c-d_e\n[d]: four.md#f\n[n] [d]\n"
	if got, want := links(text), []string{"one.md", "two.svg", "#f", "four.md#f", "three.svg"}; !slices.Equal(got, want) {
		t.Errorf("links: %q, want %q", got, want)
	}
	if got, want := anchors(text), []string{"a-b-c-d_e", "a-b-c-d_e-1"}; !slices.Equal(got, want) {
		t.Errorf("anchors: %q, want %q", got, want)
	}
}
