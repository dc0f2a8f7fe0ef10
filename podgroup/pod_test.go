package podgroup_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/podgroup"
)

func TestPhaseWords(t *testing.T) {
	for p, word := range map[podgroup.Phase]string{
		podgroup.NoPhase:        "",
		podgroup.PhasePending:   "Pending",
		podgroup.PhaseRunning:   "Running",
		podgroup.PhaseSucceeded: "Succeeded",
		podgroup.PhaseFailed:    "Failed",
		podgroup.PhaseUnknown:   "Unknown",
	} {
		require.Equal(t, word, p.String())
		require.Equal(t, p, podgroup.ParsePhase(word))
	}
	require.Equal(t, "Phase(6)", podgroup.Phase(6).String())
	for _, word := range []string{"running", "Sleeping", "Phase(6)", " "} {
		require.Equal(t, podgroup.PhaseUnknown, podgroup.ParsePhase(word), word)
	}
}

func TestReadinessWords(t *testing.T) {
	for r, word := range map[podgroup.Readiness]string{
		podgroup.NoReadiness:  "",
		podgroup.ReadyTrue:    "True",
		podgroup.ReadyFalse:   "False",
		podgroup.ReadyUnknown: "Unknown",
	} {
		require.Equal(t, word, r.String())
		require.Equal(t, r, podgroup.ParseReadiness(word))
	}
	require.Equal(t, "Readiness(4)", podgroup.Readiness(4).String())
	for _, word := range []string{"true", "Maybe", "Readiness(4)", " "} {
		require.Equal(t, podgroup.ReadyUnknown, podgroup.ParseReadiness(word), word)
	}
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
