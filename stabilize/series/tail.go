package series

import "math"

// The tail of a Series are entries in the order of time, and as a rule its
// oldest. What has to leave is found at its start, without a look at the
// others.

// place returns the last place that may be taken, or -1.
func (s *Series) place(cutoff instant, full bool) int {
	young := s.tail
	for !full && young < len(s.slots) && (s.slots[young].stale() || s.slots[young].at().before(cutoff)) {
		young++
	}
	if young > s.tail {
		return young - 1
	}
	for i := s.tail - 1; i >= 0; i-- {
		e := &s.slots[i]
		if e.sec > cutoff.sec && e.nsec >= 0 {
			continue // young, as most are
		}
		if e.isVacant() || !full && (e.stale() || e.at().before(cutoff)) {
			return i
		}
	}
	return -1
}

// youngTail returns the tail's entries without those dated before the second of
// the cutoff.
func (s *Series) youngTail(cutoff instant) []slot {
	first, end := s.tail, len(s.slots)
	for first < end {
		if middle := (first + end) / 2; s.slots[middle].sec >= cutoff.sec {
			end = middle
		} else {
			first = middle + 1
		}
	}
	return s.slots[first:]
}

// behead makes the tail slots[n:], if it is longer.
func (s *Series) behead(n int) {
	if s.tail < n {
		s.earliest = s.earliest.earlier(s.slots[s.tail].at())
		s.tail = n
	}
}

// survey finds the longest tail without stale entries, and narrows the bounds.
// Most series come to it once in as many values as they have places.
func (s *Series) survey() {
	s.earliest, s.lowest, s.highest = endOfTime(), math.MaxInt32, math.MinInt32
	later := endOfTime()
	for i := len(s.slots) - 1; i >= 0; i-- {
		e := &s.slots[i]
		if s.tail == i+1 && !e.stale() && !later.before(e.at()) {
			s.tail, later = i, e.at()
		} else if !e.isVacant() {
			s.earliest = s.earliest.earlier(e.at())
		}
		if !e.isVacant() {
			s.lowest, s.highest = min(s.lowest, e.value), max(s.highest, e.value)
		}
	}
}
