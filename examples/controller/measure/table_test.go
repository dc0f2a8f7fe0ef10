package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTables(t *testing.T) {
	r := &result{
		Autoscalers: 30, Phase: "changes", Side: "example", Seconds: 60, Syncs: 120,
		CPU:       map[string]float64{"controller": 0.6},
		Requests:  map[string]float64{getScale: 120, "PUT deployments/scale": 30, "LIST pods": 1},
		Latencies: &latencies{P50: 7500 * time.Millisecond, Missing: 2},
		Shares:    map[class]float64{decision: 0.25, other: 0.75},
	}
	var out strings.Builder
	writeTables(&out, []*result{r})
	first, second, found := strings.Cut(out.String(), "\n\n")
	require.True(t, found)
	require.Contains(t, first, "\n| 30 | changes | example | 2.0 | 2.0 | 60 | 0.60 | 0.00 | 0.00 | 5.00 | ")
	require.Contains(t, first, " | 1.26 | 0.25 | ") // requests and writes a sync
	require.Contains(t, first, " | 7.50 | 0.00 | 0.00 | 2 |")
	require.Contains(t, second, "\n| 30 | changes | example | 25 | 0 | 0 | 0 | 0 | 0 | 75 |\n")
	for _, table := range []string{first, second} {
		lines := strings.Split(strings.TrimSpace(table), "\n")
		for _, line := range lines {
			require.Equal(t, strings.Count(lines[0], "|"), strings.Count(line, "|"))
		}
	}
}
