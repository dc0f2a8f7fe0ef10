package calculator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Each correction does what its row says, and is named for it alone.
func TestCorrections(t *testing.T) {
	cpu := cpuSpec(t, "")
	average := externalSpec(t, "")
	value := specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[{"type":"External","external":{"metric":{"name":"backlog"},
		"target":{"type":"Value","value":"100"}}}]}`)
	queue := specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[{"type":"Pods","pods":{"metric":{"name":"queue"},
		"target":{"type":"AverageValue","averageValue":"1"}}}]}`)
	observe := func(change func(obs *calculator.Observation)) *calculator.Observation {
		obs := cpuAt(10, 500)
		change(obs)
		return obs
	}
	resized := &podgroup.Requests{CPU: podgroup.Requested(500)}
	for _, tt := range []struct {
		correction correction.Correction
		spec       *autoscaling.HorizontalPodAutoscalerSpec
		obs        *calculator.Observation
		was, is    int32 // the size that is chosen
	}{
		{correction.StatusSize, average, observe(func(obs *calculator.Observation) {
			obs.StatusReplicas, obs.Readings[0].Values = 12, []metrics.Milli{115_000}
		}), 12, 10},
		{correction.Succeeded, cpu, observe(func(obs *calculator.Observation) {
			obs.Readings[0].Samples = same(10, 250)
			for i := range 5 {
				obs.Pods[i].Phase, obs.Readings[0].Samples[i].Present = podgroup.PhaseSucceeded, false
			}
		}), 10, 3},
		{correction.Strays, queue, observe(func(obs *calculator.Observation) {
			obs.Readings[0].Samples, obs.Readings[0].Strays = same(10, 1000), same(2, 6000)
		}), 19, 10},
		{correction.Truncation, cpu, observe(func(obs *calculator.Observation) {
			obs.Readings[0].Samples = same(10, 559)
		}), 10, 12},
		{correction.Direction, cpu, observe(func(obs *calculator.Observation) {
			obs.Pods, obs.Readings[0].Samples = obs.Pods[:4], same(4, 1000)
		}), 8, 10},
		{correction.Direction, value, observe(func(obs *calculator.Observation) {
			obs.Pods, obs.Readings[0] = obs.Pods[:4], calculator.Reading{Values: []metrics.Milli{200_000}}
		}), 8, 10},
		{correction.NoReadyPods, value, observe(func(obs *calculator.Observation) {
			for i := range obs.Pods {
				obs.Pods[i].Ready = podgroup.ReadyFalse
			}
			obs.Readings[0].Values = []metrics.Milli{500_000}
		}), 0, 10},
		{correction.StartingPods, value, observe(func(obs *calculator.Observation) {
			for i := range 5 {
				obs.Pods[i].Phase = podgroup.PhasePending
			}
			obs.Readings[0].Values = []metrics.Milli{300_000}
		}), 15, 15},
		{correction.StartingPods, value, observe(func(obs *calculator.Observation) {
			for i := range 5 {
				obs.Pods[i].Phase = podgroup.PhasePending
			}
			obs.Readings[0].Values = []metrics.Milli{150_000}
		}), 8, 10},
		{correction.Resize, cpu, observe(func(obs *calculator.Observation) {
			for i := range obs.Pods {
				p := &obs.Pods[i]
				p.Containers = []podgroup.Container{{Name: "app", Requests: podgroup.Requests{CPU: p.CPU}, InForce: resized}}
			}
		}), 10, 20},
		{correction.Owners, cpu, observe(func(obs *calculator.Observation) {
			obs.Readings[0].Samples = append(same(5, 800), same(5, 200)...)
			for i := range 5 {
				obs.Pods[5+i].Foreign = true
			}
		}), 10, 8},
		{correction.Bounds, cpu, observe(func(obs *calculator.Observation) { obs.SpecReplicas = 25 }), 0, 20},
	} {
		t.Run(tt.correction.String(), func(t *testing.T) {
			settings := calculator.DefaultSettings()
			var st calculator.State
			d := calculator.Decide(noon, &settings, tt.spec, tt.obs, &st)
			require.Equal(t, tt.was, d.Choice.Replicas)
			require.Zero(t, d.Corrections)

			st = calculator.State{}
			settings.Corrections = correction.NewSet(tt.correction)
			d = calculator.Decide(noon, &settings, tt.spec, tt.obs, &st)
			require.Equal(t, tt.is, d.Choice.Replicas)
			if tt.was == tt.is {
				require.Zero(t, d.Corrections)
				return
			}
			require.Equal(t, settings.Corrections, d.Corrections)
			row := tt.correction.Row()
			require.Contains(t, d.String(), "Corrected: "+row.Name+" "+row.Does+"; Kubernetes "+row.Did+".\n")
			text, err := d.MarshalJSON()
			require.NoError(t, err)
			require.Contains(t, string(text), `"corrections":["`+row.Name+`"]`)

			st = calculator.State{}
			settings.Corrections = correction.All()
			all := calculator.Decide(noon, &settings, tt.spec, tt.obs, &st)
			require.True(t, all.Corrections.Has(tt.correction), "among all")
		})
	}
}

