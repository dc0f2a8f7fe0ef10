package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
	"github.com/purehpa/hpa/metrics"
)

// rowOf returns a verdict on an autoscaler of so many replicas.
func rowOf(t *testing.T, replicas int32) *result {
	t.Helper()
	spec := autoscaling.NewSpec(1, 10, autoscaling.ExternalAverageValueMetric("queue", metrics.MustParseQuantity("10")))
	s := &snapshot{autoscaler: &autoscaler{HorizontalPodAutoscaler: kubejson.HorizontalPodAutoscaler{Namespace: "shop", Name: "web", Spec: spec}}}
	s.Spec.SetDefaults()
	s.Spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	s.meta = new(metav1.ObjectMeta)
	s.obs = calculator.Observation{SpecReplicas: replicas, StatusReplicas: replicas, Readings: []calculator.Reading{{Values: []metrics.Milli{80_000}}}}
	settings := calculator.DefaultSettings()
	v, err := decide(noon, &settings, s, s.known(noon))
	require.NoError(t, err)
	return v
}

const manifest = `apiVersion: v1
kind: Service
metadata: {name: web}
---
# Source: shop/templates/hpa.yaml
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 10
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}
`

// disabled is a behavior that never scales down.
const disabled = "  behavior: {scaleDown: {selectPolicy: Disabled}}\n"

func TestLint(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
	good := write("good/hpa.yaml", manifest)
	bad := write("all/bad.yml", manifest+disabled)
	write("all/deeper/good.yaml", manifest)
	write("all/notes.txt", "not: {a manifest")

	r := hpa(t, "lint", "-f", good)
	require.Equal(t, statusOK, r.status, r.out+r.err)
	require.Regexp(t, `^None of the \d+ checks found anything in 1 autoscaler.\n$`, r.out)

	r = hpa(t, "lint", "-f", filepath.Join(dir, "all"))
	require.Equal(t, statusFound, r.status, r.err)
	require.Empty(t, r.err)
	require.True(t, strings.HasPrefix(r.out, bad+": shop/web: spec.behavior.scaleDown.selectPolicy: ScaleDownDisabled: "), r.out)
	require.Contains(t, r.out, "    after 0s, ")

	// On standard input, as what Helm and kustomize print; and a List in JSON.
	list := `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}},
		{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"one"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"maxReplicas":3,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}],"behavior":{"scaleUp":{"selectPolicy":"Disabled"}}}}]}`
	items := `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscalerList","items":[{` + list[strings.Index(list, `"metadata":{"name":"one"}`):]
	for _, in := range []string{manifest + disabled, list, items, "---\n" + manifest + disabled + "---\n"} {
		r = with(t, in, "", "lint", "-f", "-", "-o", "json")
		require.Equal(t, statusFound, r.status, r.err)
		var all struct {
			Items []struct{ Findings []struct{ Kind string } }
		}
		require.NoError(t, json.Unmarshal([]byte(r.out), &all))
		require.Len(t, all.Items, 1)
		require.NotEmpty(t, all.Items[0].Findings)
	}
	r = with(t, "", "", "lint", "-f", "-")
	require.Contains(t, r.out, "found anything in 0 autoscalers")

	for in, want := range map[string]string{
		strings.Replace(manifest, "autoscaling/v2", "autoscaling/v1", 1):                                                                      `-: document 2: shop/web: strict decoding error: unknown field "spec.metrics"`,
		strings.Replace(manifest, "autoscaling/v2", "autoscaling/v2beta2", 1):                                                                 `-: document 2: shop/web: apiVersion: wrong version "autoscaling/v2beta2"; autoscaling/v2 or autoscaling/v1 is supported; Kubernetes 1.26 and later do not serve "autoscaling/v2beta2"`,
		strings.Replace(manifest, "autoscaling/v2", "autoscaling/v3", 1):                                                                      `-: document 2: shop/web: apiVersion: wrong version "autoscaling/v3"; autoscaling/v2 or autoscaling/v1 is supported`,
		strings.Replace(manifest, "name: cpu", "Name: cpu", 1):                                                                                `-: document 2: shop/web: strict decoding error: unknown field "spec.metrics[0].resource.Name"`,
		strings.Replace(manifest, "averageUtilization", "averageUtilisation", 1):                                                              `-: document 2: shop/web: strict decoding error: unknown field "spec.metrics[0].resource.target.averageUtilisation"`,
		manifest + "  behaviour: {}\n":                                                                                                        `-: document 2: shop/web: strict decoding error: unknown field "spec.behaviour"`,
		manifest + "  minReplicas: 3\n":                                                                                                       `-: document 2: shop/web: yaml: `,
		strings.Replace(manifest, "namespace: shop", "lables: {}", 1):                                                                         `-: document 2: web: strict decoding error: unknown field "metadata.lables"`,
		strings.Replace(manifest, "maxReplicas: 10", "maxReplicas: {{ .Values.max }}", 1):                                                     "helm template . | kubectl hpa lint -f - reads what it renders",
		`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{"maxReplicas":3,"maxReplicas":4}}`: `-: document 1: web: strict decoding error: duplicate field "spec.maxReplicas"`,
		strings.Replace(manifest, "maxReplicas: 10", "maxReplicas: 1", 1):                                                                     "-: shop/web: spec.",
		strings.Replace(manifest, "maxReplicas: 10", "maxReplicas: many", 1):                                                                  `-: document 2: shop/web: spec.maxReplicas: json: cannot unmarshal string into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32`,
		manifest + "---\nnot: [closed\n":                                                                                                      "-: document 3: ",
	} {
		r = with(t, in, "", "lint", "-f", "-")
		require.Equal(t, statusInput, r.status, r.out)
		require.Contains(t, r.err, want)
	}
	require.Equal(t, statusInput, hpa(t, "lint", "-f", filepath.Join(dir, "absent.yaml")).status)
	require.Equal(t, statusInput, hpa(t, "lint", "web", "-f", good).status)
}

