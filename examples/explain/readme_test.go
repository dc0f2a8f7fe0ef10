package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/proof"
	"github.com/purehpa/hpa/examples/internal/readme"
)

// The README shows what its commands print.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	shown := readme.Commands(t, "examples/explain/README.md", "$ go run ./examples/explain ", *update, func(args []string) string {
		switch args[0] {
		case "-lint":
			return regretted(t, args[1:]...)
		case "-prove":
			return judge(t, proof.Broken, args[1:]...)
		}
		return decide(t, args...)
	})
	require.Equal(t, 8, shown)
}
