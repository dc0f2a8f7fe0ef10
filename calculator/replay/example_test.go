package replay_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
)

// queue returns an autoscaler that wants 10 waiting messages for each pod, with
// the behavior in JSON, if there is one.
func queue(behavior string) *calculator.Autoscaler {
	spec := autoscaling.NewSpec(1, 100, autoscaling.ExternalAverageValueMetric("waiting", metrics.MustParseQuantity("10")))
	if behavior != "" {
		if err := json.Unmarshal([]byte(behavior), &spec.Behavior); err != nil {
			panic(err)
		}
		spec.SetDefaults()
	}
	return &calculator.Autoscaler{Spec: &spec}
}

// recording is of a size of 5 all the time, and of so many waiting messages at
// each sync, in thousandths.
func recording(waiting ...metrics.Milli) iter.Seq2[replay.Sync, error] {
	return func(yield func(replay.Sync, error) bool) {
		for i, n := range waiting {
			sync := replay.Sync{
				Time: start.Add(time.Duration(i) * calculator.SyncPeriod),
				Observation: &calculator.Observation{
					SpecReplicas: 5, StatusReplicas: 5,
					Readings: []calculator.Reading{{Values: []metrics.Milli{n}}},
				},
			}
			if !yield(sync, nil) {
				return
			}
		}
	}
}

func ExampleRun() {
	asItIs, careful := queue(""), queue(`{"scaleUp": {"stabilizationWindowSeconds": 60}}`)
	for answers, err := range replay.Run(recording(50_000, 120_000, 80_000), asItIs, careful) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(answers.Sync.Time.Format(time.TimeOnly), answers.Size(0), answers.Size(1), answers.Differ())
	}
	// Output:
	// 12:00:00 5 5 false
	// 12:00:15 10 5 true
	// 12:00:30 10 5 true
}

func ExampleDifferences() {
	narrow, wide := queue(""), queue("")
	narrow.Spec.MaxReplicas = 7
	all, err := replay.Differences(replay.Run(recording(50_000, 120_000, 80_000), narrow, wide))
	fmt.Println(all[1].Higher, "of", all[1].Syncs, "sizes are higher, by up to", all[1].MostHigher, err)
	// Output:
	// 2 of 3 sizes are higher, by up to 3 <nil>
}
