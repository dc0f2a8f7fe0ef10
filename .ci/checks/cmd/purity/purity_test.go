package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const host = "linux/amd64"

// Fixtures say what they expect on the line where they expect it, or so many
// lines below: // want "text" or // want+2 "text". The text is the start of the
// problem's.
var want = regexp.MustCompile(`// want(?:\+(\d+))?((?: "[^"]*")+)`)

func wanted(t *testing.T, dir string) map[string][]string {
	t.Helper()
	w := map[string][]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			m := want.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			below, _ := strconv.Atoi(m[1])
			rel, _ := filepath.Rel("testdata/fixture", name)
			at := fmt.Sprintf("%s:%d", filepath.ToSlash(rel), i+1+below)
			for _, s := range strings.Split(strings.Trim(m[2], ` "`), `" "`) {
				if !slices.Contains(w[at], s) { // two alike in a line are reported once
					w[at] = append(w[at], s)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestPurity(t *testing.T) {
	bad, err := os.ReadDir("testdata/fixture/bad")
	if err != nil {
		t.Fatal(err)
	}
	rooms := []string{"good"}
	for _, d := range bad {
		rooms = append(rooms, "bad/"+d.Name())
	}
	// One platform is enough for most, and a lot faster to build for.
	problems, _, err := check("testdata/fixture", slices.DeleteFunc(slices.Clone(rooms), func(s string) bool { return s == "bad/tags" }), []string{host})
	if err != nil {
		t.Fatal(err)
	}
	tags, _, err := check("testdata/fixture", []string{"bad/tags"}, []string{host, "linux/386", "linux/arm64", "js/wasm"})
	if err != nil {
		t.Fatal(err)
	}
	problems = append(problems, tags...)
	for _, room := range rooms {
		t.Run(room, func(t *testing.T) {
			want := wanted(t, "testdata/fixture/"+room)
			if len(want) == 0 && room != "good" && room != "bad/assembly" {
				t.Error("the fixture expects nothing")
			}
			for _, p := range problems {
				if !strings.HasPrefix(p.file, room+"/") || p.file == "bad/assembly/assembly.s" {
					continue
				}
				at := fmt.Sprintf("%s:%d", p.file, p.line)
				i := slices.IndexFunc(want[at], func(s string) bool { return strings.HasPrefix(p.text, s) })
				if i < 0 {
					t.Errorf("unexpected: %s", p)
					continue
				}
				want[at] = slices.Delete(want[at], i, i+1)
			}
			for at, texts := range want {
				for _, s := range texts {
					t.Errorf("%s: missing: %s", at, s)
				}
			}
		})
	}
	if s := (problem{"bad/assembly/assembly.s", 1, "is not Go"}); !slices.Contains(problems, s) {
		t.Errorf("missing: %s", s)
	}
}

func TestNothingToCheck(t *testing.T) {
	problems, read, err := check("testdata/fixture", []string{"good/internal", "nowhere"}, []string{host})
	if err != nil {
		t.Fatal(err)
	}
	if want := []problem{{"nowhere", 0, "no Go files here"}}; read != 1 || !slices.Equal(problems, want) {
		t.Errorf("%d files read, problems %v, want %v", read, problems, want)
	}
}

func TestDoesNotCompile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.25.0\n",
		"metrics/a.go": "package metrics\n\nvar x int = \"\"\n",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := check(dir, []string{"metrics"}, []string{host}); err == nil {
		t.Error("no error")
	}
}

// TestSupport makes sure that packages for tests and for searches may do what
// they need, and that the library imports neither.
func TestSupport(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                   "module example.com/m\n\ngo 1.25.0\n",
		"calculator/a.go":          "package calculator\n\nimport _ \"example.com/m/calculator/calctest\"\n",
		"calculator/b.go":          "package calculator\n\nimport _ \"example.com/m/calculator/prove\"\n",
		"calculator/calctest/a.go": "package calctest\n\nimport _ \"testing\"\n",
		"calculator/prove/a.go":    "package prove\n\nimport _ \"sync\"\n",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	problems, _, err := check(dir, []string{"calculator"}, []string{host})
	if err != nil {
		t.Fatal(err)
	}
	want := []problem{
		{"calculator/a.go", 3, "imports example.com/m/calculator/calctest: not one of the library's packages"},
		{"calculator/b.go", 3, "imports example.com/m/calculator/prove: not one of the library's packages"},
	}
	if !slices.Equal(problems, want) {
		t.Errorf("got %v\nwant %v", problems, want)
	}
}
