package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
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
	assets, err := binaries()
	require.NoError(t, err)
	env := environment(assets)
	config, err := env.Start()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, env.Stop()) })
	c, err := client.NewWithWatch(config, client.Options{Scheme: clientgoscheme.Scheme})
	require.NoError(t, err)
	w := newWorld(c)
	require.NoError(t, w.serve(t.Context()))
	w.set(load{cpu: 800}, "demo")
	admin, err := kubeconfig("readme", config, "")
	require.NoError(t, err)
	upstream, err := start(filepath.Join(assets, "upstream-controllers"), "--kubeconfig="+admin)
	require.NoError(t, err)
	t.Cleanup(func() { upstream.stop(syscall.SIGKILL) })

	cmd := exec.Command("bash")
	cmd.Stdin = strings.NewReader(script.String())
	cmd.Env = append(os.Environ(),
		"KUBECONFIG="+admin, "PATH="+assets+string(filepath.ListSeparator)+os.Getenv("PATH"), "TMPDIR="+cluster.dir)
	out := new(output)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	t.Logf("%s", out)
	require.NoError(t, err)
	require.Contains(t, out.String(), "would scale from 1 to 4")
	require.Contains(t, out.String(), "New size: 4")
}
