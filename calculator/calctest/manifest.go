package calctest

import (
	"os"
	"testing"

	"github.com/purehpa/hpa/calculator/prove"
)

// Manifest is prove.ParseManifest of a file. An error ends the test.
func Manifest(tb testing.TB, file string) *prove.Setup {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := prove.ParseManifest(data)
	if err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	return s
}
