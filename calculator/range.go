package calculator

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/stabilize"
)

// Range is a decision from incomplete knowledge: no API shows the
// recommendations and scale events that a controller remembers.
type Range struct {
	// Low and High are the decisions for the extreme histories consistent with
	// the status: no such history leads to a smaller size than Low's or a
	// larger one than High's. Their recommendations, events and times until
	// something changes are those of an assumed history, not of the real one.
	Low  Decision `json:"low"`
	High Decision `json:"high"`
	// Recommendations reports that sizes differ by which recommendations are
	// within the stabilization window. Events reports that they differ more by
	// which scale events are within the periods of the policies, or by when
	// within its second the last one was, for a cooldown.
	Recommendations bool `json:"recommendations"`
	Events          bool `json:"events"`
	// Fallback reports that it is not known which proposal decides, and so
	// maybe not which size, since a metric may have failed for as long as its
	// fallback waits.
	Fallback bool `json:"fallback"`
	// low and high are the states after them.
	low, high State
	// remembers reports that a memory could matter to a stage, cools that there
	// is a cooldown, coldStart that a lost history may hold the size for longer
	// than a recommendation does.
	remembers, cools, coldStart bool
	// since and eventsSince are since when recommendations and events are
	// known, last the last scale that the status knows.
	since, eventsSince, last time.Time
	// spec is how it is known that the status, which then shows the highest
	// recommendation, is of the spec.
	spec stage.SpecEvidence
	// variants are the ranges of metrics that have failed for less or more than
	// their fallbacks wait; none if no metric with a fallback fails.
	variants []Range
}

// Replicas returns the size, if it is known: whether the memories that the
// status allows all lead to it.
func (r *Range) Replicas() (size int32, known bool) {
	return r.High.DesiredReplicas, r.Low.DesiredReplicas == r.High.DesiredReplicas
}

// Err returns the error of the decision.
func (r *Range) Err() error { return r.High.Err() }

// Applied records in both decisions that their sizes were written at now; see
// [State.Applied].
func (r *Range) Applied(now time.Time) {
	r.low.Applied(now, &r.Low)
	r.high.Applied(now, &r.High)
	for i := range r.variants {
		r.variants[i].Applied(now)
	}
}

// Failed records in both decisions that their sizes could not be written at now,
// and why; see [State.Failed].
func (r *Range) Failed(now time.Time, err error) {
	r.low.Failed(now, &r.Low, err)
	r.high.Failed(now, &r.High, err)
	for i := range r.variants {
		r.variants[i].Failed(now, err)
	}
}

// Statuses returns the statuses after both decisions; see [Decision.Status].
func (r *Range) Statuses() (low, high autoscaling.HorizontalPodAutoscalerStatus) {
	return r.Low.Status(&r.low), r.High.Status(&r.high)
}

// Certain reports whether the status has the condition c of High's status (see
// Statuses) whatever the controller remembers. Both ends may have the same
// condition while a size between them has another.
func (r *Range) Certain(c *autoscaling.HorizontalPodAutoscalerCondition) bool {
	for i := range r.variants {
		if !r.variants[i].Certain(c) {
			return false
		}
	}
	if len(r.variants) > 0 {
		return true
	}
	low, high := &r.Low, &r.High
	switch c.Type {
	case autoscaling.AbleToScale:
		// The status has only the second from which a cooldown counts.
		if r.cools || low.Stabilization.Replicas != high.Stabilization.Replicas || low.DesiredReplicas != high.DesiredReplicas {
			return false
		}
	case autoscaling.ScalingLimited:
		// Without policies, no memory limits what lies between.
		if high.hasBehavior && low.Limits.Replicas != high.Limits.Replicas {
			return false
		}
	case autoscaling.ScaledToZero:
		// It is set where the size changes.
		if current := high.CurrentReplicas; low.DesiredReplicas != high.DesiredReplicas && low.DesiredReplicas <= current && current <= high.DesiredReplicas {
			return false
		}
	}
	has := func(d *Decision) bool {
		return slices.ContainsFunc(d.Conditions, func(l autoscaling.HorizontalPodAutoscalerCondition) bool {
			return l.Type == c.Type && l.Status == c.Status && l.Reason == c.Reason && l.Message == c.Message
		})
	}
	return has(low) && has(high)
}

