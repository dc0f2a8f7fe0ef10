package calctest

import (
	"math"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// LoadProfile is a load over time, level after level.
type LoadProfile []Level

// Level is a constant load for some time.
type Level struct {
	// For is how long it lasts, rounded up to whole sync periods.
	For time.Duration
	// Replicas is the load in replicas, with a resolution of a thousandth. Each
	// of that many replicas would be exactly at its target.
	Replicas float64
}

// String returns the levels, such as "4 for 5m, 12.5 for 1h".
func (l LoadProfile) String() string {
	parts := make([]string, len(l))
	for i, level := range l {
		parts[i] = words.Number(level.Replicas) + " for " + words.Span(level.For)
	}
	return strings.Join(parts, ", ")
}

// GoString returns String, for rapid's log.
func (l LoadProfile) GoString() string { return l.String() }

// clamp returns the load next to it that a number of replicas can have, 0 for
// NaN.
func clamp(load float64) float64 {
	if !(load > 0) {
		return 0
	}
	return min(load, math.MaxInt32)
}
