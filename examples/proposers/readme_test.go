package proposers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/readme"
)

// The README shows lines of the examples, and of what they print.
func TestReadmeShowsTheExamples(t *testing.T) {
	files, err := filepath.Glob("*_example_test.go")
	require.NoError(t, err)
	var examples string
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		examples += string(text)
	}
	code, printed := readme.Blocks(t, "README.md", "go"), readme.Blocks(t, "README.md", "text")
	require.Len(t, code, 6)
	for _, block := range code {
		require.Contains(t, examples, block)
	}
	require.Len(t, printed, 3)
	for line := range strings.Lines(strings.Join(printed, "")) {
		if line != "…\n" {
			require.Contains(t, examples, "\t// "+line)
		}
	}
}

// Its command runs the examples.
func TestReadmeCommand(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	commands := readme.Blocks(t, "README.md", "sh")
	require.Len(t, commands, 1)
	command := exec.Command("sh", "-c", commands[0])
	command.Dir = filepath.Join("..", "..")
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, example := range []string{"ExampleWatermarks", "ExampleSteps", "ExampleWindows"} {
		require.Contains(t, string(out), "--- PASS: "+example+" ")
	}
}
