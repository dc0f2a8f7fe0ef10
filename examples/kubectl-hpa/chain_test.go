package main

import (
	"cmp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// scaledTo is an event of a rescale, so many seconds before noon.
func scaledTo(message string, ago int, count int32) *corev1.Event {
	at := metav1.NewTime(noon.Add(-time.Duration(ago) * time.Second))
	return &corev1.Event{Reason: "SuccessfulRescale", Message: message, FirstTimestamp: at, LastTimestamp: at, Count: count}
}

func seconds(n int) time.Time { return noon.Add(-time.Duration(n) * time.Second) }

// The changes that events record, and since when they are complete.
func TestChain(t *testing.T) {
	const up, down = "; reason: cpu resource utilization (percentage of request) above target", "; reason: All metrics below target"
	three := []*corev1.Event{scaledTo("New size: 3"+up, 300, 1), scaledTo("New size: 8"+up, 200, 1), scaledTo("New size: 6"+down, 100, 1)}
	twice := scaledTo("New size: 6"+down, 100, 2)
	twice.FirstTimestamp = metav1.NewTime(seconds(300))
	newer := &corev1.Event{Reason: "SuccessfulRescale", Message: "New size: 6" + down, EventTime: metav1.NewMicroTime(seconds(100))}
	series, long := newer.DeepCopy(), newer.DeepCopy()
	series.Series = &corev1.EventSeries{Count: 2, LastObservedTime: metav1.NewMicroTime(seconds(50))}
	long.Series = &corev1.EventSeries{Count: 24, LastObservedTime: metav1.NewMicroTime(seconds(50))}
	for _, c := range []struct {
		name    string
		events  []*corev1.Event
		last    time.Time
		size    int32
		want    []change
		since   time.Time
		problem string
	}{
		{"a chain", three, seconds(101), 6, []change{{seconds(200), 3, 8}, {seconds(100), 8, 6}}, seconds(298), "there is no older event"},
		{"no scale", nil, time.Time{}, 6, nil, time.Time{}, "the status knows of no scale"},
		{"no events", nil, seconds(100), 6, nil, time.Time{}, "there is no event of a scale"},
		{"an event of another scale", three, seconds(50), 6, nil, time.Time{}, "the last event is not that of the last scale"},
		{"a size that someone else set", three, seconds(100), 7, nil, time.Time{}, "the last event is not that of the last scale"},
		{"one that goes the other way", []*corev1.Event{three[0], three[1], scaledTo("New size: 6"+up, 100, 1)}, seconds(100), 6, nil, seconds(98), "someone else has changed the size before"},
		{"the size of before", []*corev1.Event{three[0], scaledTo("New size: 6; reason: ", 200, 1), scaledTo("New size: 6; reason: ", 100, 1)}, seconds(100), 6, nil, seconds(98), "someone else has changed the size before"},
		{"one event for two", []*corev1.Event{three[1], twice}, seconds(100), 6, []change{{seconds(200), 6, 8}, {seconds(100), 8, 6}}, seconds(298), "there is no older event"},
		{"one event for three", []*corev1.Event{three[1], scaledTo("New size: 6"+down, 100, 3)}, seconds(100), 6, nil, seconds(98), "an event stands for several"},
		{"similar events", []*corev1.Event{three[1], scaledTo("(combined from similar events): New size: 6"+down, 100, 7)}, seconds(100), 6, nil, seconds(98), "an event stands for several"},
		{"one similar event", []*corev1.Event{three[1], scaledTo("(combined from similar events): New size: 6"+down, 100, 1)}, seconds(100), 6, nil, seconds(98), "an event stands for several"},
		{"a series", []*corev1.Event{three[1], series}, seconds(50), 6, nil, seconds(48), "an event stands for several"},
		{"one of the newer API", []*corev1.Event{three[1], newer}, seconds(100), 6, []change{{seconds(100), 8, 6}}, seconds(198), "there is no older event"},
		{"so many in a series", []*corev1.Event{long}, seconds(50), 6, nil, time.Time{}, "there are so many events that some may be missing"},
		{"so many", append([]*corev1.Event{{Reason: "FailedGetScale", Count: 25}}, three...), seconds(100), 6, nil, time.Time{}, "there are so many events that some may be missing"},
	} {
		p := chain(c.events, c.last, c.size)
		require.Equal(t, c.want, p.Changes, c.name)
		require.Equal(t, c.since, p.Since, c.name)
		require.Equal(t, c.problem, p.Problem, c.name)
	}
}

// What stands against an event of a chain.
func TestPast(t *testing.T) {
	whole := past{Since: seconds(500), Changes: []change{{seconds(400), 3, 8}, {seconds(100), 8, 6}}}

	p := whole
	p.after(seconds(200), "the spec changed about then")
	require.Equal(t, past{Since: seconds(198), Changes: whole.Changes[1:], Problem: "the spec changed about then"}, p)
	p.after(seconds(300), "earlier")
	require.Equal(t, seconds(198), p.Since)

	rules := func(period int32) *behavior.Behavior {
		return &behavior.Behavior{ScaleUp: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: period}}}}
	}
	for period, left := range map[int32]int{397: 2, 398: 1, 400: 1, 402: 1, 403: 2, 100: 0, 30: 2} {
		p := whole
		p.dropNearPeriodEnd(noon, rules(period))
		require.Len(t, p.Changes, left, "%d", period)
	}

	require.Equal(t, whole, whole.restarted(seconds(600)), "it remembers all")
	p = whole.restarted(seconds(200))
	require.Equal(t, whole.Changes[1:], p.Changes)
	require.True(t, p.Since.Before(noon.Add(-30*time.Minute)), "and nothing from before")
	p = whole.restarted(seconds(401))
	require.Equal(t, whole.Changes[1:], p.Changes)
	require.Equal(t, seconds(398), p.Since, "it may or may not have been this one")

	p = whole
	p.dropExpired(noon, behavior.Periods{Up: 300 * time.Second, Down: 300 * time.Second})
	require.Equal(t, whole.Changes[1:], p.Changes)
	p = whole
	p.dropExpired(noon, behavior.Periods{Up: 402 * time.Second, Down: 102 * time.Second})
	require.Equal(t, whole.Changes, p.Changes)
}

