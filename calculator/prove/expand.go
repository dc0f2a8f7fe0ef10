package prove

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
)

// pick says what earlier syncs recommended, as far as a decision depends on
// it: one of them, so many syncs ago, a size from low to high, and none more
// than high. With an age of 0, it names none of them.
type pick struct {
	age       int
	low, high int32
}

// edge is what may happen in a sync, and what follows.
type edge struct {
	troubles, timing uint8
	missed           uint8 // syncs that do not happen after it
	pick             pick
	// pieces are of the loads that metrics show. own are the loads of the sync
	// itself, which are the same if metrics show it.
	pieces []piece
	own    span
	told   uint32 // of sight
	after  int32
	// spot and sets are the node that follows.
	spot string
	sets []sizes
	// broken is the check that breaks, -1 for none, and how says how.
	broken int
	how    string
}

// sight is a place as a sync sees it.
type sight struct {
	place
	seen             *view
	troubles, timing uint8
	when             *timing
	// sync is what metrics show if they are late, and ago how many syncs ago it
	// was: 0 for the sync itself.
	sync pastSync
	ago  int
	// Of the piece that is resolved: loads are those of the sync itself, number is
	// theirs, and told that of the loads that metrics show if these are of the past.
	loads        span
	number, told uint32
	choice       choice
	outcomes     []*outcome
}

// walker finds the edges of nodes. It is for one goroutine.
type walker struct {
	*world
	checks []*check
	known  *pieceTable
	st     calculator.State
	d      calculator.Decision
	// views are what places see, by id, and viewed is how many pods they have.
	views  map[string]*view
	viewed int
	// outcomes are those of decisions that were made, by place and load, and
	// tried is their number.
	outcomes map[string][]*outcome
	tried    int
	kept     map[uint64]sizes // what is kept of sets
	id       []byte           // memory to find them

	// Of the node that is expanded:
	sets     []sizes
	limit    span
	constant func(*edge) // of follow
	edges    []*edge
	same     map[string]int // edges that can be joined
	list     []*entry       // the sets by number
	tooMany  bool           // sets
	// Memory of an edge of follow.
	edge  edge
	piece [1]piece
	room  []sizes
	// Memory of resolveAll.
	picks   []pick
	choices []*outcome
}

func newWalker(w *world, known *pieceTable, checks []*check) *walker {
	return &walker{world: w, known: known, checks: checks, views: map[string]*view{}, outcomes: map[string][]*outcome{}, kept: map[uint64]sizes{}, same: map[string]int{}}
}

// expand returns the edges of a node for the loads of a span.
func (v *walker) expand(spot string, sets []sizes, limit span) ([]*edge, error) {
	v.edges, v.constant = nil, nil
	clear(v.same)
	if err := v.from(spot, sets, limit, len(v.troubles)); err != nil {
		return nil, err
	}
	for _, e := range v.edges {
		e.sets = v.pruned(v.list, e.sets)
	}
	return v.edges, nil
}

// follow calls a function with each edge of a node for the constant loads of a
// span, without troubles, and with one piece in each. The edge and its sets are
// valid until the function returns.
func (v *walker) follow(spot string, sets []sizes, limit span, each func(*edge)) error {
	v.constant = each
	return v.from(spot, sets, limit, 1)
}

// from finds the edges of a node with some of the troubles.
func (v *walker) from(spot string, sets []sizes, limit span, troubles int) error {
	v.sets, v.limit = sets, limit
	v.list = v.world.sets.list()
	here := v.place(spot)
	for x := range troubles {
		for t := range v.timings {
			s := v.sight(here, uint8(x), uint8(t))
			if err := v.through(&s); err != nil {
				return err
			}
		}
	}
	if v.tooMany {
		return errors.New("there are too many sets of recommendations")
	}
	return nil
}

// sight returns a place as a sync with these troubles and times sees it.
func (v *walker) sight(here place, troubles, timing uint8) sight {
	s := sight{place: here, troubles: troubles, timing: timing, when: &v.timings[timing]}
	s.pods = v.resized(s.pods, int(troubles))
	s.sync, s.ago = v.shown(s.past, troubles)
	return s
}

// through adds the edges of all pieces of a sight.
func (v *walker) through(s *sight) (err error) {
	if s.seen, err = v.view(s); err != nil {
		return err
	}
	if s.ago > 0 {
		return v.throughLate(s)
	}
	for _, pc := range s.seen.pieces {
		if s.loads = pc.and(v.limit); s.loads.empty() {
			continue
		}
		s.number = v.numberOf(s.loads)
		if err := v.resolve(s, pc, s.loads); err != nil {
			return err
		}
	}
	return nil
}

