package simulate

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

// testSpec returns a spec of 1 to 100 replicas with its defaults and whatever
// more says.
func testSpec(t testing.TB, more string) *autoscaling.HorizontalPodAutoscalerSpec {
	t.Helper()
	var s autoscaling.HorizontalPodAutoscalerSpec
	text := `{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"maxReplicas":100,` + more + `}`
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	s.SetDefaults()
	require.NoError(t, s.Validate().Err())
	return &s
}
