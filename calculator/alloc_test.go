package calculator_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// workload is an autoscaler that decides every sync period.
type workload struct {
	settings calculator.Settings
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	obs      *calculator.Observation
	st       calculator.State
	d        calculator.Decision
	now      time.Time
	// churn records a scale event each sync, up and down in turn, as if the
	// size had been changed.
	churn bool
	syncs int
}

func (w *workload) sync() {
	w.now = w.now.Add(calculator.SyncPeriod)
	calculator.DecideInto(&w.d, w.now, &w.settings, w.spec, w.obs, &w.st)
	if w.churn {
		n := w.obs.SpecReplicas
		w.st.Events.Record(w.now, n, n+1-int32(w.syncs%2)*2, w.spec.Behavior)
	}
	w.syncs++
}

// warmUp makes the histories as long as they get.
func (w *workload) warmUp() *workload {
	for range 500 {
		w.sync()
	}
	return w
}

// newWorkload returns one of that many pods, and of one to three metrics, whose
// usage is a multiple of the target.
func newWorkload(t testing.TB, pods, n int, load float64, more string) *workload {
	t.Helper()
	list := []string{
		`{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}`,
		`{"type":"Resource","resource":{"name":"memory","target":{"type":"Utilization","averageUtilization":50}}}`,
		`{"type":"Pods","pods":{"metric":{"name":"requests"},"target":{"type":"AverageValue","averageValue":"100"}}}`,
	}
	text := `{` + webRef + `,"maxReplicas":100000,"metrics":[`
	w := &workload{
		settings: calculator.DefaultSettings(),
		obs: &calculator.Observation{
			Namespace:      "ns",
			SpecReplicas:   int32(pods),
			StatusReplicas: int32(pods),
			Pods:           readyPods(pods),
		},
		now: noon,
	}
	for i, target := range []metrics.Milli{500, 1 << 29 * 1000, 100_000}[:n] {
		if i > 0 {
			text += ","
		}
		text += list[i]
		usage := metrics.Milli(float64(target) * load)
		w.obs.Readings = append(w.obs.Readings, calculator.Reading{Samples: same(pods, usage)})
	}
	w.spec = specOf(t, text+`]`+more+`}`)
	return w
}

// threePolicies has three policies each way, and so wide windows and periods
// that 240 recommendations and 60 events of each direction count.
const threePolicies = `,"behavior":{
	"scaleUp":{"stabilizationWindowSeconds":0,"policies":[
		{"type":"Pods","value":4,"periodSeconds":60},{"type":"Percent","value":10,"periodSeconds":300},{"type":"Pods","value":20,"periodSeconds":1800}]},
	"scaleDown":{"stabilizationWindowSeconds":3600,"policies":[
		{"type":"Pods","value":4,"periodSeconds":60},{"type":"Percent","value":10,"periodSeconds":300},{"type":"Pods","value":20,"periodSeconds":1800}]}}`

