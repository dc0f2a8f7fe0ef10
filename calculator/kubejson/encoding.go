package kubejson

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// isUTF16 reports whether a JSON value seems to be in UTF-16 without a byte
// order mark: it begins with ASCII.
func isUTF16(data []byte) bool { return len(data) > 1 && (data[0] == 0) != (data[1] == 0) }

// inUTF8 returns the input in UTF-8 without a byte order mark. The mark
// identifies UTF-16, which PowerShell's > writes.
func inUTF8(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return data
	}
	out := make([]byte, 0, len(data)) // ASCII takes half of it
	for data = data[2:]; len(data) >= 2; data = data[2:] {
		r := rune(order.Uint16(data))
		if utf16.IsSurrogate(r) && len(data) >= 4 {
			if pair := utf16.DecodeRune(r, rune(order.Uint16(data[2:]))); pair != utf8.RuneError {
				r, data = pair, data[2:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	if len(data) > 0 {
		out = utf8.AppendRune(out, utf8.RuneError) // half a character
	}
	return out
}
