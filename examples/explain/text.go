package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/podgroup"
)

// explanation is what the text is made from.
type explanation struct {
	in *input
	// title says which sync of a recording it is, or is empty.
	title    string
	settings *calculator.Settings
	obs      *calculator.Observation
	r        *calculator.Range
	// stages are those of the range before its sizes were written.
	stages []stage.Stage
	// low and high are the statuses after both decisions.
	low, high *autoscaling.HorizontalPodAutoscalerStatus
}

// print returns the explanation, or with the output json the statuses and the
// stages.
func (e *explanation) print(output string) ([]byte, error) {
	if output != "json" {
		return e.appendText(nil), nil
	}
	cli.Observe(e.in.cluster.Autoscaler.Generation, e.settings.Release, e.low, e.high)
	out, err := json.MarshalIndent(struct {
		Low  *autoscaling.HorizontalPodAutoscalerStatus `json:"low"`
		High *autoscaling.HorizontalPodAutoscalerStatus `json:"high"`
		// Stages are the decision's, as data and as text.
		Stages []stage.Stage `json:"stages"`
	}{e.low, e.high, e.stages}, "", "  ")
	return append(out, '\n'), err
}

// appendText appends the explanation, section by section.
func (e *explanation) appendText(dst []byte) []byte {
	ref := &e.in.cluster.Autoscaler.Spec.ScaleTargetRef
	dst = cli.Appendf(dst, "%s of %s %s", e.in.key(), ref.Kind, ref.Name)
	if e.title != "" {
		dst = cli.Appendf(dst, ", %s", e.title)
	}
	dst = append(dst, "\n\n"...)
	for _, s := range e.stages {
		dst, _ = s.AppendText(dst)
	}
	dst = e.appendPods(dst)
	dst = append(dst, cli.Conditions(e.r, e.high)...)
	return e.appendWrites(dst)
}

// appendPods appends the pods that do not count as ready, and why, for each
// metric that reads the samples of pods.
func (e *explanation) appendPods(dst []byte) []byte {
	dst = append(dst, "\nPods\n"...)
	if e.obs.Pods == nil {
		return append(dst, "  not given; no metric reads them\n"...)
	}
	if text := e.in.assumption(); text != "" {
		dst = cli.Appendf(dst, "  %s\n", text)
	}
	read := false
	for i := range e.r.High.Proposals {
		verdicts := e.r.High.AppendVerdicts(nil, i, e.settings, e.obs)
		if len(verdicts) == 0 {
			continue
		}
		read = true
		dst = cli.Appendf(dst, "  %s:", e.r.High.MetricName(i))
		if !slices.ContainsFunc(verdicts, func(v podgroup.Verdict) bool { return v.Class != podgroup.Ready }) {
			dst = append(dst, " all ready"...)
		}
		dst = append(dst, '\n')
		for j, v := range verdicts {
			if v.Class == podgroup.Ready {
				continue
			}
			dst = cli.Appendf(dst, "    %s is %s: %s", e.obs.Pods[j].Name, strings.ToLower(v.Class.String()), v.Reason.Text())
			if v.Until.IsSet() {
				dst = cli.Appendf(dst, ", until %s", v.Until)
			}
			dst = append(dst, '\n')
		}
	}
	if !read {
		dst = cli.Appendf(dst, "  %d; no metric reads their samples\n", len(e.obs.Pods))
	}
	return dst
}

// appendWrites appends what the controller would change.
func (e *explanation) appendWrites(dst []byte) []byte {
	dst = append(dst, "\nWrites\n"...)
	low, high := &e.r.Low, &e.r.High
	switch {
	case !low.Rescale && !high.Rescale:
		dst = append(dst, "  scale   nothing\n"...)
	case !low.Rescale:
		dst = cli.Appendf(dst, "  scale   nothing, or spec.replicas up to %d\n", high.DesiredReplicas)
	case !high.Rescale:
		dst = cli.Appendf(dst, "  scale   nothing, or spec.replicas %d or more\n", low.DesiredReplicas)
	case low.DesiredReplicas != high.DesiredReplicas:
		dst = cli.Appendf(dst, "  scale   spec.replicas %d to %d\n", low.DesiredReplicas, high.DesiredReplicas)
	default:
		dst = cli.Appendf(dst, "  scale   spec.replicas %d\n", high.DesiredReplicas)
	}
	events := high.AppendEvents(nil)
	switch {
	case !slices.Equal(events, low.AppendEvents(nil)):
		return append(dst, "  event   depends on what is not known\n"...)
	case len(events) == 0:
		return append(dst, "  event   none\n"...)
	}
	for _, event := range events {
		dst = cli.Appendf(dst, "  event   %s\n", event)
	}
	return dst
}
