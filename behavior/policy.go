package behavior

import (
	"time"

	"github.com/purehpa/hpa/stabilize/series"
)

// PolicyLimit is the limit of one policy.
type PolicyLimit struct {
	Policy
	// Added and Removed are the pods added and removed within its period.
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
	// Start is the size at the start of its period: the current size minus
	// Added plus Removed.
	Start int64 `json:"start"`
	// Limit is the size that the policy allows. It may be behind the current
	// size, as after scaling up further than allowed, and negative.
	Limit int32 `json:"limit"`
	// Until is when the first of the events counted leaves the period, the zero
	// time.Time without events.
	Until time.Time `json:"until,omitzero"`
}

// fill fills in the limit of l's policy, and returns by how much Start changes
// at Until.
func (l *PolicyLimit) fill(now time.Time, current int32, e *Events, a *aged, d direction) (change int64) {
	var added, removed series.Window
	if period := l.period(); a != nil {
		added, removed = a.added.Within(now, period), a.removed.Within(now, period)
	} else {
		added, removed = e.added.Within(now, period), e.removed.Within(now, period)
	}
	l.Added, l.Removed = added.Sum, removed.Sum
	l.Start = int64(current) - l.Added + l.Removed
	l.Limit = d.allow(l.Start, l.Policy)
	if added.Count > 0 && (removed.Count == 0 || !removed.Expires.Before(added.Expires)) {
		l.Until, change = added.Expires, added.Leaving
	}
	if removed.Count > 0 && (added.Count == 0 || !added.Expires.Before(removed.Expires)) {
		l.Until, change = removed.Expires, change-removed.Leaving
	}
	return change
}

// aged are events by their age.
type aged struct{ added, removed series.Ages }
