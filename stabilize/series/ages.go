package series

import (
	"cmp"
	"slices"
	"sort"
	"time"
)

// Ages are the entries of a Series within a period, the youngest first. They
// answer for shorter periods without another look at the Series.
type Ages []Aged

// Aged is an entry by its age, which is not negative.
type Aged struct {
	Age time.Duration
	// Sum is the sum of the values of all entries up to this one in the Ages,
	// and Leaving that of those among them that are as old.
	Sum, Leaving int64
}

// AppendAges appends the entries that [Series.Within] counts to dst, which is
// empty. It reports whether they fit into the capacity of dst, and never
// allocates for those that do not.
func (s *Series) AppendAges(dst Ages, now time.Time, period time.Duration) (Ages, bool) {
	at := instantOf(now)
	cutoff := at.sub(period)
	s = s.asOf(at)
	sorted, last := true, time.Duration(0)
	for _, slots := range [...][]slot{s.youngTail(cutoff), s.slots[:s.tail]} {
		for _, e := range slices.Backward(slots) {
			if e.isVacant() || !cutoff.before(e.at()) {
				continue
			}
			if len(dst) == cap(dst) {
				return dst, false
			}
			since := at.since(e.at())
			age := time.Duration(since.sec)*time.Second + time.Duration(since.nsec)
			dst = append(dst, Aged{Age: age, Sum: int64(e.value)})
			sorted, last = sorted && last <= age, age
		}
	}
	if !sorted {
		slices.SortFunc(dst, func(a, b Aged) int { return cmp.Compare(a.Age, b.Age) })
	}
	var before Aged
	for i := range dst {
		e := &dst[i]
		if e.Leaving = e.Sum; e.Age == before.Age {
			e.Leaving += before.Leaving
		}
		e.Sum += before.Sum
		before = *e
	}
	return dst, true
}

// Sum returns the sum of the values.
func (a Ages) Sum() int64 {
	if len(a) == 0 {
		return 0
	}
	return a[len(a)-1].Sum
}

// Within returns what [Series.Within] does for a period no longer than that of
// the ages, as of the same time.
func (a Ages) Within(now time.Time, period time.Duration) Window {
	n := sort.Search(len(a), func(i int) bool { return a[i].Age >= period })
	if n == 0 {
		return Window{}
	}
	oldest := &a[n-1]
	return Window{Sum: oldest.Sum, Count: n, Expires: Add(now, period-oldest.Age), Leaving: oldest.Leaving}
}
