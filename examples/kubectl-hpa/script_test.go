package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// TestWhyBesideUpstream asks why before each sync of upstream's controller in
// the script, and holds the answer against what that then writes: the size, its
// reason, the conditions and the metrics. Where the answer is a range, the size
// lies within.
func TestWhyBesideUpstream(t *testing.T) {
	const ns = "script"
	testbed.Namespace(t, ns)
	var names []string
	for _, spec := range clustertest.Apps() {
		create(t, ns, spec)
		names = append(names, spec.ScaleTargetRef.Name)
	}
	testbed.AwaitMetricsAPIs(t)
	counts := map[string]int{}
	for _, step := range clustertest.Script() {
		if step.Max > 0 {
			for _, name := range names {
				patch := fmt.Appendf(nil, `{"spec":{"maxReplicas":%d}}`, step.Max)
				require.NoError(t, testbed.Client.Patch(t.Context(), object(t, ns, name), client.RawPatch("application/merge-patch+json", patch)))
			}
		}
		testbed.World.Set(step.Load, ns)
		for i := range step.Want {
			settle(t, ns)
			answers := make([]answer, len(names))
			for j, name := range names {
				answers[j] = why(t, ns, name)
			}
			turn(t, ns, names...)
			for j, name := range names {
				agrees(t, fmt.Sprintf("%s, turn %d, %s", step.Name, i+1, name), &answers[j], ns, name, counts)
			}
		}
	}
	// After a turn that changed nothing, the status is what the answer makes of
	// it.
	settle(t, ns)
	for _, name := range names {
		require.Empty(t, why(t, ns, name).Status.Mismatches, name)
	}
	t.Log(counts)
	require.Equal(t, 63, counts["plateau"]+counts["transition"])
	// Which of them are ranges depends on how long a turn takes.
	require.GreaterOrEqual(t, counts["known plateau"], 15)
	require.GreaterOrEqual(t, counts["known transition"], 5)
}

// agrees holds an answer against what the controller wrote after it.
func agrees(t *testing.T, what string, a *answer, ns, name string, counts map[string]int) {
	t.Helper()
	size := testbed.Size(t, ns, name)
	low, high := &a.Range.Low, &a.Range.High
	require.True(t, low.DesiredReplicas <= size && size <= high.DesiredReplicas, "%s: %d to %d, not %d", what, low.DesiredReplicas, high.DesiredReplicas, size)
	kind := "plateau"
	if size != low.CurrentReplicas {
		kind = "transition"
	}
	counts[kind]++
	if a.known() {
		counts["known "+kind]++
	}
	status := &object(t, ns, name).Status
	require.Len(t, a.Status.High.Conditions, len(status.Conditions), what)
	counts["conditions"] += len(status.Conditions)
	for _, c := range a.Status.Conditions {
		require.Equal(t, conditionLine(c), conditionOf(status, c.Type), what)
		counts["known conditions"]++
	}
	require.Equal(t, metricsText(status), metricsText(&a.Status.High), what)
	if kind == "transition" {
		text := reason(t, ns, name)
		require.Contains(t, reasons, high.Reason, what)
		require.Contains(t, text, reasons[high.Reason], what)
		require.Equal(t, high.Reason == "", text == "", what)
		counts["reasons"]++
	}
}

// reasons are what the texts of the reasons have.
var reasons = map[string]string{
	"":                 "",
	"AboveTarget":      " above target",
	"BelowTarget":      "All metrics below target",
	"AboveMaxReplicas": "Current number of replicas above Spec.MaxReplicas",
}

// reason is that of the last event of a rescale.
func reason(t *testing.T, ns, name string) (text string) {
	t.Helper()
	size := fmt.Sprintf("New size: %d; reason: ", testbed.Size(t, ns, name))
	testbed.Await(t, func() error {
		var events corev1.EventList
		require.NoError(t, testbed.Client.List(t.Context(), &events, client.InNamespace(ns)))
		var last corev1.Event
		for _, e := range events.Items {
			// The tenth and those after it are one event.
			e.Message = strings.TrimPrefix(e.Message, "(combined from similar events): ")
			if e.InvolvedObject.Name == name && e.Reason == "SuccessfulRescale" && !e.LastTimestamp.Before(&last.LastTimestamp) && strings.HasPrefix(e.Message, size) {
				last = e
			}
		}
		text = strings.TrimPrefix(last.Message, size)
		if last.Message == "" {
			return fmt.Errorf("%s: no event %q", name, size)
		}
		return nil
	})
	return text
}

// conditionOf is a condition without its time.
func conditionOf(s *autoscalingv2.HorizontalPodAutoscalerStatus, of autoscalingv2.HorizontalPodAutoscalerConditionType) string {
	for _, c := range s.Conditions {
		if c.Type == of {
			return conditionLine(c)
		}
	}
	return ""
}

func conditionLine(c autoscalingv2.HorizontalPodAutoscalerCondition) string {
	return fmt.Sprintf("%s %s %s: %s", c.Type, c.Status, c.Reason, c.Message)
}

// metricsText is what a status says of metrics. Upstream divides by the number
// of pods, which may be 0.
func metricsText(s *autoscalingv2.HorizontalPodAutoscalerStatus) string {
	var all []string
	for _, m := range s.CurrentMetrics {
		all = append(all, m.String())
	}
	return strings.ReplaceAll(strings.Join(all, "\n"), "-9223372036854775808m", "0")
}
