package prove_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/prove"
)

// A late metric shows a load of pods that have changed since. So the loads that
// decide alike at the pods of a sync are not those to try, and must be named.
func TestLateMetricsNeedLevels(t *testing.T) {
	s := rules(3, 15*time.Second, time.Minute, nil)
	late := prove.Search{Troubles: []prove.Trouble{{Kind: prove.MetricsLate, N: 1}}}
	_, err := late.Run(t.Context(), s)
	require.EqualError(t, err, "prove: Search.Levels: must be named where metrics are late")
	s.Lag = time.Second
	_, err = prove.Search{}.Run(t.Context(), s)
	require.EqualError(t, err, "prove: Search.Levels: must be named where metrics are late")

	// Pods that served a load of 0.6 alone, and are two when it shows.
	s = rules(2, 15*time.Second, 45*time.Second, nil)
	s.Spec.Metrics = setupOf(t, latency, "").Spec.Metrics
	s.Lag = 15 * time.Second
	x, err := prove.Search{Levels: []float64{0, 0.6, 2}}.Run(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, 75*time.Second, x.WorstSettle.Time)
}
