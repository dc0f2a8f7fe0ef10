package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// BenchmarkColdStart is the time from the start of the program, without a cache
// of discovery, to its answer about 100 pods.
func BenchmarkColdStart(b *testing.B) {
	const ns, pods = "cold", 100
	bin := filepath.Join(b.TempDir(), "kubectl-hpa")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, ".").CombinedOutput()
	require.NoError(b, err, "%s", out)
	testbed.Namespace(b, ns)
	testbed.World.Set(clustertest.Load{CPU: pods * 50, QPS: pods * 10_000, Queue: pods * 5_000}, ns)
	testbed.AwaitMetricsAPIs(b)
	testbed.Deployment(b, ns, "web", pods)
	testbed.AwaitSettled(b, ns)
	spec := clustertest.Limited("web", 60)
	spec.MaxReplicas = 2 * pods
	autoscale(b, ns, "web", spec)
	for b.Loop() {
		out, err := exec.Command(bin, "why", "web", "-n", ns, "--kubeconfig="+testbed.Admin, "--cache-dir="+b.TempDir()).CombinedOutput()
		require.NoError(b, err, "%s", out)
		require.Contains(b, string(out), "100 pods, all ready")
	}
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/answer")
}
