// Package reference computes what proposers.Windows proposes, slowly and in
// fractions, from all that ever happened. It is for tests.
package reference

import (
	"math"
	"math/big"
	"time"

	"github.com/purehpa/hpa/examples/proposers"
)

// Windows remembers everything.
type Windows struct {
	proposers.Windows
	samples []sample
	calls   []call
}

type sample struct {
	unix  int64
	milli int64
}

// call is a proposal that was asked for.
type call struct {
	now   time.Time
	over  bool  // the panic threshold is reached
	asked int32 // of the two windows, the larger
}

// Record is proposers.Windows.Record.
func (w *Windows) Record(now time.Time, milli int64) {
	w.samples = append(w.samples, sample{now.Unix(), max(milli, 0)})
}

// Average returns the average load over a window, in units, and whether
// anything was recorded in it.
func (w *Windows) Average(now time.Time, window time.Duration) (average *big.Rat, recorded bool) {
	length, stable, at := int64(window/time.Second), int64(w.Stable/time.Second), now.Unix()
	load := map[int64]int64{}
	var first, last int64
	for i, s := range w.samples {
		switch {
		case i == 0 || s.unix >= last+length || s.unix < last-stable:
			clear(load)
			first, last = s.unix, s.unix
		case s.unix <= last-length:
			continue
		}
		first, last = min(first, s.unix), max(last, s.unix)
		load[s.unix] += s.milli
	}
	end := max(at, last)
	from, to := max(first, end-length+1), last
	sum := new(big.Int)
	for second, milli := range load {
		if from <= second && second <= to {
			sum.Add(sum, big.NewInt(milli))
		}
	}
	n := big.NewInt(1000 * max(1, to-from+1))
	return new(big.Rat).SetFrac(sum, n), len(w.samples) > 0 && end-last <= length && last-at <= stable
}

// Pods returns the average by the target, rounded up.
func (w *Windows) Pods(average *big.Rat) *big.Int {
	q := new(big.Rat).Quo(average, big.NewRat(int64(w.Target), 1000))
	n, rest := new(big.Int).QuoRem(q.Num(), q.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		n.Add(n, big.NewInt(1))
	}
	return n
}

// Propose is proposers.Windows.Propose, of valid settings.
func (w *Windows) Propose(now time.Time, ready int32) (replicas int32, recorded bool) {
	average, recorded := w.Average(now, w.Stable)
	if !recorded {
		return 0, false
	}
	short, _ := w.Average(now, w.Panic)
	stable, panicked := w.limited(w.Pods(average), ready), w.limited(w.Pods(short), ready)
	times, _ := new(big.Rat).Quo(new(big.Rat).SetInt(w.Pods(short)), pods(ready)).Float64()
	w.calls = append(w.calls, call{now, times >= w.PanicThreshold, max(stable, panicked)})
	if begin := w.panicBegan(); begin >= 0 {
		for _, c := range w.calls[begin:] {
			replicas = max(replicas, c.asked)
		}
		return replicas, true
	}
	return stable, true
}

// panicBegan returns the call at which the panic of the last call began, -1 if
// it is none. A panic is a run of calls, each at most a stable window after the
// last one that was over the threshold. One that is further before it than
// that, as the clock went back, takes its place.
func (w *Windows) panicBegan() int {
	begin := -1
	var seen time.Time
	for i, c := range w.calls {
		switch {
		case c.over:
			seen = c.now
			if begin < 0 {
				begin = i
			}
		case c.now.After(seen.Add(w.Stable)):
			begin = -1
		case c.now.Before(seen.Add(-w.Stable)):
			seen = c.now
		}
	}
	return begin
}

func (w *Windows) limited(n *big.Int, ready int32) int32 {
	size := new(big.Rat).SetInt(n)
	if w.MaxScaleDownRate != 0 {
		least, _ := new(big.Rat).Quo(pods(ready), rat(w.MaxScaleDownRate)).Float64()
		size = larger(size, rat(math.Floor(least)))
	}
	most, _ := new(big.Rat).Mul(pods(ready), rat(w.MaxScaleUpRate)).Float64()
	if m := rat(math.Ceil(most)); size.Cmp(m) > 0 {
		size = m
	}
	if n.Sign() > 0 {
		size = larger(size, big.NewRat(int64(w.ActivationScale), 1))
	}
	if size.Cmp(big.NewRat(math.MaxInt32, 1)) > 0 {
		return math.MaxInt32
	}
	return int32(size.Num().Int64())
}

func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// pods is what the rates apply to: one pod at least.
func pods(ready int32) *big.Rat { return big.NewRat(int64(max(ready, 1)), 1) }

func rat(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
