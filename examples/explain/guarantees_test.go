package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/cli"
)

// TestReadme has the whole text.
func TestGuarantees(t *testing.T) {
	const file = "../simulate/hpa/percent-10.json"
	text := decide(t, "-guarantees", file)
	status, stdout, stderr := explain(read(t, file), "-guarantees", "-")
	require.Equal(t, cli.OK, status, stderr)
	require.Equal(t, text, stdout)

	var report struct {
		Autoscaler string
		Guarantees struct {
			SyncPeriodSeconds float64
			Up, Down          struct {
				Longest struct{ Steady struct{ Seconds float64 } }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(decide(t, "-guarantees", "-o", "json", "-sync", "30s", file)), &report))
	require.Equal(t, "percent-10", report.Autoscaler)
	require.Equal(t, 30.0, report.Guarantees.SyncPeriodSeconds)
	require.Equal(t, 300.0, report.Guarantees.Down.Longest.Steady.Seconds)
	require.Contains(t, decide(t, "-guarantees", "-horizontal-pod-autoscaler-downscale-stabilization", "1m", file), "the first pod is removed after 1m,")
}

func TestSyncPeriod(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 15 * time.Second, "1s": time.Second, "1h": time.Hour} {
		args := []string{"-guarantees", "-scene", defaultScene}
		if text != "" {
			args = append(args, "-sync", text)
		}
		require.Equal(t, want, mustParse(t, args...).sync)
	}
}

// Beside pods that take time to start, times are lower bounds.
func TestStartup(t *testing.T) {
	require.Equal(t, 30*time.Second, mustParse(t, "-guarantees", "-scene", defaultScene).startup)
	const file = "../simulate/hpa/percent-10.json"
	text := decide(t, "-guarantees", "-startup", "1m", file)
	require.Contains(t, text, ", pods ready after 1m\n")
	require.Contains(t, text, "2 to 100: at least 28m15s after a steady load; at least 28m15s after the worst history")
	text = decide(t, "-guarantees", "-startup", "0s", file)
	require.Contains(t, text, ", pods ready by the next one\n")
	require.Contains(t, text, "2 to 100: 28m15s after a steady load; ")
	require.Contains(t, decide(t, "-guarantees", "-startup", "1m", "-o", "json", file), `"startupSeconds": 60,`)
}

func mustParse(t *testing.T, args ...string) *options {
	t.Helper()
	o, err := parse(args)
	require.NoError(t, err)
	return o
}
