package podgroup_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// anyRules are Kubernetes' as often as not.
func anyRules(t *rapid.T) podgroup.Options {
	has := func(rule string) bool { return rapid.IntRange(0, 5).Draw(t, rule) == 5 }
	return podgroup.Options{
		ContainersOnly:   has("containers only"),
		AbsentIsZero:     has("absent is zero"),
		SucceededIgnored: has("succeeded ignored"),
		OwnedOnly:        has("owned only"),
		RequestsInForce:  has("requests in force"),
	}
}

func TestCountAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := nearNoon().Draw(t, "now")
		pods := apiPods().Draw(t, "pods")
		samples := apiSamples(t, pods)
		q := podgroup.Query{
			ReadinessSettings: apiSettings().Draw(t, "settings"),
			Resource:          rapid.SampledFrom([]string{"cpu", "cpu", "cpu", "memory", "ephemeral-storage", ""}).Draw(t, "resource"),
			Container:         rapid.SampledFrom([]string{"", "", "", "a", "init-a"}).Draw(t, "container"),
			Requests:          rapid.Bool().Draw(t, "requests"),
			MissingPercent:    rapid.SampledFrom([]int32{0, 1, 100, 100, 120, 250}).Draw(t, "missing percent"),
			Options:           anyRules(t),
		}
		want := tally(now, pods, samples, &q)
		ours, theirs := align(pods, samples)
		got := podgroup.Count(now, ours, theirs, &q)
		require.Equal(t, want, got)

		complaint := got.RequestError(ours, &q)
		if got.NoRequest < 0 {
			require.Zero(t, complaint)
		} else {
			_, text := pods[got.NoRequest].request(q.Resource, q.Container, q.Options)
			require.Equal(t, text, complaint.Error())
		}

		resolved := append([]podgroup.Pod{}, ours...)
		for i := range resolved {
			resolved[i].Resolve()
		}
		require.Equal(t, want, podgroup.Count(now, resolved, theirs, &q), "resolved")
		var g podgroup.Group
		g.Prepare(resolved)
		require.Equal(t, want, g.Count(now, theirs, &q), "prepared")

		// Pods beyond the samples have none; samples beyond the pods do not
		// count.
		cut := rapid.IntRange(0, len(pods)).Draw(t, "cut")
		for _, p := range pods[cut:] {
			delete(samples, p.name)
		}
		short := append([]metrics.Sample{}, theirs[:cut]...)
		require.Equal(t, tally(now, pods, samples, &q), podgroup.Count(now, resolved, short, &q), "short")
		require.Equal(t, tally(now, pods[:cut], samples, &q), podgroup.Count(now, ours[:cut], theirs, &q), "long")
	})
}

func TestCountOfNothing(t *testing.T) {
	q := podgroup.Query{Resource: podgroup.CPU, Requests: true}
	got := podgroup.Count(noon, nil, nil, &q)
	require.Equal(t, podgroup.Tally{NoRequest: -1}, got)
	require.Zero(t, got.RequestError(nil, &q))
}

func TestNilIsZero(t *testing.T) {
	require.Equal(t, podgroup.NoReadyCondition,
		podgroup.Classify(noon, nil, metrics.NewSample(1, noon, 0), podgroup.CPU, podgroup.ReadinessSettings{}).Reason)

	pods, samples := benchPods(10, noon, true)
	want := podgroup.Count(noon, pods, samples, &podgroup.Query{})
	require.Equal(t, want, podgroup.Count(noon, pods, samples, nil))
	var g podgroup.Group
	g.Prepare(pods)
	require.Equal(t, want, g.Count(noon, samples, nil))
	require.Zero(t, want.RequestError(pods, nil))
}

// The fast path of Count has the boundary of Classify.
func TestCountAtTheEndOfThePeriod(t *testing.T) {
	set := podgroup.DefaultReadinessSettings()
	q := podgroup.Query{ReadinessSettings: set, Resource: podgroup.CPU}
	for _, tt := range []struct {
		age   time.Duration
		until metrics.Instant
	}{
		{set.CPUInitializationPeriod - 1, metrics.At(noon.Add(1))},
		{set.CPUInitializationPeriod, 0},
		{set.CPUInitializationPeriod + 1, 0},
	} {
		pods := []podgroup.Pod{{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: ago(tt.age), ReadyTransition: ago(0)}}
		samples := []metrics.Sample{{Value: 5, Present: true, Time: ago(0), Window: 1}}
		got := podgroup.Count(noon, pods, samples, &q)
		require.Equal(t, tt.until, got.Until)
		require.Equal(t, tt.until.IsSet(), got.Unready == 1)
		require.Equal(t, !tt.until.IsSet(), got.Usage.Milli() == 5)

		// For other resources, the period does not matter.
		plain := q
		plain.Resource = podgroup.Memory
		require.Equal(t, 1, podgroup.Count(noon, pods, samples, &plain).Ready)
	}
}

