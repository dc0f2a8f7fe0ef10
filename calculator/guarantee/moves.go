package guarantee

import (
	"slices"
	"strconv"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/pace"
)

const (
	// maxWork is how many limits of policies are computed to find out how long
	// one size takes to all others.
	maxWork = 20_000
	// maxRest is how many are for all sizes but the bound that the direction
	// comes from.
	maxRest = 40_000
)

// Moves are the times of one direction.
type Moves struct {
	// Longest is from one bound to the other. No other move takes longer, and
	// its Worst is that of the one that takes longest.
	Longest Move `json:"longest"`
	// Table has all pairs of some sizes: the bounds, and the powers of two
	// between them. It is ordered by From and then by To, both ascending.
	Table []Move `json:"table"`
}

// Move is the time from a size to another one, while each sync asks for that
// one, or for more in its direction.
type Move struct {
	From int32 `json:"from"`
	To   int32 `json:"to"`
	// Steady is the time if the size and the load have not changed for as long
	// as windows and periods look back.
	Steady Time `json:"steady"`
	// Worst is the longest time, whatever happened before: changes that
	// policies still count, recommendations that windows still hold, or a
	// controller that has lost its history. Never means that one such history
	// keeps the size for ever, not that each does.
	//
	// With several metrics, and where pods take time to start, it is at least
	// this, and there is no upper bound. Otherwise it is exact from the bound
	// that the direction comes from, and at most this from other sizes. Events
	// are forgotten after the longest period of their direction. If the other
	// direction has a longer one, all histories are searched; the time is then
	// exact, or at most this if they are too many.
	Worst Time `json:"worst"`
}

// Table returns the times between the given sizes, up and down, as [Compute]
// does for sizes of its own choice. Sizes must be within bounds, and ascending.
func Table(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, period, startup time.Duration, sizes []int32) (up, down []Move, err error) {
	r, err := newRules(settings, spec, period, startup)
	if err != nil {
		return nil, nil, err
	}
	least := r.bounds.Min
	for i, n := range sizes {
		if n < least || n > r.bounds.Max {
			return nil, nil, field.Invalid("sizes["+strconv.Itoa(i)+"]", n, "must be within the bounds, and above the size before")
		}
		least = n + 1
	}
	return r.up.table(sizes, maxWork), r.down.table(sizes, maxWork), nil
}

func (d *direction) moves(sizes []int32) Moves {
	m := Moves{Table: d.table(sizes, maxRest/len(sizes)), Longest: Move{From: d.from, To: d.to}}
	if d.from == d.to {
		m.Longest.Steady, m.Longest.Worst = Time{Bound: Exactly}, Time{Bound: Exactly}
		return m
	}
	longest := &m.Table[slices.IndexFunc(m.Table, func(m Move) bool { return m.From == d.from && m.To == d.to })]
	for _, other := range m.Table {
		longest.Steady, longest.Worst = longest.Steady.noLess(other.Steady), longest.Worst.noLess(other.Worst)
	}
	m.Longest = *longest
	if h := d.histories; h != nil && h.exact {
		m.Longest.Worst = d.syncs(h.longest(d.Up, d.from, d.to, d.to), Exactly)
	}
	return m
}

// table returns the moves between the sizes, which are ascending. The work for
// each size is bounded, except for the bound that the direction comes from.
func (d *direction) table(sizes []int32, work int) []Move {
	moves := []Move{}
	for i, from := range sizes {
		to := sizes[i+1:]
		if !d.Up {
			to = sizes[:i]
		}
		if len(to) > 0 {
			if from == d.from {
				moves = append(moves, d.movesFrom(from, to, maxWork)...)
			} else {
				moves = append(moves, d.movesFrom(from, to, work)...)
			}
		}
	}
	return moves
}

// movesFrom returns the moves from one size to others, which are ascending.
func (d *direction) movesFrom(from int32, to []int32, work int) []Move {
	moves := make([]Move, len(to))
	for i, n := range to {
		moves[i] = Move{From: from, To: n}
	}
	if !d.Up {
		slices.Reverse(moves)
	}
	last := moves[len(moves)-1].To
	d.times(d.Steady(from, last), work, d.hold, d.bound, moves, func(m *Move) *Time { return &m.Steady })
	d.worst(from, work, moves)
	for i := range moves {
		moves[i].Worst = moves[i].Worst.noLess(moves[i].Steady)
	}
	if !d.Up {
		slices.Reverse(moves)
	}
	return moves
}

// worst fills in the worst times of moves from one size, the nearest first.
func (d *direction) worst(from int32, work int, moves []Move) {
	worst, last := func(m *Move) *Time { return &m.Worst }, moves[len(moves)-1].To
	switch {
	case d.worstBound == AtLeast: // a new autoscaler is one of the histories
		d.times(d.Steady(from, last), work, d.holdNew, AtLeast, moves, worst)
	case d.forgets:
		d.times(d.Blocked(from, last, d.holdNew), work, d.holdNew, AtMost, moves, worst)
		for i := range moves {
			d.search(&moves[i])
		}
	case from == d.from:
		// No size was ever beyond the bound that the direction starts from, so a
		// new autoscaler takes as long from there.
		d.times(d.Steady(from, last), work, d.holdNew, Exactly, moves, worst)
	default:
		d.times(d.Recent(d.from, from, last, d.holdNew), work, d.holdNew, AtMost, moves, worst)
	}
}

// search replaces a worst time by that of all histories, if these were found.
func (d *direction) search(m *Move) {
	switch h := d.histories; {
	case h == nil:
	case h.exact:
		m.Worst = d.syncs(h.longest(d.Up, m.From, m.From, m.To), Exactly)
	default:
		// Policies let the size go some way before no window holds it any more, so
		// that the rest may start from any size.
		if most := h.longest(d.Up, m.From, m.To, m.To); most != never {
			most += d.holdNew - 1
			if t := d.syncs(most, AtMost); m.Worst.Never || m.Worst.Bound == AtLeast || t.Duration < m.Worst.Duration {
				m.Worst = t
			}
		}
	}
}

// syncs returns the time of so many syncs.
func (d *direction) syncs(n int64, bound Bound) Time {
	if n == never {
		return Time{Never: true, Bound: Exactly}
	}
	return d.after(n, bound)
}

// times fills in the times of the moves, the nearest first, from a walk that
// begins after so many syncs. All sizes on the way to the last one are passed
// as on the way to themselves.
func (d *direction) times(w *pace.Walk, work int, hold int64, bound Bound, moves []Move, time func(*Move) *Time) {
	for w.Next(work) {
		for len(moves) > 0 && (w.Size >= moves[0].To) == d.Up || len(moves) > 0 && w.Size == moves[0].To {
			*time(&moves[0]) = d.after(hold+w.Sync, bound)
			moves = moves[1:]
		}
	}
	*d.work += w.Work
	for i := range moves {
		if w.Stuck {
			*time(&moves[i]) = Time{Never: true, Bound: Exactly}
		} else { // not looked at any further
			*time(&moves[i]) = d.after(hold+w.Sync, AtLeast)
		}
	}
}
