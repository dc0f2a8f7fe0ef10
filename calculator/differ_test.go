package calculator_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// differing is a sync that an older release takes otherwise.
type differing struct {
	release string
	spec    string // metrics and behavior
	obs     calculator.Observation
	state   calculator.State
	differs string
	// shows is what an API client sees, of the release and of the newest.
	shows     func(calculator.Decision, *calculator.State) any
	want, new any
	sentence  string
}

func choice(d calculator.Decision, _ *calculator.State) any { return d.Choice.Replicas }

func size(d calculator.Decision, _ *calculator.State) any { return d.DesiredReplicas }

func messageOf(of autoscaling.HorizontalPodAutoscalerConditionType) func(calculator.Decision, *calculator.State) any {
	return func(_ calculator.Decision, st *calculator.State) any {
		if c := st.Condition(of); c != nil {
			return c.Message
		}
		return nil
	}
}

func events(d calculator.Decision, _ *calculator.State) any {
	var list []string
	for _, e := range d.AppendEvents(nil) {
		list = append(list, e.String())
	}
	return list
}

func TestDifferencesOfReleases(t *testing.T) {
	const (
		cpu50     = `{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}`
		container = `{"type":"ContainerResource","containerResource":{"name":"cpu","container":"log","target":{"type":"Utilization","averageUtilization":50}}}`
		memory    = `{"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"56Mi"}}}`
		object    = `{"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"main"},"metric":{"name":"hits"},"target":{"type":"AverageValue","averageValue":"1"}}}`
		external  = `{"type":"External","external":{"metric":{"name":"jobs"},"target":{"type":"AverageValue","averageValue":"9E"}}}`
	)
	ten := readyPods(10)
	two := readyPods(2)
	for i := range two {
		two[i].Containers = []podgroup.Container{{Name: "log", Requests: podgroup.Requests{CPU: podgroup.Requested(100)}}}
	}
	absent := append([]podgroup.Pod{}, two...)
	absent[1].Containers = nil
	whole := readyPods(2)
	for i := range whole {
		whole[i].Containers = two[i].Containers
		whole[i].PodLevel = &podgroup.PodLevel{Requests: podgroup.Requests{CPU: podgroup.Requested(1000)}}
		whole[i].Resolve()
	}
	of := func(pods []podgroup.Pod, reading calculator.Reading) calculator.Observation {
		n := int32(len(pods))
		return calculator.Observation{Namespace: "ns", SpecReplicas: n, StatusReplicas: n, Pods: pods, Readings: []calculator.Reading{reading}}
	}
	shared := of(ten, calculator.Reading{Samples: same(10, 500)})
	shared.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: "app=web", Others: "[ns/a ns/b]"}
	scaledToZero := calculator.State{Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.ScaledToZero, Status: autoscaling.ConditionTrue}}}
	atZero := calculator.Observation{Readings: []calculator.Reading{{Values: []metrics.Milli{math.MaxInt64}}}}

	for _, tt := range []differing{
		{release: "1.29", spec: cpu50, obs: of(ten, calculator.Reading{Err: errors.New("100% wrong")}), differs: "formatsTwice",
			shows: messageOf(autoscaling.ScalingActive),
			want:  "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: 100%!w(MISSING)rong",
			new:   "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: 100% wrong"},
		{release: "1.29,HPAContainerMetrics=false", spec: container, obs: of(two, calculator.Reading{Samples: same(2, 90)}), differs: "noContainerMetrics",
			shows: func(d calculator.Decision, _ *calculator.State) any { return d.Err() == nil }, want: false, new: true,
			sentence: "  Release: Kubernetes 1.29,HPAContainerMetrics=false fails ContainerResource metrics, as their gate is off; 1.37 computes ContainerResource metrics.\n"},
		{release: "1.32", spec: cpu50, obs: of(ten, calculator.Reading{Samples: same(10, 550)}), differs: "toleranceByDistance",
			shows: size, want: int32(11), new: int32(10),
			sentence: "The ratio to the target is 1.1000. Its distance from 1, rounded to 0.10000000000000009, is more than the tolerance of 0.1.\n  Proposal: 11 replicas, 1.1000 times 10 ready pods, rounded up.\n  Release: Kubernetes 1.32 compares the rounded distance of the ratio from 1 with the tolerance; 1.37 compares the ratio with 1 minus and 1 plus the tolerance.\n"},
		{release: "1.34", spec: cpu50 + `],"behavior":{"scaleUp":{"tolerance":"0.5"}},"x":[1`, obs: of(ten, calculator.Reading{Samples: same(10, 700)}), differs: "oneTolerance",
			shows: size, want: int32(14), new: int32(10),
			sentence: "  Release: Kubernetes 1.34 has one tolerance, and drops those of spec.behavior; 1.37 has a tolerance for each direction in spec.behavior.\n"},
		{release: "1.31", spec: container, obs: of(two, calculator.Reading{Samples: append(same(1, 90), metrics.Sample{}), WithoutContainer: "web-1"}), differs: "containerRequired",
			shows: events,
			want: []string{
				"Warning FailedGetContainerResourceMetric failed to get cpu utilization: unable to get metrics for resource cpu: failed to get container metrics: container log not present in metrics for pod ns/web-1",
				"Warning FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get log container metric value: failed to get cpu utilization: unable to get metrics for resource cpu: failed to get container metrics: container log not present in metrics for pod ns/web-1",
			}, new: []string(nil),
			sentence: "  Release: Kubernetes 1.31 takes a pod whose metrics lack the container as a failure of the metric; 1.37 takes a pod whose metrics lack the container as a missing one.\n"},
		{release: "1.32", spec: object, obs: of(ten, calculator.Reading{Values: []metrics.Milli{10_000}}), differs: "noDescribedObject",
			shows: func(d calculator.Decision, st *calculator.State) any {
				return d.Status(st).CurrentMetrics[0].Object.DescribedObject.Kind
			}, want: "", new: "Ingress"},
		{release: "1.33", spec: cpu50, obs: of(whole, calculator.Reading{Samples: same(2, 100)}), differs: "noPodLevelRequests",
			shows: choice, want: int32(4), new: int32(1),
			sentence: "  Release: Kubernetes 1.33 counts the requests of containers, not those of the whole pod; 1.37 counts the requests of the whole pod, where it has some.\n"},
		{release: "1.36,PodLevelResources=false", spec: cpu50, obs: of(whole, calculator.Reading{Samples: same(2, 100)}), differs: "noPodLevelRequests",
			shows: choice, want: int32(4), new: int32(1)},
		{release: "1.33", spec: memory, obs: of(ten, calculator.Reading{Samples: same(10, 58720256000)}), differs: "decimalMemory",
			shows: func(d calculator.Decision, st *calculator.State) any {
				return d.Status(st).CurrentMetrics[0].Resource.Current.AverageValue.String()
			}, want: "58720256", new: "56Mi"},
		{release: "1.33", spec: strings.Replace(object, `"name":"hits"`, `"name":"hits","selector":{"matchExpressions":[{"key":"a","operator":"In"}]}`, 1),
			obs: of(ten, calculator.Reading{Values: []metrics.Milli{1}}), differs: "valuesInGo",
			shows: messageOf(autoscaling.ScalingActive),
			want:  "the HPA was unable to compute the replica count: values: Invalid value: []string(nil): for 'in', 'notin' operators, values set can't be empty",
			new:   "the HPA was unable to compute the replica count: values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
		{release: "1.33", spec: external, obs: of(two, calculator.Reading{Values: []metrics.Milli{math.MaxInt64}}), differs: "externalUnguarded",
			shows: func(d calculator.Decision, st *calculator.State) any {
				return d.Status(st).CurrentMetrics[0].External.Current.AverageValue.String()
			}, want: "4611686018427387904m", new: "9223372036854775807m"},
		{release: "1.34", spec: container, obs: of(absent, calculator.Reading{Samples: same(2, 30)}), differs: "absentContainerRequestsZero",
			shows: size, want: int32(3), new: int32(2),
			sentence: "  Release: Kubernetes 1.34 takes the request of a pod without the container as zero; 1.37 takes a pod without the container as a failure of the metric.\n"},
		{release: "1.35", spec: external + `],"minReplicas":0,"x":[1`, obs: atZero, differs: "zeroByMinReplicas,noScaledToZero",
			shows: size, want: int32(1), new: int32(0),
			sentence: "Release: Kubernetes 1.35 looks at minReplicas to see whether a size of zero may change; 1.37 looks at the condition ScaledToZero to see whether a size of zero may change.\n"},
		{release: "1.36", spec: external, obs: atZero, state: scaledToZero, differs: "noScaleToZero,noScaledToZero",
			shows: size, want: int32(0), new: int32(1),
			sentence: "Release: Kubernetes 1.36 leaves a size of zero as it is; 1.37 scales up again what it scaled to zero itself.\n"},
		{release: "1.36", spec: cpu50, obs: of(ten, calculator.Reading{Samples: same(10, 700)}), state: scaledToZero, differs: "noScaledToZero",
			shows: messageOf(autoscaling.ScaledToZero), want: nil, new: "the HPA controller did not scale the workload to zero"},
		{release: "1.36", spec: object, obs: of(ten, calculator.Reading{Err: errors.New("oh")}), differs: "objectErrorSwapped",
			shows: messageOf(autoscaling.ScalingActive),
			want:  "the HPA was unable to compute the replica count: unable to get metric hits: Ingress on ns main/oh",
			new:   "the HPA was unable to compute the replica count: unable to get metric hits on Ingress ns/main: oh"},
		{release: "1.36", spec: cpu50, obs: shared, differs: "sharedSelectorByAll",
			shows: messageOf(autoscaling.ScalingActive),
			want:  "pods by selector app=web are controlled by multiple HPAs: [ns/a ns/b]",
			new:   "pods by selector app=web are controlled by more than one HPA (e.g. [ns/a ns/b])"},
	} {
		t.Run(tt.release+" "+tt.differs, func(t *testing.T) {
			spec := specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[`+tt.spec+`]}`)
			settings := calculator.DefaultSettings()
			settings.DownscaleStabilization = 0
			var d calculator.Decision // used again, for another release
			run := func(r release.Release) (calculator.Decision, *calculator.State) {
				st := tt.state.Clone()
				settings.Release = r
				calculator.DecideInto(&d, noon, &settings, spec, &tt.obs, &st)
				st.Applied(noon, &d)
				return d, &st
			}
			for range 2 {
				recent, st := run(release.Release{})
				require.Equal(t, tt.new, tt.shows(recent, st), "the newest")
				require.Zero(t, recent.Differences)
				run(release.MustParse(tt.release))
			}
			d, st := run(release.MustParse(tt.release))
			require.Equal(t, tt.want, tt.shows(d, st))
			if !strings.HasSuffix(tt.differs, "noScaledToZero") {
				// Every change of size sets the condition in 1.37.
				d.Differences = d.Differences.Without(release.NoScaledToZero)
			}
			require.Equal(t, tt.differs, d.Differences.String())
			if tt.sentence != "" {
				require.Contains(t, d.String(), tt.sentence)
			}
			text, err := d.MarshalJSON()
			require.NoError(t, err)
			require.Contains(t, string(text), `"release":"`+tt.release+`"`)
		})
	}
}

// A release whose differences did not matter decides as the newest, in all that an
// API client sees, and leaves the same state.
func TestReleaseWithoutADifference(t *testing.T) {
	named, silent := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		setup := calctest.Setups().Draw(t, "setup")
		pods := calctest.Pods(setup.Spec).Draw(t, "pods")
		n := int32(rapid.IntRange(0, 12).Draw(t, "size"))
		obs := calculator.Observation{Namespace: "ns", SpecReplicas: n, StatusReplicas: n, Pods: pods,
			Readings: calctest.Readings(setup.Spec, pods).Draw(t, "readings")}
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
		require.Zero(t, recent.Differences)
		require.Zero(t, old.Differences&^r.Differences(), "not of the release")
		if old.Differences != 0 {
			named++
			return
		}
		silent++
		require.Equal(t, recent.DesiredReplicas, old.DesiredReplicas)
		require.Equal(t, events(recent, nil), events(old, nil))
		require.True(t, state.Equal(&oldState))
		if diff := cmp.Diff(recent.Status(&state), old.Status(&oldState), cmp.AllowUnexported(metrics.Quantity{})); diff != "" {
			t.Fatal(diff)
		}
	})
	t.Log(named, "with a difference,", silent, "without")
	require.Positive(t, named)
	require.Positive(t, silent)
}

// The functions for one metric compute as a release does, too.
func TestMetricAsARelease(t *testing.T) {
	m := calculator.PodMetric{Resource: podgroup.CPU, CurrentReplicas: 10, Pods: readyPods(10), Samples: same(10, 550), Tolerance: metrics.Symmetric(0.1)}
	p, err := calculator.ResourceUtilization(noon, &m, 50)
	require.NoError(t, err)
	require.Equal(t, int32(10), p.Replicas)
	m.Differences, m.Tolerance.Distance = release.MustParse("1.32").Differences(), true
	p, err = calculator.ResourceUtilization(noon, &m, 50)
	require.NoError(t, err)
	require.Equal(t, int32(11), p.Replicas)

	v := calculator.ValueMetric{Values: []metrics.Milli{math.MaxInt64}, StatusReplicas: 2}
	p, err = calculator.ExternalAverageValue(&v, 1)
	require.NoError(t, err)
	require.Equal(t, metrics.Milli(math.MaxInt64), p.Usage)
	v.Differences = release.MustParse("1.33").Differences()
	p, err = calculator.ExternalAverageValue(&v, 1)
	require.NoError(t, err)
	require.Equal(t, metrics.Milli(1<<62), p.Usage)
}

// Two differences of which each would be enough are both named.
func TestDifferencesTogether(t *testing.T) {
	spec := cpuSpec(t, `,"behavior":{"scaleUp":{"tolerance":"0.1"}}`)
	settings := calculator.Settings{Release: release.MustParse("1.32")}
	obs := calculator.Observation{SpecReplicas: 10, StatusReplicas: 10, Pods: readyPods(10), Readings: []calculator.Reading{{Samples: same(10, 550)}}}
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, &obs, &st)
	require.Equal(t, int32(11), d.DesiredReplicas)
	require.Equal(t, "toleranceByDistance,oneTolerance", d.Differences.String())
}
