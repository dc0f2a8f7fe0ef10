package podgroup_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func TestParsePhase(t *testing.T) {
	for p := podgroup.NoPhase; p <= podgroup.PhaseUnknown; p++ {
		require.Equal(t, p, podgroup.ParsePhase(p.String()))
	}
	for _, word := range []string{"running", "Sleeping", "Phase(6)", " "} {
		require.Equal(t, podgroup.PhaseUnknown, podgroup.ParsePhase(word), word)
	}
}

func TestParseReadiness(t *testing.T) {
	for r := podgroup.NoReadiness; r <= podgroup.ReadyUnknown; r++ {
		require.Equal(t, r, podgroup.ParseReadiness(r.String()))
	}
	for _, word := range []string{"true", "Maybe", "Readiness(4)", " "} {
		require.Equal(t, podgroup.ReadyUnknown, podgroup.ParseReadiness(word), word)
	}
}

func TestRunningPod(t *testing.T) {
	var r podgroup.Requests
	r.Set("cpu", 250)
	r.Set("gpu", 1000)
	p := podgroup.RunningPod("web-0", noon, r)
	r.Set("gpu", 7)
	require.Equal(t, podgroup.Requested(250), p.CPU)
	require.False(t, p.Memory.Set)
	gpus, err := p.Request("gpu", "app")
	require.NoError(t, err)
	require.Equal(t, metrics.Milli(1000), gpus, "the pod's own")

	// Even a young pod counts, once the sample's window begins after its start.
	for _, window := range []time.Duration{0, 1} {
		v := podgroup.Classify(noon, &p, metrics.NewSample(1, noon, window), podgroup.CPU, podgroup.DefaultReadinessSettings())
		require.Equal(t, window == 0, v.Class == podgroup.Ready)
	}
	old := podgroup.RunningPod("web-0", time.Time{}, r)
	v := podgroup.Classify(noon, &old, metrics.NewSample(1, noon, time.Minute), podgroup.CPU, podgroup.DefaultReadinessSettings())
	require.Equal(t, podgroup.Ready, v.Class)
}

func TestRunningAndReady(t *testing.T) {
	var pods []podgroup.Pod
	require.Zero(t, podgroup.RunningAndReady(pods))
	want := 0
	for _, deleted := range []bool{false, true} {
		for phase := podgroup.NoPhase; phase <= podgroup.PhaseUnknown; phase++ {
			for ready := podgroup.NoReadiness; ready <= podgroup.ReadyUnknown; ready++ {
				if phase == podgroup.PhaseRunning && ready == podgroup.ReadyTrue {
					want++
				}
				pods = append(pods, podgroup.Pod{Phase: phase, Ready: ready, Deleted: deleted})
				require.Equal(t, want, podgroup.RunningAndReady(pods), "%v %v %v", phase, ready, deleted)
			}
		}
	}
	require.Equal(t, 2, want)
}
