package calculator_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// quirkySync is a sync that an older release answers differently than the
// newest.
type quirkySync struct {
	release string // the last one with the quirks, or one with a gate off
	quirks  string // those that mattered
	spec    autoscaling.HorizontalPodAutoscalerSpec
	obs     calculator.Observation
	state   calculator.State // before the sync

	// shows is a part of what an API client sees. It is old in the older
	// release, and newest in the newest.
	shows       func(*calculator.Decision, *calculator.State) any
	old, newest any
	// text is a part of the decision's text that explains the difference, if
	// any does.
	text string
}

func TestSizesOfReleases(t *testing.T) {
	twoPods := podsWithContainer(2, "log", 100)
	podLevel := podsWithContainer(2, "log", 100)
	for i := range podLevel {
		podLevel[i].PodLevel = &podgroup.PodLevel{Requests: podgroup.Requests{CPU: podgroup.Requested(1000)}}
		podLevel[i].Resolve()
	}
	oneWithout := podsWithContainer(2, "log", 100)
	oneWithout[1].Containers = nil

	cpu50 := webSpec(1, autoscaling.ResourceUtilizationMetric("cpu", 50))
	tolerant := webSpec(1, autoscaling.ResourceUtilizationMetric("cpu", 50))
	tolerant.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{Tolerance: metrics.MustParseQuantity("0.5")}}
	tolerant.SetDefaults()
	logCPU50 := webSpec(1, autoscaling.ContainerResourceUtilizationMetric("cpu", "log", 50))
	jobs := autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("9E"))
	atZero := calculator.Observation{Readings: []calculator.Reading{{Values: []metrics.Milli{math.MaxInt64}}}}

	for _, tt := range []quirkySync{
		{
			release: "1.29,HPAContainerMetrics=false",
			quirks:  "NoContainerMetrics",
			spec:    logCPU50,
			obs:     observed(twoPods, calculator.Reading{Samples: same(2, 90)}),
			shows:   succeeds,
			old:     false,
			newest:  true,
			text: "  Release: Kubernetes 1.29,HPAContainerMetrics=false fails ContainerResource metrics, as their gate is off; " +
				"1.37 computes ContainerResource metrics.\n",
		},
		{
			release: "1.32",
			quirks:  "ToleranceByDistance",
			spec:    cpu50,
			obs:     observed(readyPods(10), calculator.Reading{Samples: same(10, 550)}),
			shows:   size,
			old:     int32(11),
			newest:  int32(10),
			text: "The ratio to the target is 1.1000. " +
				"Its distance from 1, rounded to 0.10000000000000009, is more than the tolerance of 0.1.\n" +
				"  Proposal: 11 replicas, 1.1000 times 10 ready pods, rounded up.\n" +
				"  Release: Kubernetes 1.32 compares the rounded distance of the ratio from 1 with the tolerance; " +
				"1.37 compares the ratio with 1 minus and 1 plus the tolerance.\n",
		},
		{
			release: "1.34",
			quirks:  "OneTolerance",
			spec:    tolerant,
			obs:     observed(readyPods(10), calculator.Reading{Samples: same(10, 700)}),
			shows:   size,
			old:     int32(14),
			newest:  int32(10),
			text: "  Release: Kubernetes 1.34 has one tolerance, and drops those of spec.behavior; " +
				"1.37 has a tolerance for each direction in spec.behavior.\n",
		},
		{
			release: "1.33",
			quirks:  "NoPodLevelRequests",
			spec:    cpu50,
			obs:     observed(podLevel, calculator.Reading{Samples: same(2, 100)}),
			shows:   choice,
			old:     int32(4),
			newest:  int32(1),
			text: "  Release: Kubernetes 1.33 counts the requests of containers, not those of the whole pod; " +
				"1.37 counts the requests of the whole pod, where it has some.\n",
		},
		{
			release: "1.36,PodLevelResources=false",
			quirks:  "NoPodLevelRequests",
			spec:    cpu50,
			obs:     observed(podLevel, calculator.Reading{Samples: same(2, 100)}),
			shows:   choice,
			old:     int32(4),
			newest:  int32(1),
		},
		{
			release: "1.34",
			quirks:  "AbsentContainerRequestsZero",
			spec:    logCPU50,
			obs:     observed(oneWithout, calculator.Reading{Samples: same(2, 30)}),
			shows:   size,
			old:     int32(3),
			newest:  int32(2),
			text: "  Release: Kubernetes 1.34 takes the request of a pod without the container as zero; " +
				"1.37 takes a pod without the container as a failure of the metric.\n",
		},
		{
			release: "1.35",
			quirks:  "ZeroByMinReplicas,NoScaledToZero",
			spec:    webSpec(0, jobs),
			obs:     atZero,
			shows:   size,
			old:     int32(1),
			newest:  int32(0),
			text: "Release: Kubernetes 1.35 looks at minReplicas to see whether a size of zero may change; " +
				"1.37 looks at the condition ScaledToZero to see whether a size of zero may change.\n",
		},
		{
			release: "1.36",
			quirks:  "NoScaleToZero,NoScaledToZero",
			spec:    webSpec(1, jobs),
			obs:     atZero,
			state:   scaledToZero(),
			shows:   size,
			old:     int32(0),
			newest:  int32(1),
			text: "Release: Kubernetes 1.36 leaves a size of zero as it is; " +
				"1.37 scales up again what it scaled to zero itself.\n",
		},
	} {
		t.Run(tt.release+" "+tt.quirks, tt.run)
	}
}

