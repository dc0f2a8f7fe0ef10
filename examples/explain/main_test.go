package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/internal/cli"
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
	require.Equal(t, cli.OK, status, stderr)
	require.Empty(t, stderr)
	return stdout
}

// sizes runs the command, and returns the size before and the one decided on,
// which must be known.
func sizes(t *testing.T, args ...string) [2]int32 {
	t.Helper()
	of := between(t, args...)
	require.Equal(t, of[1], of[2])
	return [2]int32{of[0], of[1]}
}

// between runs the command, and returns the size before, and the smallest and
// largest one decided on.
func between(t *testing.T, args ...string) [3]int32 {
	t.Helper()
	code, stdout, stderr := explain("", append([]string{"-o", "json"}, args...)...)
	require.Equal(t, cli.OK, code, stderr)
	var statuses struct {
		Low, High autoscaling.HorizontalPodAutoscalerStatus
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &statuses))
	require.Equal(t, statuses.Low.CurrentReplicas, statuses.High.CurrentReplicas)
	return [3]int32{statuses.Low.CurrentReplicas, statuses.Low.DesiredReplicas, statuses.High.DesiredReplicas}
}

// refuse runs the command, which must fail with one line.
func refuse(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := explain("", args...)
	require.Equal(t, cli.BadInput, status)
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

// The same documents give the same output from every source.
func TestSources(t *testing.T) {
	for _, name := range sceneNames() {
		want := decide(t, "-scene", name)
		require.Equal(t, want, decide(t, "-dir", filepath.Join("testdata", "dumps", name)), name)

		var stream string
		files, err := fs.Glob(scenes, path.Join(scenesRoot, name, "*.json"))
		require.NoError(t, err)
		for _, file := range files {
			stream += read(t, filepath.FromSlash(file))
		}
		require.Equal(t, want, decide(t, files...), name)
		slices.Reverse(files)
		require.Equal(t, want, decide(t, files...), name)
		status, stdout, stderr := explain(stream, "-")
		require.Equal(t, cli.OK, status, stderr)
		require.Equal(t, want, stdout, name)
		status, stdout, stderr = explain(read(t, files[0]), append(files[1:], "-")...)
		require.Equal(t, cli.OK, status, stderr)
		require.Equal(t, want, stdout, name)
	}
}

func TestFlagsOfTheController(t *testing.T) {
	within := []string{"-scene", "within-tolerance"}
	require.Equal(t, [2]int32{4, 4}, sizes(t, within...))
	require.Equal(t, [2]int32{4, 5}, sizes(t, append(within, "-horizontal-pod-autoscaler-tolerance", "0.03")...))
	require.Equal(t, [2]int32{4, 4}, sizes(t, append(within, "-horizontal-pod-autoscaler-tolerance=0.04")...))

	window := []string{"-scene", "down-window", "-history", filepath.Join(t.TempDir(), "history.json")}
	require.Equal(t, [3]int32{8, 3, 8}, between(t, append(window, "-now", "2026-11-20T05:20:00Z")...))
	require.Equal(t, [3]int32{8, 3, 8}, between(t, append(window, "-now", "2026-11-20T05:21:00Z", "-horizontal-pod-autoscaler-downscale-stabilization", "1m")...))
	require.Equal(t, [2]int32{8, 3}, sizes(t, append(window, "-now", "2026-11-20T05:21:01Z", "-horizontal-pod-autoscaler-downscale-stabilization", "1m")...))

	// Its unready pods became unready 8 seconds after their start.
	unready := []string{"-scene", "unready-up"}
	require.Contains(t, decide(t, append(unready, "-horizontal-pod-autoscaler-initial-readiness-delay", "8001ms")...), "3 ready, 3 unready")
	require.Contains(t, decide(t, append(unready, "-horizontal-pod-autoscaler-initial-readiness-delay", "8s")...), "5 ready, 1 unready")
	require.Contains(t, decide(t, append(unready, "-horizontal-pod-autoscaler-initial-readiness-delay", "0s", "-horizontal-pod-autoscaler-cpu-initialization-period", "20m42s")...), "5 ready, 1 unready")
	require.Contains(t, decide(t, append(unready, "-horizontal-pod-autoscaler-initial-readiness-delay", "0s", "-horizontal-pod-autoscaler-cpu-initialization-period", "20m43s")...),
		"web-bb7d55ddf-6b26v is unready: not ready yet, until 2026-11-20T05:16:09Z")
}

// The release is that of the input, unless the flag names another.
func TestRelease(t *testing.T) {
	zero := []string{"-scene", "scaled-to-zero"}
	version := func(text string) string { return write(t, filepath.Join(t.TempDir(), "version.json"), text) }
	require.NotContains(t, decide(t, zero...), "as Kubernetes")
	const (
		server = `{"clientVersion":{"gitVersion":"v1.37.0"},"serverVersion":{"gitVersion":"v1.36.2-gke.100"}}`
		says   = "as Kubernetes 1.36, the size stays at 0 replicas.\n"
		why    = "Release: Kubernetes 1.36 leaves a size of zero as it is; 1.37 scales up again what it scaled to zero itself.\n"
	)
	require.Contains(t, decide(t, append(zero, version(server))...), says)
	require.Contains(t, decide(t, append(zero, version(server))...), why)
	require.Contains(t, decide(t, append(zero, "-release", "1.36")...), says)
	require.Equal(t, decide(t, zero...), decide(t, append(zero, "-release", "v1.37.1", version(server))...))
	require.NotContains(t, decide(t, append(zero, "-release", "1.36,HPAScaleToZero=true")...), "Release:")
	require.Equal(t, `"v1.99.0": not among the releases known, 1.29 to 1.37; -release chooses one`,
		refuse(t, append(zero, version(`{"gitVersion":"v1.99.0"}`))...))
	require.Contains(t, refuse(t, append(zero, "-release", "1.12")...), "not among the releases known, 1.29 to 1.37")

	status := func(args ...string) string {
		return decide(t, append([]string{"-o", "json", "-scene", "within-tolerance"}, args...)...)
	}
	require.Contains(t, status(), "observedGeneration")
	require.NotContains(t, status("-release", "1.36"), "observedGeneration")
}

// Without an observed generation, the times of the last writes tell whether the
// status is of the spec.
func TestWritten(t *testing.T) {
	hpa := strings.Replace(read(t, scene("down-window", "hpa.json")), `"observedGeneration"`, `"-"`, 1)
	explained := func(managed string) string {
		file := write(t, filepath.Join(t.TempDir(), "hpa.json"), strings.Replace(hpa, `"generation": 1,`, managed, 1))
		return decide(t, "-release", "1.32", file, scene("down-window", "scale.json"), scene("down-window", "pods.json"), scene("down-window", "podmetrics.json"))
	}
	const edited = "Stabilization: at least 3 replicas. The recommendations of the last 5m are not known. They count until just after 2026-11-20T05:21:08Z, in 5m, at the latest. The spec may have changed since the status was written, so the status does not show the highest one.\n"
	require.Contains(t, explained(""), edited)
	written := `"managedFields": [{"time": "2026-11-20T05:15:38Z"}, {"subresource": "status", "time": "%s"}],`
	require.Contains(t, explained(fmt.Sprintf(written, "2026-11-20T05:15:38Z")), edited)
	require.Contains(t, explained(fmt.Sprintf(written, "2026-11-20T05:15:53Z")),
		"Stabilization: 3 to 8 replicas. The recommendations of the last 5m are not known. They count until just after 2026-11-20T05:21:08Z, in 5m, at the latest. This holds if no field was removed from the spec since the status was written: the time of the last write does not show that.\n")
}

func TestNow(t *testing.T) {
	require.Contains(t, decide(t, "-now", "2026-11-20T07:30:00.5+02:00"), "2026-11-20T05:30:00.5Z")
}

// Without a scale, the size is what the status saw last, or what -current says.
func TestCurrent(t *testing.T) {
	files := []string{scene("unready-up", "hpa.json"), scene("unready-up", "pods.json"), scene("unready-up", "podmetrics.json")}
	require.Equal(t, decide(t), strings.Replace(decide(t, files...), assumed, "", 1))
	require.Equal(t, [2]int32{20, 12}, sizes(t, append([]string{"-current", "20"}, files...)...))
	require.Equal(t, [2]int32{12, 12}, sizes(t, append([]string{"-current", "12", "-horizontal-pod-autoscaler-tolerance", "0"}, files...)...))
	require.Equal(t, [2]int32{1, 2}, sizes(t, append([]string{"-current", "1"}, files...)...))
	require.Equal(t, [2]int32{0, 0}, sizes(t, append([]string{"-current", "0"}, files...)...))
	out := decide(t, append([]string{"-current", "20"}, files...)...)
	require.Contains(t, out, "scale   spec.replicas 12\n  event   Normal SuccessfulRescale New size: 12; reason: Current number of replicas above Spec.MaxReplicas\n")
	require.Contains(t, out, "Pods\n"+assumed+"  6; no metric reads their samples\n")
	require.Equal(t, "give -current or a scale, not both", refuse(t, "-current", "3"))
}

func TestNamespace(t *testing.T) {
	hpa := write(t, filepath.Join(t.TempDir(), "hpa.json"), strings.Replace(read(t, scene("unready-up", "hpa.json")), `"namespace": "unready-up",`, "", 1))
	args := []string{hpa, scene("unready-up", "pods.json"), scene("unready-up", "podmetrics.json")}
	require.True(t, strings.HasPrefix(decide(t, args...), "unready-up/web of Deployment web"))
	require.Equal(t, args[1]+`: document 1, pods: items[0].metadata.namespace: wrong namespace "unready-up"; "shop" was expected`, refuse(t, append([]string{"-namespace", "shop"}, args...)...))
	require.True(t, strings.HasPrefix(decide(t, "-namespace", "shop", "-lint", hpa), "shop/web of Deployment web"))
	require.Equal(t, decide(t), decide(t, "-namespace", "unready-up"))
	require.Equal(t, `unready-up/hpa.json: document 1, horizontal pod autoscaler: metadata.namespace: wrong namespace "unready-up"; "shop" was expected`, refuse(t, "-namespace", "shop"))
}

// A manifest without defaults gets those of the API server.
func TestDefaults(t *testing.T) {
	hpa := write(t, filepath.Join(t.TempDir(), "hpa.json"), `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},
		"spec":{"maxReplicas":9,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"behavior":{}},"status":{"currentReplicas":6}}`)
	out := decide(t, hpa, scene("unready-up", "pods.json"), scene("unready-up", "podmetrics.json"))
	require.Contains(t, out, "80%")
	require.Contains(t, out, "1 to 9")
}

func TestStrays(t *testing.T) {
	pods := write(t, filepath.Join(t.TempDir(), "pods.json"), `{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","metadata":{"name":"new"},"status":{"phase":"Running"}}]}`)
	out := decide(t, scene("pods-metric", "hpa.json"), pods, scene("pods-metric", "pods-qps.json"))
	require.Contains(t, out, "1 pod: 1 missing (no sample), and 5 samples of pods that are not listed")
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
		{`invalid value "" for flag -dir: empty`, []string{"-dir", ""}},
		{`invalid value "" for flag -scene: empty`, []string{"-scene", ""}},
		{`invalid value "" for flag -history: empty`, []string{"-history="}},
		{`flags go before the files`, []string{"-", "-o", "json"}},
		{`flags go before the files`, []string{"hpa.json", "-lint"}},
		{`invalid value "999ms" for flag -sync: not a duration such as 15s, from 1s to 1h`, []string{"-guarantees", "-sync", "999ms"}},
		{`invalid value "1h0m1s" for flag -sync: not a duration such as 15s, from 1s to 1h`, []string{"-guarantees", "-sync", "1h0m1s"}},
		{`-at goes with -recording`, []string{"-at", "3"}},
		{`-startup goes with -guarantees`, []string{"-startup", "15s"}},
		{`invalid value "-1s" for flag -startup: not a duration such as 5m or 30s`, []string{"-guarantees", "-startup", "-1s"}},
		{`-sync goes with -lint or -guarantees`, []string{"-sync", "15s"}},
		{`-lint-peak goes with -lint`, []string{"-lint-peak", "1s"}},
		{`-lint-peak does not go with -guarantees`, []string{"-guarantees", "-lint-peak", "1s"}},
		{`-current does not go with -guarantees`, []string{"-guarantees", "-current", "5"}},
		{`-history does not go with -guarantees`, []string{"-guarantees", "-history", "x.json"}},
		{`-history does not go with -lint`, []string{"-lint", "-history", "x.json"}},
		{`-now does not go with -lint`, []string{"-lint", "-now", "2026-11-20T05:16:08Z"}},
		{`-o does not go with -commands`, []string{"-commands", "-o", "json"}},
		{`-current does not go with -commands`, []string{"-commands", "-current", "5"}},
		{`-horizontal-pod-autoscaler-tolerance does not go with -commands`, []string{"-commands", "-horizontal-pod-autoscaler-tolerance", "0"}},
		{`-guarantees does not go with -lint`, []string{"-guarantees", "-lint"}},
		{`-commands does not go with -guarantees`, []string{"-guarantees", "-commands"}},
		{`-commands does not go with -lint`, []string{"-commands", "-lint"}},
		{`-lint does not go with -recording`, []string{"-lint", "-recording", "web.rec"}},
		{`-sync does not go with -recording`, []string{"-sync", "15s", "-recording", "web.rec"}},
	}
	for _, tt := range tests {
		text := refuse(t, tt.args...)
		require.True(t, strings.HasPrefix(text, tt.text), text)
		require.True(t, strings.HasSuffix(text, " (-help lists the flags)"), text)
	}
	// A folder may have a history, whatever it is read for, and switches may be
	// off.
	folder := t.TempDir()
	write(t, filepath.Join(folder, "hpa.json"), read(t, scene("unready-up", "hpa.json")))
	history := write(t, filepath.Join(folder, "history.json"), "{}")
	decide(t, "-guarantees", "-lint=false", "-dir", folder, "-history", history)
	require.Equal(t, `there is no scene "nope"; there are `+strings.Join(sceneNames(), ", "), refuse(t, "-scene", "nope"))
}