// Known is what is known of an autoscaler's past without its controller: what
// kubectl prints, and what was seen since. Its zero value is an autoscaler that
// was never synced.
type Known struct {
	// Status is the autoscaler's status, as the last sync wrote it. Without
	// conditions, the autoscaler was never synced, and remembers nothing.
	Status autoscaling.HorizontalPodAutoscalerStatus
	// Generation is the metadata.generation of the spec, 0 if it is not known.
	Generation int64
	// SpecWritten and StatusWritten are when the spec and the status were last
	// written, in whole seconds of one clock that did not go back in between;
	// the zero time.Time if that is not known. They tell whether the status is
	// of the spec where no generation does.
	SpecWritten, StatusWritten time.Time
	// Recommendations and Events are complete since Since, for a controller
	// that was running before and has not restarted, and a spec whose behavior
	// was not changed. The zero time.Time means that they never are.
	// Recommendations may have some from before, which the controller
	// remembers beside others.
	Recommendations stabilize.History
	Events          behavior.Events
	Since           time.Time
	// EventsSince is since when Events is complete, if not since Since. The
	// cluster's events may show scale events for longer, or miss some. Events
	// has no entries from before.
	EventsSince time.Time
}

// Decide returns what the controller can decide. If you keep a [State], use the
// function [Decide].
//
// The controller may remember any recommendations from before Since, the
// current size as one after a restart, and any events from before EventsSince,
// except:
//
//   - No scale event is later than lastScaleTime, and without one no event
//     happened.
//   - Without a behavior, no recommendation is higher than desiredReplicas if
//     the last sync decided on that size by metrics, and no upper limit kept it
//     down. The spec must be known to be that of the last sync, too: Generation
//     is the one observed; or, if one of both is not known, the status was
//     written after the spec, or all that is in the window was.
//
// If the clock went back since the last sync, leave Generation and SpecWritten
// unset: recommendations that had left the window count again.
//
// A metric with a fallback that fails now may have failed for any time before.
func (k *Known) Decide(now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation) Range {
	if k == nil {
		k = new(Known)
	}
	set, _ := settings.OrDefault() // the function Decide returns the error
	settings = &set
	r := k.decide(now, settings, spec, obs, nil)
	if len(k.Status.Conditions) > 0 {
		r.vary(r.Low.forLong(), func(failing []FailingMetric) Range { return k.decide(now, settings, spec, obs, failing) })
	}
	return r
}

// forLong returns the metrics whose fallback does not count yet, as if they had
// failed for long enough: each alone, and all of them.
//
// Other sets add nothing. The proposal that decides is that of one of these
// metrics, or of one that did not fail. If the choice is blocked, the condition
// names the first metric without a proposal, which any fallback of that metric
// changes.
func (d *Decision) forLong() (sets [][]FailingMetric) {
	var all []FailingMetric
	for i := range d.Proposals {
		p := &d.Proposals[i]
		if !p.failing || p.Rule == Fallback {
			continue
		}
		m := FailingMetric{shown(d.MetricName(i)), d.Now.Add(d.Now.Sub(p.Until))}
		sets = append(sets, []FailingMetric{m})
		// Metrics of one name fail together, and may wait for different times.
		if same := find(all, []byte(m.Metric)); same == nil {
			all = append(all, m)
		} else if m.Since.Before(same.Since) {
			same.Since = m.Since
		}
	}
	if len(sets) > 1 {
		sets = append(sets, all)
	}
	return sets
}

// vary widens the range by what can be decided if metrics have failed for long
// enough.
func (r *Range) vary(sets [][]FailingMetric, decide func([]FailingMetric) Range) {
	if len(sets) == 0 {
		return
	}
	first := *r
	first.low, first.high = r.low.Clone(), r.high.Clone()
	r.variants = append(r.variants, first)
	for _, failing := range sets {
		v := decide(failing)
		r.variants = append(r.variants, v)
		r.Fallback = r.Fallback || !v.High.choseAs(&first.High)
		if v.Low.compare(&r.Low) < 0 {
			r.Low, r.low = v.Low, v.low.Clone()
		}
		if v.High.compare(&r.High) > 0 {
			r.High, r.high = v.High, v.high.Clone()
		}
		r.Recommendations = r.Recommendations || v.Recommendations
		r.Events = r.Events || v.Events
		r.remembers = r.remembers || v.remembers
	}
}

// choseAs reports whether the same proposal decides, or the same failure keeps
// any from it.
func (d *Decision) choseAs(e *Decision) bool {
	c, o := &d.Choice, &e.Choice
	return c.Metric == o.Metric && c.Replicas == o.Replicas && (c.Metric >= 0 || c.FirstFailed == o.FirstFailed)
}

