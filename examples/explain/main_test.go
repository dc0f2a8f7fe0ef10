package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
)

var update = flag.Bool("update", false, "write the golden files")

// explain runs the command.
func explain(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(args, strings.NewReader(stdin), &out, &err)
	return status, out.String(), err.String()
}

// decide runs the command, which must succeed.
func decide(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := explain("", args...)
	require.Equal(t, decided, status, stderr)
	require.Empty(t, stderr)
	return stdout
}

// sizes runs the command, and returns the size before and after.
func sizes(t *testing.T, args ...string) [2]int32 {
	t.Helper()
	var status calculator.Status
	require.NoError(t, json.Unmarshal([]byte(decide(t, append(args, "-o", "json")...)), &status))
	return [2]int32{status.CurrentReplicas, status.DesiredReplicas}
}

// refuse runs the command, which must complain in one line.
func refuse(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := explain("", args...)
	require.Equal(t, badInput, status)
	require.Empty(t, stdout)
	return complaint(t, stderr)
}

func complaint(t *testing.T, stderr string) string {
	t.Helper()
	require.True(t, strings.HasPrefix(stderr, "explain: "), stderr)
	require.True(t, strings.HasSuffix(stderr, "\n"), stderr)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	require.Less(t, len(stderr), 600)
	return strings.TrimSuffix(strings.TrimPrefix(stderr, "explain: "), "\n")
}

func scene(name, file string) string {
	return filepath.Join("testdata", "dumps", name, file)
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
	return name
}

func TestGolden(t *testing.T) {
	for _, name := range sceneNames() {
		for output, ext := range map[string]string{"text": "txt", "json": "json"} {
			t.Run(name+"."+ext, func(t *testing.T) {
				golden := filepath.Join("testdata", "golden", name+"."+ext)
				got := decide(t, "-scene", name, "-o", output)
				if *update {
					write(t, golden, got)
				}
				require.Equal(t, read(t, golden), got)
			})
		}
	}
}

func TestDefault(t *testing.T) {
	require.Equal(t, decide(t, "-scene", defaultScene, "-o", "text"), decide(t))
}

func TestHelp(t *testing.T) {
	for _, arg := range []string{"-h", "-help", "--help"} {
		require.Equal(t, usage, decide(t, arg))
	}
	for _, name := range sceneNames() {
		require.Contains(t, usage, "\n  "+name+" ")
	}
	for line := range strings.SplitSeq(usage, "\n") {
		require.LessOrEqual(t, len(line), 88, line)
		require.NotContains(t, line, "\t")
	}
}

// The same documents give the same output whichever way they come.
func TestSources(t *testing.T) {
	for _, name := range sceneNames() {
		want := decide(t, "-scene", name)
		require.Equal(t, want, decide(t, "-dir", filepath.Join("testdata", "dumps", name)), name)

		var stream string
		args := []string{"-hpa", scene(name, "hpa.json"), "-pods", scene(name, "pods.json"), "-scale", scene(name, "scale.json"), "-podmetrics", scene(name, "podmetrics.json")}
		files, err := fs.Glob(scenes, path.Join(scenesRoot, name, "*.json"))
		require.NoError(t, err)
		for _, file := range files {
			stream += read(t, filepath.FromSlash(file))
			switch base := path.Base(file); {
			case strings.HasPrefix(base, "external-"):
				args = append(args, "-external", file)
			case strings.HasPrefix(base, "object-"), strings.HasPrefix(base, "pods-"):
				args = append(args, "-custom", file)
			}
		}
		require.Equal(t, want, decide(t, args...), name)
		status, stdout, stderr := explain(stream, "-")
		require.Equal(t, decided, status, stderr)
		require.Equal(t, want, stdout, name)
	}
}

