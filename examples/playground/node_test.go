package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/readme"
	"github.com/purehpa/hpa/examples/playground/engine"
)

// exported writes the site into a folder, as -export does.
func exported(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var stderr strings.Builder
	require.Zero(t, run(context.Background(), []string{"-export", dir}, io.Discard, &stderr), &stderr)
	return dir
}

// In Node, each number of an answer is the native one: all rows, stages,
// findings and guarantees of 50 random requests.
func TestNodeAnswersAsGoDoes(t *testing.T) {
	node := need(t, "node")
	var in bytes.Buffer
	var want []string
	for seed := range uint64(requests) {
		q := drawn(seed)
		q.Want = engine.Want{Defaults: true, Findings: true, Guarantees: true, Summary: true, Rows: true, Commands: true, Sync: someSync(q, seed)}
		text, err := json.Marshal(q)
		require.NoError(t, err)
		in.Write(append(text, '\n'))
		r := engine.Answer(text)
		want = append(want, string(r))
		require.Contains(t, string(r), `"sync":{`, "seed %d", seed)
	}
	c := exec.Command(node, "testdata/answers.mjs", exported(t))
	c.Stdin = &in
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	require.NoError(t, err, stderr.String())
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Equal(t, len(want), len(got))
	for i := range want {
		require.JSONEq(t, want[i], got[i], "seed %d", i)
	}
}

// The modules of the page that need no browser have tests of their own.
func TestModules(t *testing.T) {
	files, err := filepath.Glob("web/test/*.test.mjs")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	out, err := exec.Command(need(t, "node"), append([]string{"--test"}, files...)...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// The README's program prints what the README says.
func TestReadmeProgram(t *testing.T) {
	node := need(t, "node")
	dir := t.TempDir()
	s, err := built()
	require.NoError(t, err)
	require.NoError(t, s.write(filepath.Join(dir, "site")))
	program := filepath.Join(dir, "program.mjs")
	require.NoError(t, os.WriteFile(program, []byte(readme.Blocks(t, "README.md", "js")[0]), 0o600))
	out, err := exec.Command(node, program).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, readme.Blocks(t, "README.md", "text")[0], string(out))
}
