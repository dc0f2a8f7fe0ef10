package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/readme"
)

// The README shows what its commands print.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	shown := readme.Commands(t, "examples/explain/README.md", "$ go run ./examples/explain ", *update, func(args []string) string {
		return decide(t, args...)
	})
	require.Equal(t, 3, shown)
}
