package engine

import (
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// readThreshold makes the threshold an autoscaler that proposes its own sizes.
// Neither window nor policy holds them, nor does a tolerance.
func (s *subject) readThreshold(t *Threshold) {
	for _, f := range []struct {
		name string
		n    int32
	}{
		{"above", t.Above}, {"below", t.Below}, {"add", t.Add}, {"remove", t.Remove},
		{"upSeconds", t.UpSeconds}, {"downSeconds", t.DownSeconds},
	} {
		if f.n < 0 {
			s.refuse("threshold."+f.name, fmt.Sprintf("%d is negative", f.n))
		}
	}
	if t.Below > t.Above {
		s.refuse("threshold.below", fmt.Sprintf("%d is more than above, %d", t.Below, t.Above))
	}
	spec := autoscaling.NewSpec(t.MinReplicas, t.MaxReplicas, autoscaling.ResourceUtilizationMetric("cpu", max(t.Above, 1)))
	free := behavior.ScalingRules{
		StabilizationWindowSeconds: new(int32),
		Policies:                   []behavior.Policy{{Type: behavior.PodsPolicy, Value: max(t.MaxReplicas, 1), PeriodSeconds: 1}},
	}
	up, down := free, free
	spec.Behavior = &behavior.Behavior{ScaleUp: &up, ScaleDown: &down}
	for _, e := range spec.ApplyAdmission(s.flags.Settings.Release).Without("spec.scaleTargetRef") {
		s.refuse("threshold", e.Error())
	}
	// A behavior.Cooldown includes its last moment, at which a threshold changes
	// the size again.
	seconds := func(n int32) time.Duration { return max(time.Duration(n)*time.Second-1, 0) }
	s.flags.Settings.Cooldown = behavior.Cooldown{Up: seconds(t.UpSeconds), Down: seconds(t.DownSeconds)}
	s.autoscaler.Spec = &spec
	s.autoscaler.Proposer = calculator.ProposerFunc(t.propose)
}

// propose replaces the reading of cpu by the size that the threshold asks for.
func (t *Threshold) propose(_ time.Time, obs *calculator.Observation) {
	r := &obs.Readings[0]
	if r.Err != nil {
		return
	}
	var usage, requests metrics.Sum
	for i := range r.Samples {
		if p := &obs.Pods[i]; r.Samples[i].Present && p.Ready == podgroup.ReadyTrue {
			usage.Add(r.Samples[i].Value)
			request, _ := p.Request("cpu", "")
			requests.Add(request)
		}
	}
	p := calculator.Proposed{Replicas: obs.SpecReplicas, Value: usage.Milli()}
	percent := int32(0)
	if requests.Sign() > 0 {
		percent = usage.Percent(requests)
	}
	p.Utilization = percent
	switch {
	case requests.Sign() == 0:
		p.Text = "no ready pod has a sample: no change"
	case percent > t.Above:
		p.Replicas += min(t.Add, math.MaxInt32-p.Replicas)
		p.Text = fmt.Sprintf("cpu is at %d%%, above %d%%: %s more", percent, t.Above, pods(t.Add))
	case percent < t.Below:
		p.Replicas = max(p.Replicas-t.Remove, 0)
		p.Text = fmt.Sprintf("cpu is at %d%%, below %d%%: %s fewer", percent, t.Below, pods(t.Remove))
	default:
		p.Text = fmt.Sprintf("cpu is at %d%%, from %d%% to %d%%: no change", percent, t.Below, t.Above)
	}
	*r = calculator.Reading{Proposed: &p}
}

// pods is a number of pods in words.
func pods(n int32) string {
	if n == 1 {
		return "1 pod"
	}
	return fmt.Sprintf("%d pods", n)
}
