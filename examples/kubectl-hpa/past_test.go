package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// TestPastBesideUpstream: where a policy counts the scale events of the past,
// the events of the cluster tell what it leaves, as upstream's controller shows
// then.
func TestPastBesideUpstream(t *testing.T) {
	const ns = "past"
	const period = 30 // longer than from a change of size to the answers about it
	testbed.Namespace(t, ns)
	spec := clustertest.Limited("web", period)
	spec.Behavior.ScaleUp.Policies[0].Value = 4
	spec.Behavior.ScaleDown.Policies[0].PeriodSeconds = 15
	spec.Behavior.ScaleDown.StabilizationWindowSeconds = new(int32)
	create(t, ns, spec)
	testbed.AwaitMetricsAPIs(t)
	scale := func(cpu int64, want int32) {
		t.Helper()
		testbed.World.Set(clustertest.Load{CPU: cpu}, ns)
		settle(t, ns)
		turn(t, ns, "web")
		testbed.AwaitSettled(t, ns)
		require.Equal(t, want, testbed.Size(t, ns, "web"))
	}
	scale(200, 4)
	a := why(t, ns, "web")
	require.Empty(t, a.History.ScaleEvents, "from how many to 4 is not known")
	require.Equal(t, "there is no older event", a.History.Problem)

	time.Sleep((period + 3) * time.Second) // until that no longer matters
	scale(400, 8)
	testbed.World.Set(clustertest.Load{CPU: 500}, ns)
	settle(t, ns)
	var known answer
	testbed.Await(t, func() error { // the event
		known = why(t, ns, "web")
		if len(known.History.ScaleEvents) == 0 {
			return errNone
		}
		return nil
	})
	require.EqualValues(t, 4, known.History.ScaleEvents[0].From)
	require.EqualValues(t, 8, known.History.ScaleEvents[0].To)
	require.True(t, known.known(), "4 of 4 pods were added within the period")
	require.EqualValues(t, 8, known.Range.High.DesiredReplicas)
	turn(t, ns, "web")
	require.EqualValues(t, 8, testbed.Size(t, ns, "web"))
	require.Equal(t, "ScalingLimited True ScaleUpLimit: the desired replica count is increasing faster than the maximum scale rate", conditionOf(&object(t, ns, "web").Status, "ScalingLimited"))

	// Up and down, while windows and periods end.
	counts := map[string]int{}
	for i, cpu := range []int64{300, 300, 50, 50, 50, 50, 200, 400, 500, 500, 500, 500, 200, 200, 50, 50, 50, 50, 50, 50} {
		testbed.World.Set(clustertest.Load{CPU: cpu}, ns)
		settle(t, ns)
		a := why(t, ns, "web")
		counts["scale events"] += len(a.History.ScaleEvents)
		turn(t, ns, "web")
		agrees(t, fmt.Sprintf("turn %d", i), &a, ns, "web", counts)
	}
	t.Log(counts)
	require.Positive(t, counts["scale events"])
}

// The API server notes no time for a write that only removes fields: what the
// text says of the time of the last write.
func TestRemovedFieldsHaveNoTime(t *testing.T) {
	const ns = "removed"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Limited("web", 1))
	before := object(t, ns, "web")
	time.Sleep(1100 * time.Millisecond) // times are whole seconds
	require.NoError(t, testbed.Client.Patch(t.Context(), object(t, ns, "web"), client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"behavior":null}}`))))
	a, err := decode(before)
	require.NoError(t, err)
	b, err := decode(object(t, ns, "web"))
	require.NoError(t, err)
	require.NotNil(t, a.Spec.Behavior)
	require.Nil(t, b.Spec.Behavior)
	require.False(t, a.SpecWritten.IsZero())
	require.Equal(t, a.SpecWritten, b.SpecWritten)
}
