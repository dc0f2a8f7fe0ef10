package lint_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