func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	hpa, pods := read(t, scene("unready-up", "hpa.json")), read(t, scene("unready-up", "pods.json"))
	const first = "document 1, "
	tests := []struct{ name, file, content, text string }{
		{"empty", "pods.json", "", "empty"},
		{"space", "hpa.json", " \n", "empty"},
		{"not JSON", "hpa.json", "apiVersion: autoscaling/v2\n", `document 1: not JSON, at line 1, column 1: it begins with "apiVersion: autoscaling/v2"`},
		{"truncated", "pods.json", pods[:len(pods)/2], "document 1: cut short: the JSON value does not end"},
		{"garbage behind", "hpa.json", hpa + "x", "document 2: not JSON, at line "},
		{"another autoscaler", "pods.json", hpa, `horizontal pod autoscaler: metadata.name: "web" is the name of another autoscaler, too`},
		{"a pod twice", "second.json", pods, first + `pods: items[0].metadata.name: "`},
		{"other kind", "pods.json", `{"kind":"Secret","apiVersion":"v1"}`, first + `object: kind: wrong kind "Secret"; HorizontalPodAutoscaler, Scale, Pod, `},
		{"other kind of an item", "pods.json", strings.Replace(pods, `"kind": "Pod"`, `"kind": "Secret"`, 1), first + `object: items[0].kind: wrong kind "Secret"; HorizontalPodAutoscaler, Scale, Pod, `},
		{"no kind", "other.json", "{}", first + `object: kind: missing; `},
		{"wrong version", "hpa.json", strings.Replace(hpa, "autoscaling/v2", "autoscaling/v1", 1), first + `horizontal pod autoscaler: apiVersion: wrong version "autoscaling/v1"; autoscaling/v2 is supported`},
		{"wrong type", "pods.json", strings.Replace(pods, `"500m"`, `[]`, 1), first + `pods: items[0].spec.containers[0].resources.requests.cpu: found a list where a quantity was expected`},
		{"bad quantity", "pods.json", strings.Replace(pods, `"500m"`, `"500mm"`, 1), first + `pods: items[0].spec.containers[0].resources.requests.cpu: not a quantity: "500mm": `},
		{"invalid", "hpa.json", strings.Replace(hpa, `"maxReplicas": 12`, `"maxReplicas": 1`, 1), `spec.maxReplicas: Invalid value: 1: `},
		{"invalid metric", "hpa.json", strings.Replace(hpa, `"averageUtilization": 50`, `"averageUtilization": 0`, 1), `spec.metrics[0].resource.target.averageUtilization: `},
		{"negative size", "hpa.json", strings.Replace(hpa, `"currentReplicas": 6`, `"currentReplicas": -6`, 1), `document 1, horizontal pod autoscaler: status.currentReplicas: -6 is negative`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder := filepath.Join(dir, tt.name)
			require.NoError(t, os.Mkdir(folder, 0o755))
			write(t, filepath.Join(folder, "hpa.json"), hpa)
			write(t, filepath.Join(folder, "pods.json"), pods)
			write(t, filepath.Join(folder, "README.md"), "not looked at")
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
		text = refuse(t, "./nope.json", "x")
		require.True(t, strings.HasPrefix(text, "./nope.json: "), text)
		require.Equal(t, 1, strings.Count(text, "nope.json"), text)
	})
	t.Run("a folder", func(t *testing.T) {
		text := refuse(t, dir, "x")
		require.True(t, strings.HasPrefix(text, dir+": "), text)
	})
	t.Run("incomplete", func(t *testing.T) {
		const noAutoscaler = "the input has no HorizontalPodAutoscaler; kubectl get hpa NAME -o json prints it"
		const noPods = "the input has no pods; -commands prints how to get them"
		folder := filepath.Join(dir, "incomplete")
		require.NoError(t, os.Mkdir(folder, 0o755))
		require.Equal(t, noAutoscaler, refuse(t, "-dir", folder))
		require.Equal(t, noAutoscaler, refuse(t, scene("unready-up", "pods.json")))
		require.Equal(t, noAutoscaler, refuse(t, "-lint", scene("unready-up", "pods.json")))
		write(t, filepath.Join(folder, "any.json"), hpa)
		require.Equal(t, noPods, refuse(t, "-dir", folder))
		decide(t, "-lint", "-dir", folder)
		require.Equal(t, decide(t, scene("unready-up", "hpa.json"), scene("unready-up", "pods.json")), decide(t, "-dir", folder, scene("unready-up", "pods.json")))
	})
	t.Run("two autoscalers", func(t *testing.T) {
		const already = `: horizontal pod autoscaler: metadata.name: "web" is the name of another autoscaler, too`
		file := scene("no-request", "hpa.json")
		require.Equal(t, file+already, refuse(t, "-dir", filepath.Dir(file), file))
		require.Equal(t, file+already, refuse(t, "-scene", "no-request", file))
	})
	t.Run("no time", func(t *testing.T) {
		bare := write(t, filepath.Join(dir, "bare.json"), `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{"maxReplicas":9,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}}}`)
		none := write(t, filepath.Join(dir, "none.json"), `{"apiVersion":"v1","kind":"List","items":[]}`)
		require.Equal(t, "the input has no time; give -now", refuse(t, bare, none))
	})
}

