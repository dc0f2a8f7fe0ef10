package calculator_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