// resolve adds the edges of a piece: one for each size that the recommendations
// of the window may lead to.
func (v *walker) resolve(s *sight, pc piece, loads span) error {
	lowest, highest := int32(none), int32(none)
	for i, set := range v.sets {
		if set != 0 && v.inDown(s.when.ago(i+1)) {
			lowest, highest = max(lowest, v.list[set].low), max(highest, v.list[set].high)
		}
	}
	s.outcomes = v.outcomesOf(s, pc)
	from := max(lowest, pc.asks) // at least the highest that counts
	base := pick{high: v.most}
	least, err := v.try(s, pc, base, from)
	if err != nil {
		return err
	}
	if highest > from {
		top, err := v.try(s, pc, v.pickOf(s, highest), highest)
		if err != nil {
			return err
		}
		if top.after != least.after {
			return v.resolveAll(s, pc, loads, from, highest, least)
		}
	}
	return v.lead(s, pc, loads, base, least)
}

// resolveAll is resolve where the size depends on which recommendation is the
// highest. Those that lead to the same size are picked together.
func (v *walker) resolveAll(s *sight, pc piece, loads span, from, highest int32, least *outcome) error {
	picks, outcomes := append(v.picks[:0], pick{low: none, high: from}), append(v.choices[:0], least)
	for n := from + 1; n <= highest; n++ {
		k := v.pickOf(s, n)
		if k.age == 0 {
			continue
		}
		o, err := v.try(s, pc, k, n)
		if err != nil {
			return err
		}
		if last := len(picks) - 1; o.after == outcomes[last].after {
			picks[last].high = n
		} else {
			picks, outcomes = append(picks, pick{low: n, high: n}), append(outcomes, o)
		}
	}
	v.picks, v.choices = picks, outcomes
	if err := v.lead(s, pc, loads, picks[0], least); err != nil {
		return err
	}
	for i := 1; i < len(picks); i++ {
		if err := v.leadFromEach(s, pc, loads, picks[i], outcomes[i]); err != nil {
			return err
		}
	}
	return nil
}

// leadFromEach leads on with what is picked, of each sync that may have
// recommended it. A single size is that of the oldest one: the younger ones
// still may have recommended it, too, so that this covers them.
func (v *walker) leadFromEach(s *sight, pc piece, loads span, k pick, o *outcome) error {
	for age := len(v.sets); age > 0; age-- {
		set := v.sets[age-1]
		if set == 0 || !v.inDown(s.when.ago(age)) || v.list[set].between(k.low, k.high) == (members{}) {
			continue
		}
		k.age = age
		if err := v.lead(s, pc, loads, k, o); err != nil {
			return err
		}
		if v.lazy && k.low == k.high {
			break
		}
	}
	return nil
}

// pickOf picks a size of the youngest sync that may have recommended it, if
// there is one.
func (v *walker) pickOf(s *sight, n int32) pick {
	for i, set := range v.sets {
		if set != 0 && v.inDown(s.when.ago(i+1)) && v.list[set].has(n) {
			return pick{i + 1, n, n}
		}
	}
	return pick{high: n}
}

// keep returns the members of a set from low to high.
func (v *walker) keep(set sizes, low, high int32) sizes {
	all := v.list[set]
	if low <= all.low && all.high <= high {
		return set
	}
	id := uint64(set)<<32 | uint64(uint16(low))<<16 | uint64(uint16(high))
	left, ok := v.kept[id]
	if !ok {
		m := all.between(low, high)
		left = v.number(&m)
		v.kept[id] = left
	}
	return left
}

// number returns the number of a set.
func (v *walker) number(m *members) sizes {
	id, ok := v.world.sets.of(m)
	v.tooMany = v.tooMany || !ok
	if int(id) >= len(v.list) {
		v.list = v.world.sets.list()
	}
	return id
}

// since is the time until the sync after so many that do not happen.
func (w *world) since(missed int) time.Duration {
	return time.Duration(1+missed) * w.setup.Period()
}

func cannotGoOn(err error) error {
	if strings.HasPrefix(err.Error(), "prove: ") {
		return err
	}
	return fmt.Errorf("prove: the search cannot go on: %w", err)
}
