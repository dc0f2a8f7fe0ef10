package calculator

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize"
)

// Range is a decision of which not all is known: no API shows the recommendations
// and scale events that a controller remembers.
type Range struct {
	// Low and High are decisions with memories that the status allows. No memory
	// that it allows leads to a smaller size than Low's, or a larger one than
	// High's. What they say of single recommendations and events, and of the time
	// until something changes, is made up with the memory.
	Low  Decision `json:"low"`
	High Decision `json:"high"`
	// Recommendations reports that sizes differ by which recommendations are within
	// the stabilization window. Events reports that they differ more by which scale
	// events are within the periods of the policies, or by when within its second
	// the last one was, for a cooldown.
	Recommendations bool `json:"recommendations"`
	Events          bool `json:"events"`
	// remembers reports that a memory could matter to a stage.
	remembers bool
	// last is the last scale that the status knows.
	last time.Time
}

// Replicas returns the size, if it is known: whether the memories that the status
// allows all lead to it.
func (r *Range) Replicas() (size int32, known bool) {
	return r.High.DesiredReplicas, r.Low.DesiredReplicas == r.High.DesiredReplicas
}

// Err returns the error of the decision.
func (r *Range) Err() error { return r.High.Err() }

// DecideFromStatus decides where only the autoscaler's object is known, and not what
// its controller remembers. Use it on what kubectl prints; whoever keeps a [State]
// uses [Decide].
//
// The status must be that of the last sync. Without conditions, it is that of an
// autoscaler that was never synced, which remembers nothing. Otherwise
//
//   - no scale event is later than lastScaleTime, and without one there are none;
//   - without a behavior, no recommendation is higher than desiredReplicas if the
//     last sync decided on that size by metrics and the upper limits did not keep
//     it down. The spec must be that of the last sync, too: generation is the one
//     observed, or one of both is not known (0 or nil);
//   - any sync may be the first one after a restart, which forgets.
func DecideFromStatus(now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, generation int64, status *autoscaling.HorizontalPodAutoscalerStatus, obs *Observation) Range {
	known := StateFromStatus(status)
	decide := func(m memory) Decision {
		st := known.Clone()
		m.recall(&st, now, spec)
		return Decide(now, settings, spec, obs, &st)
	}
	if len(known.Conditions) == 0 {
		d := Decide(now, settings, spec, obs, &known)
		return Range{Low: d, High: d}
	}
	d := decide(memory{})
	r := Range{Low: d, High: d, remembers: d.normalized(), last: known.LastScaleTime}
	if !r.remembers {
		return r
	}
	low, high := d.recommendations(settings, generation, status)
	for i, m := range append([]memory{{}}, d.scaled(settings, known.LastScaleTime)...) {
		for _, m.recommended = range []stabilize.Entry{low, high} {
			d := decide(m)
			if i == 0 && m.recommended == low {
				r.Low, r.High = d, d
			}
			smaller, larger := d.compare(&r.Low) < 0, d.compare(&r.High) > 0
			if smaller {
				r.Low = d
			}
			if larger {
				r.High = d
			}
			r.Events = r.Events || i > 0 && (smaller || larger)
		}
	}
	r.Recommendations = r.Low.Stabilization.Replicas != r.High.Stabilization.Replicas
	return r
}

// memory is what a controller may remember.
type memory struct {
	// recommended is the only recommendation. One at the zero time.Time is in no
	// window.
	recommended stabilize.Entry
	// event is the last scale event; the zero Change if there is none.
	event behavior.Change
	// late reports that the last scale was at the end of the second that the
	// status says.
	late bool
}

// recall writes the memory into the state.
func (m *memory) recall(st *State, now time.Time, spec *autoscaling.HorizontalPodAutoscalerSpec) {
	at := st.LastScaleTime.Add(time.Second - 1)
	if at.After(now) {
		at = now
	}
	if st.Recommendations.Start(m.recommended.Time, m.recommended.Value); !m.recommended.Time.IsZero() {
		st.Started = m.recommended.Time
	}
	if m.event != (behavior.Change{}) {
		st.Events.Record(at, m.event.Current, m.event.Desired, spec.Behavior)
	}
	if m.late {
		st.LastScaleTime = at
	}
}

// compare compares the sizes of two decisions after each stage, the last one first.
func (d *Decision) compare(e *Decision) int {
	return cmp.Or(
		cmp.Compare(d.DesiredReplicas, e.DesiredReplicas),
		cmp.Compare(d.Stabilization.Replicas, e.Stabilization.Replicas),
		cmp.Compare(d.Limits.Replicas, e.Limits.Replicas),
	)
}

// recommendations returns those that lead to the smallest and to the largest size. d
// is the decision without any.
func (d *Decision) recommendations(settings *Settings, generation int64, status *autoscaling.HorizontalPodAutoscalerStatus) (low, high stabilize.Entry) {
	none, current := stabilize.Entry{}, stabilize.Entry{Time: d.Now, Value: d.CurrentReplicas}
	switch {
	case !d.hasBehavior && d.knowsHighest(settings, generation, status):
		return none, stabilize.Entry{Time: d.Now, Value: max(status.DesiredReplicas, d.CurrentReplicas)}
	case !d.hasBehavior:
		return none, stabilize.Entry{Time: d.Now, Value: math.MaxInt32}
	case d.Choice.Replicas > d.CurrentReplicas:
		return current, none
	}
	return none, current
}

// knowsHighest reports whether no recommendation can be higher than the desired size
// of the status, where there is no behavior.
func (d *Decision) knowsHighest(settings *Settings, generation int64, status *autoscaling.HorizontalPodAutoscalerStatus) bool {
	is := func(t autoscaling.HorizontalPodAutoscalerConditionType, status_ autoscaling.ConditionStatus, reasons ...string) bool {
		return slices.ContainsFunc(status.Conditions, func(c autoscaling.HorizontalPodAutoscalerCondition) bool {
			return c.Type == t && c.Status == status_ && slices.Contains(reasons, c.Reason)
		})
	}
	observed := status.ObservedGeneration
	return settings.Cooldown == (behavior.Cooldown{}) &&
		(observed == nil || *observed == 0 || generation == 0 || *observed == generation) &&
		d.MinReplicas <= status.CurrentReplicas && status.CurrentReplicas <= d.MaxReplicas &&
		is(autoscaling.ScalingActive, autoscaling.ConditionTrue, "ValidMetricFound") &&
		is(autoscaling.AbleToScale, autoscaling.ConditionTrue, string(stabilize.NotStabilized), string(stabilize.ScaleDownStabilized), "SucceededRescale") &&
		(is(autoscaling.ScalingLimited, autoscaling.ConditionFalse, string(behavior.DesiredWithinRange)) ||
			is(autoscaling.ScalingLimited, autoscaling.ConditionTrue, string(behavior.TooFewReplicas)))
}

// scaled returns memories of the last scale that lead to the smallest and the largest
// size, none if it cannot count.
func (d *Decision) scaled(settings *Settings, last time.Time) (list []memory) {
	if last.IsZero() {
		return nil
	}
	if settings.Cooldown != (behavior.Cooldown{}) {
		list = append(list, memory{late: true})
	}
	if longest := max(d.longest.Up, d.longest.Down); d.hasBehavior && d.Now.Sub(last) < longest+time.Second {
		list = append(list,
			memory{event: behavior.Change{Current: 0, Desired: math.MaxInt32}},
			memory{event: behavior.Change{Current: math.MaxInt32, Desired: 0}},
			// The size at the start of all periods is 0, between the two.
			memory{event: behavior.Change{Current: 0, Desired: d.CurrentReplicas}})
	}
	return list
}
