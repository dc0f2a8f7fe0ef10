package calctest

import (
	"fmt"
	"slices"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize"
)

func held(r stabilize.Result) string {
	if r.Until.IsZero() {
		return fmt.Sprintf("%d (%s)", r.Replicas, r.Reason)
	}
	return fmt.Sprintf("%d (%s, by %d from %s)", r.Replicas, r.Reason, r.Bound.Value, since(r.Bound.Time))
}

func limited(l behavior.LimitResult) string {
	return fmt.Sprintf("%d (%s, rate limit %d)", l.Replicas, l.Reason, l.Rate.Replicas)
}

// differ returns how decision a differs from b, or "".
func differ(a, b *calculator.Decision) string {
	switch {
	case a.DesiredReplicas != b.DesiredReplicas:
		return fmt.Sprintf("the size would be %d instead of %d", a.DesiredReplicas, b.DesiredReplicas)
	case a.Rescale != b.Rescale:
		return fmt.Sprintf("whether to rescale would be %v instead of %v", a.Rescale, b.Rescale)
	case a.Reason != b.Reason:
		return fmt.Sprintf("the reason would be %q instead of %q", a.Reason, b.Reason)
	case a.Zone != b.Zone:
		return fmt.Sprintf("the zone would be %q instead of %q", a.Zone, b.Zone)
	case a.Choice != b.Choice:
		return fmt.Sprintf("metric %d would decide, on %d, instead of metric %d, on %d", a.Choice.Metric+1, a.Choice.Replicas, b.Choice.Metric+1, b.Choice.Replicas)
	case a.Stabilization != b.Stabilization:
		return fmt.Sprintf("the windows would give %s instead of %s", held(a.Stabilization), held(b.Stabilization))
	case a.Limits != b.Limits:
		return fmt.Sprintf("the limits would give %s instead of %s", limited(a.Limits), limited(b.Limits))
	case !a.Until.Equal(b.Until):
		return fmt.Sprintf("the decision would last until %s instead of %s", since(a.Until), since(b.Until))
	case len(a.Proposals) != len(b.Proposals):
		return fmt.Sprintf("there would be %d proposals instead of %d", len(a.Proposals), len(b.Proposals))
	}
	for i := range a.Proposals {
		p, q := &a.Proposals[i], &b.Proposals[i]
		if p.Replicas != q.Replicas || p.Rule != q.Rule || p.Failure.Kind != q.Failure.Kind || p.Pods != q.Pods || !p.Until.Equal(q.Until) {
			return fmt.Sprintf("metric %d would propose %d (%v, %v) instead of %d (%v, %v)",
				i+1, p.Replicas, p.Rule, p.Failure.Kind, q.Replicas, q.Rule, q.Failure.Kind)
		}
	}
	same := func(c, d autoscaling.HorizontalPodAutoscalerCondition) bool {
		return c.Type == d.Type && c.Status == d.Status && c.Reason == d.Reason && c.LastTransitionTime.Equal(d.LastTransitionTime)
	}
	if !slices.EqualFunc(a.Conditions, b.Conditions, same) {
		return "the conditions would be others"
	}
	return ""
}
