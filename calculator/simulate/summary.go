package simulate

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// Summary is what rows come to. Its figures are sums over the rows; loads are
// those of Service.
type Summary struct {
	// Rows is the number of rows, one for each sync, and Duration the time that
	// they cover.
	Rows     int
	Duration time.Duration

	// PodHours is what all pods together cost, in pods times hours.
	PodHours float64
	// LowestReplicas and HighestReplicas are the extremes of the size after the
	// syncs.
	LowestReplicas, HighestReplicas int32

	// Load is what was asked for, Unserved what of it was lost, and AboveTarget
	// what of it went beyond what the ready pods can serve with the metrics at
	// their targets, tolerance included: in units of load times hours.
	Load, Unserved, AboveTarget float64
	// UnservedShare and AboveTargetShare are those as fractions of Load.
	UnservedShare, AboveTargetShare float64
	// TimeUnserved and TimeAboveTarget are for how long there was any of it.
	TimeUnserved, TimeAboveTarget time.Duration

	// Rescales counts the changes of size. Reversals are those of them that went
	// the other way than the one before, no more than ReversalWindow after it.
	Rescales, Reversals int

	// Steps counts the rises of the load by half or more from one row to the
	// next. A step begins a recovery, unless one is under way, and the recovery
	// ends with the first row in which the load is never above target; it is as
	// long as the load was above target until then.
	Steps int
	// Recoveries counts the recoveries, those that took no time included, and
	// LongestRecovery and MeanRecovery tell how long they took. One that is
	// under way at the end is among them as far as it got, and Recovering tells
	// that there is.
	Recoveries                    int
	LongestRecovery, MeanRecovery time.Duration
	Recovering                    bool

	// HeldByWindow counts the rows in which a stabilization window changed what
	// the metrics asked for, HeldByLimit those in which a policy did, or the
	// fixed limit of a spec without behavior, and HeldByBound those in which the
	// minimum or the maximum did.
	HeldByWindow, HeldByLimit, HeldByBound int
	// Blocked counts the rows in which nothing could be scaled, since metrics
	// failed.
	Blocked int
}

// ReversalWindow is how soon after a change of size one that goes the other way
// is a reversal; one that is exactly as late still is.
const ReversalWindow = 10 * time.Minute

// Ledger adds up rows. The zero Ledger has none.
type Ledger struct {
	sum                                   Summary
	pods, load, unserved, above           integral
	lastLoad                              metrics.Milli
	lastScale                             time.Time
	lastUp                                bool
	recovering                            bool
	recovery, recoveries, longestRecovery time.Duration
}

// Add adds a row. Rows come in the order of time.
func (l *Ledger) Add(r *Row) {
	s := &l.sum
	if s.Rows == 0 || r.DesiredReplicas < s.LowestReplicas {
		s.LowestReplicas = r.DesiredReplicas
	}
	s.HighestReplicas = max(s.HighestReplicas, r.DesiredReplicas)
	l.addStep(r)
	l.addRescale(r)
	s.Rows++
	s.Duration = addSat(s.Duration, max(r.Span, 0))
	l.pods.add(1, r.PodTime)
	l.load.add(r.Load, r.Span)
	l.unserved.add(r.Unserved, r.Span)
	l.above.add(r.AboveTarget, r.Span)
	s.TimeUnserved = addSat(s.TimeUnserved, max(r.TimeUnserved, 0))
	s.TimeAboveTarget = addSat(s.TimeAboveTarget, max(r.TimeAboveTarget, 0))
	if r.Stabilization != stabilize.NotStabilized {
		s.HeldByWindow++
	}
	switch r.Limit {
	case behavior.ScaleUpLimit, behavior.ScaleDownLimit:
		s.HeldByLimit++
	case behavior.TooFewReplicas, behavior.TooManyReplicas:
		s.HeldByBound++
	}
	if r.Blocked {
		s.Blocked++
	}
}

func (l *Ledger) addRescale(r *Row) {
	if !r.Rescaled() {
		return
	}
	up := r.DesiredReplicas > r.CurrentReplicas
	if l.sum.Rescales > 0 && up != l.lastUp && r.Time.Sub(l.lastScale) <= ReversalWindow {
		l.sum.Reversals++
	}
	l.sum.Rescales++
	l.lastScale, l.lastUp = r.Time, up
}

func (l *Ledger) addStep(r *Row) {
	// Half as much again, without leaving int64.
	if rise := r.Load - l.lastLoad; l.sum.Rows > 0 && rise > 0 && rise >= l.lastLoad-l.lastLoad/2 {
		l.sum.Steps++
		if !l.recovering {
			l.recovering, l.recovery = true, 0
			l.sum.Recoveries++
		}
	}
	l.lastLoad = max(r.Load, 0)
	if !l.recovering {
		return
	}
	above := max(r.TimeAboveTarget, 0)
	l.recovery = addSat(l.recovery, above)
	l.recoveries = addSat(l.recoveries, above)
	l.longestRecovery = max(l.longestRecovery, l.recovery)
	l.recovering = above > 0
}

// Summary returns what the rows added so far come to.
func (l *Ledger) Summary() Summary {
	s := l.sum
	s.PodHours = l.pods.float64() / float64(time.Hour)
	s.Load, s.Unserved, s.AboveTarget = l.load.hours(), l.unserved.hours(), l.above.hours()
	s.UnservedShare, s.AboveTargetShare = l.unserved.share(l.load), l.above.share(l.load)
	s.LongestRecovery, s.Recovering = l.longestRecovery, l.recovering
	if s.Recoveries > 0 {
		s.MeanRecovery = l.recoveries / time.Duration(s.Recoveries)
	}
	return s
}
