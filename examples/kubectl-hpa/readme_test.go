package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// TestREADME runs the commands of the README one after another, in a cluster of its
// own where upstream's controller syncs when it likes. The pods and their load are the
// test's.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var script strings.Builder
	script.WriteString("set -euxo pipefail\n")
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, blocks)
	for _, b := range blocks {
		script.WriteString(b[1])
	}
	script.WriteString("kubectl __complete hpa why -n shop ''\n")
	c, err := clustertest.Start(t.Context(), clustertest.Options{})
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	require.NoError(t, err)
	c.World.Set(clustertest.Load{CPU: 800}, "shop")
	require.NoError(t, lead(t.Context(), c.Client))
	require.NoError(t, c.Free())
	c.AwaitMetricsAPIs(t)

	cmd := exec.Command("bash")
	cmd.Stdin = strings.NewReader(script.String())
	cmd.Env = append(os.Environ(),
		"KUBECONFIG="+c.Admin, "PATH="+c.Assets+string(filepath.ListSeparator)+os.Getenv("PATH"), "TMPDIR="+c.Dir, "KUBECACHEDIR="+c.Dir)
	out := new(clustertest.Output)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	t.Logf("%s", out)
	require.NoError(t, err)
	for _, want := range []string{
		"shop/web of Deployment web", "NAMESPACE   NAME", "Stage", "syncs recorded", "Sizes with the changes",
		"spec.behavior.scaleDown.selectPolicy: ScaleDownDisabled", "status 1", "kind: ClusterRole", `"autoscaler": "shop/web"`, "\nweb\n:4\n",
	} {
		require.Contains(t, out.String(), want)
	}
	requireManifest(t, c.Dir)
}

// requireManifest checks the manifest of krew that release.sh wrote.
func requireManifest(t *testing.T, dir string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "dist", "hpa.yaml"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	text, err := os.ReadFile(found[0])
	require.NoError(t, err)
	var manifest struct {
		Kind string
		Spec struct {
			Version   string
			Platforms []struct {
				URI, SHA256, Bin string
				Selector         struct{ MatchLabels map[string]string }
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &manifest), string(text))
	require.Len(t, manifest.Spec.Platforms, 1)
	p := &manifest.Spec.Platforms[0]
	archive := filepath.Join(filepath.Dir(found[0]), filepath.Base(p.URI))
	data, err := os.ReadFile(archive)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(data)), p.SHA256)
	require.Equal(t, map[string]string{"os": runtime.GOOS, "arch": runtime.GOARCH}, p.Selector.MatchLabels)
	list, err := exec.Command("tar", "-tzf", archive).Output()
	require.NoError(t, err)
	require.Equal(t, p.Bin+"\nLICENSE\n", string(list))
}
