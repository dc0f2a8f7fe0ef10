package main

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/podgroup"
)

// verdict is a decision on a scene, and what it would make of the status.
type result struct {
	snapshot *snapshot
	r        calculator.Range
	// stages are the explanation, text are their texts.
	stages []stage.Stage
	text   string
	// low and high are the statuses after both decisions of the range.
	low, high autoscaling.HorizontalPodAutoscalerStatus
}

// decide decides on the scene with what is known.
func decide(now time.Time, settings *calculator.Settings, s *snapshot, known *calculator.Known) (*result, error) {
	v := &result{snapshot: s, r: known.Decide(now, settings, &s.Spec, &s.obs)}
	if err := v.r.Err(); errors.As(err, new(*field.Error)) || errors.As(err, new(field.ErrorList)) {
		return nil, fmt.Errorf("%s: %w", s.key(), err)
	}
	v.stages = v.r.Stages()
	s.letsGo(v.stages)
	for _, each := range v.stages {
		v.text += each.Text()
	}
	v.r.Applied(now)
	v.low, v.high = v.r.Statuses()
	cli.Observe(s.Generation, settings.Release, &v.low, &v.high)
	return v, nil
}

// decided reports whether there is a decision on the size.
func (v *result) decided() bool { return v.r.High.Zone != calculator.NoZone }

// conditionOf returns the condition after the decision, and whether it is
// known.
func (v *result) conditionOf(i int) (c autoscaling.HorizontalPodAutoscalerCondition, known bool) {
	c = v.high.Conditions[i]
	return c, v.r.Certain(&c)
}

// conditions are those that are known.
func (v *result) conditions() (all []autoscaling.HorizontalPodAutoscalerCondition) {
	for i := range v.high.Conditions {
		if c, known := v.conditionOf(i); known {
			all = append(all, c)
		}
	}
	return all
}

// sameCondition reports whether two conditions read the same. Which two of the
// autoscalers that share pods are named is chance, and which of the pods at
// fault.
func (v *result) sameCondition(a, b autoscaling.HorizontalPodAutoscalerCondition) bool {
	shared := a.Reason == string(calculator.SelectorAmbiguous)
	return a.Type == b.Type && a.Status == b.Status && a.Reason == b.Reason && (shared || v.withoutPod(a.Message) == v.withoutPod(b.Message))
}

// podAtFault is how an error names one pod of several.
var podAtFault = regexp.MustCompile(`in container (\S+) of Pod (\S+)`)

// withoutPod returns a message without the pod at fault, if it is one of those
// seen.
func (v *result) withoutPod(message string) string {
	return podAtFault.ReplaceAllStringFunc(message, func(text string) string {
		name := podAtFault.FindStringSubmatch(text)[2]
		if slices.ContainsFunc(v.snapshot.obs.Pods, func(p podgroup.Pod) bool { return p.Name == name }) {
			return "in a container of a Pod"
		}
		return text
	})
}

// mismatch is a field of the controller's status that differs from what the
// decision would write.
type mismatch struct {
	Field  string `json:"field"`
	Status string `json:"status"`
	Here   string `json:"here"`
}

// mismatches compares the controller's own status with that after the decision.
// What lies within the range does not differ.
func (v *result) mismatches() (all []mismatch) {
	own := &v.snapshot.Status
	add := func(field string, status, here any) {
		all = append(all, mismatch{field, fmt.Sprint(status), fmt.Sprint(here)})
	}
	if len(own.Conditions) == 0 {
		return nil // the controller has not written one yet
	}
	if !v.decided() {
		return v.conditionMismatches(all)
	}
	if own.CurrentReplicas != v.high.CurrentReplicas {
		add("currentReplicas", own.CurrentReplicas, v.high.CurrentReplicas)
	}
	if low, high := v.low.DesiredReplicas, v.high.DesiredReplicas; own.DesiredReplicas < low || own.DesiredReplicas > high {
		add("desiredReplicas", own.DesiredReplicas, sizes(low, high))
	}
	for i := range v.high.CurrentMetrics {
		if i >= len(own.CurrentMetrics) || !reflect.DeepEqual(own.CurrentMetrics[i], v.high.CurrentMetrics[i]) {
			status := "nothing"
			if i < len(own.CurrentMetrics) {
				status = valueText(&own.CurrentMetrics[i])
			}
			if here := valueText(&v.high.CurrentMetrics[i]); here != status {
				add(fmt.Sprintf("currentMetrics[%d]", i), status, here)
			}
		}
	}
	return v.conditionMismatches(all)
}

func (v *result) conditionMismatches(all []mismatch) []mismatch {
	for i := range v.high.Conditions {
		c, known := v.conditionOf(i)
		at := slices.IndexFunc(v.snapshot.Status.Conditions, func(o autoscaling.HorizontalPodAutoscalerCondition) bool { return o.Type == c.Type })
		switch {
		case at < 0:
			all = append(all, mismatch{string(c.Type), "nothing", conditionText(c)})
		case known && !v.sameCondition(v.snapshot.Status.Conditions[at], c):
			all = append(all, mismatch{string(c.Type), conditionText(v.snapshot.Status.Conditions[at]), conditionText(c)})
		}
	}
	return all
}

func conditionText(c autoscaling.HorizontalPodAutoscalerCondition) string {
	return fmt.Sprintf("%s %s: %s", c.Status, c.Reason, c.Message)
}

// valueText is the value of a metric's status.
func valueText(m *autoscaling.MetricStatus) string {
	var v autoscaling.MetricValueStatus
	switch {
	case m.Resource != nil:
		v = m.Resource.Current
	case m.ContainerResource != nil:
		v = m.ContainerResource.Current
	case m.Pods != nil:
		v = m.Pods.Current
	case m.Object != nil:
		v = m.Object.Current
	case m.External != nil:
		v = m.External.Current
	}
	switch {
	case v.AverageUtilization != nil:
		return fmt.Sprintf("%d%%", *v.AverageUtilization)
	case v.AverageValue.IsSet():
		return v.AverageValue.String() + " on average"
	case v.Value.IsSet():
		return v.Value.String()
	}
	return "nothing"
}

// sizes is a range of sizes.
func sizes(low, high int32) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// stamp is a time as texts have it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
