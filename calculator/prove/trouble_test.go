package prove_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/prove"
)

func TestTroubleText(t *testing.T) {
	seen := map[string]bool{}
	for k := prove.NoTrouble; k <= prove.Surge; k++ {
		text := prove.Trouble{Kind: k, N: 2}.String()
		require.False(t, seen[text], text)
		require.NotContains(t, text, "TroubleKind")
		seen[text] = true
		require.NotContains(t, k.String(), "TroubleKind")
	}
	require.Equal(t, "metric fails", prove.MetricFails.String())
	require.Equal(t, "2 pending", prove.Trouble{Kind: prove.PodsPending, N: 2}.String())
	require.Equal(t, "metric 3 fails", prove.Trouble{Kind: prove.MetricFails, N: 2}.String())
	require.Equal(t, "resized to 7", prove.Trouble{Kind: prove.Resized, N: 7}.String())
	require.Equal(t, "metrics late by 1 sync", prove.Trouble{Kind: prove.MetricsLate, N: 1}.String())
	require.Equal(t, "surge of 50%", prove.Trouble{Kind: prove.Surge, N: 50}.String())
	require.Equal(t, "TroubleKind(200)", prove.TroubleKind(200).String())
}
