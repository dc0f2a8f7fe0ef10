// Package reach finds out which sizes a load can lead to, while all pods are
// alike and the size has not changed for as long as windows and periods look
// back.
package reach

import (
	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/calculator/internal/pace"
	"github.com/purehpa/hpa/metrics"
)

// Reach says whether a size can be reached.
type Reach int

const (
	// Never: no load leads to the size.
	Never Reach = iota
	// Perhaps: only policies are against it.
	Perhaps
	// Reached: some load leads to the size.
	Reached
)

// Finder finds out which sizes within the bounds can be reached from others.
type Finder struct {
	Bounds    behavior.Bounds
	Metrics   []alike.Metric
	Tolerance metrics.Tolerance
	Up, Down  *pace.Rules
	// Work is the number of proposals and limits computed so far, and MaxWork
	// the number after which Find gives up.
	Work, MaxWork int
	// limits are those of the sizes looked at so far.
	limits []limits
}

// limits are how far the policies let a size rise and fall.
type limits struct{ up, down int32 }

// Tired reports whether the finder has given up.
func (f *Finder) Tired() bool { return f.Work > f.MaxWork }

// Find returns whether a load leads to n from another size. If the finder gave
// up, it is the best answer so far.
func (f *Finder) Find(n int32) (best Reach) {
	if f.Up.Disabled && f.Down.Disabled {
		f.Work++
		return Never
	}
	for i := range int64(f.Bounds.Max) - int64(f.Bounds.Min) + 1 {
		size := f.Bounds.Min + int32(i)
		if i == int64(len(f.limits)) {
			f.limits = append(f.limits, limits{f.Up.Limit(size), f.Down.Limit(size)})
			f.Work += len(f.Up.Policies) + len(f.Down.Policies)
		}
		if size != n {
			best = max(best, f.from(size, f.limits[i], n))
		}
		if best == Reached || f.Tired() {
			break
		}
	}
	return best
}

// from returns whether a load leads from a size with these limits to n.
func (f *Finder) from(size int32, limits limits, n int32) Reach {
	d, limit, bound := f.Up, limits.up, n == f.Bounds.Max
	if size > n {
		d, limit, bound = f.Down, limits.down, n == f.Bounds.Min
	}
	f.Work += 1 + len(f.Metrics)
	if d.Disabled {
		return Never
	}
	asked, beyond := false, false
	for i := range f.Metrics {
		if m := &f.Metrics[i]; size > 0 || !m.OfPods() {
			asked = asked || m.Reaches(n, size, f.Tolerance)
			beyond = beyond || asked || d.Up && m.Propose(alike.MostReading, size, f.Tolerance) >= n || !d.Up && m.Propose(0, size, f.Tolerance) <= n
		}
	}
	if !beyond {
		return Never
	}
	switch asked = asked || bound; {
	case limit == n, asked && (limit > n) == d.Up:
		return Reached
	case asked:
		return Perhaps
	}
	return Never
}
