package calculator_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// One of several equal clusters proposes what all of them would. The average of
// an object is that of what its cluster's pods serve; the other values are the
// same everywhere.
func TestShareProposesLikeTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := 1 << rapid.IntRange(0, 5).Draw(t, "clusters, as a power of two") // so that shares are exact
		pods := rapid.IntRange(0, 20).Draw(t, "pods of a cluster")
		value := metrics.Milli(rapid.Int64Range(-1000, 100_000).Draw(t, "value"))
		target := metrics.Milli(rapid.Int64Range(1, 10_000).Draw(t, "target"))
		tolerance := metrics.Symmetric(rapid.SampledFrom([]float64{0, 0.1, 0.5}).Draw(t, "tolerance"))

		for name, source := range map[string]struct {
			propose func(*calculator.ValueMetric, metrics.Milli) (calculator.Proposal, error)
			// served reports whether the pods of a cluster make up its value, so
			// that more clusters have more in all.
			served bool
		}{
			"Object average":   {calculator.ProposeObjectAverageValue, true},
			"External average": {calculator.ProposeExternalAverageValue, false},
			"Object":           {calculator.ProposeObjectValue, false},
			"External":         {calculator.ProposeExternalValue, false},
		} {
			of := func(clusters int, values ...metrics.Milli) *calculator.ValueMetric {
				n := int32(pods * clusters)
				return &calculator.ValueMetric{Values: values, CurrentReplicas: n, StatusReplicas: n, Pods: readyPods(int(n)), Tolerance: tolerance}
			}
			one, all := of(1, value), of(clusters, value)
			one.CurrentReplicas, one.Calibration = all.CurrentReplicas, 1/float64(clusters)
			if source.served {
				all.Values[0] *= metrics.Milli(clusters)
			}
			got, err := source.propose(one, target)
			want, wantErr := source.propose(all, target)
			require.Equal(t, wantErr, err, name)
			require.Equal(t, want.Replicas, got.Replicas, name)
			require.Equal(t, want.Rule, got.Rule, name)
		}
	})
}
