package simulate

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// Summary adds up rows.
type Summary struct {
	// Rows is the number of rows, one for each sync. Duration is the time that
	// they cover.
	Rows     int
	Duration time.Duration

	// PodHours is the cost in pods times hours.
	PodHours float64
	// LowestReplicas and HighestReplicas are the extremes of the size after a
	// sync.
	LowestReplicas, HighestReplicas int32

	// Load, Unserved and AboveTarget are those of Performance over time, in
	// units of load times hours.
	Load, Unserved, AboveTarget float64
	// UnservedShare and AboveTargetShare are fractions of Load, 0 if that is 0.
	UnservedShare, AboveTargetShare float64
	// TimeUnserved and TimeAboveTarget are how long there was such load.
	TimeUnserved, TimeAboveTarget time.Duration
	// TargetUnknown reports that of some rows it is not known what is above
	// target: AboveTarget, its share and time, and the recoveries may be more.
	TargetUnknown bool

	// Rescales counts the changes of size. Reversals counts those in the
	// opposite direction of the last one within ReversalWindow.
	Rescales, Reversals int

	// Steps counts the rises of EndLoad by at least half from one row to the
	// next. A step starts a recovery unless one is under way. The recovery ends
	// with the first row that is never above target, and takes as long as the
	// load was above target until then.
	Steps int
	// Recoveries counts the recoveries, with those of no time and the one that
	// is under way at the end. LongestRecovery and MeanRecovery are their
	// times. Recovering reports whether one is under way.
	Recoveries                    int
	LongestRecovery, MeanRecovery time.Duration
	Recovering                    bool

	// HeldByWindow counts the rows in which a stabilization window changed the
	// size, HeldByLimit those in which a policy did, or the doubling limit of a
	// spec without behavior, HeldByMin those in which minReplicas did, and
	// HeldByMax those in which maxReplicas did.
	HeldByWindow, HeldByLimit, HeldByMin, HeldByMax int
	// Blocked counts the rows in which the size could not change because
	// metrics failed.
	Blocked int
}

// ReversalWindow is the time within which an opposite change of size is a
// reversal, inclusive.
const ReversalWindow = 10 * time.Minute

// Ledger adds up rows. The zero Ledger is empty. Use it for rows that Summarize
// does not see. It is for one goroutine at a time.
type Ledger struct {
	sum                                   Summary
	pods, load, unserved, above           integral
	lastLoad                              metrics.Milli
	lastScale                             time.Time
	lastUp                                bool
	recovering                            bool
	recovery, recoveries, longestRecovery time.Duration
}

// Add adds a row. Rows must be in the order of time.
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
	s.TargetUnknown = s.TargetUnknown || r.TargetUnknown
	s.TimeUnserved = addSat(s.TimeUnserved, max(r.TimeUnserved, 0))
	s.TimeAboveTarget = addSat(s.TimeAboveTarget, max(r.TimeAboveTarget, 0))
	switch r.Stabilization {
	case stabilize.ScaleUpStabilized, stabilize.ScaleDownStabilized:
		s.HeldByWindow++
	}
	switch r.Limit {
	case behavior.ScaleUpLimit, behavior.ScaleDownLimit:
		s.HeldByLimit++
	case behavior.TooFewReplicas:
		s.HeldByMin++
	case behavior.TooManyReplicas:
		s.HeldByMax++
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
	// Half as much again, written so that it does not overflow.
	if rise := r.EndLoad - l.lastLoad; l.sum.Rows > 0 && rise > 0 && rise >= l.lastLoad-l.lastLoad/2 {
		l.sum.Steps++
		if !l.recovering {
			l.recovering, l.recovery = true, 0
			l.sum.Recoveries++
		}
	}
	l.lastLoad = max(r.EndLoad, 0)
	if !l.recovering {
		return
	}
	above := max(r.TimeAboveTarget, 0)
	l.recovery = addSat(l.recovery, above)
	l.recoveries = addSat(l.recoveries, above)
	l.longestRecovery = max(l.longestRecovery, l.recovery)
	l.recovering = above > 0
}

// Summary returns the summary of the rows so far.
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
