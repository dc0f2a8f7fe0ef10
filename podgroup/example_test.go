package podgroup_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Two pods: one has run for an hour, one for a minute.
func examplePods(now time.Time) ([]podgroup.Pod, []metrics.Sample) {
	app := podgroup.Container{Name: "app"}
	app.Requests.Set("cpu", 500)
	pods := []podgroup.Pod{
		{
			Name:            "web-0",
			Phase:           podgroup.PhaseRunning,
			Ready:           podgroup.ReadyTrue,
			StartTime:       metrics.At(now.Add(-time.Hour)),
			ReadyTransition: metrics.At(now.Add(-59 * time.Minute)),
			Containers:      []podgroup.Container{app},
		},
		{
			Name:            "web-1",
			Phase:           podgroup.PhaseRunning,
			Ready:           podgroup.ReadyFalse,
			StartTime:       metrics.At(now.Add(-time.Minute)),
			ReadyTransition: metrics.At(now.Add(-time.Minute)),
			Containers:      []podgroup.Container{app},
		},
	}
	sample := metrics.Sample{Value: 450, Time: metrics.At(now), Window: 15 * time.Second, Present: true}
	return pods, []metrics.Sample{sample, sample}
}

func ExampleClassify() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	pods, samples := examplePods(now)
	v := podgroup.Classify(now, &pods[1], samples[1], true, podgroup.DefaultSettings())
	fmt.Println(v.Class, "-", v.Reason)

	// Only cpu needs to be known of a pod that is ready.
	v = podgroup.Classify(now, &pods[1], samples[1], false, podgroup.DefaultSettings())
	fmt.Println(v.Class, "-", v.Reason)
	// Output:
	// unready - not ready within its initialization period
	// ready - counted
}

func ExampleAppendVerdicts() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	pods, samples := examplePods(now)
	pods[0].Phase = podgroup.PhasePending
	pods[1].Ready = podgroup.ReadyTrue
	for i, v := range podgroup.AppendVerdicts(nil, now, pods, samples, true, podgroup.DefaultSettings()) {
		fmt.Println(pods[i].Name, v.Class, "-", v.Reason)
	}
	// Output:
	// web-0 unready - phase is Pending
	// web-1 ready - counted
}

func ExampleCount() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	pods, samples := examplePods(now)
	t := podgroup.Count(now, pods, samples, &podgroup.Query{
		Settings: podgroup.DefaultSettings(),
		Resource: podgroup.CPU,
		Requests: true,
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

// What the pod requests as a whole takes the place of its containers' requests.
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
	fmt.Println(r.Of("cpu"), r.Of("example.com/gpu"), r.Of("memory"))
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
