package calctest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/calctest"
)

func TestTroubleText(t *testing.T) {
	seen := map[string]bool{}
	for k := calctest.NoTrouble; k <= calctest.Surge; k++ {
		text := calctest.Trouble{Kind: k, N: 2}.String()
		require.False(t, seen[text], text)
		require.NotContains(t, text, "TroubleKind")
		seen[text] = true
	}
	require.Equal(t, "2 pending", calctest.Trouble{Kind: calctest.PodsPending, N: 2}.String())
	require.Equal(t, "metric 3 fails", calctest.Trouble{Kind: calctest.MetricFails, N: 2}.String())
	require.Equal(t, "resized to 7", calctest.Trouble{Kind: calctest.Resized, N: 7}.String())
	require.Equal(t, "metrics late by 1 sync", calctest.Trouble{Kind: calctest.MetricsLate, N: 1}.String())
	require.Equal(t, "surge of 50%", calctest.Trouble{Kind: calctest.Surge, N: 50}.String())
	require.Equal(t, "TroubleKind(200)", calctest.TroubleKind(200).String())
}

func TestLoadText(t *testing.T) {
	load := calctest.LoadProfile{{For: 90 * time.Second, Replicas: 4}, {For: 2 * time.Hour, Replicas: 12.25}}
	require.Equal(t, "4 for 1m30s, 12.25 for 2h", fmt.Sprintf("%#v", load))
}

func TestOrdinal(t *testing.T) {
	var got []string
	for _, n := range []int{1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 101, 111} {
		got = append(got, calctest.Ordinal(n))
	}
	require.Equal(t, "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 22nd 101st 111th", strings.Join(got, " "))
}

func TestClock(t *testing.T) {
	require.Equal(t, "0:00", calctest.Clock(0))
	require.Equal(t, "59:59", calctest.Clock(time.Hour-time.Second))
	require.Equal(t, "1:00:00", calctest.Clock(time.Hour))
	require.Equal(t, "-0:15", calctest.Clock(-15*time.Second))
}