func TestStatusesOfReleases(t *testing.T) {
	for _, tt := range []quirkySync{
		{
			release: "1.32",
			quirks:  "NoDescribedObject",
			spec:    webSpec(1, hits()),
			obs:     observed(readyPods(10), calculator.Reading{Values: []metrics.Milli{10_000}}),
			shows: func(d *calculator.Decision, st *calculator.State) any {
				return d.Status(st).CurrentMetrics[0].Object.DescribedObject.Kind
			},
			old:    "",
			newest: "Ingress",
		},
		{
			release: "1.33",
			quirks:  "DecimalMemory",
			spec:    webSpec(1, autoscaling.ResourceAverageValueMetric("memory", metrics.MustParseQuantity("56Mi"))),
			obs:     observed(readyPods(10), calculator.Reading{Samples: same(10, 56<<20*1000)}),
			shows: func(d *calculator.Decision, st *calculator.State) any {
				return d.Status(st).CurrentMetrics[0].Resource.Current.AverageValue.String()
			},
			old:    "58720256",
			newest: "56Mi",
		},
		{
			release: "1.33",
			quirks:  "ExternalUnguarded",
			spec:    webSpec(1, autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("9E"))),
			obs:     observed(readyPods(2), calculator.Reading{Values: []metrics.Milli{math.MaxInt64}}),
			shows: func(d *calculator.Decision, st *calculator.State) any {
				return d.Status(st).CurrentMetrics[0].External.Current.AverageValue.String()
			},
			old:    "4611686018427387904m",
			newest: "9223372036854775807m",
		},
	} {
		t.Run(tt.release+" "+tt.quirks, tt.run)
	}
}

