package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/stabilize"
)

// recommendation is one that the controller remembers: of size, or of size or
// more, made at at or later.
type recommendation struct {
	at    time.Time
	size  int32
	exact bool
}

// MarshalJSON returns the fields.
func (r recommendation) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Time     time.Time `json:"notBefore"`
		Replicas int32     `json:"replicas"`
		OrMore   bool      `json:"orMore"`
	}{r.at, r.size, !r.exact})
}

// record adds it to a history. One that is not exact says nothing to a window
// that takes the lowest recommendation.
func (r *recommendation) record(h *stabilize.History, b *behavior.Behavior) {
	if r.exact || b.Windows(0).Up == 0 || b == nil {
		h.Record(r.at, r.size, stabilize.Windows{Down: stabilize.LongestWindow})
	}
}

// recommended returns the recommendations that the status and the events prove,
// the oldest first. A controller that restarted has forgotten them, but records
// the current size at its first sync, and none of them is higher.
func (c *connection) recommended(ctx context.Context, s *snapshot) (all []recommendation) {
	if r, ok := s.recommendedByStatus(); ok {
		all = append(all, r)
	}
	started, err := c.lease(ctx)
	if err == nil {
		s.lowerSince = s.lowerByStatus(started)
	}
	if err == nil && s.eventsError == nil {
		if r, ok := s.recommendedByEvent(started, s.Spec.Behavior.Windows(c.settings.DownscaleStabilization).Down); ok {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b recommendation) int { return a.at.Compare(b.at) })
	return all
}

// recommendedByStatus returns what the metrics asked for at the last sync, as
// far as its conditions tell. The sync was when the status was last written, or
// later: a status that stays the same is not written.
//
//   - ReadyForNewScale: no window changed the recommendation. If no limit did,
//     either, it is desiredReplicas; if one lowered the size, it was higher.
//   - ScaleUpStabilized: it was higher than the size.
//   - SucceededRescale: with a behavior, no size rises above the recommendation.
//     Without one, an older recommendation may have raised it.
//
// A lastTransitionTime proves less: it stays while reasons change.
func (a *snapshot) recommendedByStatus() (r recommendation, ok bool) {
	s, at := &a.Status, a.StatusWritten
	// Outside of the bounds, and at zero, a sync asks no metrics, and leaves
	// old conditions.
	if at.IsZero() || !a.current() || s.CurrentReplicas < max(1, *a.Spec.MinReplicas) || s.CurrentReplicas > a.Spec.MaxReplicas {
		return r, false
	}
	now := a.obs.SpecReplicas
	r = recommendation{at: at.Add(-clockSkew), size: min(s.DesiredReplicas, now)}
	limited := a.condition(autoscaling.ScalingLimited).Reason
	lowered := limited == string(behavior.ScaleUpLimit) || limited == string(behavior.TooManyReplicas)
	switch able := a.condition(autoscaling.AbleToScale); able.Reason {
	case string(stabilize.NotStabilized):
		within := limited == string(behavior.DesiredWithinRange)
		r.exact, ok = within && now == s.DesiredReplicas, within || lowered
	case string(stabilize.ScaleUpStabilized):
		ok = true
	case "SucceededRescale":
		ok = a.Spec.Behavior != nil && s.DesiredReplicas > s.CurrentReplicas
	}
	return r, ok && r.size > 0
}

// lowerByStatus returns since when the metrics have asked for less than the
// size, if the last sync's conditions tell, and the controller has not
// restarted since. What holds the size is from before: each sync since the
// status was written says the same.
func (s *snapshot) lowerByStatus(started time.Time) (at time.Time) {
	written := s.StatusWritten
	at = written.Add(clockSkew)
	limited := s.condition(autoscaling.ScalingLimited).Reason
	if !s.current() || s.condition(autoscaling.AbleToScale).Reason != string(stabilize.ScaleDownStabilized) ||
		s.obs.SpecReplicas != s.Status.DesiredReplicas || s.Spec.Behavior == nil && limited == string(behavior.TooManyReplicas) ||
		written.IsZero() || !started.Before(at.Add(-2*clockSkew)) {
		return time.Time{}
	}
	return at
}

// letsGo makes the stages say when the window lets go at the latest.
func (s *snapshot) letsGo(stages []stage.Stage) {
	for _, of := range stages {
		t := of.Stabilization
		if t == nil || t.Latest.IsZero() || t.Direction != stage.Down || s.lowerSince.IsZero() {
			continue
		}
		if latest := s.lowerSince.Add(time.Duration(t.Window)); latest.Before(t.Latest) && !latest.Before(of.Until) {
			t.Latest = latest
		}
	}
}

// recommendedByEvent returns what the metrics asked for at the last scale, if
// its event tells that they asked for more, and the controller has remembered
// it since. Its windows are those of the spec, which has not changed since.
func (s *snapshot) recommendedByEvent(started time.Time, window time.Duration) (r recommendation, ok bool) {
	all, _ := rescales(s.events)
	changed, last := s.SpecWritten, s.Status.LastScaleTime
	if len(all) == 0 || s.Spec.Behavior == nil || changed.IsZero() {
		return r, false
	}
	e := all[len(all)-1]
	r = recommendation{at: e.at.Add(-clockSkew), size: min(e.size, s.obs.SpecReplicas)}
	// What leaves the window may have been replaced, and counts in a longer
	// window all the same.
	fresh := time.Since(r.at) < window
	return r, fresh && r.size > 0 && strings.HasSuffix(e.reason, " above target") && e.at.Sub(last).Abs() <= clockSkew &&
		e.size > *s.Spec.MinReplicas && r.at.After(changed) && r.at.After(started)
}

// current reports whether the status was written for the spec as it is. Where
// no generation tells, it is if it is later: the controller's write of a status
// that it made for another spec is a conflict.
func (a *autoscaler) current() bool {
	if g, observed := a.Generation, a.Status.ObservedGeneration; g != 0 && observed != nil {
		return *observed == g
	}
	return !a.SpecWritten.IsZero() && a.StatusWritten.After(a.SpecWritten.Add(clockSkew))
}

// condition returns the controller's own, or the zero one.
func (a *autoscaler) condition(t autoscaling.HorizontalPodAutoscalerConditionType) (c autoscaling.HorizontalPodAutoscalerCondition) {
	for _, c := range a.Status.Conditions {
		if c.Type == t {
			return c
		}
	}
	return c
}
