package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/cli"
)

const lintManifest = "testdata/lint/hpa.json"

// TestReadme has the whole output.
func TestLint(t *testing.T) {
	got := decide(t, "-lint", lintManifest)
	for _, kind := range []string{"UnreachableSize", "NoHeadroom", "MemoryNeverFalls", "WindowOutlastsPeaks", "PolicyNeverBinds"} {
		require.Contains(t, got, ": "+kind+"\n")
	}

	// It needs the autoscaler only.
	status, stdout, stderr := explain(read(t, lintManifest), "-lint", "-")
	require.Equal(t, cli.OK, status, stderr)
	require.Equal(t, got, stdout)
}

func TestLintFacts(t *testing.T) {
	finds := func(kind string, args ...string) bool {
		return strings.Contains(decide(t, append([]string{"-lint"}, args...)...), ": "+kind+"\n")
	}
	require.True(t, finds("WindowOutlastsPeaks", "-lint-peak", "599s", lintManifest))
	require.False(t, finds("WindowOutlastsPeaks", "-lint-peak", "10m", lintManifest))
	require.True(t, finds("MemoryNeverFalls", "-lint-memory-kept", "0.96", lintManifest))
	require.False(t, finds("MemoryNeverFalls", "-lint-memory-kept", "0.5", lintManifest))
	require.False(t, finds("UnreachableSize", "-horizontal-pod-autoscaler-tolerance", "0.01", lintManifest))
	require.True(t, finds("NoHeadroom", "-horizontal-pod-autoscaler-tolerance", "0.01", "-lint-growth", "0.1", lintManifest))
	require.False(t, finds("NoHeadroom", "-horizontal-pod-autoscaler-tolerance", "0.01", "-lint-growth", "0", lintManifest))

	// The size that is usually needed is that of the scale, or the current one.
	disabled := write(t, filepath.Join(t.TempDir(), "hpa.json"), strings.Replace(read(t, lintManifest),
		`"selectPolicy": "Max",
    "stabilizationWindowSeconds": 600`, `"selectPolicy": "Disabled"`, 1))
	require.True(t, finds("ScaleUpDisabled", disabled))
	require.False(t, finds("ScaleUpDisabled", "-current", "20", disabled))
	scale := write(t, filepath.Join(t.TempDir(), "scale.json"),
		`{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":20},"status":{"replicas":22}}`)
	require.False(t, finds("ScaleUpDisabled", disabled, scale))
}

func TestLintOfScenes(t *testing.T) {
	for _, name := range sceneNames() {
		require.Contains(t, decide(t, "-lint", "-scene", name), " of Deployment ", name)
	}
	require.Contains(t, decide(t, "-lint", "-scene", "down-window"), "\nNo findings.\n")
}

func TestLintRefuses(t *testing.T) {
	require.Contains(t, refuse(t, "-lint", "testdata/none.json"), "testdata/none.json: no such file")
	require.Contains(t, refuse(t, "-lint", "-lint-peak", "soon"), "not a duration")
	require.Contains(t, refuse(t, "-lint", "-lint-growth", "-1"), "not a fraction")
	status, _, stderr := explain(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0"}}`, "-lint", "-")
	require.Equal(t, cli.BadInput, status)
	require.Contains(t, stderr, "no HorizontalPodAutoscaler")
}