func TestFlagsOfTheController(t *testing.T) {
	within := []string{"-scene", "within-tolerance"}
	require.Equal(t, [2]int32{4, 4}, sizes(t, within...))
	require.Equal(t, [2]int32{4, 5}, sizes(t, append(within, "-horizontal-pod-autoscaler-tolerance", "0.03")...))
	require.Equal(t, [2]int32{4, 4}, sizes(t, append(within, "-horizontal-pod-autoscaler-tolerance=0.04")...))

	window := []string{"-scene", "down-window", "-history", filepath.Join(t.TempDir(), "history.json")}
	require.Equal(t, [2]int32{8, 8}, sizes(t, append(window, "-now", "2026-11-20T05:20:00Z")...))
	require.Equal(t, [2]int32{8, 8}, sizes(t, append(window, "-now", "2026-11-20T05:21:00Z", "-horizontal-pod-autoscaler-downscale-stabilization", "1m")...))
	require.Equal(t, [2]int32{8, 3}, sizes(t, append(window, "-now", "2026-11-20T05:21:01Z", "-horizontal-pod-autoscaler-downscale-stabilization", "1m")...))

	// Its unready pods have been so since 8 seconds after their start.
	unready := []string{"-scene", "unready-up"}
	require.Contains(t, decide(t, append(unready, "-horizontal-pod-autoscaler-initial-readiness-delay", "8001ms")...), "3 ready, 3 unready")
	require.Contains(t, decide(t, append(unready, "-horizontal-pod-autoscaler-initial-readiness-delay", "8s")...), "5 ready, 1 unready")
	require.Contains(t, decide(t, append(unready, "-horizontal-pod-autoscaler-initial-readiness-delay", "0s", "-horizontal-pod-autoscaler-cpu-initialization-period", "20m42s")...), "5 ready, 1 unready")
	require.Contains(t, decide(t, append(unready, "-horizontal-pod-autoscaler-initial-readiness-delay", "0s", "-horizontal-pod-autoscaler-cpu-initialization-period", "20m43s")...),
		"not ready within its initialization period, until 2026-11-20T05:16:09Z")
}

func TestNow(t *testing.T) {
	require.Contains(t, decide(t, "-now", "2026-11-20T07:30:00.5+02:00"), "2026-11-20T05:30:00.5Z")
}

// Without a scale, the size is what the status saw last, or what -current says.
func TestCurrent(t *testing.T) {
	files := []string{"-hpa", scene("unready-up", "hpa.json"), "-pods", scene("unready-up", "pods.json"), "-podmetrics", scene("unready-up", "podmetrics.json")}
	require.Equal(t, decide(t), decide(t, files...))
	require.Equal(t, [2]int32{20, 12}, sizes(t, append(files, "-current", "20")...))
	require.Equal(t, [2]int32{12, 12}, sizes(t, append(files, "-current", "12", "-horizontal-pod-autoscaler-tolerance", "0")...))
	require.Equal(t, [2]int32{1, 2}, sizes(t, append(files, "-current", "1")...))
	require.Equal(t, [2]int32{0, 0}, sizes(t, append(files, "-current", "0")...))
	out := decide(t, append(files, "-current", "20")...)
	require.Contains(t, out, "scale   spec.replicas 12\n  event   Normal SuccessfulRescale New size: 12; reason: Current number of replicas above Spec.MaxReplicas\n")
	require.Contains(t, out, "Pods\n  6, whose samples do not matter\n")
	require.Equal(t, "give -current or a scale, not both", refuse(t, "-current", "3"))
}

func TestNamespace(t *testing.T) {
	hpa := write(t, filepath.Join(t.TempDir(), "hpa.json"), strings.Replace(read(t, scene("unready-up", "hpa.json")), `"namespace": "unready-up",`, "", 1))
	args := []string{"-hpa", hpa, "-pods", scene("unready-up", "pods.json"), "-podmetrics", scene("unready-up", "podmetrics.json")}
	require.True(t, strings.HasPrefix(decide(t, args...), "/web of Deployment web"))
	require.True(t, strings.HasPrefix(decide(t, append(args, "-namespace", "shop")...), "shop/web of Deployment web"))
	require.Equal(t, decide(t), decide(t, "-namespace", "unready-up"))
	require.Equal(t, `unready-up/hpa.json: metadata.namespace: it is "unready-up", -namespace is "shop"`, refuse(t, "-namespace", "shop"))
}