// decide is Decide with metrics that fail since a known time.
func (k *Known) decide(now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, failing []FailingMetric) Range {
	st := StateFromStatus(&k.Status)
	st.Failing = failing
	if len(st.Conditions) == 0 {
		st.Recommendations, st.Events, st.Started = k.Recommendations.Clone(), k.Events.Clone(), k.Since
		d := Decide(now, settings, spec, obs, &st)
		return Range{Low: d, High: d, low: st, high: st.Clone()}
	}
	decide := func(m memory) (Decision, State) {
		st := st.Clone()
		m.recall(&st, k, spec)
		d := Decide(now, settings, spec, obs, &st)
		return d, st
	}
	d, after := decide(memory{})
	r := Range{Low: d, High: d, low: after, high: after.Clone(), remembers: d.normalized(), cools: settings.Cooldown != behavior.Cooldown{}, coldStart: settings.ColdStart != RecommendCurrent, since: k.Since, eventsSince: k.eventsKnown(), last: st.LastScaleTime}
	if !r.remembers {
		return r
	}
	bounded := !d.hasBehavior && k.showsHighest(&d, settings)
	if bounded && !k.since(now).Add(d.Windows.Down).Before(now) {
		r.spec = k.specEvidence(&d)
		bounded = r.spec != stage.SpecUnknown
	}
	low, high := k.recommendations(&d, bounded)
	for i, m := range append([]memory{{}}, k.scaled(&d, settings)...) {
		for _, m.recommended = range []stabilize.Entry{low, high} {
			d, after := decide(m)
			if i == 0 && m.recommended == low {
				r.Low, r.High, r.low, r.high = d, d, after, after.Clone()
			}
			smaller, larger := d.compare(&r.Low) < 0, d.compare(&r.High) > 0
			if smaller {
				r.Low, r.low = d, after
			}
			if larger {
				r.High, r.high = d, after
			}
			r.Events = r.Events || i > 0 && (smaller || larger)
		}
	}
	r.Recommendations = r.Low.Stabilization.Replicas != r.High.Stabilization.Replicas
	return r
}

// since returns the time from which recommendations are known: now, if none
// are.
func (k *Known) since(now time.Time) time.Time { return orNow(k.Since, now) }

// eventsKnown returns since when events are known, the zero time.Time if none
// are.
func (k *Known) eventsKnown() time.Time {
	if k.EventsSince.IsZero() {
		return k.Since
	}
	return k.EventsSince
}

func orNow(since, now time.Time) time.Time {
	if since.IsZero() || since.After(now) {
		return now
	}
	return since
}

// lastUnknown returns the latest time before at of an unknown scale event.
// The status has the second of the last one, which may have been at its end.
func (k *Known) lastUnknown(at time.Time) time.Time {
	if last := k.Status.LastScaleTime.Add(time.Second - 1); last.Before(at) {
		return last
	}
	return at
}

// memory is what a controller may remember beside what is known.
type memory struct {
	// recommended is a recommendation. One at the zero time.Time is in no
	// window.
	recommended stabilize.Entry
	// event is a scale event at at, or the zero Change.
	event behavior.Change
	// late reports that the last scale was at at.
	late bool
	at   time.Time
}

// recall writes what is known and the memory into the state.
func (m *memory) recall(st *State, k *Known, spec *autoscaling.HorizontalPodAutoscalerSpec) {
	st.Started = m.recommended.Time
	// In the order of time, as for events below.
	recommended := append(slices.Collect(k.Recommendations.All()), m.recommended)
	slices.SortStableFunc(recommended, byTime)
	st.Recommendations.Start(recommended[0].Time, recommended[0].Value)
	for _, e := range recommended[1:] {
		st.Recommendations.Record(e.Time, e.Value, stabilize.Windows{Down: math.MaxInt64})
	}
	if m.late {
		st.LastScaleTime = m.at
	}
	if m.event == (behavior.Change{}) {
		st.Events = k.Events.Clone()
		return
	}
	// No event takes the place of the assumed one: the controller may remember
	// several, of which it replaced others.
	longest := spec.Behavior.LongestPeriods()
	longest.Up = max(longest.Up, longest.Down)
	longest.Down = longest.Up
	st.Events.RecordWithin(m.at, m.event.Current, m.event.Desired, longest)
	// In the order of time: an event changes the time of what is dated after
	// it.
	events := slices.Collect(k.Events.Added())
	for e := range k.Events.Removed() {
		e.Value = -e.Value
		events = append(events, e)
	}
	slices.SortStableFunc(events, byTime)
	for _, e := range events {
		st.Events.RecordWithin(e.Time, max(-e.Value, 0), max(e.Value, 0), longest)
	}
}

