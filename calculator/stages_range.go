package calculator

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/stage"
)

// String returns the text of AppendText.
func (r Range) String() string {
	text, _ := r.AppendText(nil)
	return string(text)
}

// AppendText appends the range in the sentences of [Decision.AppendText].
// Stages that the controller's memory takes part in are ranges, and say what is
// not known. The error is nil.
func (r Range) AppendText(dst []byte) ([]byte, error) {
	for _, s := range r.Stages() {
		dst, _ = s.AppendText(dst)
	}
	return dst, nil
}

// Stages returns the explanation of the range as data; see [Decision.Stages].
// AppendText appends their texts.
func (r *Range) Stages() []stage.Stage {
	if !r.remembers && len(r.variants) == 0 {
		return r.High.Stages()
	}
	e := rangeExplanation{explanation{d: &r.High}, r}
	e.result()
	e.size()
	for i := range r.High.Proposals {
		e.metric(i)
	}
	if r.Fallback {
		e.fallback()
		e.nextUnknown()
		return e.stages
	}
	e.choice()
	if r.remembers {
		e.stabilization()
		e.policies()
		e.limits()
		e.cooldown()
	}
	e.next()
	e.err()
	return e.stages
}

// rangeExplanation is a range being explained, for the most part by its high
// end.
type rangeExplanation struct {
	explanation
	r *Range
}

// between adds a stage with that range of sizes after it.
func (e *rangeExplanation) between(name string, low, high int32) *stage.Stage {
	s := e.add(name, high)
	s.Low = low
	return s
}

func (e *rangeExplanation) result() {
	if _, known := e.r.Replicas(); known {
		e.explanation.result()
		r := e.stages[0].Result
		if e.r.Fallback && r.Outcome == stage.NoSize {
			r.Outcome = stage.Unchanged // a fallback may be the size
		}
		if e.r.Low.Reason != e.r.High.Reason {
			r.Reason, r.Why = "", "the reason depends on what is not known"
		}
		return
	}
	e.between(stage.NameResult, e.r.Low.DesiredReplicas, e.r.High.DesiredReplicas).Result =
		&stage.Result{Release: e.d.Release, Outcome: stage.Unknown}
}

// metric adds a metric. If it has a fallback and fails, it is not known since
// when.
func (e *rangeExplanation) metric(i int) {
	e.explanation.metric(i)
	p, s := &e.d.Proposals[i], &e.stages[len(e.stages)-1]
	if len(e.r.variants) == 0 || !p.failing {
		return
	}
	s.Low, s.High, s.Bound, s.Until = 0, 0, failureReason(&p.Metric), time.Time{}
	s.Metric.Proposal = nil
	f := s.Metric.Failure
	f.Since, f.Waits, f.Unknown = time.Time{}, false, true
}

// fallback adds the metrics whose fallbacks may count.
func (e *rangeExplanation) fallback() {
	f := &stage.Fallback{Metrics: []int{}}
	for i := range e.r.High.Proposals {
		if e.r.High.Proposals[i].failing {
			f.Metrics = append(f.Metrics, i+1)
		}
	}
	e.between(stage.NameFallback, e.r.Low.DesiredReplicas, e.r.High.DesiredReplicas).Fallback = f
}

func (e *rangeExplanation) stabilization() {
	low, high := &e.r.Low.Stabilization, &e.r.High.Stabilization
	if low.Replicas == high.Replicas {
		e.explanation.stabilization()
		if !e.r.coldStart {
			e.unknownToo()
		}
		e.stages[len(e.stages)-1].Stabilization.Spec = e.r.spec
		return
	}
	window, d := e.d.Windows.Down, stage.Down
	if high.Desired > e.d.CurrentReplicas && e.d.hasBehavior {
		window, d = e.d.Windows.Up, stage.Up
	}
	s := &stage.Stabilization{Desired: high.Desired, Direction: d, Window: stage.Seconds(window), KnownSince: e.r.since, Spec: e.r.spec}
	if !e.r.coldStart {
		s.Latest = later(low.Until, high.Until)
	}
	e.between(stage.NameStabilization, low.Replicas, high.Replicas).Stabilization = s
}