// What a person wrote, without defaults, is decided on as the API server would
// have stored it.
func TestDefaults(t *testing.T) {
	hpa := write(t, filepath.Join(t.TempDir(), "hpa.json"), `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},
		"spec":{"maxReplicas":9,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"behavior":{}},"status":{"currentReplicas":6}}`)
	out := decide(t, "-hpa", hpa, "-pods", scene("unready-up", "pods.json"), "-podmetrics", scene("unready-up", "podmetrics.json"))
	require.Contains(t, out, "80%")
	require.Contains(t, out, "1 to 9")
}

func TestStrays(t *testing.T) {
	pods := write(t, filepath.Join(t.TempDir(), "pods.json"), `{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","metadata":{"name":"new"},"status":{"phase":"Running"}}]}`)
	out := decide(t, "-hpa", scene("pods-metric", "hpa.json"), "-pods", pods, "-custom", scene("pods-metric", "pods-qps.json"))
	require.Contains(t, out, ": 0 ready, 1 missing, and samples of 5 that are not listed")
	require.Contains(t, out, "new is missing: no sample")
}

func TestBadFlags(t *testing.T) {
	tests := []struct {
		text string
		args []string
	}{
		{`flag provided but not defined: -nope`, []string{"-nope"}},
		{`flag provided but not defined: -no pe`, []string{"-no\npe"}},
		{`flag needs an argument: -now`, []string{"-now"}},
		{`invalid value "soon" for flag -now: not a time in RFC 3339, such as 2026-11-20T05:16:08Z`, []string{"-now", "soon"}},
		{`invalid value "0001-01-01T00:00:00Z" for flag -now: not a time in RFC 3339`, []string{"-now", "0001-01-01T00:00:00Z"}},
		{`invalid value "yaml" for flag -o: not text or json`, []string{"-o", "yaml"}},
		{`invalid value "-1" for flag -current: not a number of replicas`, []string{"-current", "-1"}},
		{`invalid value "2147483648" for flag -current: not a number of replicas`, []string{"-current", "2147483648"}},
		{`invalid value "three" for flag -current: not a number of replicas`, []string{"-current", "three"}},
		{`invalid value "-0.1" for flag -horizontal-pod-autoscaler-tolerance: not a fraction such as 0.1`, []string{"-horizontal-pod-autoscaler-tolerance", "-0.1"}},
		{`invalid value "NaN" for flag -horizontal-pod-autoscaler-tolerance: not a fraction`, []string{"-horizontal-pod-autoscaler-tolerance", "NaN"}},
		{`invalid value "Inf" for flag -horizontal-pod-autoscaler-tolerance: not a fraction`, []string{"-horizontal-pod-autoscaler-tolerance", "Inf"}},
		{`invalid value "10%" for flag -horizontal-pod-autoscaler-tolerance: not a fraction`, []string{"-horizontal-pod-autoscaler-tolerance", "10%"}},
		{`invalid value "5" for flag -horizontal-pod-autoscaler-downscale-stabilization: not a duration such as 5m or 30s`, []string{"-horizontal-pod-autoscaler-downscale-stabilization", "5"}},
		{`invalid value "-5m" for flag -horizontal-pod-autoscaler-cpu-initialization-period: not a duration`, []string{"-horizontal-pod-autoscaler-cpu-initialization-period", "-5m"}},
		{`invalid value "" for flag -horizontal-pod-autoscaler-initial-readiness-delay: not a duration`, []string{"-horizontal-pod-autoscaler-initial-readiness-delay", ""}},
		{`invalid value "" for flag -custom: empty`, []string{"-custom", ""}},
		{`-dir is empty`, []string{"-dir", ""}},
		{`-history is empty`, []string{"-history="}},
		{`"hpa.json" is no flag`, []string{"hpa.json"}},
		{`flags go before -`, []string{"-", "-o", "json"}},
		{`give one of -scene, -dir, the files, and - for standard input`, []string{"-scene", "no-request", "-dir", "."}},
		{`give one of -scene, -dir, the files, and - for standard input`, []string{"-external", "x", "-"}},
		{`-hpa is missing`, []string{"-pods", "x"}},
		{`-pods is missing`, []string{"-hpa", "x"}},
	}
	for _, tt := range tests {
		text := refuse(t, tt.args...)
		require.True(t, strings.HasPrefix(text, tt.text), text)
		require.True(t, strings.HasSuffix(text, " (-help lists the flags)"), text)
	}
	require.Equal(t, `there is no scene "nope"; there are `+strings.Join(sceneNames(), ", "), refuse(t, "-scene", "nope"))
}