func byTime(a, b stabilize.Entry) int { return a.Time.Compare(b.Time) }

// compare compares the sizes of two decisions after each stage, the last one
// first, and what the cooldown says.
func (d *Decision) compare(e *Decision) int {
	return cmp.Or(
		cmp.Compare(d.DesiredReplicas, e.DesiredReplicas),
		cmp.Compare(d.Stabilization.Replicas, e.Stabilization.Replicas),
		cmp.Compare(d.Limits.Replicas, e.Limits.Replicas),
		cmp.Compare(d.Cooldown.Backoff, e.Cooldown.Backoff),
	)
}

// recommendations returns those that lead to the smallest and to the largest
// size. d is the decision without unknown ones, and bounded reports that the
// status shows the highest one.
func (k *Known) recommendations(d *Decision, bounded bool) (low, high stabilize.Entry) {
	none, current := stabilize.Entry{}, stabilize.Entry{Time: k.since(d.Now), Value: d.CurrentReplicas}
	switch {
	case bounded:
		return none, stabilize.Entry{Time: current.Time, Value: max(k.Status.DesiredReplicas, d.CurrentReplicas)}
	case !d.hasBehavior:
		return none, stabilize.Entry{Time: current.Time, Value: math.MaxInt32}
	case d.Choice.Replicas > d.CurrentReplicas:
		return current, none
	}
	return none, current
}

// showsHighest reports whether the status shows that no recommendation is
// higher than its desired size, if there is no behavior and the status is of
// the spec.
func (k *Known) showsHighest(d *Decision, settings *Settings) bool {
	s := &k.Status
	is := func(t autoscaling.HorizontalPodAutoscalerConditionType, status autoscaling.ConditionStatus, reasons ...string) bool {
		return slices.ContainsFunc(s.Conditions, func(c autoscaling.HorizontalPodAutoscalerCondition) bool {
			return c.Type == t && c.Status == status && slices.Contains(reasons, c.Reason)
		})
	}
	return settings.Cooldown == (behavior.Cooldown{}) &&
		d.MinReplicas <= s.CurrentReplicas && s.CurrentReplicas <= d.MaxReplicas &&
		is(autoscaling.ScalingActive, autoscaling.ConditionTrue, "ValidMetricFound") &&
		is(autoscaling.AbleToScale, autoscaling.ConditionTrue, string(stabilize.NotStabilized), string(stabilize.ScaleDownStabilized), "SucceededRescale") &&
		(is(autoscaling.ScalingLimited, autoscaling.ConditionFalse, string(behavior.DesiredWithinRange)) ||
			is(autoscaling.ScalingLimited, autoscaling.ConditionTrue, string(behavior.TooFewReplicas)))
}

// specEvidence returns how it is known that the status is of the spec.
func (k *Known) specEvidence(d *Decision) stage.SpecEvidence {
	written := k.SpecWritten.Add(time.Second) // at the latest
	switch observed := k.Status.ObservedGeneration; {
	case observed != nil && *observed != 0 && k.Generation != 0:
		if *observed == k.Generation {
			return ""
		}
	case k.SpecWritten.IsZero() || k.StatusWritten.After(d.Now):
	case !k.StatusWritten.Before(written), written.Add(d.Windows.Down).Before(d.Now):
		return stage.SpecByTimes
	}
	return stage.SpecUnknown
}

// scaled returns memories of scale events that lead to the smallest and the
// largest size, none if no event can count.
func (k *Known) scaled(d *Decision, settings *Settings) (list []memory) {
	if k.Status.LastScaleTime.IsZero() {
		return nil
	}
	if settings.Cooldown != (behavior.Cooldown{}) {
		list = append(list, memory{at: k.lastUnknown(d.Now), late: true})
	}
	at := k.lastUnknown(orNow(k.eventsKnown(), d.Now))
	if longest := max(d.longestPeriods.Up, d.longestPeriods.Down); d.hasBehavior && d.Now.Sub(at) < longest {
		for _, e := range []behavior.Change{
			{Current: 0, Desired: math.MaxInt32},
			{Current: math.MaxInt32, Desired: 0},
			// The size at the start of all periods is 0, between the two.
			{Current: 0, Desired: d.CurrentReplicas},
		} {
			list = append(list, memory{at: at, event: e})
		}
	}
	return list
}
