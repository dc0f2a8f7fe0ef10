package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// TestREADME runs the commands of the README one after another, in a cluster of
// its own where upstream's controller syncs when it likes. The pods and their
// load are the test's.
func TestREADME(t *testing.T) {
	c, err := clustertest.Start(t.Context(), clustertest.Options{})
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	require.NoError(t, err)
	c.World.Set(clustertest.Load{CPU: 800}, "shop")
	require.NoError(t, lead(t.Context(), c.Client))
	require.NoError(t, c.Free())
	c.AwaitMetricsAPIs(t)

	plugins, krew := t.TempDir(), t.TempDir()
	installKrew(t, plugins)
	out := c.README(t, "kubectl __complete hpa why -n shop ''\n", []string{plugins},
		"KUBECACHEDIR="+c.Dir, "KREW_ROOT="+krew, "KREW_NO_UPGRADE_CHECK=1")
	for _, want := range []string{
		"shop/web of Deployment web", "NAMESPACE  NAME", "Stage", "syncs recorded", "Sizes with the changes",
		"spec.behavior.scaleDown.selectPolicy: ScaleDownDisabled", "status 1", "1. Broken: A constant load is carried within 2m.", "prove status 1", "broken.rec", "kind: ClusterRole", `"autoscaler": "shop/web"`, "\nweb\n:4\n",
	} {
		require.Contains(t, out, want)
	}
	// Krew has checked the manifest and the archive's checksum.
	installed, err := exec.Command(filepath.Join(krew, "bin", "kubectl-hpa"), "--help").CombinedOutput()
	require.NoError(t, err)
	require.Contains(t, string(installed), "Says why a HorizontalPodAutoscaler does or does not scale")
	require.FileExists(t, filepath.Join(krew, "store", "hpa", "v0.1.0", "LICENSE"))
}

// installKrew builds krew as a plugin of kubectl into a folder.
func installKrew(t *testing.T, dir string) {
	t.Helper()
	build := exec.Command("go", "-C", "../../.ci/tools", "build", "-o", filepath.Join(dir, "kubectl-krew"), "sigs.k8s.io/krew/cmd/krew")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