func TestBadStream(t *testing.T) {
	hpa, pods := read(t, scene("unready-up", "hpa.json")), read(t, scene("unready-up", "pods.json"))
	for _, tt := range []struct{ stdin, text string }{
		{"", "standard input: empty"},
		{"nonsense", `standard input: document 1: not JSON, at line 1, column 1: it begins with "nonsense"`},
		{hpa + "nonsense", `standard input: document 2: not JSON, at line `},
		{hpa, "the input has no pods; "},
		{pods, "the input has no HorizontalPodAutoscaler; "},
		{hpa + pods[:len(pods)-2], "standard input: document 2: cut short: the JSON value does not end"},
		{hpa + pods + hpa, `standard input: horizontal pod autoscaler: metadata.name: "web" is the name of another autoscaler, too`},
		{hpa + `{"kind":"Secret","apiVersion":"v1"}`, `standard input: document 2, object: kind: wrong kind "Secret"; `},
		{strings.Replace(hpa, `"maxReplicas": 12`, `"maxReplicas": 0`, 1) + pods, "standard input: "},
	} {
		status, stdout, stderr := explain(tt.stdin, "-")
		require.Equal(t, cli.BadInput, status)
		require.Empty(t, stdout)
		text := complaint(t, stderr)
		require.True(t, strings.HasPrefix(text, tt.text), text)
	}
	var stderr bytes.Buffer
	require.Equal(t, cli.BadInput, run([]string{"-"}, iotest.ErrReader(errors.New("broken")), io.Discard, &stderr))
	require.Equal(t, "standard input: broken", complaint(t, stderr.String()))
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestBrokenOutput(t *testing.T) {
	var stderr bytes.Buffer
	require.Equal(t, cli.NotWritten, run(nil, strings.NewReader(""), brokenWriter{}, &stderr))
	require.Equal(t, "broken", complaint(t, stderr.String()))
}

// A decision with failed metrics is a decision.
func TestFailedMetricsAreDecided(t *testing.T) {
	for _, name := range []string{"no-request", "external-and-failing"} {
		require.Contains(t, decide(t, "-scene", name), "invalid metrics (1 invalid out of ")
	}
}
