package release_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/release"
)

var update = flag.Bool("update", false, "write the tables of the README")

// The README's tables are those of the package.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	require.NoError(t, err)
	page := string(data)
	page = between(t, page, "<!-- table -->\n", "<!-- end -->", changes())
	page = between(t, page, "<!-- patches -->\n", ".\nPatch", patches())
	page = between(t, page, "<!-- gates -->\n", "<!-- end gates -->", gates())
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(page), 0o644))
		return
	}
	require.Equal(t, page, string(data), "go test ./calculator/release -update writes it")
}

// between returns the page with other text between the two.
func between(t *testing.T, page, begin, end, text string) string {
	t.Helper()
	before, rest, ok := strings.Cut(page, begin)
	require.True(t, ok, begin)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok, end)
	return before + begin + text + end + after
}

func changes() string {
	text := "| from | quirk | releases before | that release and later | changed by |\n|---|---|---|---|---|\n"
	for _, r := range release.All() {
		for _, d := range r.Changed() {
			row := d.Row()
			from := r.String()
			if row.Gate != "" {
				from += ", gate " + string(row.Gate)
			}
			text += fmt.Sprintf("| %s | `%s` (%s) | %s | %s | %s |\n", from, row.Name, row.Kind, row.Did, row.Does, links(row.Source))
		}
	}
	for d := range release.Known().All() {
		// What no release does by default.
		if row := d.Row(); row.Since == 0 && release.MustParse("1.29").Enabled(row.Gate) {
			text += fmt.Sprintf("| off by gate %s | `%s` (%s) | %s | %s | %s |\n", row.Gate, row.Name, row.Kind, row.Did, row.Does, links(row.Source))
		}
	}
	return text
}

// links returns the sources as links.
func links(sources string) string {
	var list []string
	for _, s := range strings.Split(sources, ", ") {
		name := s[strings.LastIndex(s, "/")+1:]
		switch {
		case strings.Contains(s, "/pull/"):
			name = "#" + name
		case strings.Contains(s, "kep.k8s.io"):
			name = "KEP-" + name
		}
		list = append(list, "["+name+"]("+s+")")
	}
	return strings.Join(list, ", ")
}

func patches() string {
	var list []string
	for _, r := range release.All() {
		list = append(list, r.Patch())
	}
	return strings.Join(list, ", ")
}

func gates() string {
	text := "| gate |"
	rule := "|---|"
	for _, r := range release.All() {
		text += " " + r.String() + " |"
		rule += "---|"
	}
	text += "\n" + rule + "\n"
	for _, g := range release.Gates() {
		text += "| " + string(g) + " |"
		for _, r := range release.All() {
			_, off := r.With(g, false)
			_, on := r.With(g, true)
			switch {
			case off != nil && on != nil:
				text += " |"
			case off != nil:
				text += " always on |"
			case r.Enabled(g):
				text += " on |"
			default:
				text += " off |"
			}
		}
		text += "\n"
	}
	return text
}
