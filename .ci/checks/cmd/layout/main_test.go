package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func zipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLayout(t *testing.T) {
	const w, tmp, home = "/wor" + "k", "/tm" + "p", "/hom" + "e"
	tests := []struct {
		name, file, text string
		want             []string
	}{
		{name: "room", file: "metrics/a.go", text: "package metrics\n"},
		{name: "below a room", file: "calculator/kube/go.mod", text: "module m\n"},
		{name: "top-level file", file: "README.md", text: "# HPA\n"},
		{name: "dot file", file: ".gitignore", text: "*.test\n"},
		{name: "dot folder", file: ".ci/run", text: "#!/bin/bash\n"},
		{name: "empty", file: "metrics/testdata/empty.txt"},
		{name: "other file", file: "NOTES.md", text: "x\n", want: []string{"NOTES.md: does not belong at the top level"}},
		{name: "other folder", file: "internal/a.go", text: "x\n", want: []string{"internal: does not belong at the top level"}},
		{name: "file of a room's name with more", file: "metrics.go", text: "x\n", want: []string{"metrics.go: does not belong at the top level"}},
		{name: "zero byte", file: "metrics/a.bin", text: "a\x00b", want: []string{"metrics/a.bin: is not text"}},
		{name: "not UTF-8", file: "metrics/a.png", text: "\x89PNG", want: []string{"metrics/a.png: is not text"}},
		{name: "zipped text", file: "calculator/testdata/a.jsonl.gz", text: zipped("{}\n")},
		{name: "zipped text elsewhere", file: "calculator/a.gz", text: zipped("{}\n"), want: []string{"calculator/a.gz: is not text"}},
		{name: "zipped binary", file: "calculator/testdata/a.gz", text: zipped("\x00"), want: []string{"calculator/testdata/a.gz: is not text"}},
		{name: "not zipped", file: "calculator/testdata/a.gz", text: "0123456789", want: []string{"calculator/testdata/a.gz: gzip: invalid header"}},
		{name: "as big as can be", file: "metrics/testdata/a.txt", text: strings.Repeat("x", maxSize)},
		{name: "too big", file: "metrics/testdata/a.txt", text: strings.Repeat("x", maxSize+1), want: []string{"metrics/testdata/a.txt: has 6000001 bytes, more than 6000000"}},
		{name: "place", file: "metrics/a.go", text: "\n// see " + w + "/a.go\n", want: []string{"metrics/a.go:2: names a place of a machine: " + w}},
		{name: "place in a test", file: "metrics/a_test.go", text: "open(\"" + w + "/a\")", want: []string{"metrics/a_test.go:1: names a place of a machine: " + w}},
		{name: "place, zipped", file: "metrics/testdata/a.gz", text: zipped("cd " + w + "\n"), want: []string{"metrics/testdata/a.gz:1: names a place of a machine: " + w}},
		{name: "folder of a person", file: "README.md", text: "cd " + home + "/me\n", want: []string{"README.md:1: names a place of a machine: " + home}},
		{name: "records of a shell", file: "README.md", text: "x_bash" + "_jobs.1\n", want: []string{"README.md:1: names a place of a machine: bash" + "_jobs"}},
		{name: "temporary", file: "README.md", text: "cd " + tmp + "\n", want: []string{"README.md:1: names a place of a machine: " + tmp}},
		{name: "temporary in a test", file: "metrics/a_test.go", text: "open(\"" + tmp + "/a\")"},
		{name: "temporary in a test's data", file: "metrics/testdata/a.txt", text: tmp + "/a"},
		{name: "part of an address", file: "README.md", text: "https://example.com" + w + "/" + w + "load, and" + w + ", .." + w},
		{name: "a longer word", file: "README.md", text: w + "loads"},
		{name: "hashes", file: "go.sum", text: "h1:+" + w + "/x=\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tt.file, tt.text)
			if got := check(dir, []string{tt.file}); !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestLayoutLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "README.md")); err != nil {
		t.Skip(err)
	}
	want := []string{"README.md: is a symbolic link"}
	if got := check(dir, []string{"README.md"}); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if files, err := list(dir); err == nil {
		t.Errorf("nothing there: got %q, want an error", files)
	}
	write(t, dir, ".gitignore", "*.test\n")
	write(t, dir, "tracked.go", "")
	write(t, dir, "deleted.go", "")
	add := exec.Command("git", "add", ".")
	add.Dir = dir
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	write(t, dir, "new ö.go", "")
	write(t, dir, "ignored.test", "")
	os.Remove(filepath.Join(dir, "deleted.go"))
	files, err := list(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{".gitignore", "new ö.go", "tracked.go"}; !slices.Equal(files, want) {
		t.Errorf("got %q\nwant %q", files, want)
	}
}