// A status from before the last change of the spec says nothing of what was
// recommended since. Without generations, times tell.
func TestKnownOfSpec(t *testing.T) {
	one, two := int64(1), int64(2)
	for _, c := range []struct {
		name       string
		generation int64
		observed   *int64
		spec, at   time.Time // of the last change and of the status
		holds      bool
	}{
		{"the generation observed", 2, &two, time.Time{}, time.Time{}, true},
		{"another one", 2, &one, seconds(60), seconds(10), false},
		{"a later status", 0, nil, seconds(60), seconds(10), true},
		{"an earlier one", 0, nil, seconds(10), seconds(60), false},
		{"at about the same time", 0, nil, seconds(61), seconds(60), false},
		{"nothing observed", 2, nil, seconds(10), seconds(60), false},
		{"no times", 0, nil, time.Time{}, time.Time{}, false},
		{"no time of the spec", 0, nil, time.Time{}, seconds(60), false},
		{"no time of the status", 0, nil, seconds(60), time.Time{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := rowOf(t, 5).snapshot
			s.Spec = autoscaling.NewSpec(1, 10, autoscaling.ExternalAverageValueMetric("queue", metrics.MustParseQuantity("40")))
			s.Spec.SetDefaults()
			s.Generation, s.Status.ObservedGeneration = c.generation, c.observed
			s.SpecWritten, s.StatusWritten = c.spec, c.at
			s.Status.CurrentReplicas, s.Status.DesiredReplicas = 5, 6
			s.Status.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{
				{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ScaleDownStabilized"},
				{Type: autoscaling.ScalingActive, Status: autoscaling.ConditionTrue, Reason: "ValidMetricFound"},
				{Type: autoscaling.ScalingLimited, Status: autoscaling.ConditionFalse, Reason: "DesiredWithinRange"},
			}
			settings := calculator.DefaultSettings()
			v, err := decide(noon, &settings, s, s.known(noon))
			require.NoError(t, err)
			require.EqualValues(t, 2, v.r.Low.DesiredReplicas)
			most := int32(10)
			if c.holds {
				most = 6
			}
			require.Equal(t, most, v.r.High.DesiredReplicas)
			require.Equal(t, c.generation, *cmp.Or(v.high.ObservedGeneration, new(int64)))
		})
	}
}

// What is missing in the cluster leaves the past unknown.
func TestPastMissing(t *testing.T) {
	now := time.Now()
	at := metav1.NewTime(now.Add(-time.Hour))
	a := &autoscaler{meta: new(metav1.ObjectMeta)}
	a.SpecWritten = at.Time
	a.Spec.Behavior = behavior.Default()
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: leaseNamespace, Name: leaseName}}
	problem := func(objects ...runtime.Object) string {
		return (&connection{client: fake.NewClientset(objects...)}).forLook().past(t.Context(), &snapshot{autoscaler: a}).Problem
	}
	require.Contains(t, problem(), `leases.coordination.k8s.io "kube-controller-manager" not found`)
	require.Contains(t, problem(lease), "spec.acquireTime is missing")
	micro := metav1.NewMicroTime(at.Time)
	lease.Spec.AcquireTime = &micro
	require.Equal(t, "the status knows of no scale", problem(lease))
	renewed := metav1.NewMicroTime(now)
	lease.Spec.RenewTime = &renewed
	require.Equal(t, "the status knows of no scale", problem(lease))
	renewed.Time = now.Add(-2 * time.Minute)
	require.Contains(t, problem(lease), "nobody has renewed it since ")
	lease.Spec.RenewTime = nil
	a.SpecWritten = time.Time{}
	require.Equal(t, "when the spec changed last is not known", problem(lease))
	a.Spec.Behavior = nil
	require.Equal(t, "they do not count without a behavior", problem(lease))
}
