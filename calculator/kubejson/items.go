package kubejson

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
)

// items are objects of a document: itself, or items of a list.
type items struct {
	// text is the object, or the items with commas between them.
	text []byte
	// first is the index of the first item, -1 for an object.
	first int
	// n is how many there are.
	n int
}

// path returns the path of the first object.
func (in items) path() string {
	if in.first < 0 {
		return ""
	}
	return fmt.Sprintf("items[%d]", in.first)
}

// listItems returns the items of a well-formed list.
func listItems(data []byte) items {
	for key, value := range members(data) {
		if strings.EqualFold(key, "items") && value[0] == '[' {
			text := inner(value)
			return items{text, 0, count(text)}
		}
	}
	return items{}
}

// runs yields items that follow one another and have one kind, with the kind.
// No items count as pods.
func (in items) runs() iter.Seq2[string, items] {
	return func(yield func(string, items) bool) {
		kind, start, n := podDocument.kind, 0, 0
		run := func(end int) items {
			text := bytes.TrimRight(in.text[start:end], ","+space)
			return items{text, in.first, n}
		}
		for at, text := range elements(in.text) {
			next := kindOf(text)
			if n > 0 && next != kind {
				if !yield(kind, run(at)) {
					return
				}
				start, in.first, n = at, in.first+n, 0
			}
			kind, n = next, n+1
		}
		yield(kind, run(len(in.text)))
	}
}

// kindOf returns the kind of an object.
func kindOf(object []byte) (kind string) {
	if object[0] != '{' {
		return ""
	}
	for key, value := range members(object) {
		if strings.EqualFold(key, "kind") && value[0] == '"' {
			kind = unquote(value)
		}
	}
	return kind
}
