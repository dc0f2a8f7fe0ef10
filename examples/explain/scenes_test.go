package main

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Deciding again on what a real cluster recorded gives the size, the conditions
// and the metrics that its real controller wrote.
func TestScenesAreDecidedAsRecorded(t *testing.T) {
	names := sceneNames()
	require.Len(t, names, 10)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			var in input
			require.NoError(t, in.addFolder(scenes, path.Join(scenesRoot, name), name, ""))
			c := &in.cluster
			recorded := c.Autoscaler.Status
			if name == "no-request" {
				asControllerListed(c)
			}

			settings, state := calculator.DefaultSettings(), c.Autoscaler.State()
			obs := c.Observation()
			known := calculator.Known{Status: recorded, Generation: c.Autoscaler.Generation}
			r := known.Decide(c.Newest(), &settings, &c.Autoscaler.Spec, &obs)
			require.LessOrEqual(t, r.Low.DesiredReplicas, recorded.CurrentReplicas, "the scene had settled")
			require.GreaterOrEqual(t, r.High.DesiredReplicas, recorded.CurrentReplicas)
			d := calculator.Decide(c.Newest(), &settings, &c.Autoscaler.Spec, &obs, &state)
			require.Equal(t, recorded.CurrentReplicas, d.CurrentReplicas)
			require.False(t, d.Rescale, "the scene had settled")

			status := d.Status(&state)
			require.Equal(t, recorded.CurrentReplicas, status.CurrentReplicas)
			require.Equal(t, recorded.DesiredReplicas, status.DesiredReplicas)
			require.Equal(t, recorded.LastScaleTime, status.LastScaleTime)
			require.Equal(t, said(recorded.Conditions), said(status.Conditions))
			if name == "scaled-to-zero" {
				// The average over zero pods: Kubernetes converts a NaN to an
				// integer, which on its machine is the least one. Here it is 0.
				shown := &recorded.CurrentMetrics[0].External.Current.AverageValue
				require.Equal(t, "-9223372036854775808m", shown.String())
				*shown = metrics.MilliQuantity(0, metrics.DecimalSI)
			}
			require.Equal(t, encoded(t, recorded.CurrentMetrics), encoded(t, status.CurrentMetrics))
			for i := range recorded.Conditions {
				require.Equal(t, recorded.Conditions[i].LastTransitionTime, status.Conditions[i].LastTransitionTime)
			}
		})
	}
}

// asControllerListed puts the pods into an order in which the controller may
// have listed them. kubectl sorts them, the controller's cache does not, and
// its message names the first pod at fault.
func asControllerListed(c *kubejson.Cluster) {
	message := c.Autoscaler.Status.Conditions[1].Message
	slices.SortStableFunc(c.Pods, func(a, b podgroup.Pod) int {
		return strings.Index(message, b.Name) - strings.Index(message, a.Name)
	})
}

func said(conditions []autoscaling.HorizontalPodAutoscalerCondition) [][]string {
	var all [][]string
	for _, c := range conditions {
		all = append(all, []string{string(c.Type), string(c.Status), c.Reason, c.Message})
	}
	return all
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	return string(data)
}
