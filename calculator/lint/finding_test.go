package lint_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/metrics"
)

func TestMomentText(t *testing.T) {
	for want, m := range map[string]lint.Moment{
		"after 0s, 1 replica: the metrics propose 3; unchanged": {Current: 1, Metric: -1, Proposed: 3, Desired: 1},
		"after 1m, 2 replicas: metric 2 reads 67% and proposes 3; scaled to 3": {
			At: time.Minute, Current: 2, Metric: 1, Usage: 67, Target: metrics.Utilization(60), Proposed: 3, Desired: 3,
		},
		"after 2h, 2 replicas: metric 1 reads 250m and proposes 1; scaled to 1": {
			At: 2 * time.Hour, Current: 2, Usage: 250, Target: metrics.AverageValue(500), Proposed: 1, Desired: 1,
		},
	} {
		require.Equal(t, want, m.String())
	}
}

// The JSON of a finding has its numbers as numbers.
func TestFindingJSON(t *testing.T) {
	spec := autoscaling.NewSpec(20, 22, autoscaling.ResourceUtilizationMetric("cpu", 95))
	spec.Behavior = lintRules(func(b *behavior.Behavior) { b.ScaleUp.SelectPolicy = behavior.SelectDisabled })
	text, err := json.Marshal(lintAll(t, &spec, calculator.DefaultSettings(), lint.DefaultFacts()))
	require.NoError(t, err)
	require.JSONEq(t, `[{
		"kind": "ScaleUpDisabled", "field": "spec.behavior.scaleUp.selectPolicy",
		"message": "scale up is disabled: a size that has fallen to minReplicas, 20, stays there, though 22 is usual",
		"numbers": {"minReplicas": 20, "usualReplicas": 22},
		"case": [{"atSeconds": 0, "currentReplicas": 20, "proposedReplicas": 22, "desiredReplicas": 20}]}]`, string(text))

	for want, m := range map[string]lint.Moment{
		`{"atSeconds":1.5,"currentReplicas":0,"proposedReplicas":0,"desiredReplicas":0}`: {At: 1500 * time.Millisecond, Metric: -1},
		`{"atSeconds":0,"currentReplicas":2,"metric":1,"utilization":67,"proposedReplicas":3,"desiredReplicas":3}`: {
			Current: 2, Metric: 1, Usage: 67, Target: metrics.Utilization(60), Proposed: 3, Desired: 3,
		},
		`{"atSeconds":0,"currentReplicas":2,"metric":0,"usage":"250m","proposedReplicas":1,"desiredReplicas":1}`: {
			Current: 2, Usage: 250, Target: metrics.AverageValue(500), Proposed: 1, Desired: 1,
		},
	} {
		text, err := json.Marshal(m)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
}
