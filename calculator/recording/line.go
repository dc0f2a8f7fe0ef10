package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/purehpa/hpa/behavior/field"
)

// MaxLine is the most bytes of a line. It is enough for the first line of
// 100,000 pods.
const MaxLine = 32 << 20

// marshal replaces the content of the buffer by v as a line. The error is a
// *field.Error with the path of v, or one of v's.
func marshal(to *bytes.Buffer, path string, v any) error {
	to.Reset()
	enc := json.NewEncoder(to)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	if n := to.Len(); n > MaxLine {
		return field.Invalid(path, n, fmt.Sprintf("must not take more than %d bytes", MaxLine))
	}
	return nil
}

// readLine returns the next line without its end, in dst. The error is io.EOF
// if there is none, and io.ErrUnexpectedEOF for a line that was cut.
func readLine(from *bufio.Reader, dst []byte) ([]byte, error) {
	dst = dst[:0]
	for {
		part, err := from.ReadSlice('\n')
		dst = append(dst, part...)
		switch {
		case len(dst) > MaxLine:
			return dst, fmt.Errorf("longer than %d bytes", MaxLine)
		case err == nil:
			return dst[:len(dst)-1], nil
		case err == io.EOF && len(dst) == 0:
			return dst, err
		case err == io.EOF && !json.Valid(dst):
			return dst, fmt.Errorf("cut short: %w", io.ErrUnexpectedEOF)
		case err == io.EOF:
			return dst, nil
		case err != bufio.ErrBufferFull:
			return dst, err
		}
	}
}
