package behavior

import (
	"math"

	"github.com/purehpa/hpa/stabilize/series"
)

type direction bool

const (
	up   direction = true
	down direction = false
)

func (d direction) defaults() *ScalingRules {
	r := DefaultScaleDown()
	if d == up {
		r = DefaultScaleUp()
	}
	return &r
}

// allow returns the limit of a policy, from the size at the start of its
// period.
func (d direction) allow(start int64, p Policy) int32 {
	switch {
	case p.Type == PodsPolicy && d == up:
		return series.Clamp(start + int64(p.Value))
	case p.Type == PodsPolicy:
		return series.Clamp(start - int64(p.Value))
	case d == up:
		// Rounded up: a change that rounds to none would never end.
		return truncate(math.Ceil(float64(start) * (1 + float64(p.Value)/100)))
	}
	return truncate(float64(start) * (1 - float64(p.Value)/100))
}

// selects reports whether s selects limit a rather than b.
func (d direction) selects(s SelectPolicy, a, b int32) bool {
	// The smaller change has the lower limit when scaling up, and the higher
	// one when scaling down.
	if (s == SelectMin) == (d == up) {
		return a < b
	}
	return a > b
}

// reach returns the limit, or the current size if the limit is behind that.
func (d direction) reach(current, limit int32) int32 { return (!d).within(current, limit) }

// within returns the wanted size, or the limit if wanted is beyond that.
func (d direction) within(wanted, limit int32) int32 {
	if d == up {
		return min(wanted, limit)
	}
	return max(wanted, limit)
}

// truncate rounds f toward zero, stopping at the ends of int32.
func truncate(f float64) int32 { return int32(min(max(f, math.MinInt32), math.MaxInt32)) }
