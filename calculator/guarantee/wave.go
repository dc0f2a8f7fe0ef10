package guarantee

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/alike"
)

// Wave is a load that alternates, sync by sync, and makes the size move at each
// of them, up and down between two sizes. Of all such waves it is the smallest:
// the one with the least ratio of its ends.
type Wave struct {
	// None reports that no wave does, because windows hold the size. The other
	// fields, except Bound, are then zero. With the bound AtLeast, none was
	// found.
	None bool `json:"none,omitempty"`
	// Low and High are the ends in replicas: the load goes just below Low, and
	// up to High.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
	// From is the size at which the load is high, and To the size at which it
	// is low.
	From int32 `json:"from,omitempty"`
	To   int32 `json:"to,omitempty"`
	// Metric is the index of the metric, while all others read zero.
	Metric int   `json:"metric"`
	Bound  Bound `json:"bound"`
}

const (
	// maxWaves is how many waves are looked at, less if there are many
	// policies.
	maxWaves = 10_000
	// maxTries is how many of them are tried out.
	maxTries = 8
	// maxTrials is how many limits of policies trying them out may take.
	maxTrials = 100_000
)

func (r *rules) wave() Wave {
	if r.up.hold > 1 || r.down.hold > 1 || r.up.Disabled || r.down.Disabled || r.bounds.Min == r.bounds.Max {
		return Wave{None: true, Bound: Exactly}
	}
	waves, least := r.waves()
	slices.SortStableFunc(waves, func(a, b wave) int { return cmp.Compare(a.ratio(), b.ratio()) })
	end := r.work + maxTrials
	for i := range waves[:min(len(waves), maxTries)] {
		if w := &waves[i]; r.moves(w, end-r.work) {
			w.Bound = AtMost
			if w.ratio() <= least {
				w.Bound = Exactly
			}
			return w.Wave
		}
	}
	return Wave{None: true, Bound: AtLeast}
}

// wave is a Wave and the sizes that its ends ask for.
type wave struct {
	Wave
	high, low int32
}

// ratio is how large the wave is.
func (w *wave) ratio() float64 { return w.High / w.Low }

// waves returns waves between sizes, and a ratio that no wave is below, 0 if
// that is not known.
func (r *rules) waves() (waves []wave, least float64) {
	least = math.Inf(1)
	smallest, end := least, r.work+maxWaves
	for i := range r.metrics {
		m := &r.metrics[i]
		for from := r.bounds.Min; from < r.bounds.Max; from++ {
			if from == 0 && m.OfPods() {
				continue
			}
			least = min(least, r.leastRatio(m, from))
			for to := from + 1; ; to++ {
				if r.work >= end {
					return waves, 0
				}
				r.work += 1 + (len(r.up.Policies)+len(r.down.Policies))/8
				w, ok := r.waveBetween(m, from, to)
				// No load that asks for the size again is much above that size.
				// A higher load can make the wave smaller only up to there.
				if !ok || w.High/(float64(from)+load(m, 1, w.To)) > smallest {
					break
				}
				if w.Low > 0 {
					w.Metric = i
					waves = append(waves, w)
					smallest = min(smallest, w.ratio())
				}
				if w.To < w.high || w.To == r.bounds.Max {
					break // nor does it lead further
				}
				to = w.To
			}
		}
	}
	return waves, least
}

// leastRatio returns a ratio that no wave is below which scales down to the
// size: no size may have a higher load than maxReplicas. It is 0 if truncated
// readings of pods, or other metrics, leave it open.
func (r *rules) leastRatio(m *alike.Metric, size int32) float64 {
	if !m.Total || len(r.metrics) > 1 {
		return 0
	}
	high, low := r.asks(m, size, int64(size)+1), r.asks(m, r.bounds.Max, int64(size)+1)
	return load(m, high, size) / load(m, low, r.bounds.Max)
}

// waveBetween returns the smallest wave whose high load asks for the size to,
// or for more if no load asks for that. Low is zero if no load leads back. It
// reports whether some load asks for either.
func (r *rules) waveBetween(m *alike.Metric, from, to int32) (w wave, ok bool) {
	high := r.asks(m, from, int64(to))
	if high == alike.MostReading {
		return w, false
	}
	w.From, w.High, w.high = from, load(m, high, from), m.Propose(high, from, r.tolerance)
	w.To = min(w.high, r.up.Limit(from), r.bounds.Max)
	if w.To <= from {
		return w, false
	}
	if above := r.asks(m, w.To, int64(from)+1); above > 0 {
		w.low = m.Propose(above-1, w.To, r.tolerance)
		if max(w.low, r.down.Limit(w.To), r.bounds.Min) == from {
			w.Low = load(m, above, w.To)
		}
	}
	return w, true
}

// moves reports whether the wave makes the size move at each sync until no
// policy counts what was before, and once more. It tries that only if it takes
// no more work than the budget.
func (r *rules) moves(w *wave, budget int) bool {
	s := behavior.Scaler{Behavior: r.behavior, DownscaleStabilization: r.windows.Down, ScaledToZero: true}
	now := time.Time{}
	policies := 1
	if r.behavior != nil {
		policies = max(len(r.behavior.ScaleUp.Policies), len(r.behavior.ScaleDown.Policies))
	}
	leads := func(from, asked, to int32) bool {
		r.work += policies
		next := s.Step(now, behavior.Change{Current: from, Desired: asked}, r.bounds).Replicas
		s.Applied(now, from, next)
		now = now.Add(r.period)
		return next == to
	}
	longest := r.behavior.LongestPeriods()
	rounds := int(max(longest.Up, longest.Down)/r.period) + 2
	if rounds > budget/policies/2 {
		return false
	}
	leads(w.From, w.From, w.From) // a steady load before
	for range rounds {
		if !leads(w.From, w.high, w.To) || !leads(w.To, w.low, w.From) {
			return false
		}
	}
	return true
}
