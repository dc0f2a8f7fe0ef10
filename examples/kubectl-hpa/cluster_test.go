package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// testbed is what all tests share. Upstream's syncs wait at its turnstile.
var testbed *clustertest.Cluster

func TestMain(m *testing.M) {
	clustertest.Main(m, clustertest.Options{}, func(ctx context.Context, c *clustertest.Cluster) error {
		testbed = c
		return lead(ctx, c.Client)
	})
}

// lead creates the lease that kube-controller-manager would hold.
func lead(ctx context.Context, c client.Client) error {
	now := metav1.NewMicroTime(time.Now())
	return c.Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: leaseNamespace, Name: leaseName},
		Spec:       coordinationv1.LeaseSpec{AcquireTime: &now},
	})
}

// commandResult is what a command printed, and its exit status.
type commandResult struct {
	status   int
	out, err string
}

// hpa runs a command as the administrator of the cluster.
func hpa(t *testing.T, args ...string) commandResult {
	t.Helper()
	return as(t, testbed.Admin, args...)
}

// as runs a command with a kubeconfig.
func as(t *testing.T, kubeconfig string, args ...string) commandResult {
	t.Helper()
	return with(t, "", kubeconfig, args...)
}

// with runs a command with an input.
func with(t *testing.T, in, kubeconfig string, args ...string) commandResult {
	t.Helper()
	streams, stdin, out, errOut := genericiooptions.NewTestIOStreams()
	stdin.WriteString(in)
	status := run(t.Context(), append(args, "--kubeconfig="+kubeconfig, "--cache-dir="+t.TempDir()), streams)
	return commandResult{status, out.String(), errOut.String()}
}

// kubectl runs kubectl itself with a kubeconfig, and returns what it printed.
func kubectl(t *testing.T, kubeconfig string, args ...string) string {
	t.Helper()
	cmd := exec.Command(testbed.Assets+"/kubectl", append(args, "--kubeconfig="+kubeconfig)...)
	cmd.Env = append(os.Environ(), "KUBECACHEDIR="+t.TempDir())
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	return string(text)
}

// gated are the flags that the testbed's controller has.
var gated = clustertest.SyncFlags(clustertest.GatedPeriod, clustertest.GatedStabilization)[1:]

// why returns what why says of an autoscaler, as JSON.
func why(t *testing.T, namespace, name string, flags ...string) (v answer) {
	t.Helper()
	r := hpa(t, append(append([]string{"why", name, "-n", namespace, "-o", "json"}, gated...), flags...)...)
	require.Equal(t, statusOK, r.status, r.err)
	require.NoError(t, json.NewDecoder(bytes.NewReader([]byte(r.out))).Decode(&v))
	return v
}

// answer is what machines read.
type answer struct {
	Autoscaler string
	Range      struct {
		Low, High struct {
			Now                              time.Time
			CurrentReplicas, DesiredReplicas int32
			Rescale                          bool
			Reason, Release                  string
		}
		Recommendations, Events bool
	}
	Status struct {
		Low, High  autoscalingv2.HorizontalPodAutoscalerStatus
		Conditions []autoscalingv2.HorizontalPodAutoscalerCondition
		Mismatches []mismatch
	}
	History struct {
		ScaleEvents []change
		Problem     string
	}
	Notes []string
}

// known reports whether the size is.
func (a *answer) known() bool { return a.Range.Low.DesiredReplicas == a.Range.High.DesiredReplicas }

// object returns an autoscaler of the cluster.
func object(t *testing.T, namespace, name string) *autoscalingv2.HorizontalPodAutoscaler {
	t.Helper()
	a := new(autoscalingv2.HorizontalPodAutoscaler)
	require.NoError(t, testbed.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, a))
	return a
}

// turn lets the controller have one sync of each autoscaler of the namespace.
func turn(t *testing.T, namespace string, names ...string) {
	t.Helper()
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = namespace + "/" + name
	}
	testbed.AwaitSyncs(t, keys...)
	testbed.Turnstile.Open(keys...)
	testbed.AwaitSyncs(t, keys...)
}

// settle waits until the short windows have ended, and the world is at rest.
func settle(t testing.TB, namespace string) {
	t.Helper()
	time.Sleep(clustertest.Lapse)
	testbed.AwaitSettled(t, namespace)
}

// create creates a Deployment of 2 pods with an autoscaler of the same name.
func create(t testing.TB, namespace string, spec autoscalingv2.HorizontalPodAutoscalerSpec) {
	t.Helper()
	name := spec.ScaleTargetRef.Name
	testbed.Deployment(t, namespace, name, 2)
	autoscale(t, namespace, name, spec)
}

// autoscale creates an autoscaler, until the end of the test.
func autoscale(t testing.TB, namespace, name string, spec autoscalingv2.HorizontalPodAutoscalerSpec) {
	t.Helper()
	a := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: spec}
	require.NoError(t, testbed.Client.Create(t.Context(), a))
	t.Cleanup(func() {
		require.NoError(t, testbed.Client.Delete(context.Background(), a))
		testbed.Turnstile.Free(namespace + "/" + name)
	})
}
