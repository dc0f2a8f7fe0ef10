package podgroup_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// examplePods returns a pod that has been ready for an hour, and one that
// started a minute ago and is not ready yet.
func examplePods(now time.Time) ([]podgroup.Pod, []metrics.Sample) {
	var r podgroup.Requests
	r.Set("cpu", 500)
	pods := []podgroup.Pod{
		podgroup.RunningPod("web-0", now.Add(-time.Hour), r),
		podgroup.RunningPod("web-1", now.Add(-time.Minute), r),
	}
	pods[1].Ready = podgroup.ReadyFalse
	sample := metrics.NewSample(450, now, 15*time.Second)
	return pods, []metrics.Sample{sample, sample}
}

func ExampleRunningPod() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var r podgroup.Requests
	r.Set("cpu", metrics.MustParseMilli("500m"))
	p := podgroup.RunningPod("web-0", now.Add(-time.Hour), r)
	fmt.Println(p.Name, p.Phase, p.CPU.Milli)

	v := podgroup.Classify(now, &p, metrics.NewSample(450, now, time.Minute), podgroup.CPU, podgroup.DefaultReadinessSettings())
	fmt.Println(v.Class)
	// Output:
	// web-0 Running 500m
	// Ready
}

func ExampleClassify() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	pods, samples := examplePods(now)
	v := podgroup.Classify(now, &pods[1], samples[1], podgroup.CPU, podgroup.DefaultReadinessSettings())
	fmt.Println(v.Class, "-", v.Reason.Text())

	// For other resources, readiness does not matter.
	v = podgroup.Classify(now, &pods[1], samples[1], podgroup.Memory, podgroup.DefaultReadinessSettings())
	fmt.Println(v.Class, "-", v.Reason)
	// Output:
	// Unready - not ready yet
	// Ready - Counted
}

func ExampleReason_Text() {
	fmt.Println(podgroup.SampleTooEarly)
	fmt.Println(podgroup.SampleTooEarly.Text())
	// Output:
	// SampleTooEarly
	// sample too early
}

func ExampleReasonCounts_Text() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	pods, samples := examplePods(now)
	pods = append(pods, podgroup.Pod{Phase: podgroup.PhasePending}, podgroup.Pod{Phase: podgroup.PhasePending})
	t := podgroup.Count(now, pods, samples, &podgroup.Query{
		ReadinessSettings: podgroup.DefaultReadinessSettings(),
		Resource:          podgroup.CPU,
	})
	fmt.Println(t.Reasons[podgroup.PhaseIsPending], "of", t.Unready)
	fmt.Println(t.Reasons.Text(podgroup.Unready))
	// Output:
	// 2 of 3
	// 2 phase pending, 1 not ready yet
}

func ExampleAppendVerdicts() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	pods, samples := examplePods(now)
	pods[0].Phase = podgroup.PhasePending
	pods[1].Ready = podgroup.ReadyTrue
	q := podgroup.Query{Resource: podgroup.CPU, ReadinessSettings: podgroup.DefaultReadinessSettings()}
	for i, v := range podgroup.AppendVerdicts(nil, now, pods, samples, &q) {
		fmt.Println(pods[i].Name, v.Class, "-", v.Reason)
	}
	// Output:
	// web-0 Unready - PhasePending
	// web-1 Ready - Counted
}

func ExampleCount() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	pods, samples := examplePods(now)
	t := podgroup.Count(now, pods, samples, &podgroup.Query{
		ReadinessSettings: podgroup.DefaultReadinessSettings(),
		Resource:          podgroup.CPU,
		Requests:          true,
	})
	fmt.Println(t.Ready, "ready,", t.Unready, "unready")
	fmt.Println(t.Usage.Milli(), "of", t.Requests.Milli(), "is", t.Usage.Percent(t.Requests), "percent")
	// Output:
	// 1 ready, 1 unready
	// 450m of 500m is 90 percent
}

func ExampleTally_RequestError() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	pods, samples := examplePods(now)
	q := podgroup.Query{Resource: podgroup.Memory, Requests: true}
	t := podgroup.Count(now, pods, samples, &q)
	if t.NoRequest >= 0 {
		e := t.RequestError(pods, &q)
		fmt.Println(e.Error())
	}
	// Output: missing request for memory in container app of Pod web-0
}