// Autoscalers of the cluster, by name and all.
func TestLintCluster(t *testing.T) {
	const ns = "lint"
	testbed.Namespace(t, ns)
	spec := clustertest.Scaling("web")
	testbed.AwaitMetricsAPIs(t)
	create(t, ns, spec)
	r := hpa(t, "lint", "web", "-n", ns)
	require.Equal(t, statusOK, r.status, r.out+r.err)
	all := hpa(t, "lint", "-A", "-n", ns, "-o", "json")
	require.Contains(t, all.out, `"autoscaler": "lint/web"`)
	require.Equal(t, statusCluster, hpa(t, "lint", "absent", "-n", ns).status)
}

// What rules guarantee is printed instead of findings, and is no reason to
// fail.
func TestLintGuarantees(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hpa.yaml")
	require.NoError(t, os.WriteFile(file, []byte(manifest+disabled), 0o644))
	r := hpa(t, "lint", "-f", file, "--guarantees")
	require.Equal(t, statusOK, r.status, r.err)
	require.True(t, strings.HasPrefix(r.out, file+": shop/web: From 2 to 10 replicas, a sync each 15s, pods ready after 30s\n"), r.out)
	require.Contains(t, r.out, "no pod is ever removed")

	require.Contains(t, hpa(t, "lint", "-f", file, "--guarantees", "--startup", "1m").out, ", pods ready after 1m\n")
	require.Equal(t, statusInput, hpa(t, "lint", "-f", file, "--guarantees", "--startup", "-1s").status)
	require.Contains(t, hpa(t, "lint", "-f", file, "--startup", "1m").err, "--startup goes with --guarantees")
	r = hpa(t, "lint", "-f", file, "--guarantees", "-o", "json")
	var j struct{ Items []guaranteed }
	require.NoError(t, json.Unmarshal([]byte(r.out), &j), r.out)
	require.Equal(t, "shop/web", j.Items[0].Autoscaler)

	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(manifest, "cpu", "", 1)), 0o644))
	r = hpa(t, "lint", "-f", file, "--guarantees")
	require.Equal(t, statusInput, r.status)
	require.Contains(t, r.err, "shop/web: spec.metrics[0].resource.name: Required value")
}

// One document that cannot be used is no reason to say nothing about others.
func TestLintFolder(t *testing.T) {
	dir := t.TempDir()
	v1 := `{"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler","metadata":{"name":"old"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":1,"maxReplicas":3,"targetCPUUtilizationPercentage":60}}`
	for name, text := range map[string]string{
		"1-bad.yaml":      manifest + disabled,
		"2-beta.yaml":     strings.Replace(manifest, "autoscaling/v2", "autoscaling/v2beta2", 1),
		"3-invalid.yaml":  strings.Replace(manifest, "maxReplicas: 10", "maxReplicas: 1", 1) + "---\n" + strings.ReplaceAll(manifest, "web", "good"),
		"4-template.yaml": "{{- if .Values.hpa }}\n" + manifest + "{{- end }}\n",
		"5-v1.json":       v1,
		"6-other.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: b, a: c}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "7-pipe.yaml"), 0o644))
	require.NoError(t, os.Symlink(filepath.Join(dir, "absent"), filepath.Join(dir, "8-link.yaml")))
	r := hpa(t, "lint", "-f", dir)
	require.Equal(t, statusInput, r.status)
	require.Contains(t, r.out, "1-bad.yaml: shop/web: spec.behavior.scaleDown.selectPolicy: ScaleDownDisabled: ")
	for _, want := range []string{
		`2-beta.yaml: document 2: shop/web: apiVersion: wrong version "autoscaling/v2beta2"`,
		"3-invalid.yaml: shop/web: spec.",
		"4-template.yaml: document 1: ",
		"7-pipe.yaml: not a regular file",
		"8-link.yaml: ",
		"kubectl hpa: ",
	} {
		require.Contains(t, r.err, want)
	}
	require.NotContains(t, r.err, "6-other.yaml")

	var all struct {
		Items    []struct{ Autoscaler, File string }
		Problems []problem
	}
	r = hpa(t, "lint", "-f", dir, "-o", "json")
	require.Equal(t, statusInput, r.status)
	require.NoError(t, json.Unmarshal([]byte(r.out), &all))
	require.Len(t, all.Items, 3)
	require.Equal(t, "old", all.Items[2].Autoscaler)
	require.Len(t, all.Problems, 6) // the template has two
	require.Equal(t, problem{File: filepath.Join(dir, "7-pipe.yaml"), Problem: "not a regular file"}, all.Problems[0])
}

// A pipe that nobody writes to does not outlive an interrupt.
func TestLintInterrupted(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(errNone) })
	streams, _, _, errOut := genericiooptions.NewTestIOStreams()
	require.Equal(t, statusInput, run(ctx, []string{"lint", "-f", pipe}, streams))
	require.Equal(t, "kubectl hpa: "+errNone.Error()+"\n", errOut.String())
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // lets go of the one who reads
	require.NoError(t, err)
	require.NoError(t, w.Close())
}
