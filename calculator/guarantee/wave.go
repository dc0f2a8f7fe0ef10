package guarantee

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/metrics"
)

// Wave is a load that alternates, sync by sync, and makes the size move at each
// of them, up and down. Of all such waves it is the smallest: the one with the
// least ratio of its ends. It begins after a steady load, and moves the size
// for ever, perhaps after a few syncs that do not.
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
	// is low: in the end, and the lowest and the highest such size if the wave
	// moves the size among more than two.
	From int32 `json:"from,omitempty"`
	To   int32 `json:"to,omitempty"`
	// Metric is the index of the metric, while all others read zero.
	Metric int `json:"metric"`
	// Bound is Exactly if no wave is smaller, and AtMost if one may be.
	Bound Bound `json:"bound"`
}

const (
	// maxWaves is how many waves are looked at, about.
	maxWaves = 10_000
	// maxTos is to how many sizes one size is paired if there are too many to
	// pair them all.
	maxTos = 16
	// maxTrials is how many limits of policies trying them out may take.
	maxTrials = 80_000
)

func (r *rules) wave() Wave {
	if r.up.hold > 1 || r.down.hold > 1 || r.up.Disabled || r.down.Disabled || r.bounds.Min == r.bounds.Max {
		return Wave{None: true, Bound: Exactly}
	}
	var waves []wave
	for i := range r.metrics {
		waves = append(waves, r.waves(i, maxWaves/len(r.metrics))...)
	}
	slices.SortStableFunc(waves, func(a, b wave) int { return cmp.Compare(a.ratio(), b.ratio()) })
	// Most waves that do not last end at once, which takes little work to find
	// out. A few last although they do not move the size at first.
	found := Wave{None: true, Bound: AtLeast}
	waves = r.tryOut(waves, true, &found)
	r.tryOut(waves, false, &found)
	return found
}

// tryOut tries waves, which are ascending, until one lasts, and stores it in
// found. It returns the smaller ones. In a strict trial, the first sync must
// move the size, too.
func (r *rules) tryOut(waves []wave, strict bool, found *Wave) (smaller []wave) {
	end := r.work + maxTrials/2
	for i := range waves {
		w := &waves[i]
		for _, start := range r.starts(w, strict) {
			t := trial{rules: r, wave: w, size: start, end: r.work + (end-r.work)/4}
			if t.lasts(strict) {
				*found = Wave{Low: w.replicas(w.low), High: w.replicas(w.high), From: t.from, To: t.to, Metric: w.index, Bound: AtMost}
				if w.ratio() <= r.leastRatio(w.metric) {
					found.Bound = Exactly
				}
				return waves[:i]
			}
			if r.work >= end {
				return waves
			}
		}
	}
	return waves
}

// wave is a load that alternates between high and just below low: totals of the
// metric, in its unit of readings.
type wave struct {
	metric    *alike.Metric
	index     int
	high, low int64
	// from is a size at which the high load asks for more, and the low load
	// asks for from again.
	from int32
}

// ratio is how large the wave is.
func (w *wave) ratio() float64 { return float64(w.high) / float64(w.low) }

// replicas returns a load in replicas.
func (w *wave) replicas(total int64) float64 { return float64(total) / float64(w.metric.Amount) }

// asked returns the sizes that the ends of the wave ask for at a size.
func (w *wave) asked(size int32, t metrics.Tolerance) (high, low int32) {
	by := share(w.metric, size)
	return w.metric.Propose(w.high/by, size, t), w.metric.Propose((w.low-1)/by, size, t)
}

// share returns by how much a total of the metric is divided at a size.
func share(m *alike.Metric, size int32) int64 {
	if m.Total || size == 0 {
		return 1
	}
	return int64(size)
}

// total returns the lowest total at which the metric asks for n or more at that
// size, and whether there is one.
func (r *rules) total(m *alike.Metric, size int32, n int64) (total int64, ok bool) {
	r.work++
	reading, by := r.asks(m, size, n), share(m, size)
	return reading * by, reading < alike.MostReading/by
}

