package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// A line for each autoscaler, those first that deserve a look.
func TestFleet(t *testing.T) {
	const ns = "fleet"
	testbed.Namespace(t, ns)
	capped := clustertest.Limited("capped", 1)
	capped.MaxReplicas = 3
	create(t, ns, capped)
	create(t, ns, clustertest.Limited("a-limited", 1))
	broken := clustertest.Scaling("broken")
	broken.ScaleTargetRef.Kind = "Nothing"
	create(t, ns, broken)
	testbed.World.Set(clustertest.Load{CPU: 800}, ns)
	testbed.AwaitMetricsAPIs(t)
	settle(t, ns)
	r := hpa(t, append(gated, "why", "-n", ns)...)
	require.Equal(t, statusOK, r.status, r.err)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	require.Len(t, lines, 4, r.out)
	for i, want := range []string{
		"NAMESPACE NAME SIZE WANTED TO BE HELD BY UNTIL",
		"fleet broken ? - - FailedGetScale -",
		"fleet capped 2 16 3 TooManyReplicas -",
		"fleet a-limited 2 16 5 ScaleUpLimit -",
	} {
		require.Equal(t, want, strings.Join(strings.Fields(lines[i]), " "), r.out)
	}
	r = hpa(t, append(gated, "why", "-A")...)
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "fleet      capped")

	r = hpa(t, append(gated, "why", "-n", ns, "-o", "yaml")...)
	require.Equal(t, statusOK, r.status, r.err)
	require.Contains(t, r.out, "items:\n- autoscaler: fleet/")
	r = hpa(t, append(gated, "why", "-n", ns, "-o", "json")...)
	var all struct{ Items []answer }
	require.NoError(t, json.Unmarshal([]byte(r.out), &all))
	require.Len(t, all.Items, 3)
	r = hpa(t, append(gated, "why", "-n", ns, "-l", "app=none")...)
	require.Equal(t, "There are no HorizontalPodAutoscalers.\n", r.err)

	// Names complete.
	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	args := []string{"__complete", "why", "-n", ns, "--kubeconfig=" + testbed.Admin, "--cache-dir=" + t.TempDir(), ""}
	require.Equal(t, statusOK, run(t.Context(), args, streams))
	require.Equal(t, "a-limited\nbroken\ncapped\n:4\n", out.String())
}
