package prove

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// timing says how long ago each of the last syncs was, by its number, 0 for
// the one that decides. Beyond the end they are on the grid.
type timing struct {
	ages   []time.Duration
	period time.Duration
	jitter time.Duration
}

// ago returns how long ago a sync was.
func (t *timing) ago(syncs int) time.Duration {
	if syncs < len(t.ages) {
		return t.ages[syncs]
	}
	return time.Duration(syncs) * t.period
}

// maxTimings is how many timings a search may have.
const maxTimings = 256

// timings returns the timings that can be told apart by the bounds: the first
// nanosecond at which something is another way. Of one bound, syncs as far back
// as a number are younger, and all before it are not.
func timings(period, jitter time.Duration, bounds []time.Duration) ([]timing, error) {
	grid := timing{period: period, jitter: jitter}
	all := []timing{grid}
	if jitter == 0 {
		return all, nil
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	longest := int(bounds[len(bounds)-1]/(period-jitter)) + 2
	// cutoffs are for each bound the first sync that is as old.
	var cutoffs [][]int
	var choose func(i, least int, chosen []int)
	choose = func(i, least int, chosen []int) {
		if len(cutoffs) > maxTimings {
			return
		}
		if i == len(bounds) {
			cutoffs = append(cutoffs, slices.Clone(chosen))
			return
		}
		b := bounds[i]
		first := int((b + period + jitter - 1) / (period + jitter)) // may be as old
		last := int((b + period - jitter - 1) / (period - jitter))  // is as old
		for k := max(first, least); k <= last; k++ {
			choose(i+1, k, append(chosen, k))
		}
	}
	choose(0, 1, nil)
	if len(cutoffs) > maxTimings {
		return nil, fmt.Errorf("prove: Search.Jitter: %v lets syncs be in too many orders; name a shorter one", jitter)
	}
	all = all[:0]
	for _, c := range cutoffs {
		t := timing{period: period, jitter: jitter, ages: make([]time.Duration, longest+1)}
		for k := 1; k <= longest; k++ {
			at := time.Duration(k) * period
			for i, b := range bounds {
				if k >= c[i] {
					at = max(at, b)
				}
			}
			for i, b := range bounds {
				if k < c[i] {
					at = min(at, b-1)
				}
			}
			t.ages[k] = at
		}
		all = append(all, t)
	}
	// Those that are nearest to the grid come first.
	slices.SortStableFunc(all, func(a, b timing) int { return cmp.Compare(a.off(), b.off()) })
	return all, nil
}

// off returns how far a timing is from the grid.
func (t *timing) off() (d time.Duration) {
	for k, age := range t.ages {
		d += (age - time.Duration(k)*t.period).Abs()
	}
	return d
}
