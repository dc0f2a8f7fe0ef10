package calculator_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The README counts the recordings that the tests replay.
func TestReadmeCountsTheRecordings(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	text := strings.Join(strings.Fields(string(readme)), " ")

	files, err := filepath.Glob("testdata/kubernetes-*.jsonl.gz")
	require.NoError(t, err)
	var all, newest, syncs, fewest, most int
	for _, name := range files {
		data := unzip(t, name)
		n := bytes.Count(data, []byte("\n"))
		all, syncs = all+n, syncs+bytes.Count(data, []byte(`"now":`))
		if strings.Contains(name, "1.37") {
			newest += n
			continue
		}
		if fewest == 0 || n < fewest {
			fewest = n
		}
		most = max(most, n)
	}
	require.Contains(t, text, fmt.Sprintf("replays %s recorded autoscalers of the real HorizontalController, %s syncs,", thousands(all), thousands(syncs)))
	require.Contains(t, text, fmt.Sprintf("replays %s syncs of the real controller", thousands(syncs)))
	require.Contains(t, text, fmt.Sprintf("Of the recordings, %s are of the newest release; the eight others have %d to %d each.", thousands(newest), fewest, most))
}

func unzip(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	r, err := gzip.NewReader(file)
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return data
}

// thousands is a number with a comma, as the README writes it.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
