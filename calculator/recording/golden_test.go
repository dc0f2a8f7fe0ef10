package recording_test

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// story is some syncs in which about everything happens that a line can say.
func story() []replay.Sync {
	cpu := podgroup.Requests{CPU: podgroup.Requested(500)}
	pods := []podgroup.Pod{
		podgroup.RunningPod("web-a", noon.Add(-time.Hour), cpu),
		podgroup.RunningPod("web-b", noon.Add(-time.Hour), cpu),
		podgroup.RunningPod("web-c", noon.Add(-time.Hour), cpu),
	}
	scraped := func(at time.Time, values ...metrics.Milli) []metrics.Sample {
		var s []metrics.Sample
		for _, v := range values {
			s = append(s, metrics.NewSample(v, at, 15*time.Second))
		}
		return s
	}
	first := calculator.Reading{Samples: scraped(noon.Add(-10*time.Second), 310, 305, 298)}
	first.Samples[1].Window = 15037 * time.Millisecond
	hits := calculator.Reading{Values: []metrics.Milli{1500, -3}}
	sync := func(seconds int, pods []podgroup.Pod, readings ...calculator.Reading) replay.Sync {
		return replay.Sync{
			Time:        noon.Add(time.Duration(seconds) * time.Second),
			Observation: &calculator.Observation{Namespace: "shop", SpecReplicas: 3, StatusReplicas: 3, Pods: pods, Readings: readings},
		}
	}

	fresh := podgroup.Pod{
		Name: "web-d", Phase: podgroup.PhasePending,
		Containers: []podgroup.Container{{Name: "app", Requests: podgroup.Requests{Memory: podgroup.Requested(1024000)}}},
		InitContainers: []podgroup.InitContainer{{
			Container: podgroup.Container{Name: "proxy", Requests: podgroup.Requests{Others: []podgroup.ResourceRequest{{Resource: "example.com/gpu", Milli: 1000}}}},
			Restarts:  true,
		}},
		PodLevel: &podgroup.PodLevel{Overhead: podgroup.Requests{CPU: podgroup.Requested(10)}},
	}
	unready := pods[2]
	unready.Ready, unready.ReadyTransition, unready.Deleted = podgroup.ReadyFalse, metrics.At(noon.Add(20*time.Second+1)), true
	rolled := []podgroup.Pod{pods[0], fresh, unready}
	second := calculator.Reading{
		Samples:          []metrics.Sample{first.Samples[0], {}, metrics.NewSample(250, noon.Add(20*time.Second), 10*time.Second)},
		Strays:           scraped(noon.Add(20*time.Second), 12),
		WithoutContainer: "web-d",
	}
	second.Strays[0].Time = 0

	wrong := sync(45, rolled, calculator.Reading{Err: errDown}, hits)
	wrong.Observation.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Selector: "app in (web", Problem: "unable to parse"}
	wrong.Observation.Namespace = "other"
	wrong.WriteErr = errDown
	lost := sync(60, nil)
	lost.Observation.ScaleError = errDown
	return []replay.Sync{
		sync(0, pods, first, hits),
		sync(15, pods, first, hits),
		sync(30, rolled, second, hits),
		wrong,
		lost,
	}
}

// The format stays as it is.
func TestGolden(t *testing.T) {
	const file = "testdata/web.rec"
	h := header()
	h.Generation, h.State = 3, new(calculator.State)
	h.Status = autoscaling.HorizontalPodAutoscalerStatus{
		CurrentReplicas: 3, DesiredReplicas: 3, LastScaleTime: noon.Add(-time.Minute),
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{
			Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, LastTransitionTime: noon.Add(-time.Hour), Reason: "ReadyForNewScale",
		}},
	}
	data := write(t, h, story()...)
	if *update {
		require.NoError(t, os.WriteFile(file, data, 0o644))
	}
	golden, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(golden), string(data))
	requireSame(t, golden, story())
}
