package clustertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// README runs the commands of the current folder's README.md one after another
// as the administrator, then those of more, and returns what they print.
// folders come first in PATH, and env is added to the environment.
func (c *Cluster) README(t *testing.T, more string, folders []string, env ...string) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	script := "set -euxo pipefail\n"
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, blocks)
	for _, b := range blocks {
		script += b[1]
	}
	path := append(folders, c.Assets, os.Getenv("PATH"))
	cmd := exec.Command("bash", "-c", script+more)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Admin, "PATH="+strings.Join(path, string(filepath.ListSeparator)), "TMPDIR="+c.Dir)
	cmd.Env = append(cmd.Env, env...)
	out := new(Output)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	t.Logf("%s", out)
	require.NoError(t, err)
	return out.String()
}