func TestTextsOfReleases(t *testing.T) {
	const (
		unable     = "the HPA was unable to compute the replica count: "
		unableCPU  = "failed to get cpu utilization: unable to get metrics for resource cpu: "
		noSidecar  = "failed to get container metrics: container log not present in metrics for pod ns/web-1"
		firstError = "invalid metrics (1 invalid out of 1), first error is: failed to get log container metric value: "
	)
	cpu50 := webSpec(1, autoscaling.ResourceUtilizationMetric("cpu", 50))
	noValues := hits()
	noValues.Object.Metric.Selector = &autoscaling.LabelSelector{
		MatchExpressions: []autoscaling.LabelSelectorRequirement{{Key: "a", Operator: "In"}},
	}
	shared := observed(readyPods(10), calculator.Reading{Samples: same(10, 500)})
	shared.SelectorError = &calculator.SelectorError{
		Reason: calculator.SelectorAmbiguous, Selector: "app=web", Others: "[ns/a ns/b]",
	}

	for _, tt := range []quirkySync{
		{
			release: "1.29",
			quirks:  "FormatsTwice",
			spec:    cpu50,
			obs:     observed(readyPods(10), calculator.Reading{Err: errors.New("100% wrong")}),
			shows:   messageOf(autoscaling.ScalingActive),
			old:     unable + unableCPU + "100%!w(MISSING)rong",
			newest:  unable + unableCPU + "100% wrong",
		},
		{
			release: "1.31",
			quirks:  "ContainerRequired",
			spec:    webSpec(1, autoscaling.ContainerResourceUtilizationMetric("cpu", "log", 50)),
			obs: observed(podsWithContainer(2, "log", 100), calculator.Reading{
				Samples:          append(same(1, 90), metrics.Sample{}),
				WithoutContainer: "web-1",
			}),
			shows: func(d *calculator.Decision, _ *calculator.State) any { return texts(d) },
			old: []string{
				"Warning FailedGetContainerResourceMetric " + unableCPU + noSidecar,
				"Warning FailedComputeMetricsReplicas " + firstError + unableCPU + noSidecar,
			},
			newest: []string(nil),
			text: "  Release: Kubernetes 1.31 takes a pod whose metrics lack the container as a failure of the metric; " +
				"1.37 takes a pod whose metrics lack the container as a missing one.\n",
		},
		{
			release: "1.33",
			quirks:  "ValuesInGo",
			spec:    webSpec(1, noValues),
			obs:     observed(readyPods(10), calculator.Reading{Values: []metrics.Milli{1}}),
			shows:   messageOf(autoscaling.ScalingActive),
			old:     unable + "values: Invalid value: []string(nil): for 'in', 'notin' operators, values set can't be empty",
			newest:  unable + "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
		},
		{
			release: "1.36",
			quirks:  "NoScaledToZero",
			spec:    cpu50,
			obs:     observed(readyPods(10), calculator.Reading{Samples: same(10, 700)}),
			state:   scaledToZero(),
			shows:   messageOf(autoscaling.ScaledToZero),
			old:     nil,
			newest:  "the HPA controller did not scale the workload to zero",
		},
		{
			release: "1.36",
			quirks:  "ObjectErrorSwapped",
			spec:    webSpec(1, hits()),
			obs:     observed(readyPods(10), calculator.Reading{Err: errors.New("oh")}),
			shows:   messageOf(autoscaling.ScalingActive),
			old:     unable + "unable to get metric hits: Ingress on ns main/oh",
			newest:  unable + "unable to get metric hits on Ingress ns/main: oh",
		},
		{
			release: "1.36",
			quirks:  "SharedSelectorByAll",
			spec:    cpu50,
			obs:     shared,
			shows:   messageOf(autoscaling.ScalingActive),
			old:     "pods by selector app=web are controlled by multiple HPAs: [ns/a ns/b]",
			newest:  "pods by selector app=web are controlled by more than one HPA (e.g. [ns/a ns/b])",
		},
	} {
		t.Run(tt.release+" "+tt.quirks, tt.run)
	}
}

// run decides as the older release and as the newest, with one Decision for
// both, and requires the answers, the names of the quirks and their
// explanation.
func (tt *quirkySync) run(t *testing.T) {
	require.NoError(t, tt.spec.Validate().Err())
	var d calculator.Decision
	decide := func(r release.Release) *calculator.State {
		settings := calculator.DefaultSettings()
		settings.DownscaleStabilization = 0
		settings.Release = r
		st := tt.state.Clone()
		calculator.DecideInto(&d, noon, &settings, &tt.spec, &tt.obs, &st)
		st.Applied(noon, &d)
		return &st
	}
	old := release.MustParse(tt.release)
	for range 2 { // a release leaves nothing in the Decision
		st := decide(release.Release{})
		require.Equal(t, tt.newest, tt.shows(&d, st), "the newest")
		require.Zero(t, d.Quirks)

		st = decide(old)
		require.Equal(t, tt.old, tt.shows(&d, st), "the release")
	}
	mattered := d.Quirks
	if !strings.HasSuffix(tt.quirks, "NoScaledToZero") {
		// In 1.37, every change of size sets the condition ScaledToZero.
		mattered = mattered.Without(release.NoScaledToZero)
	}
	require.Equal(t, tt.quirks, mattered.String())
	d.Quirks = mattered
	require.Contains(t, d.String(), tt.text)
	text, err := d.MarshalJSON()
	require.NoError(t, err)
	require.Contains(t, string(text), `"release":"`+tt.release+`"`)
}

