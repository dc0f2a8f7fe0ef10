package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Colours are for terminals, and not where NO_COLOR is set.
func TestColours(t *testing.T) {
	require.False(t, colours(new(bytes.Buffer)))
	file, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	defer file.Close()
	require.False(t, colours(file))
	if terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err == nil {
		defer terminal.Close()
		t.Setenv("NO_COLOR", "")
		require.True(t, colours(terminal))
		t.Setenv("NO_COLOR", "1")
		require.False(t, colours(terminal))
	}
	require.Equal(t, "\x1b[1mtext\x1b[0m", paint(true).bold("text"))
	require.Equal(t, "text", paint(false).bold("text"))
}
