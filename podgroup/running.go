package podgroup

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// RunningPod returns a pod that started at since and has been ready since then;
// the zero time.Time is long ago. It has one container, named "app", with these
// requests, resolved. Use it for pods that no kubelet reports, as in tests and
// simulations.
func RunningPod(name string, since time.Time, requests Requests) Pod {
	requests.Others = slices.Clone(requests.Others)
	p := Pod{
		Name:       name,
		Phase:      PhaseRunning,
		Ready:      ReadyTrue,
		StartTime:  metrics.At(since),
		Containers: []Container{{Name: "app", Requests: requests}},
	}
	p.ReadyTransition = p.StartTime
	p.Resolve()
	return p
}

// RunningAndReady returns the number of pods that are running and ready,
// deleted ones included. Object and External metrics with a target Value
// multiply their ratio by it. It is getReadyPodsCount of upstream's
// ReplicaCalculator.
func RunningAndReady(pods []Pod) int {
	ready, _ := CountReadyAndStarting(pods, Options{})
	return ready
}

// CountReadyAndStarting returns the number of pods that are running and ready,
// and of those that may become so: neither deleted nor Failed nor Succeeded.
func CountReadyAndStarting(pods []Pod, rules Options) (ready, starting int) {
	for i := range pods {
		switch p := &pods[i]; {
		case rules.ignores(p) != Counted:
		case p.Phase == PhaseRunning && p.Ready == ReadyTrue:
			ready++
		case !p.Deleted && p.Phase != PhaseFailed && p.Phase != PhaseSucceeded:
			starting++
		}
	}
	return ready, starting
}