// webSpec scales the Deployment web up to 20 replicas by one metric.
func webSpec(least int32, m autoscaling.MetricSpec) autoscaling.HorizontalPodAutoscalerSpec {
	s := autoscaling.NewSpec(least, 20, m)
	s.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	return s
}

// hits aims at one hit of an Ingress for each pod.
func hits() autoscaling.MetricSpec {
	ingress := autoscaling.CrossVersionObjectReference{Kind: "Ingress", Name: "main"}
	return autoscaling.ObjectAverageValueMetric(ingress, "hits", metrics.MustParseQuantity("1"))
}

// podsWithContainer returns ready pods with a container that requests the
// milli-cores. The pods as a whole request one core.
func podsWithContainer(n int, name string, milli metrics.Milli) []podgroup.Pod {
	pods := readyPods(n)
	for i := range pods {
		requests := podgroup.Requests{CPU: podgroup.Requested(milli)}
		pods[i].Containers = []podgroup.Container{{Name: name, Requests: requests}}
	}
	return pods
}

// observed is the observation of the pods and of one metric.
func observed(pods []podgroup.Pod, r calculator.Reading) calculator.Observation {
	n := int32(len(pods))
	return calculator.Observation{
		Namespace:      "ns",
		SpecReplicas:   n,
		StatusReplicas: n,
		Pods:           pods,
		Readings:       []calculator.Reading{r},
	}
}

// scaledToZero is the state of an autoscaler that has scaled to zero.
func scaledToZero() calculator.State {
	c := autoscaling.HorizontalPodAutoscalerCondition{Type: autoscaling.ScaledToZero, Status: autoscaling.ConditionTrue}
	return calculator.State{Conditions: []autoscaling.HorizontalPodAutoscalerCondition{c}}
}

func choice(d *calculator.Decision, _ *calculator.State) any { return d.Choice.Replicas }

func size(d *calculator.Decision, _ *calculator.State) any { return d.DesiredReplicas }

func succeeds(d *calculator.Decision, _ *calculator.State) any { return d.Err() == nil }

// messageOf shows the message of a condition, nil if it is not set.
func messageOf(of autoscaling.HorizontalPodAutoscalerConditionType) func(*calculator.Decision, *calculator.State) any {
	return func(_ *calculator.Decision, st *calculator.State) any {
		if c := st.Condition(of); c != nil {
			return c.Message
		}
		return nil
	}
}

// If no quirk of a release mattered, an API client sees the same as with
// the newest release, and the state is the same.
func TestReleasesAgreeWithoutQuirks(t *testing.T) {
	different, equal := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		setup := calctest.Setups().Draw(t, "setup")
		pods := calctest.Pods(setup.Spec).Draw(t, "pods")
		n := int32(rapid.IntRange(0, 12).Draw(t, "size"))
		obs := calculator.Observation{
			Namespace:      "ns",
			SpecReplicas:   n,
			StatusReplicas: n,
			Pods:           pods,
			Readings:       calctest.Readings(setup.Spec, pods).Draw(t, "readings"),
		}
		r := rapid.SampledFrom(release.All()).Draw(t, "release")
		run := func(r release.Release) (calculator.Decision, calculator.State) {
			var st calculator.State
			settings := setup.Settings
			settings.Release = r
			d := calculator.Decide(noon, &settings, setup.Spec, &obs, &st)
			st.Applied(noon, &d)
			return d, st
		}
		old, oldState := run(r)
		recent, state := run(release.Release{})
		require.Zero(t, recent.Quirks)
		require.Zero(t, old.Quirks&^r.Quirks(), "quirks of another release")
		if old.Quirks != 0 {
			different++
			return
		}
		equal++
		require.Equal(t, recent.DesiredReplicas, old.DesiredReplicas)
		require.Equal(t, texts(&recent), texts(&old))
		require.True(t, state.Equal(&oldState))
		if diff := cmp.Diff(recent.Status(&state), old.Status(&oldState), cmp.AllowUnexported(metrics.Quantity{})); diff != "" {
			t.Fatal(diff)
		}
	})
	t.Log(different, "syncs with quirks that mattered,", equal, "without")
	require.Positive(t, different)
	require.Positive(t, equal)
}

