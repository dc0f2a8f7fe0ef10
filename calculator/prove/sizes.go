package prove

import (
	"math"
	"math/bits"
	"sync"
)

// sizes is a set of sizes: what a sync may have recommended. Zero is the empty
// set, of a sync without a recommendation.
type sizes uint16

// members are the members of a set, by bit.
type members [4]uint64

func (m *members) add(n int32) { m[n>>6] |= 1 << (n & 63) }

func (m *members) has(n int32) bool { return m[n>>6]>>(n&63)&1 != 0 }

func (m *members) union(o *members) {
	for i := range m {
		m[i] |= o[i]
	}
}

// within reports whether o has all that m has.
func (m *members) within(o *members) bool {
	return m[0]&^o[0]|m[1]&^o[1]|m[2]&^o[2]|m[3]&^o[3] == 0
}

// least and most return the ends of a set, -1 of the empty one.
func (m *members) least() int32 {
	for i, word := range m {
		if word != 0 {
			return int32(i<<6 + bits.TrailingZeros64(word))
		}
	}
	return -1
}

func (m *members) most() int32 {
	for i := len(m) - 1; i >= 0; i-- {
		if m[i] != 0 {
			return int32(i<<6 + bits.Len64(m[i]) - 1)
		}
	}
	return -1
}

// between returns the members from low to high.
func (m *members) between(low, high int32) (b members) {
	for i := range m {
		first, last := max(low-int32(i<<6), 0), min(high-int32(i<<6), 63)
		if first <= last {
			b[i] = m[i] & (^uint64(0) << first) & (^uint64(0) >> (63 - last))
		}
	}
	return b
}

// table numbers sets of sizes up to one.
type table struct {
	lock sync.RWMutex
	ids  map[members]sizes
	all  []*entry
	most int32
	// ranges is the number of ranges of sizes that the mark of a set tells apart.
	ranges int32
}

// entry is a set of a table with its ends. Its mark has a bit for each range of
// sizes of which it has one, the lowest range first.
type entry struct {
	members
	low, high int32
	mark      uint64
}

// maxSets is the most sets that a table numbers.
const maxSets = 1<<16 - 1

// every is the set of all sizes.
const every sizes = 1

// newTable returns a table for lists of so many sets.
func newTable(most int32, length int) *table {
	t := &table{ids: map[members]sizes{{}: 0}, all: []*entry{{low: -1, high: -1}}, most: most, ranges: int32(max(64/max(length, 1), 1))}
	t.of(&members{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64})
	return t
}

// of returns the number of a set, and whether there is one.
func (t *table) of(m *members) (sizes, bool) {
	t.lock.RLock()
	id, ok := t.ids[*m]
	t.lock.RUnlock()
	if ok {
		return id, true
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	if id, ok = t.ids[*m]; ok {
		return id, true
	}
	if len(t.all) > maxSets {
		return 0, false
	}
	id = sizes(len(t.all))
	t.ids[*m] = id
	e := &entry{*m, m.least(), m.most(), 0}
	for n := int32(0); n <= t.most; n++ {
		if m.has(n) {
			e.mark |= 1 << (n * t.ranges / (t.most + 1))
		}
	}
	t.all = append(t.all, e)
	return id, true
}

// mark returns bits of a list of sets. A list whose sets are each within those of
// another one has no bit that the other has not.
func (t *table) mark(list []*entry, sets []sizes) (mark uint64) {
	for i, s := range sets {
		mark |= bits.RotateLeft64(list[s].mark, i*int(t.ranges))
	}
	return mark
}

// list returns the sets by number. Later ones may be missing.
func (t *table) list() []*entry {
	t.lock.RLock()
	defer t.lock.RUnlock()
	return t.all
}
