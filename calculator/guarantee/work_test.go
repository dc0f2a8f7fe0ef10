package guarantee

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// The steps are counted, not the seconds. Most are a limit of a policy.
func TestWorkIsBounded(t *testing.T) {
	none := int32(0)
	for _, by := range []behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMin} {
		for _, value := range []int32{1, math.MaxInt32} {
			for _, count := range []int32{1, 3, 300} {
				rules := behavior.ScalingRules{StabilizationWindowSeconds: &none, SelectPolicy: by}
				for i := range count {
					p := behavior.Policy{Type: behavior.PodsPolicy, Value: value, PeriodSeconds: 900 + i}
					if i%2 > 0 {
						p.Type = behavior.PercentPolicy
					}
					rules.Policies = append(rules.Policies, p)
				}
				spec := autoscaling.NewSpec(1, math.MaxInt32, autoscaling.ResourceUtilizationMetric("cpu", 1),
					autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("1")))
				spec.Behavior = &behavior.Behavior{ScaleUp: &rules, ScaleDown: &rules}
				settings := calculator.DefaultSettings()
				r, err := newRules(&settings, &spec, time.Second, 0)
				require.NoError(t, err)
				r.all()
				require.LessOrEqual(t, r.work, 550_000, fmt.Sprint(by, value, count))
			}
		}
	}
}

// Histories are searched up to a number of limits, and with windows before
// those without.
func TestSearchIsBounded(t *testing.T) {
	policies := func(period int32) *behavior.ScalingRules {
		window := int32(300)
		return &behavior.ScalingRules{StabilizationWindowSeconds: &window, Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: period}}}
	}
	for _, high := range []int32{4, 8, 101, 102, math.MaxInt32} {
		spec := autoscaling.NewSpec(1, high, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("1")))
		spec.Behavior = &behavior.Behavior{ScaleUp: policies(600), ScaleDown: policies(15)}
		r, err := newRules(nil, &spec, 15*time.Second, 0)
		require.NoError(t, err)
		require.LessOrEqual(t, r.work, maxHistories+maxHeld+1000)
		require.NotEqual(t, Exactly, r.up.moves(r.sizes()).Longest.Worst.Bound)
	}
}
