package lint

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/calculator/internal/words"
)

// window finds stabilization windows that are too long or too short. Without a
// behavior there is none for scaling up.
func (l *linter) window(d *direction) {
	if l.facts.SyncPeriod <= 0 || d.up && l.behavior == nil {
		return
	}
	path := d.path + ".stabilizationWindowSeconds"
	if d.up {
		l.outlasts(d, WindowOutlastsPeaks, path, l.facts.Peak, "peak")
		l.swapped(path)
		return
	}
	l.outlasts(d, WindowOutlastsPauses, path, l.facts.Pause, "pause")
	l.noDownWindow(path)
}

// holds reports whether a recommendation of that age is still within the
// window.
func (l *linter) holds(d *direction, age time.Duration) bool {
	return age < d.window || age == d.window && l.behavior == nil
}

// outlasts finds a window that hides a whole peak or pause: at each of its
// syncs, a recommendation from just before it is still within the window.
func (l *linter) outlasts(d *direction, kind Kind, path string, lasts time.Duration, what string) {
	period, size, other := l.facts.SyncPeriod, d.from, d.to
	if d.up {
		size = max(size, 1)
	}
	last := min(lasts, math.MaxInt64/2) / period * period // the last sync in the peak or pause
	if last <= 0 || size == other || !l.holds(d, last) {
		return
	}
	c := []Moment{steady(size), proposal(period, size, other, size)}
	if last > period {
		c = append(c, proposal(last, size, other, size))
	}
	l.find(kind, path,
		fmt.Sprintf("the window of %s outlasts a %s of %s: a recommendation from before the %[2]s holds the size throughout",
			words.Span(d.window), what, words.Span(lasts)),
		numbers{"windowSeconds": d.window.Seconds(), what + "Seconds": lasts.Seconds()},
		append(c, proposal(last+period, size, size, size))...)
}

// swapped finds windows that let the size fall at a sync at which they would
// not let it rise.
func (l *linter) swapped(path string) {
	if l.down.disabled || l.up.window <= l.down.window {
		return
	}
	low, high, period := max(l.bounds.Min, 1), l.bounds.Max, l.facts.SyncPeriod
	// The first sync at which the window for scaling down has passed.
	at := max((l.down.window+period-1)/period, 1) * period
	if low == high || !l.holds(&l.up, at) {
		return
	}
	l.find(UpWindowOutlastsDown, path,
		fmt.Sprintf("the window of %s outlasts that of scaleDown, %s: the size falls sooner than it rises",
			words.Span(l.up.window), words.Span(l.down.window)),
		numbers{"windowSeconds": l.up.window.Seconds(), "downWindowSeconds": l.down.window.Seconds()},
		steady(low), proposal(at, low, high, low),
		proposal(l.apart, high, high, high), proposal(l.apart+at, high, low, l.allowed(high, low)))
}

// noDownWindow finds a window that does not hold the recommendation of the sync
// before.
func (l *linter) noDownWindow(path string) {
	low, high, period := l.bounds.Min, l.bounds.Max, l.facts.SyncPeriod
	if l.holds(&l.down, period) || !slices.ContainsFunc(l.metrics, func(m alike.Metric) bool { return m.OfPods() }) {
		return
	}
	to := l.allowed(high, low)
	l.find(NoDownWindow, path,
		fmt.Sprintf("the window of %s holds no earlier recommendation: one low reading scales from %d to %d, and readings of pods are low while pods start",
			words.Span(l.down.window), high, to),
		numbers{"windowSeconds": l.down.window.Seconds(), "syncPeriodSeconds": period.Seconds(), "from": float64(high), "to": float64(to)},
		steady(high), proposal(l.apart, high, high, high), proposal(l.apart+period, high, low, to))
}
