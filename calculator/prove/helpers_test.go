package prove_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/prove"
)

// setupOf returns a setup for a spec of 2 to 20 replicas.
func setupOf(t testing.TB, metric, more string) *prove.Setup {
	t.Helper()
	var s autoscaling.HorizontalPodAutoscalerSpec
	text := `{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":2,"maxReplicas":20,"metrics":[` + metric + `]` + more + `}`
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	r := prove.NewSetup(&s)
	require.NoError(t, r.Spec.Validate().Err())
	return r
}

const (
	cpu60   = `{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}`
	jumpy   = `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0}}`
	latency = `{"type":"Object","object":{"describedObject":{"kind":"Service","name":"web"},"metric":{"name":"latency"},"target":{"type":"Value","value":"200m"}}}`
)

// clock returns a time since the start as texts give it.
func clock(d time.Duration) string { return words.Clock(d) }

// broken returns the counterexamples of a search, as texts.
func broken(x *prove.Result) (texts []string) {
	for i := range x.Verdicts {
		if v := &x.Verdicts[i]; v.Outcome == prove.Broken {
			texts = append(texts, v.String())
		}
	}
	return texts
}
