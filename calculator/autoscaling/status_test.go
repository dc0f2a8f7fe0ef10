package autoscaling

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestStatusIsTheJSONOfTheAPI(t *testing.T) {
	generation := int64(3)
	status := HorizontalPodAutoscalerStatus{
		ObservedGeneration: &generation,
		LastScaleTime:      noon.Add(999 * time.Millisecond),
		DesiredReplicas:    0,
		Conditions: []HorizontalPodAutoscalerCondition{{
			Type:               AbleToScale,
			Status:             ConditionTrue,
			Reason:             "ReadyForNewScale",
			Message:            "recommended size matches current size",
			LastTransitionTime: noon.In(time.FixedZone("", 3600)),
			ObservedGeneration: 3,
		}, {Type: "Own", Status: ConditionUnknown}},
	}
	text, err := json.Marshal(status)
	require.NoError(t, err)
	require.JSONEq(t, `{"observedGeneration":3,"lastScaleTime":"2026-05-04T12:00:00Z","desiredReplicas":0,"currentMetrics":null,
		"conditions":[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-05-04T12:00:00Z","reason":"ReadyForNewScale",
		"message":"recommended size matches current size","observedGeneration":3},{"type":"Own","status":"Unknown","lastTransitionTime":null}]}`, string(text))

	var back HorizontalPodAutoscalerStatus
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, noon, back.LastScaleTime)
	require.Len(t, back.Conditions, 2)
	require.True(t, back.Conditions[0].Equal(status.Conditions[0]))
	require.False(t, back.Conditions[0].Equal(back.Conditions[1]))
	require.True(t, back.Conditions[1].LastTransitionTime.IsZero())

	require.Error(t, json.Unmarshal([]byte(`{"desiredReplicas":"many"}`), &back))
	require.Error(t, json.Unmarshal([]byte(`{"conditions":[{"lastTransitionTime":"yesterday"}]}`), &back))
	require.Len(t, back.Conditions, 2, "a status that cannot be read changes nothing")
}
