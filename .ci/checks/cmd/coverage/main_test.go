package main

import (
	"io"
	"strings"
	"testing"
)

func TestCoverage(t *testing.T) {
	tests := []struct {
		name, profile string
		pkgs          []string
		err           string
	}{
		{name: "just enough", profile: "m/a/x.go:1.1,2.2 19 1\nm/a/y.go:3.1,4.2 1 0\n", pkgs: []string{"m/a"}},
		{name: "just too little", profile: "m/a/x.go:1.1,2.2 18999 7\nm/a/x.go:3.1,4.2 1001 0\n", pkgs: []string{"m/a"}, err: "below 95%: m/a"},
		{name: "one of two", profile: "m/a/x.go:1.1,2.2 1 1\nm/b/x.go:1.1,2.2 1 0\n", pkgs: []string{"m/a", "m/b"}, err: "below 95%: m/b"},
		{name: "packages below do not help", profile: "m/a/x.go:1.1,2.2 1 0\nm/a/c/x.go:1.1,2.2 99 1\n", pkgs: []string{"m/a"}, err: "below 95%: m/a"},
		{name: "not tested at all", profile: "", pkgs: []string{"m/a"}, err: "below 95%: m/a"},
		{name: "twice", profile: "m/a/x.go:1.1,2.2 1 0\nm/a/x.go:1.1,2.2 1 1\n", pkgs: []string{"m/a"}},
		{name: "nothing named", profile: "", err: "no packages named"},
		{name: "broken", profile: "m/a/x.go\n", err: "not a line"},
		{name: "broken count", profile: "m/a/x.go:1.1,2.2 x 1\n", err: "not a line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sums, err := read(strings.NewReader("mode: set\n" + tt.profile))
			if err == nil {
				err = check(io.Discard, sums, 95, tt.pkgs)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}
