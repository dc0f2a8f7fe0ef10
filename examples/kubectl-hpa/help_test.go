package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// The help of a command has its own flags, and says where those of all are.
func TestHelp(t *testing.T) {
	for _, command := range []string{"", "why", "watch", "whatif", "lint", "prove", "record", "replay"} {
		r := as(t, "", strings.Fields(command+" --help")...)
		require.Equal(t, statusOK, r.status)
		require.NotContains(t, r.out, "--certificate-authority", command)
		require.Contains(t, r.out, `Use "kubectl hpa options" for the flags of all commands`)
		require.Contains(t, r.out, "--help")
		require.Less(t, strings.Count(r.out, "\n"), 45, r.out)
	}
	require.Contains(t, as(t, "", "record", "--help").out, "--interval")
	require.Contains(t, as(t, "", "prove", "--help").out, "--settled-within DURATION")
	r := as(t, "", "options")
	require.Contains(t, r.out, "--certificate-authority")
	require.Contains(t, r.out, "--metrics-timeout")
}

// What can be listed completes.
func TestCompletion(t *testing.T) {
	f := newFakeAPI(t, 2, 3)
	file := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(file, []byte(`apiVersion: v1
kind: Config
clusters: [{name: here, cluster: {server: "`+f.URL+`"}}]
contexts: [{name: prod, context: {cluster: here, namespace: ns-1}}, {name: test, context: {cluster: here}}]
users: [{name: me, user: {}}]
current-context: prod
`), 0o600))
	completes := func(args ...string) string {
		t.Helper()
		streams, _, out, _ := genericiooptions.NewTestIOStreams()
		require.Equal(t, statusOK, run(t.Context(), append([]string{"__complete"}, args...), streams))
		return out.String()
	}
	config := "--kubeconfig=" + file
	require.Equal(t, "app-0\napp-1\napp-2\n:4\n", completes("why", config, ""))
	require.Equal(t, ":4\n", completes("why", config, "app-0", ""))
	require.Equal(t, "app-0\napp-2\n:4\n", completes("lint", config, "app-1", ""))
	require.Equal(t, "app-0\napp-2\n:4\n", completes("prove", config, "app-1", ""))
	require.Equal(t, "ns-0\nns-1\n:4\n", completes("why", config, "-n", ""))
	require.Equal(t, "prod\ntest\n:4\n", completes("why", config, "--context", ""))
	require.Equal(t, "here\n:4\n", completes("why", config, "--cluster", ""))
	require.Equal(t, "me\n:4\n", completes("why", config, "--user", ""))
	require.Equal(t, "json\nyaml\n:4\n", completes("why", config, "-o", ""))
}

// The roles are bound to the current user, if the cluster tells who that is.
func TestRightsText(t *testing.T) {
	f := newFakeAPI(t, 1, 1)
	r := as(t, "", "why", "--rights", "-A", "--server="+f.URL)
	require.Equal(t, statusOK, r.status, r.err)
	require.Equal(t, []int{1, 1, 1, 1}, []int{
		strings.Count(r.out, "kind: ClusterRole\nmetadata"), strings.Count(r.out, "kind: ClusterRoleBinding\n"),
		strings.Count(r.out, "kind: Role\nmetadata"), strings.Count(r.out, "kind: RoleBinding\n"),
	}, r.out)
	require.Equal(t, 2, strings.Count(r.out, "name: jane\n"), r.out)
	f.hangs = "/apis/authentication.k8s.io"
	f.Close()
	r = as(t, "", "why", "--rights", "-n", "shop", "--server="+f.URL)
	require.Equal(t, statusOK, r.status)
	require.Equal(t, 2, strings.Count(r.out, "name: PUT-A-USER-HERE\n"), r.out)
	require.Contains(t, r.err, "The bindings name PUT-A-USER-HERE, since the cluster does not tell your name: ")
}
