package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestDeps(t *testing.T) {
	const (
		gomod = "module example.com/m\n\ngo 1.25.0\n"
		third = "\nrequire example.com/third v0.0.0\n\nreplace example.com/third => ./third\n"
	)
	thirdParty := func(files map[string]string) map[string]string {
		files["go.mod"] = gomod + third
		files["third/go.mod"] = "module example.com/third\n\ngo 1.25.0\n"
		files["third/third.go"] = "package third\n"
		return files
	}
	inMod := []string{"go.mod: requires example.com/third", "go.mod: replaces example.com/third"}
	tests := []struct {
		name  string
		files map[string]string
		rooms []string
		want  []string
	}{
		{name: "standard library and own module", files: map[string]string{
			"go.mod":             gomod,
			"metrics/a.go":       "package metrics\n\nimport _ \"math\"\n",
			"metrics/below/a.go": "package below\n\nimport _ \"example.com/m/metrics\"\n",
		}},
		{name: "imported by a test", files: thirdParty(map[string]string{
			"metrics/a.go":      "package metrics\n",
			"metrics/a_test.go": "package metrics\n\nimport _ \"example.com/third\"\n",
		}), want: inMod},
		{name: "imported", files: thirdParty(map[string]string{
			"metrics/a.go":       "package metrics\n",
			"metrics/below/a.go": "package below\n\nimport _ \"example.com/third\"\n",
		}), want: append(slices.Clone(inMod), "example.com/m/metrics/below: imports example.com/third")},
		{name: "imported by way of another package", files: thirdParty(map[string]string{
			"metrics/a.go": "package metrics\n\nimport _ \"example.com/m/other\"\n",
			"other/a.go":   "package other\n\nimport _ \"example.com/third\"\n",
		}), want: append(slices.Clone(inMod), "example.com/m/other: imports example.com/third")},
		{name: "test support", files: thirdParty(map[string]string{
			"metrics/a.go":             "package metrics\n",
			"calculator/calctest/a.go": "package calctest\n\nimport _ \"example.com/third\"\n",
		}), rooms: []string{"metrics", "calculator"}, want: inMod},
		{name: "test support in the library", files: map[string]string{
			"go.mod":                   gomod,
			"metrics/a.go":             "package metrics\n\nimport _ \"example.com/m/calculator/calctest\"\n",
			"calculator/calctest/a.go": "package calctest\n",
		}, want: []string{"example.com/m/calculator/calctest: is for tests, but the library imports it"}},
		{name: "tool", files: map[string]string{
			"go.mod":       gomod + "\ntool example.com/m/metrics\n",
			"metrics/a.go": "package metrics\n",
		}, want: []string{"go.mod: requires the tool example.com/m/metrics"}},
		{name: "room is missing", files: map[string]string{
			"go.mod":     gomod,
			"other/a.go": "package other\n",
		}, want: []string{"metrics: no packages here"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.files {
				name = filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			rooms := tt.rooms
			if rooms == nil {
				rooms = []string{"metrics"}
			}
			got, err := check(dir, rooms)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}
