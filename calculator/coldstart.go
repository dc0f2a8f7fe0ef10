package calculator

import (
	"time"

	"github.com/purehpa/hpa/stabilize"
)

// ColdStart is how an autoscaler without a history, one that is new or whose
// state was lost, scales down. The zero ColdStart is Kubernetes'.
type ColdStart string

const (
	// RecommendCurrent takes the current size as the only recommendation, as
	// Kubernetes does: the size does not fall below the one of the first sync
	// until that is older than the stabilization window. It holds nothing if
	// the window is zero and there is a behavior, if someone else raised the
	// size since then, or if only a forgotten event would have made a policy
	// forbid the change.
	RecommendCurrent ColdStart = ""
	// HoldScaleDown does not let the metrics lower the size until everything
	// that a history could hold against it would have passed since the first
	// sync: the stabilization window of scaleDown, or the longest period of its
	// policies, if that is longer. From then on the history is as good as one
	// that was kept. A size above the maximum still goes to the maximum.
	HoldScaleDown ColdStart = "HoldScaleDown"
)

// holdScaleDown keeps a stabilized size from falling below the current one for
// a window from started, when the state began to record. It reports whether
// that changed the size, or until when it holds.
func holdScaleDown(r *stabilize.Result, now time.Time, current int32, started time.Time, window time.Duration) bool {
	if started.IsZero() {
		return false
	}
	if started.After(now) {
		started = now
	}
	before := *r
	r.HoldDown(now, current, started, window)
	return *r != before
}