// A status that a newer release wrote has the condition ScaledToZero. A release
// that does not set it leaves it. That is a difference only if it would change.
func TestQuirkOfAnOlderStatus(t *testing.T) {
	spec := webSpec(1, autoscaling.ResourceUtilizationMetric("cpu", 50))
	for _, tt := range []struct {
		release string
		size    int32
		usage   metrics.Milli
		quirks  string
	}{
		{"1.37", 4, 1000, ""},
		{"1.36", 4, 1000, "NoScaledToZero"}, // which removes it
		{"1.35", 4, 1000, ""},
		{"1.29", 4, 1000, ""},
		{"1.29", 4, 500, ""}, // no change of size
	} {
		settings := calculator.DefaultSettings()
		var st calculator.State
		d := calculator.Decide(noon, &settings, &spec, cpuAt(2, 1000), &st)
		st.Applied(noon, &d)
		require.Equal(t, "NotScaledToZero", st.Condition(autoscaling.ScaledToZero).Reason)
		settings.Release = release.MustParse(tt.release)
		d = calculator.Decide(noon, &settings, &spec, cpuAt(tt.size, tt.usage), &st)
		st.Applied(noon, &d)
		require.Equal(t, tt.quirks, d.Quirks.String(), "%+v", tt)
		if c := st.Condition(autoscaling.ScaledToZero); c != nil {
			c.Status = autoscaling.ConditionTrue
			settings.Release = release.MustParse("1.35")
			d = calculator.Decide(noon, &settings, &spec, cpuAt(4, 1000), &st)
			st.Applied(noon, &d)
			require.Equal(t, "NoScaledToZero", d.Quirks.String(), "1.37 would say False")
		}
	}
}

// The functions for one metric compute with the quirks of a release, too.
func TestProposalsWithQuirks(t *testing.T) {
	m := calculator.PodMetric{
		Resource:        podgroup.CPU,
		CurrentReplicas: 10,
		Pods:            readyPods(10),
		Samples:         same(10, 550),
		Tolerance:       metrics.Symmetric(0.1),
	}
	p, err := calculator.ProposeResourceUtilization(noon, &m, 50)
	require.NoError(t, err)
	require.Equal(t, int32(10), p.Replicas)
	m.Quirks, m.Tolerance.Rounded = release.MustParse("1.32").Quirks(), true
	p, err = calculator.ProposeResourceUtilization(noon, &m, 50)
	require.NoError(t, err)
	require.Equal(t, int32(11), p.Replicas)

	v := calculator.ValueMetric{Values: []metrics.Milli{math.MaxInt64}, StatusReplicas: 2}
	p, err = calculator.ProposeExternalAverageValue(&v, 1)
	require.NoError(t, err)
	require.Equal(t, metrics.Milli(math.MaxInt64), p.Usage)
	v.Quirks = release.MustParse("1.33").Quirks()
	p, err = calculator.ProposeExternalAverageValue(&v, 1)
	require.NoError(t, err)
	require.Equal(t, metrics.Milli(1<<62), p.Usage)
}

// Two quirks of which each alone would change the size are both named.
func TestQuirksTogether(t *testing.T) {
	spec := webSpec(1, autoscaling.ResourceUtilizationMetric("cpu", 50))
	spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{Tolerance: metrics.MustParseQuantity("0.1")}}
	spec.SetDefaults()
	settings := calculator.Settings{Release: release.MustParse("1.32"), ZeroFlags: true}
	obs := observed(readyPods(10), calculator.Reading{Samples: same(10, 550)})
	var st calculator.State
	d := calculator.Decide(noon, &settings, &spec, &obs, &st)
	require.Equal(t, int32(11), d.DesiredReplicas)
	require.Equal(t, "ToleranceByDistance,OneTolerance", d.Quirks.String())
}
