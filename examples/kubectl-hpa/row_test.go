package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// queueOf is an autoscaler of the size, whose queue asks for wanted replicas,
// after a sync with these reasons.
func queueOf(size, wanted int32, able, limited string, b *behavior.Behavior) *snapshot {
	a := &autoscaler{meta: new(metav1.ObjectMeta)}
	a.SpecWritten, a.StatusWritten = seconds(3600), seconds(15)
	a.Spec = autoscaling.NewSpec(1, 20, autoscaling.ExternalAverageValueMetric("queue", metrics.MustParseQuantity("10")))
	a.Spec.Behavior = b
	a.Spec.SetDefaults()
	s := &snapshot{autoscaler: a, obs: calculator.Observation{SpecReplicas: size, StatusReplicas: size, Readings: []calculator.Reading{{Values: []metrics.Milli{metrics.Milli(wanted) * 10_000}}}}}
	s.Status.CurrentReplicas, s.Status.DesiredReplicas = size, size
	status := autoscaling.ConditionTrue
	if limited == "DesiredWithinRange" {
		status = autoscaling.ConditionFalse
	}
	s.Status.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{
		{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: able},
		{Type: autoscaling.ScalingActive, Status: autoscaling.ConditionTrue, Reason: "ValidMetricFound"},
		{Type: autoscaling.ScalingLimited, Status: status, Reason: limited},
	}
	return s
}

func decided(t *testing.T, s *snapshot) *result {
	t.Helper()
	settings := calculator.DefaultSettings()
	v, err := decide(noon, &settings, s, s.known(noon))
	require.NoError(t, err)
	return v
}

// HELD BY names what holds the size whatever the controller remembers.
func TestHeld(t *testing.T) {
	for _, c := range []struct {
		name          string
		size, wanted  int32
		able, limited string
		most          int32
		next, held    string
		rank          rank
	}{
		{"any recommendation may be higher, and the size rises all the same", 8, 10, "SucceededGetScale", "TooManyReplicas", 10, "10", "", moves},
		{"some may hold it higher", 4, 8, "SucceededGetScale", "", 8, "8", "", moves},
		{"the limit is certain, the window is not", 4, 10, "SucceededGetScale", "", 20, "8", "ScaleUpLimit", held},
		{"the maximum is certain", 8, 12, "ReadyForNewScale", "TooManyReplicas", 8, "8", "TooManyReplicas", capped},
		{"the window may hold it", 8, 2, "ScaleDownStabilized", "DesiredWithinRange", 20, "2 to 8", "recommendations not known, ScaleDownStabilized before", held},
		{"nothing may", 8, 8, "ReadyForNewScale", "DesiredWithinRange", 20, "8", "", rests},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := queueOf(c.size, c.wanted, c.able, c.limited, nil)
			s.Spec.MaxReplicas = c.most
			r := decided(t, s).row(noon)
			require.Equal(t, []string{c.next, c.held}, []string{r.next, r.held})
			require.Equal(t, c.rank, r.rank)
		})
	}
}

// UNTIL is the end of the window, at the latest, where recommendations are not
// known.
func TestUntilAtMost(t *testing.T) {
	s := queueOf(8, 2, "ScaleDownStabilized", "DesiredWithinRange", behavior.Default())
	require.Equal(t, "at most 12:05:00Z (5m0s)", decided(t, s).row(noon).until)
	s.Spec.Behavior.ScaleDown.StabilizationWindowSeconds = new(int32(60))
	require.Equal(t, "at most 12:01:00Z (1m0s)", decided(t, s).row(noon).until)
	s = queueOf(20, 30, "ReadyForNewScale", "TooManyReplicas", nil)
	require.Empty(t, decided(t, s).row(noon).until, "no window holds it")
}

