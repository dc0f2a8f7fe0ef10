package recording

import (
	"cmp"
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

// elements are a list that each line changes. A line may take each element of
// the list before once, so that lines cannot multiply them.
//
// Elements that stay where they are cost nothing: the new list begins in the
// memory of the old one, of which the rest moves away if more follows.
type elements[T any] struct {
	// list is that of the line before, then that of this one. Its first same
	// elements stay.
	list []T
	same int
	// moved reports that the rest of the list before is in rest.
	moved bool
	rest  []T
	// before is the length of the list before, taken are its elements that this
	// line has so far, n is how many.
	before int
	taken  kept
	n      int
	// steps counts elements that were copied, for tests.
	steps int
}

// start begins another line after one with the list.
func (e *elements[T]) start(list []T) {
	e.list = list
	e.same, e.moved, e.rest = 0, false, e.rest[:0]
	e.before, e.taken, e.n = len(e.list), e.taken[:0], 0
}

// add appends a new element.
func (e *elements[T]) add(element T) {
	e.move()
	e.list = append(e.list, element)
	e.steps++
}

// grow makes space for n more elements.
func (e *elements[T]) grow(n int) {
	e.move()
	e.list = slices.Grow(e.list, n)
}

// move moves what follows the elements that stay out of the way.
func (e *elements[T]) move() {
	if !e.moved {
		e.moved = true
		e.rest = append(e.rest, e.list[e.same:]...)
		e.list = e.list[:e.same]
		e.steps += len(e.rest)
	}
}

// end ends the line, which takes nothing twice.
func (e *elements[T]) end() error {
	if !e.moved {
		e.list = e.list[:e.same]
	}
	slices.SortFunc(e.taken, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	for i := range e.taken[min(1, len(e.taken)):] {
		if at := e.taken[i+1].first; at <= e.taken[i].last {
			return errorAt("", "%d is there twice", at)
		}
	}
	return nil
}

// take appends the elements that the text lists.
func (e *elements[T]) take(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		from, to, more := strings.Cut(part, "-")
		if !more {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 31)
		last, err2 := strconv.ParseUint(to, 10, 31)
		if err != nil || err2 != nil || first > last {
			return errorAt("", "%.40q does not list indices, such as 0-12,14", text)
		}
		if last >= uint64(e.before) {
			return errorAt("", "%d is not an index of the %d before", last, e.before)
		}
		s := span{int(first), int(last)}
		e.taken = append(e.taken, s)
		if e.n += s.last - s.first + 1; e.n > e.before {
			return e.end() // something is there twice
		}
		if !e.moved && s.first == e.same {
			e.same = s.last + 1
			continue
		}
		if e.move(); s.first < e.same {
			return e.end()
		}
		e.list = append(e.list, e.rest[s.first-e.same:s.last-e.same+1]...)
		e.steps += s.last - s.first + 1
	}
	return nil
}
