package kubejson

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"
)

const space = " \t\r\n"

// inner returns what is between the brackets of a well-formed JSON array or
// object.
func inner(text []byte) []byte {
	text = bytes.Trim(text, space)
	return bytes.Trim(text[1:len(text)-1], space)
}

// elements yields the elements of a JSON array, or the members of an object,
// with their offsets. The text is what is between the brackets.
func elements(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		depth, start := 0, 0
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case c == '"':
				i += len(quotation(text[i:])) - 1
			case c == '{', c == '[':
				depth++
			case c == '}', c == ']':
				depth--
			case c == ',' && depth == 0:
				if !yield(start, bytes.TrimRight(text[start:i], space)) {
					return
				}
				start = len(text) - len(bytes.TrimLeft(text[i+1:], space))
			}
		}
		if len(text) > 0 {
			yield(start, text[start:])
		}
	}
}

// count returns the number of elements.
func count(text []byte) (n int) {
	for range elements(text) {
		n++
	}
	return n
}

// members yields the keys of a well-formed JSON object with their values.
func members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, member := range elements(inner(object)) {
			key := quotation(member)
			if !yield(unquote(key), bytes.TrimLeft(member[len(key):], space+":")) {
				return
			}
		}
	}
}

// quotation returns the JSON string with which the text begins.
func quotation(text []byte) []byte {
	end := 1
	for ; text[end] != '"'; end++ {
		if text[end] == '\\' {
			end++
		}
	}
	return text[:end+1]
}

// unquote returns what a JSON string says.
func unquote(text []byte) (s string) {
	if plain := text[1 : len(text)-1]; bytes.IndexByte(plain, '\\') < 0 && utf8.Valid(plain) {
		return string(plain)
	}
	_ = json.Unmarshal(text, &s) // it is a JSON string
	return s
}

// counted is a slice that is decoded without growing.
type counted[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (c *counted[T]) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		*c = make([]T, 0, count(inner(data)))
	}
	return json.Unmarshal(data, (*[]T)(c))
}
