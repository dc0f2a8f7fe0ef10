package calctest_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
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
	cpu95   = `{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":95}}}`
	latency = `{"type":"Object","object":{"describedObject":{"kind":"Service","name":"web"},"metric":{"name":"latency"},"target":{"type":"Value","value":"200m"}}}`
	crawl   = `,"behavior":{"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":120}]}}`
	jumpy   = `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0}}`
	never   = `,"behavior":{"scaleUp":{"selectPolicy":"Disabled"}}`
)

func TestSettles(t *testing.T) {
	sound := setupOf(t, cpu60, "")
	require.Empty(t, calctest.Find(1, 200, func(t *rapid.T) { calctest.Settles(t, sound, 8*time.Minute) }))
	lagging := setupOf(t, cpu60, "")
	lagging.Lag, lagging.Startup = time.Minute, time.Minute
	require.Empty(t, calctest.Find(1, 200, func(t *rapid.T) { calctest.Settles(t, lagging, 10*time.Minute) }))
}

func TestSettlesFindsRulesThatDoNot(t *testing.T) {
	slow := setupOf(t, cpu60, crawl)
	text := calctest.Find(1, 100, func(t *rapid.T) { calctest.Settles(t, slow, 8*time.Minute) })
	t.Logf("%s", text)
	require.Contains(t, text, "and the size still changes")

	// A latency that is measured late is answered again and again.
	late := setupOf(t, latency, jumpy)
	late.Lag = time.Minute
	text = calctest.Find(1, 100, func(t *rapid.T) { calctest.Settles(t, late, 20*time.Minute) })
	t.Logf("%s", text)
	require.Contains(t, text, "and the size still changes")
	late.Lag = 0
	require.Empty(t, calctest.Find(1, 100, func(t *rapid.T) { calctest.Settles(t, late, 5*time.Minute) }))
}

func TestAnswersStep(t *testing.T) {
	sound := setupOf(t, cpu60, "")
	require.Empty(t, calctest.Find(1, 200, func(t *rapid.T) { calctest.AnswersStep(t, sound, 3*time.Minute) }))
}

func TestAnswersStepFindsRulesThatDoNot(t *testing.T) {
	for name, c := range map[string]struct {
		metric, more string
		change       func(*prove.Setup)
	}{
		"slow":     {cpu60, crawl, func(*prove.Setup) {}},
		"disabled": {cpu60, never, func(*prove.Setup) {}},
		"starving": {cpu95, "", func(r *prove.Setup) { r.Capacity = 100 }},
	} {
		t.Run(name, func(t *testing.T) {
			r := setupOf(t, c.metric, c.more)
			c.change(r)
			text := calctest.Find(1, 100, func(t *rapid.T) { calctest.AnswersStep(t, r, 3*time.Minute) })
			t.Logf("%s", text)
			require.Contains(t, text, "and the size is")
		})
	}
}

func TestTurnsAtMost(t *testing.T) {
	sound := setupOf(t, cpu60, "")
	// In five minutes, a window allows one turn down and one up again.
	require.Empty(t, calctest.Find(1, 100, func(t *rapid.T) { calctest.TurnsAtMost(t, sound, 24, 0.15) }))
	flapping := setupOf(t, cpu60, jumpy)
	text := calctest.Find(1, 100, func(t *rapid.T) { calctest.TurnsAtMost(t, flapping, 4, 0.3) })
	t.Logf("%s", text)
	require.Contains(t, text, "the size turns for the 5th time within an hour")
}

// A load that goes up and down makes the size turn each time.
func TestTurnsAreCounted(t *testing.T) {
	r := setupOf(t, cpu60, jumpy)
	r.Startup = 0
	r.Settings.CPUInitializationPeriod = 0
	var load calctest.LoadProfile
	for range 3 {
		load = append(load, calctest.Level{For: 5 * time.Minute, Replicas: 10}, calctest.Level{For: 5 * time.Minute, Replicas: 5})
	}
	turns := func(n int, more ...calctest.Level) string {
		return calctest.Find(1, 10, func(t *rapid.T) {
			calctest.TurnsAtMost(t, r, n, 0, calctest.WithLoad(append(load[:len(load):len(load)], more...)))
		})
	}
	// Up, down, up, down, up, down; the first one may be a turn, too.
	require.NotEmpty(t, turns(4))
	require.Empty(t, turns(6))
	// An hour later it is another hour.
	require.Empty(t, turns(6, calctest.Level{For: 2 * time.Hour, Replicas: 5}, calctest.Level{For: 5 * time.Minute, Replicas: 10}, calctest.Level{For: 5 * time.Minute, Replicas: 5}))
	require.NotEmpty(t, turns(6, calctest.Level{For: 5 * time.Minute, Replicas: 10}, calctest.Level{For: 5 * time.Minute, Replicas: 5}))
}

// With a load of one's own, each rise is a step that has to be answered.
func TestAnswersStepsOfALoad(t *testing.T) {
	r := setupOf(t, cpu60, crawl)
	answers := func(within time.Duration, load ...calctest.Level) string {
		return calctest.Find(1, 10, func(t *rapid.T) { calctest.AnswersStep(t, r, within, calctest.WithLoad(load)) })
	}
	// One pod in two minutes.
	require.Empty(t, answers(6*time.Minute, calctest.Level{For: time.Minute, Replicas: 3}, calctest.Level{For: 7 * time.Minute, Replicas: 5}))
	text := answers(6*time.Minute, calctest.Level{For: time.Minute, Replicas: 3}, calctest.Level{For: 7 * time.Minute, Replicas: 5}, calctest.Level{For: 7 * time.Minute, Replicas: 10.5})
	require.Contains(t, text, "the load has been 10.5 since 8:00, 5 before that, and the size is 9")
	// A rise that does not last for so long asks for nothing.
	require.Empty(t, answers(6*time.Minute, calctest.Level{For: time.Minute, Replicas: 3}, calctest.Level{For: 5 * time.Minute, Replicas: 19}, calctest.Level{For: time.Hour, Replicas: 3}))
}

// Of a load of one's own, the last level is the constant one.
func TestSettlesAfterALoad(t *testing.T) {
	r := setupOf(t, cpu60, crawl)
	settles := func(within time.Duration) string {
		return calctest.Find(1, 10, func(t *rapid.T) {
			calctest.Settles(t, r, within, calctest.WithLoad(calctest.LoadProfile{{For: 10 * time.Minute, Replicas: 2}, {For: time.Minute, Replicas: 6}}))
		})
	}
	require.NotEmpty(t, settles(5*time.Minute))
	require.Empty(t, settles(9*time.Minute))
}
