// Command layout checks the repository's files, tracked or about to be: what
// lies at the top level, that they are text of a bearable size, and that they
// name no place of the machine they were written on.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/purehpa/hpa/ci/checks/internal/gopkgs"
)

const maxSize = 6_000_000

var topLevel = append([]string{"examples", "go.mod", "go.sum", "README.md", "LICENSE"}, gopkgs.Rooms...)

// The patterns are put together from pieces, for this file is checked too.
var (
	places = regexp.MustCompile(`(?:^|[^\w.\-/])(/(?:` + "work|root|home|Users" + `)\b)|(` + "bash" + `_jobs)`)
	// Tests may speak of a folder for temporary files.
	placesOutsideTests = regexp.MustCompile(`(?:^|[^\w.\-/])(/` + "tmp" + `\b)`)
)

func main() {
	root := flag.String("root", ".", "the repository's root `folder`")
	flag.Parse()
	files, err := list(*root)
	if err != nil {
		fmt.Println("layout:", err)
		os.Exit(1)
	}
	problems := check(*root, files)
	for _, p := range problems {
		fmt.Println(p)
	}
	if len(problems) > 0 {
		fmt.Printf("layout: %d problems\n", len(problems))
		os.Exit(1)
	}
	fmt.Printf("layout: %d files, as they should be\n", len(files))
}

// list names the files that are tracked, or would be after git add.
func list(root string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	var files []string
	for f := range strings.SplitSeq(string(out), "\x00") {
		if f == "" {
			continue
		}
		if _, err := os.Lstat(filepath.Join(root, f)); err == nil { // else deleted, not yet committed
			files = append(files, f)
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if len(files) == 0 {
		return nil, fmt.Errorf("git ls-files: no files")
	}
	return files, nil
}

func check(root string, files []string) []string {
	var problems []string
	reported := map[string]bool{}
	for _, f := range files {
		top, _, _ := strings.Cut(f, "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(topLevel, top) && !reported[top] {
			reported[top] = true
			problems = append(problems, top+": does not belong at the top level")
		}
		for _, p := range checkFile(filepath.Join(root, f), f) {
			problems = append(problems, f+p)
		}
	}
	return problems
}

// checkFile returns what is wrong with a file, each starting with ":".
func checkFile(name, f string) []string {
	info, err := os.Lstat(name)
	if err != nil {
		return []string{": " + err.Error()}
	}
	if info.Mode().Type()&fs.ModeSymlink != 0 {
		return []string{": is a symbolic link"}
	}
	if info.IsDir() {
		return []string{": is a repository within the repository"}
	}
	if info.Size() > maxSize {
		return []string{fmt.Sprintf(": has %d bytes, more than %d", info.Size(), maxSize)}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return []string{": " + err.Error()}
	}
	if strings.HasSuffix(f, ".gz") && inTestdata(f) {
		if data, err = unzip(data); err != nil {
			return []string{": " + err.Error()}
		}
	}
	if bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		return []string{": is not text"}
	}
	if path.Base(f) == "go.sum" { // hashes spell what they like
		return nil
	}
	patterns := []*regexp.Regexp{places}
	if !strings.HasSuffix(f, "_test.go") && !inTestdata(f) {
		patterns = append(patterns, placesOutsideTests)
	}
	var problems []string
	for _, re := range patterns {
		for _, m := range re.FindAllSubmatchIndex(data, -1) {
			from, to := m[2], m[3]
			if from < 0 && len(m) > 4 {
				from, to = m[4], m[5]
			}
			line := 1 + bytes.Count(data[:from], []byte("\n"))
			problems = append(problems, fmt.Sprintf(":%d: names a place of a machine: %s", line, data[from:to]))
		}
	}
	return problems
}

func inTestdata(f string) bool {
	return slices.Contains(strings.Split(path.Dir(f), "/"), "testdata")
}

func unzip(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
