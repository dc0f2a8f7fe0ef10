package codec_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/codec"
)

func TestReaderReadsWhatIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, v := rapid.Uint64().Draw(t, "u"), rapid.Int64().Draw(t, "v")
		text := rapid.String().Draw(t, "text")
		data := binary.AppendUvarint([]byte("tag\x07"), u)
		data = binary.AppendVarint(data, v)
		data = codec.AppendString(append(data, 3), text)

		r := codec.NewReader("some.Type", data)
		r.Tag("tag", 7)
		require.Equal(t, 4, r.Offset())
		require.Equal(t, u, r.Uvarint("u", math.MaxUint64))
		require.Equal(t, v, r.Varint())
		require.EqualValues(t, 3, r.Byte("b", 3))
		require.Equal(t, text, r.String("text", len(text)))
		r.End()
		require.NoError(t, r.Err())
		require.Equal(t, len(data), r.Offset())
	})
}

func TestReaderErrors(t *testing.T) {
	tag := func(r *codec.Reader) { r.Tag("tag", 1) }
	number := func(r *codec.Reader) { r.Uvarint("number", 300) }
	signed := func(r *codec.Reader) { r.Varint() }
	flag := func(r *codec.Reader) { r.Byte("flag", 1) }
	text := func(r *codec.Reader) { r.String("text", 3) }
	for _, tt := range []struct {
		read    func(*codec.Reader)
		data    string
		offset  int
		problem string // none if empty
	}{
		{tag, "", 0, "cut short"},
		{tag, "ta", 2, "cut short"},
		{tag, "tag", 3, "cut short"},
		{tag, "tug\x01", 0, `begins with "tug" instead of "tag"`},
		{tag, "tag\x00", 3, "unknown version 0"},
		{tag, "tag\x02", 3, "unknown version 2"},
		{tag, "tag\x01", 4, ""},
		{number, "", 0, "cut short"},
		{number, "\x80", 1, "cut short"},
		{number, "\xab\x02", 2, ""},
		{number, "\xac\x02", 2, ""},
		{number, "\xad\x02", 0, "number: 301 is more than 300"},
		{number, "\x80\x00", 0, "number in more bytes than it takes"},
		{signed, strings.Repeat("\xff", 9) + "\x02", 0, "number beyond 64 bits"},
		{signed, strings.Repeat("\xff", 9) + "\x01", 10, ""},
		{flag, "", 0, "cut short"},
		{flag, "\x01", 1, ""},
		{flag, "\x02", 0, "flag: 2 is more than 1"},
		{text, "\x03abc", 4, ""},
		{text, "\x03ab\xff", 0, "text: not UTF-8"},
		{text, "\x03\xff\xff", 3, "cut short"},
		{text, "\x04\xff\xff\xff\xff", 0, "text: 4 is more than 3"},
		{func(*codec.Reader) {}, "abc", 0, "3 more bytes after the end"},
	} {
		r := codec.NewReader("some.Type", []byte(tt.data))
		tt.read(r)
		r.End()
		if tt.problem == "" {
			require.NoError(t, r.Err(), "%q", tt.data)
			require.Equal(t, tt.offset, r.Offset())
			continue
		}
		want := &codec.Error{Type: "some.Type", Offset: tt.offset, Problem: tt.problem}
		require.Equal(t, want, r.Err(), "%q", tt.data)

		// What comes after the first error has no meaning.
		offset := r.Offset()
		require.Zero(t, r.Uvarint("", math.MaxUint64))
		require.Zero(t, r.Varint())
		require.Zero(t, r.Byte("", math.MaxUint8))
		require.Zero(t, r.String("", 10))
		r.Tag("tag", 1)
		r.Fail(9, "another problem")
		r.End()
		require.Equal(t, want, r.Err())
		require.Equal(t, offset, r.Offset())
	}
}

// A length that nothing is behind takes no memory.
func TestReaderStringOfAnyLength(t *testing.T) {
	data := binary.AppendUvarint(nil, math.MaxInt)
	r := codec.NewReader("some.Type", data)
	require.Empty(t, r.String("text", math.MaxInt))
	require.EqualError(t, r.Err(), fmt.Sprintf("some.Type: byte %d: cut short", len(data)))
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("tag\x01\x02\x03\x01\x02ab"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := codec.NewReader("some.Type", data)
		r.Tag("tag", 1)
		u, v, b := r.Uvarint("u", 300), r.Varint(), r.Byte("b", 1)
		text := r.String("text", 5)
		r.End()
		if err := r.Err(); err != nil {
			var e *codec.Error
			require.ErrorAs(t, err, &e)
			require.LessOrEqual(t, 0, e.Offset)
			require.LessOrEqual(t, e.Offset, len(data))
			return
		}
		again := binary.AppendVarint(binary.AppendUvarint([]byte("tag\x01"), u), v)
		again = codec.AppendString(append(again, b), text)
		require.Equal(t, data, again, "there is one way to write each value")
	})
}