func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	hpa, pods := read(t, scene("unready-up", "hpa.json")), read(t, scene("unready-up", "pods.json"))
	tests := []struct{ name, file, content, text string }{
		{"empty", "pods.json", "", "empty file"},
		{"space", "hpa.json", " \n", "empty file"},
		{"not JSON", "hpa.json", "apiVersion: autoscaling/v2\n", `not JSON, at line 1, column 1: it begins with "apiVersion: autoscaling/v2"`},
		{"truncated", "pods.json", pods[:len(pods)/2], "cut short: the JSON value does not end"},
		{"garbage behind", "hpa.json", hpa + "x", "more after the end of the JSON value, at line "},
		{"wrong kind", "pods.json", hpa, `kind: wrong kind "HorizontalPodAutoscaler"; Pod, PodList or List was expected`},
		{"wrong kind of an item", "hpa.json", pods, `items[0].kind: wrong kind "Pod"; HorizontalPodAutoscaler was expected`},
		{"wrong version", "hpa.json", strings.Replace(hpa, "autoscaling/v2", "autoscaling/v1", 1), `apiVersion: wrong version "autoscaling/v1"; autoscaling/v2 is supported`},
		{"wrong type", "pods.json", strings.Replace(pods, `"500m"`, `[]`, 1), `items[0].spec.containers[0].resources.requests.cpu: found a list where a quantity was expected`},
		{"bad quantity", "pods.json", strings.Replace(pods, `"500m"`, `"500mm"`, 1), `items[0].spec.containers[0].resources.requests.cpu: not a quantity: "500mm": `},
		{"invalid", "hpa.json", strings.Replace(hpa, `"maxReplicas": 12`, `"maxReplicas": 1`, 1), `spec.maxReplicas: Invalid value: 1: `},
		{"invalid metric", "hpa.json", strings.Replace(hpa, `"averageUtilization": 50`, `"averageUtilization": 0`, 1), `spec.metrics[0].resource.target.averageUtilization: `},
		{"negative size", "hpa.json", strings.Replace(hpa, `"currentReplicas": 6`, `"currentReplicas": -6`, 1), `status.currentReplicas: -6 is negative`},
		{"other scale", "scale.json", hpa, `kind: wrong kind "HorizontalPodAutoscaler"; Scale, ScaleList or List was expected`},
		{"other pod metrics", "podmetrics.json", pods, `items[0].kind: wrong kind "Pod"; PodMetrics was expected`},
		{"other custom metrics", "pods-qps.json", pods, `items[0].kind: wrong kind "Pod"; MetricValue was expected`},
		{"other object metrics", "object-hits.json", pods, `items[0].kind: wrong kind "Pod"; MetricValue was expected`},
		{"other external metrics", "external-queue.json", pods, `items[0].kind: wrong kind "Pod"; ExternalMetricValue was expected`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder := filepath.Join(dir, tt.name)
			require.NoError(t, os.Mkdir(folder, 0o755))
			write(t, filepath.Join(folder, "hpa.json"), hpa)
			write(t, filepath.Join(folder, "pods.json"), pods)
			write(t, filepath.Join(folder, "README.md"), "not looked at")
			write(t, filepath.Join(folder, "other.json"), "not looked at")
			decide(t, "-dir", folder, "-now", "2026-11-20T05:16:08Z")
			file := write(t, filepath.Join(folder, tt.file), tt.content)
			text := refuse(t, "-dir", folder)
			require.True(t, strings.HasPrefix(text, file+": "+tt.text), text)
		})
	}
	t.Run("missing", func(t *testing.T) {
		folder := filepath.Join(dir, "missing")
		text := refuse(t, "-dir", folder)
		require.True(t, strings.HasPrefix(text, folder+": "), text)
		require.NoError(t, os.Mkdir(folder, 0o755))
		for _, file := range []string{"hpa.json", "pods.json"} {
			text := refuse(t, "-dir", folder)
			require.True(t, strings.HasPrefix(text, filepath.Join(folder, file)+": "), text)
			require.Equal(t, 1, strings.Count(text, file), text)
			write(t, filepath.Join(folder, file), hpa)
		}
		text = refuse(t, "-hpa", "./nope.json", "-pods", "x")
		require.True(t, strings.HasPrefix(text, "./nope.json: "), text)
	})
	t.Run("a folder", func(t *testing.T) {
		text := refuse(t, "-hpa", dir, "-pods", "x")
		require.True(t, strings.HasPrefix(text, dir+": "), text)
	})
	t.Run("no time", func(t *testing.T) {
		bare := write(t, filepath.Join(dir, "bare.json"), `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{"maxReplicas":9,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}}}`)
		none := write(t, filepath.Join(dir, "none.json"), `{"apiVersion":"v1","kind":"List","items":[]}`)
		require.Equal(t, "the input tells of no time; give -now", refuse(t, "-hpa", bare, "-pods", none))
	})
}

