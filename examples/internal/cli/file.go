package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxInput is the most bytes of a file that are read. 30,000 pods take fewer.
const MaxInput = 256 << 20

// ReadFile reads a file, or stdin for "-". It ends when the context does, since
// a pipe may never. Errors do not name the file.
func ReadFile(ctx context.Context, name string, stdin io.Reader) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := readFile(name, stdin)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func readFile(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return readAll(stdin, MaxInput)
	}
	file, err := os.Open(name)
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return nil, p.Err
	}
	defer file.Close()
	return readAll(file, MaxInput)
}

// readAll reads at most limit bytes. A device may have no end.
func readAll(from io.Reader, limit int64) ([]byte, error) {
	var all bytes.Buffer
	switch n, err := all.ReadFrom(io.LimitReader(from, limit+1)); {
	case n > limit:
		return nil, fmt.Errorf("longer than %d bytes", limit)
	case err != nil:
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			err = p.Err
		}
		return nil, err
	}
	return all.Bytes(), nil
}
