package guarantee

import (
	"encoding/json"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/pace"
	"github.com/purehpa/hpa/calculator/internal/reach"
)

// Unreached are sizes within the bounds that no load leads to from any other
// size: tolerance, readings in whole percents and policies pass over them.
type Unreached struct {
	// Sizes are ascending.
	Sizes []Range `json:"sizes"`
	// UpTo is the largest size that was looked at.
	UpTo int32 `json:"upTo"`
	// Bound is AtLeast if there may be more: sizes above UpTo, and those that
	// only some histories could lead to.
	Bound Bound `json:"bound"`
}

// Range is a number of consecutive sizes.
type Range struct{ First, Last int32 }

// MarshalJSON returns {"first":5,"last":7}.
func (r Range) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]int32{"first": r.First, "last": r.Last})
}

const (
	// maxChecks is how many proposals and limits are computed, about.
	maxChecks = 100_000
	// maxRanges is how many ranges are listed.
	maxRanges = 1000
)

func (r *rules) unreached() Unreached {
	u := Unreached{Sizes: []Range{}, UpTo: r.bounds.Max, Bound: Exactly}
	f := finder{rules: r, ups: r.up.ByPeriod(), downs: r.down.ByPeriod()}
	f.Finder = reach.Finder{Bounds: r.bounds, Metrics: r.metrics, Tolerance: r.tolerance, Up: r.up.Rules, Down: r.down.Rules, MaxWork: maxChecks}
	defer func() { r.work += f.Work }()
	for i := range int64(r.bounds.Max) - int64(r.bounds.Min) + 1 {
		n := r.bounds.Min + int32(i)
		found := f.find(n)
		if f.Tired() || len(u.Sizes) > maxRanges {
			u.UpTo, u.Bound = n-1, AtLeast
			return u
		}
		switch last := len(u.Sizes) - 1; {
		case found == reach.Reached:
		case found == reach.Perhaps:
			u.Bound = AtLeast
		case last >= 0 && u.Sizes[last].Last == n-1:
			u.Sizes[last].Last = n
		default:
			u.Sizes = append(u.Sizes, Range{n, n})
		}
	}
	return u
}

// finder finds out which sizes can be reached.
type finder struct {
	*rules
	reach.Finder
	// ups and downs are the policies by number of syncs.
	ups, downs []*pace.Rules
}

// find returns whether n can be reached: from a size that has not changed for
// long, or with some history.
func (f *finder) find(n int32) reach.Reach {
	best := f.Find(n)
	if best == reach.Never && !f.Tired() && (f.cutsAt(&f.up, &f.down, f.ups, n) || f.cutsAt(&f.down, &f.up, f.downs, n)) {
		return reach.Perhaps
	}
	return best
}

// cutsAt reports whether a policy of the direction may end a change at n, from
// some size at the start of its period.
func (f *finder) cutsAt(d, other *direction, groups []*pace.Rules, n int32) bool {
	// A period may then start from a size that the target never had.
	any := d.Forgets(other.Rules)
	for _, same := range groups {
		for i := range same.Policies {
			for _, start := range starts(&same.Policies[i], d.Up, n) {
				f.Work += len(same.Policies)
				inside := any || int64(f.bounds.Min) <= start && start <= int64(f.bounds.Max)
				if inside && start == int64(int32(start)) && same.Limit(int32(start)) == n {
					return true
				}
			}
		}
	}
	return false
}

// starts returns the sizes from which the policy may allow n.
func starts(p *pace.Policy, up bool, n int32) []int64 {
	value := int64(p.Value)
	if !up {
		value = -value
	}
	if p.Type == behavior.PodsPolicy {
		return []int64{int64(n) - value}
	}
	share := 1 + float64(value)/100
	if share <= 0 {
		return []int64{1} // everything may go
	}
	at := int64(float64(n) / share)
	return []int64{at - 2, at - 1, at, at + 1, at + 2}
}
