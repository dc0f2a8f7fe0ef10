package recording_test

import (
	"bytes"
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
)

// What was recorded is decided on again, with the same rules and with others.
func Example() {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ExternalAverageValue("backlog", metrics.MustParseQuantity("30")))
	spec.Behavior = behavior.Default()

	var file bytes.Buffer // or an *os.File
	w, err := recording.NewWriter(&file, recording.Header{
		Namespace: "shop", Name: "worker", Spec: &spec, Settings: calculator.DefaultSettings(),
		State: new(calculator.State), // it was never synced
	})
	if err != nil {
		fmt.Println(err)
	}
	for i, backlog := range []metrics.Milli{90_000, 90_000, 60_000, 60_000} {
		err := w.Write(simulate.RecordedSync{
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
	faster.Spec = faster.Spec.Clone()
	faster.Spec.Behavior.ScaleDown.StabilizationWindowSeconds = new(int32)
	for answers, err := range simulate.Replay(r.Syncs(), &recorded, &faster) {
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
