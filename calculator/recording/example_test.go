package recording_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// What was recorded is decided on again, with the same rules and with others.
func Example() {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("30")))
	spec.Behavior = behavior.Default()

	var file bytes.Buffer // or an *os.File
	w, err := recording.NewWriter(&file, recording.Header{
		Namespace: "shop", Name: "worker", Spec: &spec,
		State: new(calculator.State), // it was never synced
	})
	if err != nil {
		fmt.Println(err)
	}
	for i, backlog := range []metrics.Milli{90_000, 90_000, 60_000, 60_000} {
		err := w.Write(replay.Sync{
			Time: noon.Add(time.Duration(i) * time.Minute),
			Observation: &calculator.Observation{
				Namespace: "shop", SpecReplicas: 3, StatusReplicas: 3,
				Readings: []calculator.Reading{{Values: []metrics.Milli{backlog}}},
			},
		})
		if err != nil {
			fmt.Println(err)
		}
	}

	r, err := recording.NewReader(&file)
	if err != nil {
		fmt.Println(err)
	}
	recorded := r.Header().Autoscaler()
	faster := r.Header().Autoscaler()
	faster.Spec.Behavior.ScaleDown.StabilizationWindowSeconds = new(int32)
	for answers, err := range replay.Run(r.Syncs(), &recorded, &faster) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(answers.Sync.Time.Format("15:04"), answers.Size(0), answers.Size(1))
	}
	// Output:
	// 12:00 3 3
	// 12:01 3 3
	// 12:02 3 2
	// 12:03 3 2
}

// Each sync is a line, which says what changed since the line before.
func ExampleWriter() {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
	var file bytes.Buffer
	w, err := recording.NewWriter(&file, recording.Header{
		Namespace: "shop", Name: "web", Spec: &spec,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	requests := podgroup.Requests{CPU: podgroup.Requested(metrics.MustParseMilli("500m"))}
	for i, usage := range []string{"310m", "295m"} {
		now := noon.Add(time.Duration(i) * calculator.SyncPeriod)
		obs := calculator.Observation{
			Namespace: "shop", SpecReplicas: 1, StatusReplicas: 1,
			Pods:     []podgroup.Pod{podgroup.RunningPod("web-0", noon.Add(-time.Hour), requests)},
			Readings: []calculator.Reading{{Samples: []metrics.Sample{metrics.NewSample(metrics.MustParseMilli(usage), now, 15*time.Second)}}},
		}
		if err := w.Write(replay.Sync{Time: now, Observation: &obs}); err != nil {
			fmt.Println(err)
			return
		}
	}
	lines := strings.SplitAfter(file.String(), "\n")
	fmt.Print(lines[2])
	// Output:
	// {"sync":2,"time":"2026-05-04T12:00:15Z","specReplicas":1,"statusReplicas":1,"readings":[{"samples":[[295,0,15]]}]}
}

// A process was killed while it wrote the second sync. The first one can be
// read.
func ExampleReader() {
	file := strings.NewReader(`{"recording":1,"namespace":"shop","name":"worker","spec":{"scaleTargetRef":{"kind":"","name":""},"maxReplicas":10},"settings":{"release":"1.37","tolerance":0.1,"downscaleStabilization":"5m0s","cpuInitializationPeriod":"5m0s","initialReadinessDelay":"30s"}}
{"sync":1,"time":"2026-05-04T12:00:00Z","specReplicas":3,"statusReplicas":3,"readings":[{"values":[90000]}]}
{"sync":2,"time":"2026-05-04T12:00:15Z","specRep`)
	r, err := recording.NewReader(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Header().Name, "up to", r.Header().Spec.MaxReplicas)
	for sync, err := range r.Syncs() {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			fmt.Println("the recording ends here")
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(sync.Time.Format(time.TimeOnly), sync.Observation.SpecReplicas, sync.Observation.Readings[0].Values)
	}
	// Output:
	// worker up to 10
	// 12:00:00 3 [90]
	// the recording ends here
}
