package calculator_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Five pods are held at 60% of the cpu that they request. The state is kept in a
// file, so that the second sync goes on where the first one stopped.
func Example() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "web.json")

	settings := calculator.DefaultSettings() // kube-controller-manager's flags
	spec := autoscaling.NewSpec(2, 10, autoscaling.ResourceUtilization("cpu", 60))
	spec.Behavior = behavior.Default()

	sync := func(now time.Time, size int32, usage string) {
		obs := calculator.Observation{SpecReplicas: size, StatusReplicas: size}
		requests := podgroup.Requests{CPU: podgroup.Requested(metrics.MustParseMilli("500m"))}
		var samples []metrics.Sample
		for i := range size {
			obs.Pods = append(obs.Pods, podgroup.RunningPod(fmt.Sprint("web-", i), now.Add(-time.Hour), requests))
			samples = append(samples, metrics.NewSample(metrics.MustParseMilli(usage), now, 30*time.Second))
		}
		obs.Readings = []calculator.Reading{{Samples: samples}} // one for each metric of the spec

		var state calculator.State // what this autoscaler remembers
		if text, err := os.ReadFile(file); err == nil {
			_ = json.Unmarshal(text, &state)
		}
		d := calculator.Decide(now, &settings, &spec, &obs, &state)
		fmt.Println(d.CurrentReplicas, "to", d.DesiredReplicas, d.Conditions[0].Reason)
		if d.Rescale { // write d.DesiredReplicas to the scale, and then
			state.Applied(now, &d)
		}
		text, _ := json.Marshal(state)
		_ = os.WriteFile(file, text, 0o600)
	}
	noon := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	sync(noon, 5, "450m")
	sync(noon.Add(time.Minute), 8, "100m")
	// Output:
	// 5 to 8 ReadyForNewScale
	// 8 to 8 ScaleDownStabilized
}