func TestBadStream(t *testing.T) {
	hpa, pods := read(t, scene("unready-up", "hpa.json")), read(t, scene("unready-up", "pods.json"))
	for _, tt := range []struct{ stdin, text string }{
		{"", "standard input: empty"},
		{"nonsense", `standard input, document 1: not JSON, at line 1, column 1: it begins with "nonsense"`},
		{hpa + "nonsense", `standard input, document 2: not JSON, at line `},
		{hpa, "standard input: no pods"},
		{pods, "standard input: no HorizontalPodAutoscaler"},
		{hpa + pods[:len(pods)-2], "standard input, document 2: cut short: the JSON value does not end"},
		{hpa + pods + hpa, "standard input, document 3: there is one already"},
		{hpa + `{"kind":"Secret","apiVersion":"v1"}`, `standard input, document 2: kind: wrong kind "Secret"; `},
		{strings.Replace(hpa, `"maxReplicas": 12`, `"maxReplicas": 0`, 1) + pods, "standard input: "},
	} {
		status, stdout, stderr := explain(tt.stdin, "-")
		require.Equal(t, badInput, status)
		require.Empty(t, stdout)
		text := complaint(t, stderr)
		require.True(t, strings.HasPrefix(text, tt.text), text)
	}
	var stderr bytes.Buffer
	require.Equal(t, badInput, run([]string{"-"}, iotest.ErrReader(errors.New("broken")), io.Discard, &stderr))
	require.Equal(t, "standard input: broken", complaint(t, stderr.String()))
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestBrokenOutput(t *testing.T) {
	var stderr bytes.Buffer
	require.Equal(t, notWritten, run(nil, strings.NewReader(""), brokenWriter{}, &stderr))
	require.Equal(t, "broken", complaint(t, stderr.String()))
}

// A decision that metrics failed for is one.
func TestFailedMetricsAreDecided(t *testing.T) {
	for _, name := range []string{"no-request", "external-and-failing"} {
		require.Contains(t, decide(t, "-scene", name), "invalid metrics (1 invalid out of ")
	}
}
