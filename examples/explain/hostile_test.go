package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/cli/clitest"
)

// modes are the commands that read objects.
var modes = [][]string{{}, {"-lint"}, {"-guarantees"}, {"-commands"}}

// No string of any object makes the terminal do anything, or forges a line,
// whatever the command. Nor does one that all objects share, so that they still
// belong together.
func TestHostileObjects(t *testing.T) {
	for _, name := range sceneNames() {
		documents := documentsOf(t, name)
		for file, data := range documents {
			clitest.Each(t, data, clitest.Hostile, func(at string, changed []byte) {
				everywhere(t, file+at, documents, file, changed)
			})
		}
		for _, word := range []string{`"web"`, `"app"`, `"cpu"`, `"` + name + `"`, `"qps"`, `"hits"`, `"queue_depth"`, `"front"`, `"Service"`, `"Deployment"`} {
			var plain string
			require.NoError(t, json.Unmarshal([]byte(word), &plain))
			hostile, err := json.Marshal(plain + clitest.Hostile)
			require.NoError(t, err)
			var all []byte
			for _, data := range documents {
				all = append(all, bytes.ReplaceAll(data, []byte(word), hostile)...)
			}
			everywhere(t, word, nil, "", all)
		}
	}
}

// everywhere runs all commands on the documents with one changed.
func everywhere(t *testing.T, what string, documents map[string][]byte, file string, changed []byte) {
	t.Helper()
	all := string(changed)
	for name, data := range documents {
		if name != file {
			all += string(data)
		}
	}
	for _, mode := range modes {
		_, stdout, stderr := explain(all, append(mode, "-")...)
		requireSafe(t, what, stdout+stderr)
	}
}

func requireSafe(t *testing.T, what, text string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Log(what)
		}
	}()
	clitest.RequireSafe(t, text)
}

// documentsOf returns the files of a scene without what nobody reads.
func documentsOf(t *testing.T, name string) map[string][]byte {
	t.Helper()
	documents := map[string][]byte{}
	entries, err := scenes.ReadDir(path.Join(scenesRoot, name))
	require.NoError(t, err)
	for _, e := range entries {
		data, err := scenes.ReadFile(path.Join(scenesRoot, name, e.Name()))
		require.NoError(t, err)
		documents[e.Name()] = data
	}
	return documents
}

// Nor does a recording.
func TestHostileRecordings(t *testing.T) {
	data, err := os.ReadFile("testdata/web.rec")
	require.NoError(t, err)
	lines := strings.SplitAfter(string(data), "\n")[:10]
	file := filepath.Join(t.TempDir(), "web.rec")
	for i, line := range lines {
		clitest.Each(t, []byte(line), clitest.Hostile, func(at string, changed []byte) {
			all := strings.Join(lines[:i], "") + string(changed) + "\n" + strings.Join(lines[i+1:], "")
			require.NoError(t, os.WriteFile(file, []byte(all), 0o644))
			_, stdout, stderr := explain("", "-recording", file)
			requireSafe(t, line+at, stdout+stderr)
		})
	}
}

// Nor does any other text, in any one place.
func FuzzNames(f *testing.F) {
	for i := range uint(40) {
		f.Add(clitest.Hostile, i*7)
	}
	f.Fuzz(func(t *testing.T, s string, n uint) {
		documents := documentsOf(t, "object-value")
		var changes []func()
		for _, file := range slices.Sorted(maps.Keys(documents)) {
			clitest.Each(t, documents[file], s+"\n"+clitest.Forged, func(at string, changed []byte) {
				changes = append(changes, func() { everywhere(t, file+at, documents, file, changed) })
			})
		}
		changes[n%uint(len(changes))]()
	})
}

// What machines read is exact.
func TestHostileJSON(t *testing.T) {
	var data []byte
	for _, document := range documentsOf(t, "object-value") {
		data = append(data, bytes.ReplaceAll(document, []byte(`"hits"`), marshal(t, clitest.Hostile))...)
	}
	_, stdout, stderr := explain(string(data), "-o", "json", "-")
	require.Empty(t, stderr)
	require.True(t, json.Valid([]byte(stdout)))
	require.Contains(t, stdout, strings.Trim(string(marshal(t, clitest.Hostile)), `"`))
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}

// A word for the shell is exactly the name, and shows nothing raw.
func FuzzWord(f *testing.F) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		f.Skip("no bash")
	}
	for _, s := range []string{"", "web", "it's", "a b", "$(id)", "ö", clitest.Hostile, "\xff", "!1", `\n`, "-n", clitest.Forged} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "\x00") {
			t.Skip("no argument has it")
		}
		quoted := word(s)
		command := "printf %s " + quoted // a word does not begin a line
		clitest.RequireSafe(t, command)
		require.NotContains(t, quoted, "\n")
		out, err := exec.Command(shell, "-c", command).Output()
		require.NoError(t, err)
		require.Equal(t, s, string(out), quoted)
	})
}
