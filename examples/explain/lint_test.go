package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/examples/internal/cli"
)

const lintManifest = "testdata/lint/hpa.json"

// regretted lints, which must find something, and returns the text.
func regretted(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := explain("", append([]string{"-lint"}, args...)...)
	require.Equal(t, found, status, stderr)
	require.Empty(t, stderr)
	return stdout
}

// kinds lints, and returns the kinds of the findings as JSON has them.
func kinds(t *testing.T, args ...string) []lint.Kind {
	t.Helper()
	status, stdout, stderr := explain("", append([]string{"-lint", "-o", "json"}, args...)...)
	var report struct {
		Autoscaler string
		Checks     int
		Findings   []struct {
			Kind           lint.Kind
			Field, Message string
			Numbers        map[string]float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &report), stderr)
	require.NotEmpty(t, report.Autoscaler)
	require.Len(t, lint.Kinds(), report.Checks)
	require.NotNil(t, report.Findings)
	require.Equal(t, len(report.Findings) > 0, status == found)
	var list []lint.Kind
	for _, f := range report.Findings {
		require.NotEmpty(t, f.Field)
		require.NotEmpty(t, f.Message)
		require.NotEmpty(t, f.Numbers)
		list = append(list, f.Kind)
	}
	return list
}

// TestReadme has the whole output.
func TestLint(t *testing.T) {
	got := regretted(t, lintManifest)
	for _, kind := range kinds(t, lintManifest) {
		require.Contains(t, got, ": "+string(kind)+"\n")
	}

	// It needs the autoscaler only.
	status, stdout, stderr := explain(read(t, lintManifest), "-lint", "-")
	require.Equal(t, found, status, stderr)
	require.Equal(t, got, stdout)
}

func TestLintFacts(t *testing.T) {
	finds := func(kind lint.Kind, args ...string) bool { return slices.Contains(kinds(t, args...), kind) }
	require.True(t, finds(lint.WindowOutlastsPeaks, "-lint-peak", "599s", lintManifest))
	require.False(t, finds(lint.WindowOutlastsPeaks, "-lint-peak", "10m", lintManifest))
	require.True(t, finds(lint.WindowOutlastsPeaks, "-sync", "5m", lintManifest))
	require.False(t, finds(lint.WindowOutlastsPeaks, "-sync", "5m1s", lintManifest)) // no sync of the peak
	require.True(t, finds(lint.WindowOutlastsPauses, "-lint-pause", "299s", lintManifest))
	require.False(t, finds(lint.WindowOutlastsPauses, "-lint-pause", "5m", lintManifest))
	require.True(t, finds(lint.MemoryNeverFalls, "-lint-memory-kept", "0.96", lintManifest))
	require.False(t, finds(lint.MemoryNeverFalls, "-lint-memory-kept", "0.5", lintManifest))
	require.True(t, finds(lint.TargetBelowIdle, "-lint-idle-utilization", "78", lintManifest))
	require.False(t, finds(lint.TargetBelowIdle, "-lint-idle-utilization", "77", lintManifest))
	require.False(t, finds(lint.UnreachableSize, "-horizontal-pod-autoscaler-tolerance", "0.01", lintManifest))
	require.True(t, finds(lint.NoHeadroom, "-horizontal-pod-autoscaler-tolerance", "0.01", "-lint-growth", "0.1", lintManifest))
	require.False(t, finds(lint.NoHeadroom, "-horizontal-pod-autoscaler-tolerance", "0.01", "-lint-growth", "0", lintManifest))

	const slow = "../simulate/hpa/percent-10-in-5min.json"
	require.True(t, finds(lint.SlowScaleUp, slow))
	require.False(t, finds(lint.SlowScaleUp, "-lint-rise", "3h", slow))
	const catalog = "../rules/testdata/catalog.json"
	require.True(t, finds(lint.SlowScaleDown, "-lint-fall", "119s", catalog))
	require.False(t, finds(lint.SlowScaleDown, "-lint-fall", "2m", catalog))
	amount := edit(t, lintManifest, `"averageUtilization": 95,
      "type": "Utilization"`, `"averageValue": "10m", "type": "AverageValue"`)
	require.True(t, finds(lint.TargetBelowIdle, "-lint-idle-cpu", "12m", amount))
	require.False(t, finds(lint.TargetBelowIdle, "-lint-idle-cpu", "11m", amount))

	// The size that is usually needed is that of the scale, or the current one.
	disabled := edit(t, lintManifest, `"selectPolicy": "Max",
    "stabilizationWindowSeconds": 600`, `"selectPolicy": "Disabled"`)
	require.True(t, finds(lint.ScaleUpDisabled, disabled))
	require.False(t, finds(lint.ScaleUpDisabled, "-current", "20", disabled))
	scale := write(t, filepath.Join(t.TempDir(), "scale.json"),
		`{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":20},"status":{"replicas":22}}`)
	require.False(t, finds(lint.ScaleUpDisabled, disabled, scale))
}

// edit writes the file with other text in place of old.
func edit(t *testing.T, name, old, other string) string {
	t.Helper()
	text := read(t, name)
	require.Contains(t, text, old)
	return write(t, filepath.Join(t.TempDir(), "hpa.json"), strings.Replace(text, old, other, 1))
}

