package guarantee

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// Histories without windows are bounds of those with windows: no move takes
// longer than the windows hold it and then, from any size between, the longest
// of them.
func TestHistoriesWithoutWindowsAreBounds(t *testing.T) {
	held := 0
	rapid.Check(t, func(t *rapid.T) {
		rules := func(name string) *behavior.ScalingRules {
			window := rapid.SampledFrom([]int32{0, 15, 16, 45, 60}).Draw(t, name+" window")
			policy := rapid.Custom(func(t *rapid.T) behavior.Policy {
				return behavior.Policy{
					Type:          rapid.SampledFrom([]behavior.PolicyType{behavior.PodsPolicy, behavior.PercentPolicy}).Draw(t, "type"),
					Value:         rapid.SampledFrom([]int32{1, 2, 50, 100}).Draw(t, "value"),
					PeriodSeconds: rapid.SampledFrom([]int32{15, 30, 60}).Draw(t, "period"),
				}
			})
			return &behavior.ScalingRules{StabilizationWindowSeconds: &window, Policies: rapid.SliceOfN(policy, 1, 2).Draw(t, name+" policies")}
		}
		spec := autoscaling.NewSpec(1, rapid.Int32Range(2, 5).Draw(t, "max"), autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("1")))
		spec.Behavior = &behavior.Behavior{ScaleUp: rules("up"), ScaleDown: rules("down")}
		r, err := newRules(nil, &spec, 15*time.Second, 0)
		require.NoError(t, err)
		exact, free := r.newHistories(true, maxHistories), r.newHistories(false, maxHistories)
		require.True(t, free.find())
		if !exact.find() {
			t.Skip("too many histories")
		}
		for _, d := range []*direction{&r.up, &r.down} {
			for from := r.bounds.Min; from <= r.bounds.Max; from++ {
				for to := from + 1; to <= r.bounds.Max; to++ {
					a, b := from, to
					if !d.Up {
						a, b = to, from
					}
					took, m := d.syncs(exact.longest(d.Up, a, a, b), Exactly), Move{From: a, To: b, Worst: Time{Never: true}}
					d.histories = free
					d.search(&m)
					require.Equal(t, took.Never, m.Worst.Never)
					require.LessOrEqual(t, took.Duration, m.Worst.Duration)
					if took.Duration == m.Worst.Duration && d.holdNew > 1 {
						held++
					}
				}
			}
		}
	})
	require.NotZero(t, held)
}
