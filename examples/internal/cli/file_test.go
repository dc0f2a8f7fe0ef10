package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// endless is a file such as /dev/zero.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestReadAll(t *testing.T) {
	_, err := readAll(endless{}, 1000)
	require.EqualError(t, err, "longer than 1000 bytes")
	for n, want := range map[int]bool{999: true, 1000: true, 1001: false} {
		data, err := readAll(strings.NewReader(strings.Repeat("x", n)), 1000)
		require.Equal(t, want, err == nil, n)
		if want {
			require.Len(t, data, n)
		}
	}
}

// silent is an input that nobody writes to.
type silent chan struct{}

func (s silent) Read([]byte) (int, error) { <-s; return 0, errors.New("closed") }

// A context ends the wait for an input that does not come.
func TestReadFileEnds(t *testing.T) {
	s := make(silent)
	defer close(s)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	_, err := ReadFile(ctx, "-", s)
	require.ErrorIs(t, err, cause)

	file := filepath.Join(t.TempDir(), "file")
	_, err = ReadFile(t.Context(), file, nil)
	require.EqualError(t, err, "no such file or directory")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o644))
	data, err := ReadFile(t.Context(), file, nil)
	require.NoError(t, err)
	require.Equal(t, "text", string(data))
	_, err = ReadFile(t.Context(), filepath.Dir(file), nil)
	require.EqualError(t, err, "is a directory")
}