func TestCountUntilIsTheEarliest(t *testing.T) {
	set := podgroup.DefaultReadinessSettings()
	young := func(age time.Duration) podgroup.Pod {
		return podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyFalse, StartTime: ago(age), ReadyTransition: ago(age - time.Minute)}
	}
	sample := metrics.Sample{Present: true, Time: ago(0)}
	q := podgroup.Query{ReadinessSettings: set, Resource: podgroup.CPU}
	for _, ages := range [][3]time.Duration{
		{2 * time.Minute, 3 * time.Minute, 4 * time.Minute},
		{4 * time.Minute, 2 * time.Minute, 3 * time.Minute},
		{3 * time.Minute, 4 * time.Minute, 2 * time.Minute},
	} {
		pods := []podgroup.Pod{young(ages[0]), young(ages[1]), {Phase: podgroup.PhasePending}, young(ages[2])}
		got := podgroup.Count(noon, pods, []metrics.Sample{sample, sample, sample, sample}, &q)
		require.Equal(t, 4, got.Unready)
		require.Equal(t, metrics.At(noon.Add(set.CPUInitializationPeriod-4*time.Minute)), got.Until, ages)
	}
}

// The fast path knows only cpu and memory, of whole pods.
func TestCountOfOtherRequests(t *testing.T) {
	var r podgroup.Requests
	for i, resource := range []string{"cpu", "memory", "gpu", "ssd"} {
		r.Set(resource, metrics.Milli(1+i))
	}
	pods := []podgroup.Pod{{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: ago(time.Hour), Containers: []podgroup.Container{{Name: "app", Requests: r}, {Name: "db", Requests: r}}}}
	samples := []metrics.Sample{{Present: true}}
	for range 2 {
		for i, resource := range []string{"cpu", "memory", "gpu", "ssd"} {
			for container, times := range map[string]metrics.Milli{"": 2, "app": 1} {
				q := podgroup.Query{Resource: resource, Container: container, Requests: true}
				got := podgroup.Count(noon, pods, samples, &q)
				require.Equal(t, metrics.Milli(1+i)*times, got.Requests.Milli(), "%s %s", resource, container)
				var g podgroup.Group
				g.Prepare(pods)
				require.Equal(t, got, g.Count(noon, samples, &q), "%s %s", resource, container)
			}
		}
		got := podgroup.Count(noon, pods, samples, &podgroup.Query{Resource: "tpu", Requests: true})
		require.Equal(t, 0, got.NoRequest)
		pods[0].Resolve()
	}
}

func TestCountNotesTheFirstPodWithoutRequest(t *testing.T) {
	app := []podgroup.Container{{Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(1)}}}
	silent := []podgroup.Container{{Name: "app"}}
	pods := []podgroup.Pod{
		{Name: "a", Phase: podgroup.PhaseRunning, Containers: app},
		{Name: "b", Phase: podgroup.PhaseFailed, Containers: silent}, // ignored, yet it fails the metric
		{Name: "c", Phase: podgroup.PhaseRunning, Containers: silent},
	}
	q := podgroup.Query{Resource: podgroup.CPU, Requests: true}
	got := podgroup.Count(noon, pods, nil, &q)
	require.Equal(t, 1, got.NoRequest)
	require.Equal(t, podgroup.RequestError{Pod: "b", Container: "app", Resource: "cpu"}, got.RequestError(pods, &q))
	require.Zero(t, got.RequestError(pods[:1], &q), "other pods than those counted")

	q.Requests = false
	require.Equal(t, -1, podgroup.Count(noon, pods, nil, &q).NoRequest)
}

func TestCountOfPodsThatLackOneRequest(t *testing.T) {
	samples := []metrics.Sample{{Present: true}}
	for requested, lacking := range map[string]string{"cpu": "memory", "memory": "cpu"} {
		pods := []podgroup.Pod{{Name: "web", Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: ago(time.Hour), Containers: make([]podgroup.Container, 1)}}
		pods[0].Containers[0].Requests.Set(requested, 5)
		pods[0].Resolve()
		var g podgroup.Group
		g.Prepare(pods)
		for resource, want := range map[string]int{requested: -1, lacking: 0} {
			q := podgroup.Query{Resource: resource, Requests: true}
			require.Equal(t, want, podgroup.Count(noon, pods, samples, &q).NoRequest)
			require.Equal(t, want, g.Count(noon, samples, &q).NoRequest)
		}
	}
}

// Kubernetes: "no metrics returned matched known pods", as if there were none.
func TestRequestsOfZeroAreNotMissing(t *testing.T) {
	pods := []podgroup.Pod{{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, Memory: podgroup.Requested(0)}}
	samples := []metrics.Sample{{Value: 5, Present: true}}
	q := podgroup.Query{Resource: podgroup.Memory, Requests: true}
	got := podgroup.Count(noon, pods, samples, &q)
	require.Equal(t, -1, got.NoRequest)
	require.Zero(t, got.Requests.Sign())
	require.Equal(t, 1, got.Ready)
}