// unknownToo says of a known recommendation that holds the size that others,
// which are not known, may hold it longer.
func (e *rangeExplanation) unknownToo() {
	s := &e.stages[len(e.stages)-1]
	t, since := s.Stabilization, orNow(e.r.since, e.d.Now)
	if latest := s.Until.Add(since.Sub(t.Made)); !s.Until.IsZero() && !t.Started && !t.ColdStart && latest.After(later(s.Until, e.d.Now)) {
		t.Recommended, t.Made, t.Latest = 0, time.Time{}, latest
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// policies adds those of the end that has some, and marks the ones for which
// events may count that are not known.
func (e *rangeExplanation) policies() {
	end := e.limited()
	if end == nil {
		return
	}
	end.policies()
	s := end.stages[0]
	for i := range s.Policies.List {
		if p := &s.Policies.List[i]; e.unknown(p.PeriodSeconds) {
			p.Unknown, s.Policies.EventsUnknown = true, e.r.unknown()
		}
	}
	if !s.Policies.EventsUnknown.IsZero() {
		rates := [...]int32{e.r.Low.rate(), e.r.High.rate()}
		s.Low, s.High = min(rates[0], rates[1]), max(rates[0], rates[1])
	}
	e.stages = append(e.stages, s)
}

// limited returns the explanation of an end with policies, nil if there are
// none.
func (e *rangeExplanation) limited() *explanation {
	for _, d := range []*Decision{&e.r.High, &e.r.Low} {
		if end := (explanation{d: d}); end.limited() {
			return &end
		}
	}
	return nil
}

// unknown reports whether events that are not known may be within a period. The
// status has whole seconds.
func (e *rangeExplanation) unknown(periodSeconds int32) bool {
	return !e.r.last.IsZero() && e.d.Now.Sub(e.r.unknown()) < time.Duration(periodSeconds+1)*time.Second
}

// unknown returns up to when scale events are not known.
func (r *Range) unknown() time.Time {
	if !r.eventsSince.IsZero() && r.eventsSince.Before(r.last) {
		return r.eventsSince
	}
	return r.last
}

// limits adds what policies and bounds make of the size. Until when, the ends
// do not say.
func (e *rangeExplanation) limits() {
	low, high := &e.r.Low, &e.r.High
	e.explanation.limits()
	s := &e.stages[len(e.stages)-1]
	// From zero, a higher recommendation may be limited to less than the
	// minimum.
	s.Low, s.High = min(low.Limits.Replicas, high.Limits.Replicas), max(low.Limits.Replicas, high.Limits.Replicas)
	s.Until = time.Time{}
	s.Limits.DesiredLow = low.Limits.Desired
	if s.Low != s.High || low.Limits.Reason != high.Limits.Reason {
		s.Limits.Unknown, s.Bound = true, ""
	}
	if low.RaisedToMin && high.RaisedToMin {
		e.minimum()
	}
}

func (e *rangeExplanation) cooldown() {
	low, high := &e.r.Low.Cooldown, &e.r.High.Cooldown
	if low.Replicas == high.Replicas {
		e.explanation.cooldown()
		// The status has only the second from which it counts.
		if s := &e.stages[len(e.stages)-1]; s.Cooldown != nil && low.Backoff != high.Backoff {
			s.Bound, s.Cooldown.Backoff = "", behavior.NoBackoff
		}
		return
	}
	e.between(stage.NameCooldown, low.Replicas, high.Replicas).Cooldown = &stage.Cooldown{Desired: high.Desired}
}

// next says when time alone changes something, if that is known.
func (e *rangeExplanation) next() {
	switch low, high := &e.r.Low, &e.r.High; {
	case low.Rescale && high.Rescale:
	case len(e.r.variants) > 0:
		e.nextUnknown()
	case low.Rescale == high.Rescale && low.sameUntil(high) && !e.eventsUnknown():
		e.explanation.next()
	default:
		e.nextUnknown()
	}
}

// sameUntil reports whether time alone changes each stage of both decisions at
// the same moment.
func (d *Decision) sameUntil(o *Decision) bool {
	return d.Until.Equal(o.Until) && d.Stabilization.Until.Equal(o.Stabilization.Until) &&
		d.Limits.Until.Equal(o.Limits.Until) && d.Cooldown.Until.Equal(o.Cooldown.Until)
}

// eventsUnknown reports whether events that are not known may count.
func (e *rangeExplanation) eventsUnknown() bool {
	return slices.ContainsFunc(e.stages, func(s stage.Stage) bool {
		return s.Policies != nil && !s.Policies.EventsUnknown.IsZero()
	})
}

// err says what Kubernetes' sync returns, if that is known: it counts the
// metrics that failed.
func (e *rangeExplanation) err() {
	for i := range e.r.variants {
		if e.r.variants[i].High.errText() != e.d.errText() {
			return
		}
	}
	e.explanation.err()
}

func (e *rangeExplanation) nextUnknown() {
	e.between(stage.NameNext, e.r.Low.DesiredReplicas, e.r.High.DesiredReplicas).Next = &stage.Next{Unknown: true}
}
