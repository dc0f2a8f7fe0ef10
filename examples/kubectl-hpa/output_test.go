package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// Colours are for terminals, and not where NO_COLOR is set.
func TestColours(t *testing.T) {
	require.False(t, colours(new(bytes.Buffer)))
	file, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	defer file.Close()
	require.False(t, colours(file))
	if terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err == nil {
		defer terminal.Close()
		t.Setenv("NO_COLOR", "")
		require.True(t, colours(terminal))
		t.Setenv("NO_COLOR", "1")
		require.False(t, colours(terminal))
	}
	require.Equal(t, "\x1b[1mtext\x1b[0m", paint(true).bold("text"))
	require.Equal(t, "text", paint(false).bold("text"))
}

// What there is to note about the cluster or an autoscaler stands beside each
// answer for people.
func TestNotes(t *testing.T) {
	keda := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", OwnerReferences: []metav1.OwnerReference{{APIVersion: "keda.sh/v1alpha1", Kind: "ScaledObject", Name: "orders"}}},
		Spec:       clustertest.Scaling("web"),
	}
	c := faked(func(string) (*autoscalingv1.Scale, error) { return nil, errNone }, keda)
	c.notes = []string{"about the cluster"}
	streams, _, out, errOut := genericiooptions.NewTestIOStreams()
	tool := newTool(streams)
	const made = "KEDA makes this autoscaler from ScaledObject orders: changes belong there. KEDA itself scales to zero and back, and pauses.\n"

	require.NoError(t, tool.fleet(t.Context(), c, whyOptions{}))
	require.Equal(t, "about the cluster\nshop/web: "+made, errOut.String())

	errOut.Reset()
	out.Reset()
	w := watcher{tool: tool, interval: time.Hour, redraws: true}
	for range 2 {
		_, err := w.sync(t.Context(), c, "web")
		require.NoError(t, err)
	}
	require.Equal(t, "about the cluster\n"+made+"Whether the controller restarts is not known, and what was seen counts all the same: leases.coordination.k8s.io \"kube-controller-manager\" not found\n", errOut.String(), "once")
	require.Equal(t, "\r\x1b[K", out.String(), "not behind the line of a terminal")

	errOut.Reset()
	r := recorder{tool: tool, connection: c, name: "web", out: nopCloser{io.Discard}}
	for range 2 {
		require.NoError(t, r.sync(t.Context()))
	}
	require.Equal(t, "about the cluster\n"+made, errOut.String(), "once")

	errOut.Reset()
	tool.output = "json"
	require.NoError(t, tool.fleet(t.Context(), c, whyOptions{}))
	require.Empty(t, errOut.String())
	require.Contains(t, out.String(), "about the cluster")

	tool.output = ""
	a, err := c.get(t.Context(), "web")
	require.NoError(t, err)
	changes, err := tool.compare(t.Context(), c, a, &edit{sets: []string{"spec.maxReplicas=3"}})
	require.NoError(t, err)
	require.Contains(t, changes.text(80, false), "\nNotes\n  about the cluster\n  "+made)
}

// An interrupted command prints no partial list.
func TestFleetInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	a := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: clustertest.Scaling("web")}
	c := faked(func(string) (*autoscalingv1.Scale, error) { cancel(errNone); return nil, errNone }, a)
	require.ErrorIs(t, newTool(genericiooptions.NewTestIOStreamsDiscard()).fleet(ctx, c, whyOptions{}), errNone)
}

// A cluster of an unknown release is noted by lint, too.
func TestLintNotes(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/version" {
			_, _ = w.Write([]byte(`{"gitVersion":"v1.28.3"}`))
			return
		}
		spec := clustertest.Limited("web", 60)
		spec.MinReplicas = nil
		_ = json.NewEncoder(w).Encode(&autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: spec})
	}))
	defer server.Close()
	r := as(t, "", "lint", "web", "-n", "shop", "--server="+server.URL)
	require.Equal(t, "The decision is that of Kubernetes 1.29, for the cluster's v1.28.3 is not known.\n", r.err)
}
