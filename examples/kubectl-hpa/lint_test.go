package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	for _, in := range []string{manifest + disabled, list, "---\n" + manifest + disabled + "---\n"} {
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
		strings.Replace(manifest, "autoscaling/v2", "autoscaling/v1", 1):     "-: document 2: web: apiVersion autoscaling/v1 is not read",
		strings.Replace(manifest, "maxReplicas: 10", "maxReplicas: 1", 1):    "-: shop/web: spec.",
		strings.Replace(manifest, "maxReplicas: 10", "maxReplicas: many", 1): "-: document 2: ",
		manifest + "---\nnot: [closed\n":                                     "-: document 3: ",
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
	require.True(t, strings.HasPrefix(r.out, file+": shop/web: From 2 to 10 replicas, a sync each 15s\n"), r.out)
	require.Contains(t, r.out, "no pod is ever removed")

	r = hpa(t, "lint", "-f", file, "--guarantees", "-o", "json")
	var j struct{ Items []guaranteed }
	require.NoError(t, json.Unmarshal([]byte(r.out), &j), r.out)
	require.Equal(t, "shop/web", j.Items[0].Autoscaler)

	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(manifest, "cpu", "", 1)), 0o644))
	r = hpa(t, "lint", "-f", file, "--guarantees")
	require.Equal(t, statusInput, r.status)
	require.Contains(t, r.err, "shop/web: spec.metrics[0].resource.name: Required value")
}