// Kubernetes: the sums wrap around in 64 bits.
func TestCountBeyondInt64IsExact(t *testing.T) {
	const n = 1000
	pods, samples := make([]podgroup.Pod, n), make([]metrics.Sample, n)
	for i := range pods {
		pods[i] = podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, Memory: podgroup.Requested(math.MaxInt64)}
		samples[i] = metrics.Sample{Value: math.MaxInt64, Present: i%2 == 0}
	}
	q := podgroup.Query{Resource: podgroup.Memory, Requests: true, MissingPercent: 250}
	got := podgroup.Count(noon, pods, samples, &q)
	require.Equal(t, metrics.Milli(math.MaxInt64), got.Usage.Average(n/2))
	require.Equal(t, metrics.Milli(math.MaxInt64), got.Requests.Average(n/2))
	require.Equal(t, metrics.Milli(math.MaxInt64), got.MissingRequests.Average(n/2))
	require.Equal(t, int32(100), got.Usage.Percent(got.Requests))
	require.Equal(t, int32(249), got.MissingShare.Percent(got.Requests), "each truncated by itself")
}

// The amounts are around those that are too large to be added in 64 bits.
func TestCountOfManyIsExact(t *testing.T) {
	const n = 250
	exact := func(used, requested metrics.Milli) {
		pods, samples := make([]podgroup.Pod, n), make([]metrics.Sample, n)
		var usage, requests metrics.Sum
		for i := range pods {
			value, request := used, requested
			switch i % 150 {
			case 3:
				value = -used
			case 5:
				request = 1
			}
			pods[i] = podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: 1, CPU: podgroup.Requested(request), Memory: podgroup.Requested(0)}
			samples[i] = metrics.Sample{Value: value, Present: true}
			usage.Add(value)
			requests.Add(request)
		}
		q := podgroup.Query{Resource: podgroup.CPU, Requests: true}
		want := podgroup.Tally{Ready: n, Usage: usage, Requests: requests, NoRequest: -1}
		require.Equal(t, want, podgroup.Count(noon, pods, samples, &q), "%d of %d", used, requested)
		var g podgroup.Group
		g.Prepare(pods)
		require.Equal(t, want, g.Count(noon, samples, &q), "%d of %d", used, requested)
	}
	for bits := 50; bits < 64; bits++ {
		for _, off := range []metrics.Milli{-1, 0, 1} {
			amount := metrics.Milli(uint64(1)<<bits) + off
			exact(amount, amount)
			exact(amount, 1000)
			exact(1000, amount)
		}
	}
}

func TestCountDoesNotAllocate(t *testing.T) {
	pods, samples := benchPods(100, noon, true)
	for _, resource := range []string{podgroup.CPU, podgroup.Memory, ""} {
		q := podgroup.Query{ReadinessSettings: podgroup.DefaultReadinessSettings(), Resource: resource, Requests: resource != "", MissingPercent: 120}
		require.Zero(t, testing.AllocsPerRun(10, func() { podgroup.Count(noon, pods, samples, &q) }), resource)
	}
	verdicts := make([]podgroup.Verdict, 0, len(pods))
	q := podgroup.Query{Resource: podgroup.CPU, ReadinessSettings: podgroup.DefaultReadinessSettings()}
	require.Zero(t, testing.AllocsPerRun(10, func() {
		podgroup.AppendVerdicts(verdicts, noon, pods, samples, &q)
	}))
}

// Resolved pods and prepared groups count by the rules, too: what a pod
// requests as a whole is in CPU and Memory then.
func TestCountByRules(t *testing.T) {
	pod := podgroup.RunningPod("web", noon.Add(-time.Hour), podgroup.Requests{CPU: podgroup.Requested(100), Memory: podgroup.Requested(100)})
	pod.PodLevel = &podgroup.PodLevel{Requests: podgroup.Requests{CPU: podgroup.Requested(700), Memory: podgroup.Requested(700)}}
	pod.Resolve()
	pods, samples := []podgroup.Pod{pod}, []metrics.Sample{{Present: true, Value: 50}}
	var g podgroup.Group
	g.Prepare(pods)
	for _, resource := range []string{podgroup.CPU, podgroup.Memory} {
		for _, tt := range []struct {
			container string
			rules     podgroup.Options
			want      metrics.Milli
			complaint string
		}{
			{"", podgroup.Options{}, 700, ""},
			{"", podgroup.Options{AbsentIsZero: true}, 700, ""},
			{"", podgroup.Options{ContainersOnly: true}, 100, ""},
			{"app", podgroup.Options{AbsentIsZero: true}, 100, ""},
			{"log", podgroup.Options{AbsentIsZero: true}, 0, ""},
			{"log", podgroup.Options{ContainersOnly: true}, 0, "container log not found in Pod web"},
		} {
			q := podgroup.Query{Resource: resource, Container: tt.container, Requests: true, Options: tt.rules}
			tally := podgroup.Count(noon, pods, samples, &q)
			require.Equal(t, tt.want, tally.Requests.Milli(), "%+v", q)
			require.Equal(t, tally, g.Count(noon, samples, &q), "%+v", q)
			if tt.complaint == "" {
				require.Equal(t, -1, tally.NoRequest)
				continue
			}
			complaint := tally.RequestError(pods, &q)
			require.EqualError(t, &complaint, tt.complaint)
		}
	}
}
