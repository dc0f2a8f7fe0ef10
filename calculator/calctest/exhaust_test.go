package calctest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/metrics"
)

// rules returns a setup of 1 to most replicas for one Pods metric, with pods that
// start at once.
func rules(most int32, sync, window time.Duration, change func(*behavior.Behavior)) *calctest.Setup {
	spec := autoscaling.NewSpec(1, most, autoscaling.PodsAverageValue("qps", metrics.MustParseQuantity("10")))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	spec.Behavior = behavior.Default()
	seconds := int32(window / time.Second)
	spec.Behavior.ScaleDown.StabilizationWindowSeconds = &seconds
	if change != nil {
		change(spec.Behavior)
	}
	s := calctest.NewSetup(&spec)
	s.SyncPeriod, s.Startup = sync, 0
	return s
}

func pods(n, seconds int32) []behavior.Policy {
	return []behavior.Policy{{Type: behavior.PodsPolicy, Value: n, PeriodSeconds: seconds}}
}

func TestExhaustTable(t *testing.T) {
	for _, tt := range []struct {
		name   string
		setup  *calctest.Setup
		levels []float64
		states int
		up     string
	}{
		{"1", rules(5, 15*time.Second, 5*time.Minute, nil), nil, 0, ""},
		{"2", rules(10, 15*time.Second, time.Minute, func(b *behavior.Behavior) { b.ScaleUp.Policies = pods(2, 60) }), nil, 0, ""},
		{"3", rules(10, 30*time.Second, 5*time.Minute, func(b *behavior.Behavior) {
			b.ScaleUp.Policies = pods(1, 60)
			b.ScaleDown.Policies = []behavior.Policy{{Type: behavior.PercentPolicy, Value: 10, PeriodSeconds: 60}}
		}), []float64{0, 5, 10}, 0, ""},
		{"4", rules(20, 15*time.Second, time.Minute, nil), nil, 0, ""},
		{"5", func() *calctest.Setup {
			s := rules(8, 15*time.Second, 5*time.Minute, nil)
			s.Startup = time.Minute
			return s
		}(), []float64{0, 4, 8}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			x := calctest.Exhaust(t, tt.setup, calctest.Search{Levels: tt.levels})
			t.Logf("%v %v", x, time.Since(start))
			require.True(t, x.Complete)
		})
	}
}
