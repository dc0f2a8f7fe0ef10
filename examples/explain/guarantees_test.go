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

func TestGuaranteesRefuse(t *testing.T) {
	require.Contains(t, refuse(t, "-guarantees", "-sync", "999ms", "testdata/lint/hpa.json"), "of a second or more")
	require.Contains(t, refuse(t, "-guarantees", "-sync", "61m", "testdata/lint/hpa.json"), "syncPeriod: Invalid value")
	require.Contains(t, refuse(t, "-guarantees", "-lint", "testdata/lint/hpa.json"), "give -lint or -guarantees, not both")
	require.Equal(t, 15*time.Second, mustParse(t).sync)
}

func mustParse(t *testing.T, args ...string) *options {
	t.Helper()
	o, err := parse(args)
	require.NoError(t, err)
	return o
}