// waves returns waves of a metric, about so many at most. If there is room,
// these are all that can differ: of each load that asks for a size at some size
// with each other one. Otherwise, they are the smallest ones between two sizes.
func (r *rules) waves(index, most int) []wave {
	m := &r.metrics[index]
	var pairs []wave
	end := r.work + 3*most
	for from := r.bounds.Min; from < r.bounds.Max; from++ {
		if len(pairs) >= most || r.work >= end {
			return pairs
		}
		if from > 0 || !m.OfPods() {
			pairs = r.wavesFrom(pairs, wave{metric: m, index: index, from: from}, most)
		}
	}
	highs, lows := map[int64]bool{}, map[int64]int32{}
	for _, w := range pairs {
		highs[w.high], lows[w.low] = true, w.from
	}
	if len(highs)*len(lows) > most {
		return pairs
	}
	var all []wave
	for _, high := range slices.Sorted(maps.Keys(highs)) {
		for _, low := range slices.Sorted(maps.Keys(lows)) {
			all = append(all, wave{m, index, high, low, lows[low]})
		}
	}
	return all
}

// wavesFrom appends the smallest waves from a size to larger ones: to each of
// them or, if these are too many, to the nearest that loads and policies lead
// to.
func (r *rules) wavesFrom(waves []wave, w wave, most int) []wave {
	all := int64(r.bounds.Max)-int64(r.bounds.Min) <= int64(math.Sqrt(float64(most)))
	first, allowed := len(waves), r.up.Limit(w.from)
	r.work += len(r.up.Policies) / 8
	for to := w.from + 1; all || len(waves)-first < maxTos; to++ {
		high, ok := r.total(w.metric, w.from, int64(to))
		if !ok {
			break
		}
		w.high = high
		asked, _ := w.asked(w.from, r.tolerance)
		limit := min(asked, allowed, r.bounds.Max)
		if !all {
			to = limit
		}
		if to <= w.from {
			break
		}
		if low, ok := r.total(w.metric, to, int64(w.from)+1); ok && low > 0 {
			w.low = low
			waves = append(waves, w)
		}
		if to == r.bounds.Max || !all && limit < asked {
			break
		}
	}
	return waves
}

// leastRatio returns a ratio that no wave is below: the high load asks for more
// than a size that the low load leads to, and no size may have a higher load
// than maxReplicas. It is 0 if truncated readings of pods, or other metrics,
// leave it open.
func (r *rules) leastRatio(m *alike.Metric) float64 {
	if !m.Total || len(r.metrics) > 1 || int64(r.bounds.Max)-int64(r.bounds.Min) > maxWaves {
		return 0
	}
	least := math.Inf(1)
	for size := r.bounds.Min; size < r.bounds.Max; size++ {
		high, _ := r.total(m, size, int64(size)+1)
		low, _ := r.total(m, r.bounds.Max, int64(size)+1)
		least = min(least, float64(high)/float64(low))
	}
	return least
}

// maxStarts is how many sizes a wave is tried from, if there are no more.
const maxStarts = 64

// starts returns the sizes from which to try a wave: all, or in a strict trial
// those where the high load asks for more, and the low load for less than where
// that leads.
func (r *rules) starts(w *wave, strict bool) (starts []int32) {
	if int64(r.bounds.Max)-int64(r.bounds.Min) > maxStarts {
		return []int32{w.from}
	}
	r.work += 1 + int(r.bounds.Max-r.bounds.Min)/8
	for size := r.bounds.Min; size <= r.bounds.Max; size++ {
		if size == 0 && w.metric.OfPods() {
			continue
		}
		high, _ := w.asked(size, r.tolerance)
		next := max(min(high, r.up.Limit(size), r.bounds.Max), size)
		if _, low := w.asked(next, r.tolerance); !strict || high > size && low < next {
			starts = append(starts, size)
		}
	}
	return starts
}