// workloads are the shapes that a decision takes, by name.
func workloads(t testing.TB) map[string]*workload {
	t.Helper()
	all := map[string]*workload{}
	with := func(name string, w *workload, change func(*workload)) {
		if change != nil {
			change(w)
		}
		all[name] = w
	}
	for _, load := range []float64{0.3, 1, 2} {
		with(fmt.Sprintf("load=%v/plain", load), newWorkload(t, 100, 3, load, ""), nil)
		with(fmt.Sprintf("load=%v/behavior", load), newWorkload(t, 100, 3, load, threePolicies), func(w *workload) { w.churn = true })
		with(fmt.Sprintf("load=%v/odd", load), newWorkload(t, 100, 3, load, threePolicies), func(w *workload) {
			for i := range w.obs.Pods {
				switch i % 10 {
				case 3:
					for j := range w.obs.Readings {
						w.obs.Readings[j].Samples[i] = metrics.Sample{}
					}
				case 5:
					w.obs.Pods[i].Phase = podgroup.PhasePending
				case 7:
					w.obs.Pods[i].StartTime = metrics.At(noon.Add(24 * time.Hour))
					w.obs.Pods[i].ReadyTransition = w.obs.Pods[i].StartTime.Add(time.Minute)
					w.obs.Pods[i].Ready = podgroup.ReadyFalse
				case 9:
					w.obs.Pods[i].Deleted = true
				}
			}
			w.obs.Readings[2].Strays = same(3, 100_000)
		})
	}
	unavailable := errors.New("unable to fetch metrics")
	with("one metric fails", newWorkload(t, 10, 3, 2, ""), func(w *workload) { w.obs.Readings[1].Err = unavailable })
	with("one metric fails and blocks", newWorkload(t, 10, 3, 0.3, ""), func(w *workload) { w.obs.Readings[1].Err = unavailable })
	with("all metrics fail", newWorkload(t, 10, 3, 1, ""), func(w *workload) {
		w.obs.Readings[0].Err = unavailable
		w.obs.Pods[4].Memory = podgroup.Request{}
		w.obs.Pods[4].Containers = []podgroup.Container{{Name: "app"}}
		w.obs.Readings[2].Samples = nil
	})
	with("no pods", newWorkload(t, 10, 3, 1, ""), func(w *workload) {
		w.obs.Pods = nil
		for i := range w.obs.Readings {
			w.obs.Readings[i].Samples = nil
		}
	})
	with("no selector", newWorkload(t, 10, 3, 1, ""), func(w *workload) { w.obs.SelectorError = &calculator.SelectorError{} })
	with("no scale", newWorkload(t, 10, 3, 1, ""), func(w *workload) { w.obs.ScaleError = unavailable })
	with("above the maximum", newWorkload(t, 10, 3, 1, ""), func(w *workload) { w.obs.SpecReplicas = 200000 })
	with("at zero", newWorkload(t, 10, 3, 1, ""), func(w *workload) { w.obs.SpecReplicas = 0 })
	with("disabled", newWorkload(t, 10, 1, 2, `,"behavior":{"scaleUp":{"selectPolicy":"Disabled"}}`), nil)
	with("proposed by the caller", newWorkload(t, 10, 3, 1, ""), func(w *workload) {
		w.obs.Readings[1] = calculator.Reading{Proposed: &calculator.Proposed{Replicas: 12, Text: "scheduled"}}
	})
	with("options", newWorkload(t, 10, 1, 2, threePolicies), func(w *workload) {
		w.settings.Cooldown = behavior.DefaultCooldown()
		w.settings.ColdStart = calculator.HoldScaleDown
		w.churn = true
	})
	external := &workload{
		settings: calculator.DefaultSettings(),
		spec:     externalSpec(t, `,"minReplicas":0`),
		obs:      backlogOf(4, 25000, 30000),
		now:      noon,
	}
	with("external", external, nil)
	return all
}

// A warm decision allocates nothing, trace included.
func TestDecideIntoDoesNotAllocate(t *testing.T) {
	for name, w := range workloads(t) {
		t.Run(name, func(t *testing.T) {
			w.warmUp()
			require.Zero(t, testing.AllocsPerRun(200, w.sync))
		})
	}
}

// The pods that a decision prepared for several metrics are no longer its own
// in the next one, for which the caller may use their memory again.
func TestPreparedPodsAreLetGo(t *testing.T) {
	w := newWorkload(t, 10, 3, 2, "")
	w.sync()
	require.Equal(t, 10, w.d.Proposals[0].Pods.Ready)
	w.spec.Metrics, w.obs.Readings = w.spec.Metrics[:1], w.obs.Readings[:1]
	w.obs.Pods[3].Phase = podgroup.PhaseFailed
	w.sync()
	require.Equal(t, 9, w.d.Proposals[0].Pods.Ready)
}

// The shapes are what their names promise.
func TestWorkloads(t *testing.T) {
	all := workloads(t)
	w := all["load=2/behavior"].warmUp()
	require.Len(t, w.d.Proposals, 3)
	require.Len(t, w.d.Policies, 3)
	require.InDelta(t, 240, w.st.Recommendations.Len(), 2)
	require.InDelta(t, 120, w.st.Events.Len(), 2)
	require.Equal(t, behavior.ScaleUpLimit, w.d.Limits.Reason)
	require.NotZero(t, w.d.Limits.Until)

	w = all["load=0.3/odd"].warmUp()
	require.Equal(t, calculator.PodCounts{
		Ready: 60, Unready: 20, Missing: 10, Ignored: 10,
		Reasons: podgroup.ReasonCounts{
			podgroup.BeingDeleted: 10, podgroup.PhaseIsPending: 10, podgroup.NoSample: 10, podgroup.NotReadyYet: 10,
		},
	}, w.d.Proposals[0].Pods)
	require.NotZero(t, w.d.Until)

	for i, failure := range []calculator.FailureKind{calculator.MetricUnavailable, calculator.NoRequest, calculator.NoSamples} {
		require.Equal(t, failure, all["all metrics fail"].warmUp().d.Proposals[i].Failure.Kind)
	}
	for name, zone := range map[string]calculator.Zone{
		"no scale": calculator.NoZone, "above the maximum": calculator.ZoneAboveMax, "at zero": calculator.ZoneDisabled, "options": calculator.ZoneNormal,
	} {
		require.Equal(t, zone, all[name].warmUp().d.Zone, name)
	}
}