// Scenes and manifests of the other examples are ordinary, except for what is
// meant to be bad about them.
func TestLintOfOrdinarySpecs(t *testing.T) {
	bad := map[string][]lint.Kind{
		"disabled-down":      {lint.ScaleDownDisabled},
		"checkout":           {lint.NoDownWindow},
		"search":             {lint.SlowScaleUp},
		"percent-10":         {lint.SlowScaleUp},
		"percent-10-in-5min": {lint.SlowScaleUp},
	}
	for _, name := range sceneNames() {
		require.Equal(t, bad[name], kinds(t, "-scene", name), name)
	}
	files, err := filepath.Glob("../*/*/*.json")
	require.NoError(t, err)
	seen := 0
	for _, file := range files {
		if !strings.Contains(read(t, file), `"HorizontalPodAutoscaler"`) {
			continue
		}
		seen++
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		require.Equal(t, bad[name], kinds(t, file), name)
	}
	require.Equal(t, 7, seen)
	require.Equal(t, "shop/web of Deployment web\n\nNone of the 18 checks found anything.\n",
		strings.Replace(decide(t, "-lint", "-scene", "down-window"), "down-window/", "shop/", 1))
}

// Kubernetes' defaults, as its documentation has them, are no finding.
func TestLintOfDefaultRules(t *testing.T) {
	status, stdout, stderr := explain(`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","namespace":"shop"},"spec":{
		"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":4,"maxReplicas":100,
		"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}],
		"behavior":{
			"scaleDown":{"stabilizationWindowSeconds":300,"policies":[{"type":"Percent","value":100,"periodSeconds":15}]},
			"scaleUp":{"stabilizationWindowSeconds":0,"selectPolicy":"Max",
				"policies":[{"type":"Percent","value":100,"periodSeconds":15},{"type":"Pods","value":4,"periodSeconds":15}]}}}}`, "-lint", "-")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "None of the 18 checks found anything.")
}

func TestLintRefuses(t *testing.T) {
	require.Contains(t, refuse(t, "-lint", "testdata/none.json"), "testdata/none.json: no such file")
	require.Contains(t, refuse(t, "-lint", "-lint-peak", "soon"), "not a duration")
	require.Contains(t, refuse(t, "-lint", "-lint-growth", "-1"), "not a fraction")
	require.Contains(t, refuse(t, "-lint", "-lint-idle-cpu", "-1m"), "not a quantity")
	require.Contains(t, refuse(t, "-lint", "-lint-idle-utilization", "2.5"), "not a whole percentage")
	status, _, stderr := explain(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0"}}`, "-lint", "-")
	require.Equal(t, cli.BadInput, status)
	require.Contains(t, stderr, "no HorizontalPodAutoscaler")
}

// What the API server refuses is no good setting.
func TestLintIsStrict(t *testing.T) {
	hpa := read(t, lintManifest)
	for _, c := range []struct{ old, new, want string }{
		{`"behavior"`, `"behaviour"`, `strict decoding error: unknown field "spec.behaviour"`},
		{`"averageUtilization"`, `"averageutilization"`, `.resource.target.averageutilization"`},
		{`"maxReplicas"`, `"maxReplicas":1,"maxReplicas"`, `duplicate field "spec.maxReplicas"`},
	} {
		require.Contains(t, hpa, c.old)
		file := write(t, filepath.Join(t.TempDir(), "hpa.json"), strings.Replace(hpa, c.old, c.new, 1))
		require.Contains(t, refuse(t, "-lint", file), c.want)
		require.Contains(t, refuse(t, "-guarantees", file), c.want)
	}
}

// A pipeline whose pattern matches no file does not pass.
func TestNothingToLookAt(t *testing.T) {
	for _, mode := range []string{"-lint", "-guarantees", "-commands"} {
		status, stdout, stderr := explain("", mode)
		require.Equal(t, nothing, status)
		require.Empty(t, stdout)
		require.Equal(t, "nothing to look at: give files, -dir or -scene", complaint(t, stderr))
		status, _, _ = explain("", mode, "-scene", defaultScene)
		require.NotEqual(t, nothing, status)
		status, _, _ = explain("", mode, "-dir", filepath.Dir(lintManifest))
		require.NotEqual(t, nothing, status)
	}
	require.Equal(t, decide(t, "-scene", defaultScene), decide(t))
}

// What a folder has in vain is named.
func TestSkipped(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.yaml", "b.yml", "c.yaml", "d.yaml", "e.yaml", "README.md"} {
		write(t, filepath.Join(dir, name), "kind: HorizontalPodAutoscaler\n")
	}
	status, _, stderr := explain("", "-lint", "-dir", dir)
	require.Equal(t, cli.BadInput, status)
	require.Equal(t, "explain: "+dir+": skipped a.yaml, b.yml, c.yaml, d.yaml, e.yaml: -dir reads JSON files\n"+
		"explain: the input has no HorizontalPodAutoscaler; kubectl get hpa NAME -o json prints it\n", stderr)

	write(t, filepath.Join(dir, "hpa.json"), read(t, lintManifest))
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "f.json")); err != nil {
		t.Skip(err)
	}
	status, stdout, stderr := explain("", "-lint", "-dir", dir)
	require.Equal(t, found, status)
	require.NotEmpty(t, stdout)
	require.Equal(t, "explain: "+dir+": skipped a.yaml, b.yml, c.yaml, d.yaml, e.yaml and 1 more: -dir reads JSON files\n", stderr)
}

// A device without an end is refused.
func TestEndless(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	require.Equal(t, "/dev/zero: longer than 268435456 bytes", refuse(t, "-lint", "/dev/zero"))
}
