package recording_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Whatever changes in a pod is written, and what did not is not written again.
func TestChanges(t *testing.T) {
	before := webPods(3)
	for i := range before {
		p := &before[i]
		p.InitContainers = []podgroup.InitContainer{{Container: podgroup.Container{Name: "proxy"}}}
		p.PodLevel = new(podgroup.PodLevel)
	}
	for name, change := range map[string]func(pods []podgroup.Pod) []podgroup.Pod{
		"nothing":         func(pods []podgroup.Pod) []podgroup.Pod { return pods },
		"order":           func(pods []podgroup.Pod) []podgroup.Pod { slices.Reverse(pods); return pods },
		"gone":            func(pods []podgroup.Pod) []podgroup.Pod { return pods[1:] },
		"all gone":        func(pods []podgroup.Pod) []podgroup.Pod { return nil },
		"name":            func(pods []podgroup.Pod) []podgroup.Pod { pods[1].Name = "other"; return pods },
		"twice":           func(pods []podgroup.Pod) []podgroup.Pod { return append(pods[2:], pods...) },
		"phase":           func(pods []podgroup.Pod) []podgroup.Pod { pods[1].Phase++; return pods },
		"ready":           func(pods []podgroup.Pod) []podgroup.Pod { pods[1].Ready++; return pods },
		"deleted":         func(pods []podgroup.Pod) []podgroup.Pod { pods[1].Deleted = true; return pods },
		"startTime":       func(pods []podgroup.Pod) []podgroup.Pod { pods[1].StartTime++; return pods },
		"readyTransition": func(pods []podgroup.Pod) []podgroup.Pod { pods[1].ReadyTransition = 0; return pods },
		"cpu":             func(pods []podgroup.Pod) []podgroup.Pod { pods[1].CPU.Milli++; return pods },
		"memory":          func(pods []podgroup.Pod) []podgroup.Pod { pods[1].Memory.Set = true; return pods },
		"container":       func(pods []podgroup.Pod) []podgroup.Pod { pods[1].Containers[0].Requests.CPU.Set = false; return pods },
		"containers":      func(pods []podgroup.Pod) []podgroup.Pod { pods[1].Containers = nil; return pods },
		"init container":  func(pods []podgroup.Pod) []podgroup.Pod { pods[1].InitContainers[0].Restarts = true; return pods },
		"pod level":       func(pods []podgroup.Pod) []podgroup.Pod { pods[1].PodLevel.Overhead.Set("cpu", 1); return pods },
		"no pod level":    func(pods []podgroup.Pod) []podgroup.Pod { pods[1].PodLevel = nil; return pods },
	} {
		t.Run(name, func(t *testing.T) {
			sync := func(pods []podgroup.Pod) replay.Sync {
				return replay.Sync{Time: noon, Observation: &calculator.Observation{Pods: pods}}
			}
			after := change(own(before))
			syncs := []replay.Sync{sync(before), sync(after), sync(own(after))}
			data := write(t, header(), syncs...)
			requireSame(t, data, syncs)
			lines := bytes.Split(data, []byte("\n"))
			require.Equal(t, name == "nothing", !bytes.Contains(lines[2], []byte(`"pods"`)), "%s", lines[2])
			require.NotContains(t, string(lines[3]), `"pods"`)
			require.LessOrEqual(t, bytes.Count(lines[2], []byte(`"name":"web`)), 2)
		})
	}
}

// own returns the pods with memory of their own.
func own(pods []podgroup.Pod) []podgroup.Pod {
	pods = slices.Clone(pods)
	for i := range pods {
		p := &pods[i]
		p.Containers, p.InitContainers = slices.Clone(p.Containers), slices.Clone(p.InitContainers)
		if p.PodLevel != nil {
			level := *p.PodLevel
			p.PodLevel = &level
		}
	}
	return pods
}

// A Writer keeps nothing that it is given: the caller's memory may change.
func TestWriterKeepsNothing(t *testing.T) {
	pods := webPods(2)
	samples := []metrics.Sample{metrics.NewSample(1, noon, 0), metrics.NewSample(2, noon, 0)}
	sync := replay.Sync{Time: noon, Observation: &calculator.Observation{Pods: pods, Readings: []calculator.Reading{{Samples: samples}}}}
	first := deep(sync)
	first.Observation.Pods = own(pods)
	var out lines
	w := writer(t, &out)
	require.NoError(t, w.Write(sync))
	pods[0].Containers[0].Requests.CPU.Milli = 7
	pods[1].Phase = podgroup.PhaseFailed
	samples[0].Value = 8
	require.NoError(t, w.Write(sync))
	requireSame(t, out.all, []replay.Sync{first, sync})
}

// A Reader uses the memory of the pods and the samples again, every other sync.
func TestReaderReusesMemory(t *testing.T) {
	var syncs []replay.Sync
	for i := range 4 {
		pods := webPods(50)
		pods[0].Deleted = i%2 == 0
		samples := make([]metrics.Sample, 50)
		for k := range samples {
			samples[k] = metrics.NewSample(metrics.Milli(i), noon, 0)
		}
		syncs = append(syncs, replay.Sync{Time: noon, Observation: &calculator.Observation{
			Pods: pods, Readings: []calculator.Reading{{Samples: samples, Strays: samples}},
		}})
	}
	var pods []*podgroup.Pod
	var read, strays []*metrics.Sample
	for sync, err := range open(t, write(t, header(), syncs...)).Syncs() {
		require.NoError(t, err)
		r := sync.Observation.Readings[0]
		pods, read, strays = append(pods, &sync.Observation.Pods[0]), append(read, &r.Samples[0]), append(strays, &r.Strays[0])
	}
	require.Same(t, pods[1], pods[3])
	require.Same(t, read[1], read[3])
	require.Same(t, strays[1], strays[3])
}

// A moment before all instants is the first one, and not none.
func TestLongAgo(t *testing.T) {
	data := head + `{"sync":1,"time":"2026-05-04T12:00:00Z","templates":[{}],"pods":[{"startTime":"0001-01-01T00:00:00Z","template":0}]}`
	for sync, err := range open(t, []byte(data)).Syncs() {
		require.NoError(t, err)
		require.Equal(t, metrics.Instant(1), sync.Observation.Pods[0].StartTime)
	}
}
