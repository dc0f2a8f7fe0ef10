package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// One command starts a cluster for people, whose controller scales by the load
// that an annotation sets.
func TestStart(t *testing.T) {
	start := exec.Command("../controller/testcluster/start.sh")
	start.Stderr = os.Stderr
	out, err := start.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, start.Start())
	defer func() {
		require.NoError(t, start.Process.Signal(syscall.SIGTERM))
		require.NoError(t, start.Wait())
	}()
	kubeconfig, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	kubeconfig = strings.TrimSpace(kubeconfig)
	kubectl(t, kubeconfig, "create", "namespace", "shop")
	kubectl(t, kubeconfig, "annotate", "namespace", "shop", "load/cpu=800m")
	kubectl(t, kubeconfig, "apply", "-n", "shop", "-f", "example.yaml")
	kubectl(t, kubeconfig, "wait", "-n", "shop", "hpa/web", "--timeout=2m", "--for=condition=ScalingActive")
	var r commandResult
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline) && !strings.Contains(r.out, "ReadyForNewScale"); time.Sleep(time.Second) {
		r = as(t, kubeconfig, "why", "web", "-n", "shop")
	}
	require.Contains(t, r.out, "shop/web of Deployment web")
	require.Contains(t, r.out, "SuccessfulRescale")
}
