package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
	"github.com/stretchr/testify/require"
)

// TestREADME runs the commands of the README one after another. The pods, and
// their load, are the test's.
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
	// In a cluster of its own, for they also take all away.
	c, err := clustertest.Start(t.Context(), clustertest.Options{})
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	require.NoError(t, err)
	c.World.Set(clustertest.Load{CPU: 800}, "demo")
	require.NoError(t, c.Free())

	cmd := exec.Command("bash")
	cmd.Stdin = strings.NewReader(script.String())
	cmd.Env = append(os.Environ(),
		"KUBECONFIG="+c.Admin, "PATH="+c.Assets+string(filepath.ListSeparator)+os.Getenv("PATH"), "TMPDIR="+c.Dir)
	out := new(clustertest.Output)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	t.Logf("%s", out)
	require.NoError(t, err)
	require.Contains(t, out.String(), "would scale from 1 to 4")
	require.Contains(t, out.String(), "New size: 4")
}