// The answer to why a size does not fall has what the controller says itself,
// each error once, and fits the terminal.
func TestWhyText(t *testing.T) {
	s := queueOf(10, 2, "ScaleDownStabilized", "DesiredWithinRange", behavior.Default())
	s.Namespace, s.Name = "shop", "web"
	for i := range s.Status.Conditions {
		s.Status.Conditions[i].LastTransitionTime = seconds(600)
	}
	s.Status.Conditions[1].Message = "the HPA was able to successfully calculate a replica count from external metric queue(nil)"
	rescale, fails := scaledTo("New size: 10; reason: external metric queue(nil) above target", 100, 1), scaledTo("unable to read", 20, 12)
	rescale.Type, fails.Type, fails.Reason, fails.FirstTimestamp.Time = "Normal", "Warning", "FailedGetExternalMetric", seconds(300)
	s.events = []*corev1.Event{fails, rescale}
	text := decided(t, s).explanation(noon, 90, false)
	require.Contains(t, text, "\nStabilization: 2 to 10 replicas. The recommendations of the last 5m are not known. They count until 2026-05-04T12:05:00Z, in 5m, at the latest.\n")
	require.Contains(t, text, "\n  recommendations  not known; at the controller's last sync, they held the size (ScaleDownStabilized)\n")
	require.Contains(t, text, `
Conditions, as the controller wrote them 15s ago
  AbleToScale     True for 10m   ScaleDownStabilized
                  here           depends on what is not known
  ScalingActive   True for 10m   ValidMetricFound: the HPA was able to successfully
                                 calculate a replica count from external metric queue(nil)
  ScalingLimited  False for 10m  DesiredWithinRange
                  here           depends on what is not known
`)
	require.Contains(t, text, `
Events
  Normal   SuccessfulRescale        100s               New size: 10; reason: external
                                                       metric queue(nil) above target
  Warning  FailedGetExternalMetric  20s (x12 over 5m)  unable to read
`)

	s.obs.Namespace = "shop"
	const problem = "no metrics returned from the API of external metrics"
	s.obs.Readings[0] = calculator.Reading{Err: errors.New(problem)}
	fails.Message, s.Status.Conditions[1].Message = "unable to get external metric shop/queue/nil: "+problem, "unable to get external metric shop/queue/nil: "+problem
	v := decided(t, s)
	require.Equal(t, 1, strings.Count(v.explanation(noon, 1000, false), problem), v.explanation(noon, 1000, false))
	require.Greater(t, strings.Count(v.text, problem), 1)
	for line := range strings.Lines(wrapLines(v.explanation(noon, 72, false), 72)) {
		require.LessOrEqual(t, len(line), 73, line)
	}
}

// Which of several pods without a request an error names is chance.
func TestSamePod(t *testing.T) {
	v := rowOf(t, 2)
	v.snapshot.obs.Pods = []podgroup.Pod{{Name: "web-1"}, {Name: "web-2"}}
	of := func(pod string) autoscaling.HorizontalPodAutoscalerCondition {
		return autoscaling.HorizontalPodAutoscalerCondition{Type: autoscaling.ScalingActive, Message: "missing request for cpu in container app of Pod " + pod}
	}
	require.True(t, v.sameCondition(of("web-1"), of("web-2")))
	require.False(t, v.sameCondition(of("web-1"), of("web-0")), "one that is gone")
}

// A note on several autoscalers stands once.
func TestFleetNotes(t *testing.T) {
	of := func(name string, notes ...string) fleetResult {
		v := rowOf(t, 5)
		v.snapshot.Name, v.snapshot.notes = name, append([]string{"about the cluster"}, notes...)
		return fleetResult{autoscaler: v.snapshot.autoscaler, verdict: v}
	}
	require.Equal(t, []string{"shop/a and 2 others: b is broken", "shop/c: it is paused"},
		fleetNotes([]fleetResult{of("a", "b is broken"), of("c", "it is paused", "b is broken"), of("d", "b is broken")}, 1))
}

// Columns wrap between words, or else each cell has a line.
func TestColumns(t *testing.T) {
	rows := [][]string{{"NAME", "HELD BY", "UNTIL"}, {"web", "recommendations not known", "-"}}
	require.Equal(t, "NAME  HELD BY                    UNTIL\nweb   recommendations not known  -\n", columns(rows, 80))
	require.Equal(t, "NAME  HELD BY            UNTIL\nweb   recommendations    -\n      not known\n", columns(rows, 30))
	require.Equal(t, "NAME\n  HELD BY\n  UNTIL\nweb\n  recommendations not known\n  -\n", columns(rows, 20))
	require.Equal(t, "  one two three four\n    five six\nseven\n", wrapLines("  one two three four five six\nseven\n", 24))
}