func ExamplePod_Request() {
	app, setup, proxy := podgroup.Container{Name: "app"}, podgroup.Container{Name: "setup"}, podgroup.Container{Name: "proxy"}
	app.Requests.Set("cpu", 500)
	setup.Requests.Set("cpu", 2000)
	proxy.Requests.Set("cpu", 100)
	p := podgroup.Pod{
		Name:           "web-0",
		Containers:     []podgroup.Container{app},
		InitContainers: []podgroup.InitContainer{{Container: setup}, {Container: proxy, Restarts: true}},
	}
	fmt.Println(p.Request("cpu", ""))
	fmt.Println(p.Request("cpu", "proxy"))
	fmt.Println(p.Request("memory", ""))
	// Output:
	// 600m <nil>
	// 100m <nil>
	// 0 missing request for memory in container app of Pod web-0
}

// Pod-level requests replace those of the containers.
func ExamplePodLevel() {
	var whole, overhead podgroup.Requests
	whole.Set("cpu", 1000)
	overhead.Set("cpu", 50)
	p := podgroup.Pod{
		Containers: []podgroup.Container{{Name: "app"}},
		PodLevel:   &podgroup.PodLevel{Requests: whole, Overhead: overhead},
	}
	fmt.Println(p.Request("cpu", ""))
	// Output: 1050m <nil>
}

func ExamplePod_Resolve() {
	app := podgroup.Container{Name: "app"}
	app.Requests.Set("cpu", 500)
	p := podgroup.Pod{Containers: []podgroup.Container{app, app}}
	p.Resolve()
	fmt.Println(p.CPU.Milli, p.CPU.Set)
	fmt.Println(p.Memory.Milli, p.Memory.Set)
	// Output:
	// 1 true
	// 0 false
}

func ExampleRequests_Set() {
	var r podgroup.Requests
	r.Set("cpu", 250)
	r.Set("example.com/gpu", 1000)
	fmt.Println(r.For("cpu"), r.For("example.com/gpu"), r.For("memory"))
	// Output: {250m true} {1 true} {0 false}
}

func ExampleAligner_Align() {
	pods := []podgroup.Pod{{Name: "web-0"}, {Name: "web-1"}}
	var a podgroup.Aligner
	samples, strays := a.Align(pods, map[string]metrics.Sample{
		"web-1": {Value: 300, Present: true},
		"gone":  {Value: 700, Present: true},
	})
	for i, s := range samples {
		fmt.Println(pods[i].Name, s.Value, s.Present)
	}
	fmt.Println(len(strays), "stray:", strays[0].Value)
	// Output:
	// web-0 0 false
	// web-1 300m true
	// 1 stray: 700m
}

// Two clusters have a pod web-0. Aligned together, both would get one sample:
// 60 of 100, or 140. So align cluster by cluster.
func ExampleAligner_Align_clusters() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var r podgroup.Requests
	r.Set("cpu", 100)
	var pods []podgroup.Pod
	var samples, strays []metrics.Sample
	var a podgroup.Aligner
	for _, usage := range []metrics.Milli{60, 140} { // of the clusters
		listed := []podgroup.Pod{podgroup.RunningPod("web-0", now.Add(-time.Hour), r)}
		read := map[string]metrics.Sample{"web-0": metrics.NewSample(usage, now, time.Minute)}
		s, more := a.Align(listed, read)
		pods, samples, strays = append(pods, listed...), append(samples, s...), append(strays, more...)
	}
	t := podgroup.Count(now, pods, samples, &podgroup.Query{Resource: podgroup.CPU, Requests: true})
	fmt.Println(t.Ready, "ready at", t.Usage.Percent(t.Requests), "percent,", len(strays), "strays")
	// Output: 2 ready at 100 percent, 0 strays
}

func ExampleRunningAndReady() {
	fmt.Println(podgroup.RunningAndReady([]podgroup.Pod{
		{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue},
		{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyFalse},
		{Phase: podgroup.PhasePending},
	}))
	// Output: 1
}

func ExampleParsePhase() {
	fmt.Println(podgroup.ParsePhase("Running") == podgroup.PhaseRunning)
	fmt.Println(podgroup.ParsePhase("Sleeping"))
	// Output:
	// true
	// Unknown
}

func ExampleParseReadiness() {
	fmt.Println(podgroup.ParseReadiness("False") == podgroup.ReadyFalse)
	fmt.Println(podgroup.ParseReadiness("") == podgroup.NoReadiness)
	// Output:
	// true
	// true
}
