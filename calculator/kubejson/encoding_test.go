package kubejson_test

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/kubejson"
)

// Every decoder reads what is in UTF-8 or UTF-16 with a byte order mark.
func TestEncodings(t *testing.T) {
	for _, d := range decoders() {
		doc := object(d.version, d.kind, d.item+`,"x":"é€😀"`)
		require.NoError(t, d.decode([]byte("\ufeff"+doc)), d.name)
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			text := inUTF16(order, doc)
			require.NoError(t, d.decode(text), d.name)
			require.NoError(t, new(kubejson.Cluster).Add(text), d.name)
			requireError(t, d.decode(text[:len(text)-1]))
			requireError(t, d.decode(append(text, ' ')))
		}
		requireError(t, d.decode([]byte("\ufeff")))
		requireError(t, d.decode([]byte("\xff\xfe")))
	}
}

// UTF-16 without a mark is called that.
func TestUTF16WithoutMark(t *testing.T) {
	for _, d := range decoders() {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			text := inUTF16(order, object(d.version, d.kind, d.item))[2:]
			const want = "UTF-16 without a byte order mark; write it as UTF-8, or with the mark"
			require.ErrorContains(t, d.decode(text), want)
			require.EqualError(t, new(kubejson.Cluster).Add(text), "kubejson: document 1: "+want)
		}
	}
}

func inUTF16(order binary.AppendByteOrder, s string) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + s)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

// Names survive, and what is no character is U+FFFD.
func TestPropertyUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.SliceOfN(rapid.OneOf(rapid.Uint16Range('a', 'z'), rapid.Uint16Range(0xd7f0, 0xe010), rapid.Uint16Range(0x80, 0xffff)), 1, 8).Draw(t, "units")
		order := rapid.SampledFrom([]binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}).Draw(t, "order")
		text := inUTF16(order, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"`)
		for _, unit := range units {
			text = order.AppendUint16(text, unit)
		}
		pods, err := kubejson.DecodePods(nil, append(text, inUTF16(order, `"}}`)[2:]...))
		require.NoError(t, err)
		require.Equal(t, string(utf16.Decode(units)), pods[0].Name)
	})
}
