package podgroup_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// A Group counts as Count does.
func TestGroupCountsAsItsPods(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	// The percentage of odd pods.
	oddness := rapid.SampledFrom([]int{0, 1, 5, 100})
	rapid.Check(t, func(t *rapid.T) {
		odd := oddness.Draw(t, "odd percent")
		oddly := func(label string) bool { return rapid.IntRange(0, 99).Draw(t, label) < odd }
		// Most amounts can be added in 64 bits.
		amounts := rapid.Int64Range(0, 1<<40)
		if oddly("amounts are of any size") {
			amounts = rapid.Int64()
		}
		var pods []podgroup.Pod
		var samples []metrics.Sample
		for range rapid.IntRange(0, 12).Draw(t, "pods") {
			p := podgroup.Pod{
				Name:            rapid.StringMatching(`[a-z]`).Draw(t, "name"),
				Phase:           podgroup.PhaseRunning,
				Ready:           podgroup.ReadyTrue,
				StartTime:       metrics.At(now.Add(-time.Hour)),
				ReadyTransition: metrics.At(now.Add(-time.Hour)),
				Containers: []podgroup.Container{{Name: "app", Requests: podgroup.Requests{
					CPU:    podgroup.Requested(metrics.Milli(rapid.Int64Range(0, 1000).Draw(t, "cpu"))),
					Memory: podgroup.Requested(metrics.Milli(amounts.Draw(t, "memory"))),
				}}},
			}
			s := metrics.Sample{Value: metrics.Milli(rapid.OneOf(amounts, rapid.Int64()).Draw(t, "value")), Time: metrics.At(now), Present: true}
			if oddly("phase is odd") {
				p.Phase = podgroup.Phase(rapid.IntRange(0, 5).Draw(t, "phase"))
			}
			if oddly("readiness is odd") {
				p.Ready = podgroup.Readiness(rapid.IntRange(0, 3).Draw(t, "readiness"))
			}
			if oddly("start is odd") {
				p.StartTime = metrics.At(now.Add(-5*time.Minute + time.Duration(rapid.IntRange(-1, 1).Draw(t, "off"))))
			}
			if oddly("start is not set") {
				p.StartTime = 0
			}
			if oddly("request is odd") {
				p.Containers[0].Requests.CPU = podgroup.Request{}
			}
			if oddly("request is of the pod") {
				p.PodLevel = &podgroup.PodLevel{Requests: podgroup.Requests{CPU: podgroup.Requested(7), Memory: podgroup.Requested(7)}}
			}
			if !oddly("not resolved") {
				p.Resolve()
			}
			p.Deleted, p.Foreign = oddly("deleted"), oddly("foreign")
			if oddly("sample is missing") {
				s = metrics.Sample{}
			}
			pods, samples = append(pods, p), append(samples, s)
		}
		for range rapid.SampledFrom([]int{0, 0, 0, 4}).Draw(t, "doubled") {
			pods, samples = append(pods, pods...), append(samples, samples...)
		}
		samples = samples[:len(samples)-rapid.IntRange(0, len(samples)).Draw(t, "samples too few")*odd/100]
		q := podgroup.Query{
			ReadinessSettings: podgroup.DefaultReadinessSettings(),
			Resource:          rapid.SampledFrom([]string{"", podgroup.CPU, podgroup.Memory, "gpu"}).Draw(t, "resource"),
			Container:         rapid.SampledFrom([]string{"", "app", "none"}).Draw(t, "container"),
			Requests:          rapid.Bool().Draw(t, "requests"),
			MissingPercent:    rapid.SampledFrom([]int32{0, 100, 133}).Draw(t, "missing percent"),
			Options:           anyRules(t),
		}
		var g podgroup.Group
		g.Prepare(make([]podgroup.Pod, 3))
		g.Prepare(pods)
		if diff := cmp.Diff(podgroup.Count(now, pods, samples, &q), g.Count(now, samples, &q), cmp.AllowUnexported(metrics.Sum{})); diff != "" {
			t.Fatalf("-pods +group:\n%s", diff)
		}
		if len(g.Pods()) != len(pods) || !g.PreparedFrom(pods) {
			t.Fatalf("%d pods of %d", len(g.Pods()), len(pods))
		}
		if g.PreparedFrom(append(make([]podgroup.Pod, 0, 20), pods...)) && len(pods) > 0 {
			t.Fatal("a copy is not what the group was prepared from")
		}
	})
}

// Pods of another owner are as ready as any, and are not counted where only
// owned ones are.
func TestGroupOfForeignPods(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	var pods []podgroup.Pod
	var samples []metrics.Sample
	for i := range 8 {
		pods = append(pods, podgroup.RunningPod("web", time.Time{}, podgroup.Requests{CPU: podgroup.Requested(1000), Memory: podgroup.Requested(1)}))
		pods[i].Foreign = i == 5
		samples = append(samples, metrics.NewSample(500, now, time.Minute))
	}
	var g podgroup.Group
	g.Prepare(pods)
	for ownedOnly, want := range map[bool]int{false: 8, true: 7} {
		q := podgroup.Query{Resource: podgroup.CPU, Requests: true, Options: podgroup.Options{OwnedOnly: ownedOnly}}
		if got := g.Count(now, samples, &q).Ready; got != want {
			t.Errorf("%d pods are ready, not %d", got, want)
		}
	}
}
