package behavior

import (
	"math"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// Windows returns the stabilization windows. The argument is the flag
// --horizontal-pod-autoscaler-downscale-stabilization (5 minutes by default),
// which stands in for a window that ScaleDown leaves out, truncated to whole
// seconds. A nil b has the flag in both directions.
func (b *Behavior) Windows(downscaleStabilization time.Duration) stabilize.Windows {
	if b == nil {
		return stabilize.Windows{Up: downscaleStabilization, Down: downscaleStabilization}
	}
	const second = int64(time.Second)
	var w stabilize.Windows
	w.Down = time.Duration(min(max(int64(downscaleStabilization)/second, math.MinInt32), math.MaxInt32) * second)
	if r := b.ScaleDown; r != nil && r.StabilizationWindowSeconds != nil {
		w.Down = time.Duration(*r.StabilizationWindowSeconds) * time.Second
	}
	if r := b.ScaleUp; r != nil && r.StabilizationWindowSeconds != nil {
		w.Up = time.Duration(*r.StabilizationWindowSeconds) * time.Second
	}
	return w
}

// Tolerance returns how far the usage ratio may differ from 1 without a change.
// The argument is the flag --horizontal-pod-autoscaler-tolerance (0.1 by
// default), which stands in for rules that leave the tolerance out.
func (b *Behavior) Tolerance(flag float64) metrics.Tolerance {
	t := metrics.Symmetric(flag)
	if b == nil {
		return t
	}
	if b.ScaleDown != nil && b.ScaleDown.Tolerance.IsSet() {
		t.Down = b.ScaleDown.Tolerance.Float64()
	}
	if b.ScaleUp != nil && b.ScaleUp.Tolerance.IsSet() {
		t.Up = b.ScaleUp.Tolerance.Float64()
	}
	return t
}

// Stabilize stabilizes the desired size with [stabilize.History.Stabilize], or
// if b is nil with [stabilize.History.StabilizeDown]. The windows are those of
// [Behavior.Windows]. It only reads.
func (b *Behavior) Stabilize(now time.Time, c Change, w stabilize.Windows, h *stabilize.History) (r stabilize.Result) {
	b.StabilizeInto(&r, now, c, w, h)
	return r
}

// StabilizeInto is for this library's own packages, outside of the promise of
// compatibility. It is like Stabilize but stores the result in *r, which must
// be zero.
func (b *Behavior) StabilizeInto(r *stabilize.Result, now time.Time, c Change, w stabilize.Windows, h *stabilize.History) {
	if b == nil {
		h.StabilizeDownInto(r, now, c.Desired, w.Down)
		return
	}
	h.StabilizeInto(r, now, c.Current, c.Desired, w)
}