// Decisions differ where corrections are named, and only there.
func TestCorrectionsAreNamed(t *testing.T) {
	seen := map[correction.Correction]int{}
	rapid.Check(t, func(t *rapid.T) {
		setup := calctest.Setups().Draw(t, "setup")
		pods := calctest.Pods(setup.Spec).Draw(t, "pods")
		n := rapid.Int32Range(0, 14).Draw(t, "size")
		obs := calculator.Observation{SpecReplicas: n, StatusReplicas: n + rapid.Int32Range(0, 2).Draw(t, "surge"), Pods: pods,
			Readings: calctest.Readings(setup.Spec, pods).Draw(t, "readings")}
		decide := func(set correction.Set) calculator.Decision {
			var st calculator.State
			settings := setup.Settings
			settings.Corrections = set
			return calculator.Decide(prove.Start, &settings, setup.Spec, &obs, &st)
		}
		set := correction.Set(rapid.Uint32Range(0, uint32(correction.All())).Draw(t, "corrections"))
		plain, corrected := decide(0), decide(set)
		require.Zero(t, plain.Corrections)
		require.Zero(t, corrected.Corrections&^set)
		outside := plain.Zone == calculator.ZoneAboveMax || plain.Zone == calculator.ZoneBelowMin
		require.Equal(t, set.Has(correction.Bounds) && outside, corrected.Corrections.Has(correction.Bounds))
		require.Len(t, corrected.Proposals, len(plain.Proposals))
		for i := range plain.Proposals {
			p, q := &plain.Proposals[i], &corrected.Proposals[i]
			differs := p.Replicas != q.Replicas || p.Usage != q.Usage || p.Utilization != q.Utilization || !sameFailure(&p.Failure, &q.Failure)
			require.Equal(t, differs, q.Corrections != 0, "%v\n%v", plain, corrected)
			for c := range q.Corrections.All() {
				seen[c]++
			}
		}
		if corrected.Corrections == 0 {
			var st calculator.State
			require.Equal(t, fingerprint(t, &plain, &st), fingerprint(t, &corrected, &st))
			require.Equal(t, plain.Limits, corrected.Limits)
		}
	})
	t.Log(seen)
}

func sameFailure(a, b *calculator.Failure) bool { return a.Kind == b.Kind && a.Request == b.Request }

// Pods that are not ready for a Value are those that may become so.
func TestCountStarting(t *testing.T) {
	pods := readyPods(8)
	pods[1].Deleted = true // Kubernetes counts it
	pods[2].Phase = podgroup.PhasePending
	pods[3].Ready = podgroup.ReadyFalse
	pods[4].Phase = podgroup.PhaseFailed
	pods[5].Phase = podgroup.PhaseSucceeded
	pods[6].Phase, pods[6].Deleted = podgroup.PhasePending, true
	pods[7].Foreign = true
	ready, starting := podgroup.CountReadyAndStarting(pods, podgroup.Options{})
	require.Equal(t, []int{3, 2}, []int{ready, starting})
	require.Equal(t, ready, podgroup.RunningAndReady(pods))
	ready, _ = podgroup.CountReadyAndStarting(pods, podgroup.Options{OwnedOnly: true})
	require.Equal(t, 2, ready)
}

// A size outside of the bounds gets there in its own time, and stays where
// scaling is disabled.
func TestBoundsByPolicies(t *testing.T) {
	settings := calculator.DefaultSettings()
	settings.Corrections = correction.NewSet(correction.Bounds)
	for _, tt := range []struct {
		name, behavior string
		size           int32
		want           []int32 // at each minute
	}{
		{"above", `"scaleDown":{"stabilizationWindowSeconds":0,"policies":[{"type":"Pods","value":3,"periodSeconds":60}]}`, 25, []int32{22, 20, 20}},
		{"above, disabled", `"scaleDown":{"stabilizationWindowSeconds":0,"selectPolicy":"Disabled"}`, 25, []int32{25, 25}},
		{"above, held", `"scaleDown":{"stabilizationWindowSeconds":120}`, 25, []int32{25, 25, 20}},
		{"below", `"scaleUp":{"policies":[{"type":"Pods","value":2,"periodSeconds":60}]}`, 3, []int32{5, 7, 8}},
		{"below, disabled", `"scaleUp":{"selectPolicy":"Disabled"}`, 3, []int32{3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spec := cpuSpec(t, `,"minReplicas":8,"behavior":{`+tt.behavior+`}`)
			var st calculator.State
			size := tt.size
			for i, want := range tt.want {
				now := noon.Add(time.Duration(i) * time.Minute)
				d := calculator.Decide(now, &settings, spec, cpuAt(size, 500), &st)
				st.Applied(now, &d)
				size = d.DesiredReplicas
				require.Equal(t, want, size, "after %d minutes", i)
				require.NotNil(t, st.Condition(autoscaling.ScalingLimited))
			}
		})
	}
}
