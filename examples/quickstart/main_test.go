package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// block returns the README's nth block of that language, from 1.
func block(t *testing.T, language string, n int) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	blocks := strings.Split(string(readme), "```"+language+"\n")
	require.Greater(t, len(blocks), n)
	text, _, found := strings.Cut(blocks[n], "```\n")
	require.True(t, found)
	return text
}

// The README's first program is this one, whole.
func TestReadmeShowsTheProgram(t *testing.T) {
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	_, program, _ := strings.Cut(string(source), "\npackage main")
	require.Equal(t, "package main"+program, block(t, "go", 1))
}

// The second one is an example of package behavior, which runs.
func TestReadmeShowsTheLoop(t *testing.T) {
	source, err := os.ReadFile("../../behavior/scaler_example_test.go")
	require.NoError(t, err)
	require.Contains(t, strings.ReplaceAll(string(source), "\n\t", "\n"), block(t, "go", 2))
}

// The program prints the same each time, and the README's sentences in its
// second decision.
func TestReadmeShowsTheOutput(t *testing.T) {
	first, second := output(t), output(t)
	require.Equal(t, first, second)
	decisions := strings.SplitAfter(first, "\n\n")
	require.Len(t, decisions, 3)
	require.Empty(t, decisions[2])
	for line := range strings.Lines(block(t, "text", 1)) {
		if line != "…\n" {
			require.Contains(t, decisions[1], line)
		}
	}
}

// output returns what the program prints.
func output(t *testing.T) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	stdout := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = stdout }()
	main()
	require.NoError(t, file.Close())
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	return string(text)
}
