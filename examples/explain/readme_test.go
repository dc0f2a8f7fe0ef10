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
		if args[0] == "-lint" {
			return regretted(t, args[1:]...)
		}
		return decide(t, args...)
	})
	require.Equal(t, 6, shown)
}
