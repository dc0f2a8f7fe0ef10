package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const testdata = "../../../testdata/"

// read returns the lines of a recording.
func read(t *testing.T, name string) []string {
	t.Helper()
	file, err := os.Open(testdata + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zipped)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
}

// play runs the command.
func play(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, complaints bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &complaints)
	return code, out.String(), complaints.String()
}

// All recordings agree, except for deviations with a name.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob(testdata + "kubernetes-*.jsonl.gz")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	code, stdout, stderr := play("", files...)
	if n := strings.Count(stdout, "         0 differ\n"); code != 0 || n != len(files) || stderr != "" {
		t.Errorf("exit code %d, %d of %d files agree\n%s%s", code, n, len(files), stdout, stderr)
	}
	for _, line := range []string{
		"/kubernetes-1.37.1.jsonl.gz, as Kubernetes 1.37: 2000 vectors, 15027 syncs\n     14801 agree in everything\n       226 deviate on purpose: average over zero pods\n         0 differ\n",
		"/kubernetes-1.32.13.jsonl.gz, as Kubernetes 1.32: ",
		"depend on ToleranceByDistance (Decides)\n",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("the report does not contain %q:\n%s", line, stdout)
		}
	}
}

// A release other than the vectors' answers differently.
func TestOtherRelease(t *testing.T) {
	code, stdout, _ := play("", "-release", "v1.37.1", testdata+"kubernetes-1.32.13.jsonl.gz")
	if code != 1 || !strings.Contains(stdout, ", as Kubernetes 1.37: ") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	code, _, stderr := play("", "-release", "1.99", "-")
	if code != 2 || !strings.HasPrefix(stderr, "replay: -release: release: \"1.99\": ") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// edited returns the line with its object changed.
func edited(t *testing.T, line string, edit func(vector map[string]any)) string {
	t.Helper()
	var v map[string]any
	numbers := json.NewDecoder(strings.NewReader(line))
	numbers.UseNumber()
	if err := numbers.Decode(&v); err != nil {
		t.Fatal(err)
	}
	edit(v)
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// at returns what is at the path of keys and indices.
func at(v any, path ...any) map[string]any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v.(map[string]any)
}

// An answer that is not the library's is found, and the others still counted.
func TestCorruptedAnswer(t *testing.T) {
	lines := read(t, "kubernetes-1.37.1-seed2.jsonl.gz")[:10]
	lines[3] = edited(t, lines[3], func(v map[string]any) {
		at(v, "steps", 2, "want")["replicas"] = 77
		at(v, "steps", 2, "want", "status")["currentReplicas"] = 78
	})
	code, stdout, stderr := play(strings.Join(lines, ""), "-")
	if code != 1 || stderr != "" {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	_, first, _ := strings.Cut(stdout, "The first that differs is ")
	if !strings.HasPrefix(first, "vector seed2-00003, step 2:\nsize\n\tupstream: 77\n\tlibrary:  ") || !strings.Contains(first, "\nstatus.currentReplicas\n\tupstream: 78\n") {
		t.Errorf("the first that differs is %q", first)
	}
	if !strings.Contains(stdout, "-, as Kubernetes 1.37: 10 vectors, ") || !strings.Contains(stdout, "         1 differ\n") {
		t.Errorf("the others are not counted:\n%s", stdout)
	}
}

// The API server's defaults are compared, too.
func TestCorruptedDefaults(t *testing.T) {
	line := edited(t, read(t, "kubernetes-1.37.1-seed2.jsonl.gz")[0], func(v map[string]any) {
		at(v, "defaultedSpec")["minReplicas"] = 1
	})
	code, stdout, _ := play(line, "-")
	if code != 1 || !strings.Contains(stdout, "vector seed2-00000, step 0:\ndefaultedSpec\n\tupstream: {") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// What is not a file of vectors is one line that says where.
func TestBrokenFiles(t *testing.T) {
	good := read(t, "kubernetes-1.37.1-seed2.jsonl.gz")[0]
	with := func(edit func(map[string]any)) string { return good + edited(t, good, edit) }
	file, err := os.ReadFile(testdata + "kubernetes-1.37.1-seed2.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"empty":     {"", "-: no vectors"},
		"blank":     {"\n \n", "-: no vectors"},
		"prose":     {good + "\nhello\n", "-: line 3: not a vector: invalid character 'h'"},
		"cut":       {good[:100], "-: line 1: not a vector: unexpected end of JSON input"},
		"zip cut":   {string(file[:5000]), "-: line 2: unexpected EOF"},
		"not a zip": {"\x1f\x8bhello", "-: unexpected EOF"},
		"another":   {good + "{}\n", "-: line 2: not a vector: no spec"},
		"no steps":  {with(func(v map[string]any) { v["steps"] = nil }), "-: line 2: not a vector: no steps"},
		"no now":    {with(func(v map[string]any) { delete(at(v, "steps", 1), "now") }), "-: line 2: not a vector: no steps[1].now"},
		"no answer": {with(func(v map[string]any) { delete(at(v, "steps", 1, "want"), "status") }), "-: line 2: not a vector: no steps[1].want.status"},
		"release":   {with(func(v map[string]any) { at(v, "config")["release"] = "1.99.1" }), `-: line 2: config.release: "1.99.1": not among the releases known`},
		"flag":      {with(func(v map[string]any) { at(v, "config")["initialReadinessDelay"] = 10 }), "-: line 2: not a vector: json: cannot unmarshal number"},
		"duration":  {with(func(v map[string]any) { at(v, "config")["initialReadinessDelay"] = "10" }), "-: line 2: config.initialReadinessDelay: time: missing unit"},
		"window": {with(func(v map[string]any) {
			at(v, "steps", 1, "metrics", 0)["samples"] = []any{map[string]any{"window": "x"}}
		}), `-: line 2: steps[1].metrics[0].samples[0].window: time: invalid duration "x"`},
		"metrics":  {with(func(v map[string]any) { at(v, "steps", 1)["metrics"] = nil }), "-: line 2: steps[1].metrics: 0, but the spec has 1"},
		"null pod": {with(func(v map[string]any) { at(v, "steps", 1)["pods"] = []any{nil} }), "-: line 2: steps[1].pods: kube: Pod: pods[0]: nil"},
		"spec":     {with(func(v map[string]any) { at(v, "spec")["maxReplicas"] = "2" }), "-: line 2: not a vector: json: cannot unmarshal string"},
	} {
		code, stdout, stderr := play(tt.text, "-")
		if code != 2 || !strings.HasPrefix(stderr, "replay: "+tt.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%s: exit code %d, %q, not %q\n%s", name, code, stderr, tt.want, stdout)
		}
	}
}

// A file that cannot be read does not hide another.
func TestFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "one.jsonl")
	if err := os.WriteFile(name, []byte(read(t, "kubernetes-1.37.1-seed2.jsonl.gz")[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := play("", "no such file", name)
	if code != 2 || !strings.HasPrefix(stderr, "replay: open no such file: ") || !strings.HasPrefix(stdout, name+", as Kubernetes 1.37: 1 vectors, ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := play(""); code != 2 || !strings.HasPrefix(stderr, "usage: replay ") {
		t.Errorf("without files: exit code %d\n%s", code, stderr)
	}
}
