package main

import (
	"fmt"
	"slices"

	"github.com/purehpa/hpa/examples/internal/trial"
)

// spread is a measure over several seeds. The median of an even number is the
// lower one of the two in the middle.
type spread struct{ low, median, high float64 }

func spreadOf(n int, of func(i int) float64) spread {
	all := make([]float64, n)
	for i := range all {
		all[i] = of(i)
	}
	slices.Sort(all)
	return spread{all[0], all[(n-1)/2], all[n-1]}
}

// spread returns the measure over the seeds of r.
func (r *result) spread(m trial.Measure) spread {
	return spreadOf(len(r.summaries), func(i int) float64 { return m.Of(&r.summaries[i]) })
}

// texts returns the three as text. The ends are empty if they read alike.
func (s spread) texts(text func(float64) string) (low, median, high string) {
	if low, high = text(s.low), text(s.high); low == high {
		low, high = "", ""
	}
	return low, text(s.median), high
}

// size returns the lowest and the highest size of all seeds.
func (r *result) size() string {
	low, high := r.summaries[0].LowestReplicas, r.summaries[0].HighestReplicas
	for i := range r.summaries {
		low, high = min(low, r.summaries[i].LowestReplicas), max(high, r.summaries[i].HighestReplicas)
	}
	return fmt.Sprintf("%d..%d", low, high)
}
