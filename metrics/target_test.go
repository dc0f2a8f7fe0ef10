package metrics_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/metrics"
)

func TestTarget(t *testing.T) {
	for _, tt := range []struct {
		target  metrics.Target
		typ     metrics.TargetType
		percent int32
		milli   metrics.Milli
		valid   bool
		text    string
	}{
		{metrics.Target{}, metrics.NoTarget, 0, 0, false, "no target"},
		{metrics.Utilization(-1), metrics.UtilizationTarget, -1, 0, false, "-1%"},
		{metrics.Utilization(0), metrics.UtilizationTarget, 0, 0, false, "0%"},
		{metrics.Utilization(1), metrics.UtilizationTarget, 1, 0, true, "1%"},
		{metrics.Utilization(101), metrics.UtilizationTarget, 101, 0, true, "101%"},
		{metrics.Utilization(math.MaxInt32), metrics.UtilizationTarget, math.MaxInt32, 0, true, "2147483647%"},
		{metrics.Utilization(math.MinInt32), metrics.UtilizationTarget, math.MinInt32, 0, false, "-2147483648%"},
		{metrics.AverageValue(-1), metrics.AverageValueTarget, 0, -1, false, "-1m per pod"},
		{metrics.AverageValue(0), metrics.AverageValueTarget, 0, 0, false, "0 per pod"},
		{metrics.AverageValue(1), metrics.AverageValueTarget, 0, 1, true, "1m per pod"},
		{metrics.AverageValue(250), metrics.AverageValueTarget, 0, 250, true, "250m per pod"},
		{metrics.AverageValue(math.MaxInt64), metrics.AverageValueTarget, 0, math.MaxInt64, true, "9223372036854775807m per pod"},
		{metrics.Value(-1), metrics.ValueTarget, 0, -1, false, "-1m"},
		{metrics.Value(0), metrics.ValueTarget, 0, 0, false, "0"},
		{metrics.Value(1), metrics.ValueTarget, 0, 1, true, "1m"},
		{metrics.Value(3_000_000), metrics.ValueTarget, 0, 3_000_000, true, "3k"},
		{metrics.Value(math.MinInt64), metrics.ValueTarget, 0, math.MinInt64, false, "-9223372036854775808m"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			require.Equal(t, tt.typ, tt.target.Type())
			require.Equal(t, tt.percent, tt.target.Percent())
			require.Equal(t, tt.milli, tt.target.Milli())
			require.Equal(t, tt.valid, tt.target.Valid())
			require.Equal(t, tt.text, tt.target.String())
		})
	}
}

func TestTargetsCompare(t *testing.T) {
	require.Equal(t, metrics.Value(1), metrics.Value(1))
	require.NotEqual(t, metrics.Value(1), metrics.Value(2))
	require.NotEqual(t, metrics.Value(1), metrics.AverageValue(1))
	require.NotEqual(t, metrics.Target{}, metrics.Value(0))
}

// These are the words of autoscaling/v2.
func TestTargetTypesInJSON(t *testing.T) {
	data, err := json.Marshal([]metrics.TargetType{
		metrics.NoTarget, metrics.UtilizationTarget, metrics.AverageValueTarget, metrics.ValueTarget,
	})
	require.NoError(t, err)
	require.JSONEq(t, `["", "Utilization", "AverageValue", "Value"]`, string(data))
}
