package ports

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/readme"
)

// The tables of the README are what the examples print, each one once.
func TestReadmeTables(t *testing.T) {
	names, err := filepath.Glob("*_example_test.go")
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	var printed []string
	for _, e := range doc.Examples(files...) {
		printed = append(printed, e.Output)
	}
	require.Len(t, printed, 14)
	require.ElementsMatch(t, printed, readme.Blocks(t, "README.md", "text"))
}

// The loop of the README is a whole file without the package clause.
func TestReadmeLoop(t *testing.T) {
	text, err := os.ReadFile("loop_example_test.go")
	require.NoError(t, err)
	blocks := readme.Blocks(t, "README.md", "go")
	require.Len(t, blocks, 1)
	require.Equal(t, string(text), "package ports\n\n"+blocks[0])
}

// The links of the README lead to a file, a folder, or one of its headings.
func TestReadmeLinks(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	anchors := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^##+ (.+)$`).FindAllStringSubmatch(string(text), -1) {
		anchors["#"+strings.ReplaceAll(strings.ToLower(heading[1]), " ", "-")] = true
	}
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		if strings.HasPrefix(link[1], "#") {
			require.Contains(t, anchors, link[1])
			continue
		}
		_, err := os.Stat(link[1])
		require.NoError(t, err)
	}
}
