package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/simulate"
)

// measure is a number of a summary, with its name in a comparison and its
// heading in a sweep.
type measure struct {
	name, heading string
	of            func(*simulate.Summary) float64
	text          func(float64) string
}

var (
	podHours = measure{"pod-hours", "pod-hours", func(s *simulate.Summary) float64 { return s.PodHours }, hours}
	loadLost = measure{"load lost", "load lost", func(s *simulate.Summary) float64 { return s.UnservedShare }, percent}
	timeLost = measure{"  for", "for", func(s *simulate.Summary) float64 { return float64(s.TimeUnserved) }, floatSpan}
	above    = measure{"load above target", "above target", func(s *simulate.Summary) float64 { return s.AboveTargetShare }, percent}
	timeOver = measure{"  for", "for", func(s *simulate.Summary) float64 { return float64(s.TimeAboveTarget) }, floatSpan}
	rescales = measure{"rescales", "rescales", func(s *simulate.Summary) float64 { return float64(s.Rescales) }, floatCount}
	reversed = measure{"  reversals within 10 min", "reversals", func(s *simulate.Summary) float64 { return float64(s.Reversals) }, floatCount}
)

// compared are the measures of a comparison after the pod-hours, swept those of
// a sweep.
var (
	compared = []measure{
		loadLost, timeLost, above, timeOver,
		{"recovery from a step, mean", "", func(s *simulate.Summary) float64 { return float64(s.MeanRecovery) }, floatSpan},
		{"  longest", "", func(s *simulate.Summary) float64 { return float64(s.LongestRecovery) }, floatSpan},
		rescales, reversed,
		{"size, lowest", "", func(s *simulate.Summary) float64 { return float64(s.LowestReplicas) }, floatCount},
		{"  highest", "", func(s *simulate.Summary) float64 { return float64(s.HighestReplicas) }, floatCount},
		{"syncs held by a window", "", func(s *simulate.Summary) float64 { return float64(s.HeldByWindow) }, floatCount},
		{"  by a policy", "", func(s *simulate.Summary) float64 { return float64(s.HeldByLimit) }, floatCount},
		{"  by minReplicas", "", func(s *simulate.Summary) float64 { return float64(s.HeldByMin) }, floatCount},
		{"  by maxReplicas", "", func(s *simulate.Summary) float64 { return float64(s.HeldByMax) }, floatCount},
		{"  by metrics that failed", "", func(s *simulate.Summary) float64 { return float64(s.Blocked) }, floatCount},
	}
	swept = []measure{podHours, loadLost, timeLost, above, timeOver, rescales, reversed}
)

func floatSpan(f float64) string  { return span(time.Duration(f)) }
func floatCount(f float64) string { return count(int(f)) }

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
func (r *result) spread(f measure) spread {
	return spreadOf(len(r.summaries), func(i int) float64 { return f.of(&r.summaries[i]) })
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
