package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	const (
		passes = `{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"=== RUN   TestOne\n"}
{"Action":"pass","Package":"m/a","Test":"TestOne/sub"}
{"Action":"pass","Package":"m/a","Test":"TestOne"}
{"Action":"pass","Package":"m/a","Test":"ExampleTwo"}
{"Action":"skip","Package":"m/a","Test":"TestThree"}
{"Action":"output","Package":"m/a","Output":"PASS\n"}
{"Action":"output","Package":"m/a","Output":"ok  \tm/a\t0.1s\n"}
{"Action":"pass","Package":"m/a"}
`
		fails = `{"Action":"output","Package":"m/b","Test":"TestFour/sub","Output":"    b_test.go:7: wrong\n"}
{"Action":"fail","Package":"m/b","Test":"TestFour/sub"}
{"Action":"fail","Package":"m/b","Test":"TestFour"}
{"Action":"output","Package":"m/b","Output":"FAIL\tm/b\t0.1s\n"}
{"Action":"fail","Package":"m/b"}
`
		panics = `{"Action":"run","Package":"m/c","Test":"TestFive"}
{"Action":"output","Package":"m/c","Test":"TestFive","Output":"panic: test timed out\n"}
{"Action":"fail","Package":"m/c"}
`
		unbuilt = `{"ImportPath":"m/d [m/d.test]","Action":"build-output","Output":"d.go:3: undefined: x\n"}
{"ImportPath":"m/d [m/d.test]","Action":"build-fail"}
{"Action":"output","Package":"m/d","Output":"FAIL\tm/d [build failed]\n"}
{"Action":"fail","Package":"m/d","FailedBuild":"m/d [m/d.test]"}
`
		empty = `{"Action":"output","Package":"m/e","Output":"?   \tm/e\t[no test files]\n"}
{"Action":"skip","Package":"m/e"}
`
	)
	tests := []struct {
		name, in string
		any      bool
		require  []string
		counts   string
		prints   []string
		hides    []string
		err      string
	}{
		{name: "pass", in: passes, any: true, require: []string{"m/a"}, counts: "2 0 1\n", prints: []string{"ok  \tm/a"}, hides: []string{"=== RUN", "PASS"}},
		{name: "fail", in: passes + fails, any: true, counts: "2 1 1\n", prints: []string{"b_test.go:7: wrong", "FAIL\tm/b"}, err: "1 tests failed, in 1 packages"},
		{name: "panic", in: panics, counts: "0 1 0\n", prints: []string{"panic: test timed out"}, err: "1 tests failed, in 1 packages"},
		{name: "does not build", in: passes + unbuilt, counts: "2 0 1\n", prints: []string{"undefined: x"}, err: "0 tests failed, in 1 packages"},
		{name: "nothing", any: true, counts: "0 0 0\n", err: "no test ran"},
		{name: "nothing, and nothing asked", counts: "0 0 0\n"},
		{name: "no test files", in: empty, any: true, counts: "0 0 0\n", err: "no test ran"},
		{name: "required", in: passes + empty, require: []string{"m/a", "m/e"}, counts: "2 0 1\n", err: "no test ran in m/e"},
		{name: "not JSON", in: "go: downloading x v1\n" + passes, counts: "2 0 1\n", prints: []string{"go: downloading x v1\n"}},
		{name: "no newline at the end", in: strings.TrimSuffix(passes+fails, "\n"), counts: "2 1 1\n", err: "1 tests failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tl := newTally()
			var out strings.Builder
			if err := tl.read(strings.NewReader(tt.in), &out); err != nil {
				t.Fatal(err)
			}
			err := tl.verdict(tt.any, tt.require)
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("verdict %v, want %q", err, tt.err)
			}
			for _, s := range tt.prints {
				if !strings.Contains(out.String(), s) {
					t.Errorf("output lacks %q:\n%s", s, out.String())
				}
			}
			for _, s := range tt.hides {
				if strings.Contains(out.String(), s) {
					t.Errorf("output has %q:\n%s", s, out.String())
				}
			}
			file := filepath.Join(t.TempDir(), "counts")
			if err := tl.save(file); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(file); string(got) != tt.counts {
				t.Errorf("counts %q, want %q", got, tt.counts)
			}
		})
	}
}
