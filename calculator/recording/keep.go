package recording

import (
	"slices"
	"strconv"
	"strings"
)

// kept lists elements of the line before, such as "0-12,14".
type kept []span

// span is a range of indices, the last one included.
type span struct{ first, last int }

// add adds an index.
func (k kept) add(i int) kept {
	if n := len(k); n > 0 && k[n-1].last == i-1 {
		k[n-1].last = i
		return k
	}
	return append(k, span{i, i})
}

// appendText appends the list in text.
func (k kept) appendText(dst []byte) []byte {
	for i, s := range k {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(s.first), 10)
		if s.last > s.first {
			dst = strconv.AppendInt(append(dst, '-'), int64(s.last), 10)
		}
	}
	return dst
}

// before are the elements of the line before. Each may be taken once, so that
// lines cannot multiply them.
type before[T any] struct {
	list  []T
	taken []bool
}

// start begins another line after one with the list.
func (b *before[T]) start(list []T) {
	b.list, b.taken = list, b.taken[:0]
}

// take appends the elements that the text lists.
func (b *before[T]) take(dst []T, text string) ([]T, error) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, more := strings.Cut(part, "-")
		if !more {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 31)
		last, err2 := strconv.ParseUint(to, 10, 31)
		if err != nil || err2 != nil || first > last {
			return dst, errorAt("", "%.40q does not list indices, such as 0-12,14", text)
		}
		if last >= uint64(len(b.list)) {
			return dst, errorAt("", "%d is not an index of the %d before", last, len(b.list))
		}
		if len(b.taken) == 0 {
			b.taken = slices.Grow(b.taken, len(b.list))[:len(b.list)]
			clear(b.taken)
		}
		for i := first; i <= last; i++ {
			if b.taken[i] {
				return dst, errorAt("", "%d is there twice", i)
			}
			b.taken[i] = true
		}
		dst = append(dst, b.list[first:last+1]...)
	}
	return dst, nil
}
