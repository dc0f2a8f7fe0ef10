package calculator_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
)

// The README's first program is the package's first example, which runs.
func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	source, err := os.ReadFile("example_first_test.go")
	require.NoError(t, err)
	_, code, _ := strings.Cut(string(readme), "```go\n")
	code, _, _ = strings.Cut(code, "```\n")
	example := strings.ReplaceAll(string(source), "\n\t", "\n")
	program, calls, found := strings.Cut(code, "sync(noon, 5")
	require.True(t, found)
	require.Contains(t, example, program)
	for line := range strings.Lines("sync(noon, 5" + calls) {
		call, output, _ := strings.Cut(strings.TrimSpace(line), "// ")
		require.Contains(t, example, strings.TrimSpace(call))
		require.Contains(t, example, "// "+output)
	}
}

// Its sentences are those of the program's second decision.
func TestReadmeShowsTheSentences(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, shown, _ := strings.Cut(string(readme), "```text\n")
	shown, _, found := strings.Cut(shown, "```\n")
	require.True(t, found)

	settings := calculator.DefaultSettings()
	spec := cpuSpec(t, `,"behavior":{}`)
	var state calculator.State
	up := calculator.Decide(noon, &settings, spec, cpuAt(5, 800), &state)
	state.Applied(noon, &up)
	d := calculator.Decide(noon.Add(time.Minute), &settings, spec, cpuAt(8, 180), &state)
	for line := range strings.Lines(shown) {
		if line != "…\n" {
			require.Contains(t, d.String(), line)
		}
	}
}
