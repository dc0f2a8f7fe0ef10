package calculator_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// For every recorded sync, what the controller decided lies within the range
// that the status before it allows.
func TestRangeOfVectors(t *testing.T) {
	t.Parallel()
	syncs, computed, known, knownOfComputed := 0, 0, 0, 0
	conditions, certainly := 0, 0
	eachVector(t, func(v *vector) {
		settings := v.settings()
		var st calculator.State
		var d calculator.Decision
		var status autoscaling.HorizontalPodAutoscalerStatus
		for i := range v.Steps {
			s := &v.Steps[i]
			obs := s.observation()
			r := (&calculator.Known{Status: status}).Decide(s.Now, &settings, &v.DefaultedSpec, &obs)
			s.sync(&d, &settings, &v.DefaultedSpec, &st)
			require.True(t, r.Low.DesiredReplicas <= d.DesiredReplicas && d.DesiredReplicas <= r.High.DesiredReplicas,
				"vector %s, step %d: %d to %d does not contain %d\n%s", v.Name, i, r.Low.DesiredReplicas, r.High.DesiredReplicas, d.DesiredReplicas, d)
			if syncs++; syncs%5 == 0 {
				holdRange(t, &r, &d)
			}
			if !s.ScaleUpdateFails {
				certain, all := requireCertain(t, s.Now, &r, &st)
				conditions, certainly = conditions+all, certainly+certain
			}
			size, ok := r.Replicas()
			if ok {
				require.Equal(t, d.DesiredReplicas, size)
				known++
			}
			require.True(t, ok || r.Recommendations || r.Events)
			if d.Stabilization.Reason != "" {
				computed++
				if ok {
					knownOfComputed++
				}
			}
			status = autoscaling.HorizontalPodAutoscalerStatus{}
			require.NoError(t, json.Unmarshal(s.Want.Status, &status))
		}
	})
	require.Equal(t, vectorsSyncs, syncs)
	t.Logf("%d of %d syncs have a range of one size, %d of the %d with a history; %d of %d conditions are certain",
		known, syncs, knownOfComputed, computed, certainly, conditions)
}

// requireCertain requires that the state, after what was decided in the range,
// has the conditions that are certain, and returns how many these are, of how
// many.
func requireCertain(t require.TestingT, now time.Time, r *calculator.Range, st *calculator.State) (certain, all int) {
	r.Applied(now)
	_, high := r.Statuses()
	for i := range high.Conditions {
		c := &high.Conditions[i]
		if r.Certain(c) {
			certain++
			got := st.Condition(c.Type)
			require.NotNil(t, got, "%v", c.Type)
			require.Equal(t, [3]string{string(c.Status), c.Reason, c.Message}, [3]string{string(got.Status), got.Reason, got.Message}, "%v\n%v", c.Type, r)
		}
	}
	return certain, len(high.Conditions)
}

// The same for random rules and courses of load, with a memory that may be lost
// at any sync, and clocks within seconds. Somebody watches from some sync on,
// and knows the scale events from another one on, and some recommendations from
// before.
func TestRangeOfTimelines(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tl := calctest.Timelines(nil).Draw(t, "timeline")
		own, spec := tl.Setup.Settings, tl.Setup.Spec
		settings := &own
		own.ColdStart = rapid.SampledFrom([]calculator.ColdStart{calculator.RecommendCurrent, calculator.HoldScaleDown}).Draw(t, "cold start")
		own.Cooldown = rapid.SampledFrom([]behavior.Cooldown{{}, {Up: time.Minute, Down: 5 * time.Minute}}).Draw(t, "cooldown")
		watch, n := rapid.IntRange(0, 12).Draw(t, "watch"), 0
		events := rapid.IntRange(0, 12).Draw(t, "events")
		var st calculator.State
		var k calculator.Known
		require.NoError(t, tl.Run(func(s *prove.Sync) bool {
			now := s.Now.Add(rapid.SampledFrom([]time.Duration{0, 1, time.Second / 2, time.Second - 1}).Draw(t, "later"))
			if n++; n >= watch && k.Since.IsZero() && !st.Recommendations.IsEmpty() {
				k.Since = now
			}
			if n >= events && k.EventsSince.IsZero() {
				k.EventsSince, k.Events = now, behavior.Events{}
			}
			if k.Since.IsZero() && k.EventsSince.IsZero() && rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
				st = calculator.StateFromStatus(&k.Status)
				k.Recommendations = stabilize.History{}
			}
			r := k.Decide(now, settings, spec, s.Observation)
			d := calculator.Decide(now, settings, spec, s.Observation, &st)
			require.True(t, r.Low.DesiredReplicas <= d.DesiredReplicas && d.DesiredReplicas <= r.High.DesiredReplicas,
				"%d to %d does not contain %d\n%s", r.Low.DesiredReplicas, r.High.DesiredReplicas, d.DesiredReplicas, d)
			periods := spec.Behavior.LongestPeriods()
			if all := max(d.Windows.Up, d.Windows.Down, periods.Up, periods.Down); !k.Since.IsZero() && now.Sub(k.Since) > all && (k.EventsSince.IsZero() || now.Sub(k.EventsSince) > all) {
				_, ok := r.Replicas()
				// The status has only the second from which a cooldown counts.
				cools := r.Low.Cooldown.Replicas != r.High.Cooldown.Replicas
				require.True(t, ok || cools, "all is known: %s", r)
				require.False(t, cools && own.Cooldown == behavior.Cooldown{})
			}
			if s.Decision.Outcome == calculator.OutcomeNotWritten {
				st.Failed(now, &d, errors.New("conflict"))
			}
			st.Applied(now, &d)
			if d.Outcome != calculator.OutcomeNotWritten {
				requireCertain(t, now, &r, &st)
			}
			if d.Stabilization.Reason != "" && (!k.Since.IsZero() || rapid.Bool().Draw(t, "known")) {
				k.Recommendations.Record(now, d.Choice.Replicas, stabilize.Windows{Down: stabilize.LongestWindow})
			}
			if !k.Since.IsZero() || !k.EventsSince.IsZero() {
				if d.Outcome == calculator.OutcomeWritten && spec.Behavior != nil {
					k.Events.Record(now, d.CurrentReplicas, d.DesiredReplicas, spec.Behavior)
				}
			}
			text, err := json.Marshal(d.Status(&st))
			require.NoError(t, err)
			k.Status = autoscaling.HorizontalPodAutoscalerStatus{}
			require.NoError(t, json.Unmarshal(text, &k.Status))
			return true
		}))
	})
}

// A watch as long as the window knows what the controller does.
func TestRangeCloses(t *testing.T) {
	settings := calculator.DefaultSettings()
	for name, b := range map[string]*behavior.Behavior{
		"without a behavior": nil,
		"with one":           {ScaleUp: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 300}}}},
	} {
		t.Run(name, func(t *testing.T) {
			spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
			spec.Behavior = b
			spec.SetDefaults()
			k := calculator.Known{Since: noon, Status: autoscaling.HorizontalPodAutoscalerStatus{
				LastScaleTime: noon.Add(-time.Minute), CurrentReplicas: 5, DesiredReplicas: 5,
				Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"}},
			}}
			for _, usage := range []metrics.Milli{600, 400} {
				for _, after := range []time.Duration{0, 4 * time.Minute, 5*time.Minute - 1, 5 * time.Minute, 5*time.Minute + 1} {
					r := k.Decide(noon.Add(after), &settings, &spec, cpuAt(5, usage))
					_, known := r.Replicas()
					switch {
					case b == nil: // the window is closed at its beginning
						require.Equal(t, after > 5*time.Minute, known, "%v %v", usage, after)
					case usage == 400:
						require.Equal(t, after >= 5*time.Minute, known, "%v %v", usage, after)
					default: // the last scale was a minute before, in this second
						require.Equal(t, after >= 4*time.Minute+time.Second, known, "%v %v", usage, after)
					}
				}
			}
		})
	}
}

// The controller may remember an unknown scale-up beside a later one: that took
// the place of another.
func TestRangeOfUnknownEventBesideKnown(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec := autoscaling.NewSpec(2, 9, autoscaling.ResourceUtilizationMetric("cpu", 50))
	spec.Behavior = behavior.Default() // which forgets scale-ups after 15 s
	spec.Behavior.ScaleDown = &behavior.ScalingRules{
		StabilizationWindowSeconds: new(int32), SelectPolicy: behavior.SelectMax,
		Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 300}},
	}
	k := calculator.Known{EventsSince: noon.Add(time.Second), Status: autoscaling.HorizontalPodAutoscalerStatus{
		LastScaleTime: noon.Add(time.Minute), CurrentReplicas: 3, DesiredReplicas: 3,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"}},
	}}
	k.Events.Record(noon.Add(30*time.Second), 4, 2, spec.Behavior)
	k.Events.Record(noon.Add(time.Minute), 2, 3, spec.Behavior)
	r := k.Decide(noon.Add(2*time.Minute), &settings, &spec, cpuAt(3, 100))
	require.EqualValues(t, 2, r.Low.DesiredReplicas)
	require.EqualValues(t, 3, r.High.DesiredReplicas)
}

// What a status of 29 seconds after a scale tells.
func TestRangeText(t *testing.T) {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
	spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{
		SelectPolicy: behavior.SelectMin, Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 1800}, {Type: behavior.PercentPolicy, Value: 10, PeriodSeconds: 15}},
	}}
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	status := autoscaling.HorizontalPodAutoscalerStatus{
		LastScaleTime: noon.Add(-29 * time.Second), CurrentReplicas: 5, DesiredReplicas: 5,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"}},
	}
	var written time.Time
	text := func(usage metrics.Milli) string {
		return (&calculator.Known{Status: status, Generation: 1, SpecWritten: written}).Decide(noon, &settings, &spec, cpuAt(5, usage)).String()
	}
	require.Equal(t, `At 2026-05-04T12:00:00Z, the size will be between 5 and 6 replicas; the status does not say more. It is 5 now.
Size: 5 replicas, within the bounds of 1 to 10, so the metrics decide.
Metric 1 of 1, Resource cpu, target averageUtilization 50%: 5 pods, all ready.
  Usage: the ready pods use 3 of the 5 cpu that they request: 60%. The ratio to the target is 1.2000, outside the tolerance of 0.9000 to 1.1000.
  Proposal: 6 replicas, 1.2000 times 5 ready pods, rounded up.
Choice: 6 replicas, by the only metric.
Stabilization: 6 replicas. There is no stabilization window for scaling up.
Policies: the scale events up to 29s ago, at 2026-05-04T11:59:31Z, are not known.
  Policy 1: 1 pod up in 30m: some of them may still count.
  Policy 2: 10% up in 15s: from 5 at the start of the period to 6.
Limits: 5 to 6 replicas.
Next: how long the decision stays the same is not known.
`, text(600))
	require.Contains(t, text(400), `, the size will be between 4 and 5 replicas; the status does not say more. It is 5 now.
`)
	// More pods may have been added than there are, if someone removed some.
	spec.Behavior.ScaleUp.Policies[0].Value = 8
	require.Contains(t, text(600), ", the size will be between 5 and 6 replicas;")
	spec.Behavior.ScaleUp.Policies[0].Value = 1
	require.Contains(t, text(400), `
Stabilization: 4 to 5 replicas. The recommendations of the last 5m are not known. They count until 2026-05-04T12:05:00Z, in 5m, at the latest.
Policies: down to 0 replicas, by the only policy.
  Policy 1: 100% down in 15s: from 5 at the start of the period to 0.
Limits: 4 to 5 replicas.
Next: how long the decision stays the same is not known.
`)
	require.Contains(t, text(500), "\nStabilization: 5 replicas, unchanged.\nLimits: 5 replicas, unchanged.\nNext: the decision stays the same until an input changes.\n")

	// The last one is too long ago, and there is no unknown policy.
	status.LastScaleTime = noon.Add(-time.Hour)
	require.Contains(t, text(600), "should change from 5 to 6 replicas")
	require.Contains(t, text(600), "\nPolicies: up to 6 replicas, by policy 1, which allows the least (selectPolicy Min).\n")

	// Without a behavior, a window may hold any recommendation, unless the last
	// sync shows that it does not.
	spec.Behavior = nil
	require.Contains(t, text(400), "\nStabilization: at least 4 replicas. The recommendations of the last 5m are not known. They count until just after 2026-05-04T12:05:00Z, in 5m, at the latest.\nLimits: 4 to 10 replicas.\n")
	status.Conditions = append(status.Conditions,
		autoscaling.HorizontalPodAutoscalerCondition{Type: autoscaling.ScalingActive, Status: autoscaling.ConditionTrue, Reason: "ValidMetricFound"},
		autoscaling.HorizontalPodAutoscalerCondition{Type: autoscaling.ScalingLimited, Status: autoscaling.ConditionFalse, Reason: "DesiredWithinRange"})
	require.Contains(t, text(400), "\nStabilization: at least 4 replicas. The recommendations of the last 5m are not known. They count until just after 2026-05-04T12:05:00Z, in 5m, at the latest. The spec may have changed since the status was written, so the status does not show the highest one.\nLimits: 4 to 10 replicas.\n")
	const byTimes = " This holds if no field was removed from the spec since the status was written: the time of the last write does not show that.\n"
	written = noon.Add(-time.Hour)
	require.Contains(t, text(400), "\nStabilization: 4 to 5 replicas. The recommendations of the last 5m are not known. They count until just after 2026-05-04T12:05:00Z, in 5m, at the latest."+byTimes+"Limits: 4 to 5 replicas.\n")
	require.Contains(t, text(600), "should change from 5 to 6 replicas")
	require.Contains(t, text(600), "\nStabilization: 6 replicas. There is no higher recommendation in the last 5m."+byTimes+"Limits: 6 replicas, within bounds and policies.\n")
	generation := int64(1)
	status.ObservedGeneration = &generation
	require.Contains(t, text(400), "\nStabilization: 4 to 5 replicas. The recommendations of the last 5m are not known. They count until just after 2026-05-04T12:05:00Z, in 5m, at the latest.\nLimits: 4 to 5 replicas.\n")
	require.Contains(t, text(600), "\nStabilization: 6 replicas. There is no higher recommendation in the last 5m.\nLimits: 6 replicas, within bounds and policies.\n")

	// Where no memory takes part, all is known.
	status.Conditions = nil
	r := (*calculator.Known)(nil).Decide(noon, &settings, &spec, cpuAt(5, 400))
	require.Equal(t, text(400), r.String())
	require.Equal(t, text(400), new(calculator.Known).Decide(noon, nil, &spec, cpuAt(5, 400)).String())
	r = new(calculator.Known).Decide(noon, nil, nil, nil)
	require.ErrorContains(t, r.Err(), "spec: Required value")
	known := calculator.Known{Status: autoscaling.HorizontalPodAutoscalerStatus{Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{}}}}
	r = known.Decide(noon, &calculator.Settings{}, &spec, cpuAt(5, 400))
	require.ErrorContains(t, r.Err(), "settings: Required value")
	require.Contains(t, text(400), "because there are no recommendations yet: the current size counts as one.")
	status.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue}}
	spec.MaxReplicas = 4
	require.Contains(t, text(400), "above the maximum of 4")
}

// The last sync shows no highest recommendation where anything else may have
// kept the size down.
func TestRangeKnowsNoHighest(t *testing.T) {
	settings := calculator.DefaultSettings()
	generation := int64(3)
	for name, tt := range map[string]struct {
		change func(*autoscaling.HorizontalPodAutoscalerStatus, *calculator.Settings)
		high   int32
	}{
		"as it was":    {func(*autoscaling.HorizontalPodAutoscalerStatus, *calculator.Settings) {}, 5},
		"desired more": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) { s.DesiredReplicas = 7 }, 7},
		"the minimum": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) {
			s.Conditions[2].Status, s.Conditions[2].Reason = "True", "TooFewReplicas"
		}, 5},
		"the maximum": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) {
			s.Conditions[2].Status, s.Conditions[2].Reason = "True", "TooManyReplicas"
		}, 10},
		"another spec": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) {
			generation = 4
			s.ObservedGeneration = &generation
		}, 10},
		"no generation":     {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) { s.ObservedGeneration = nil }, 10},
		"below the minimum": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) { s.CurrentReplicas = 0 }, 10},
		"above the maximum": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) { s.CurrentReplicas = 11 }, 10},
		"failed metrics": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) {
			s.Conditions[1].Status = "False"
		}, 10},
		"not written": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) {
			s.Conditions[0].Status = "False"
		}, 10},
		"another reason": {func(s *autoscaling.HorizontalPodAutoscalerStatus, _ *calculator.Settings) {
			s.Conditions[0].Reason = "SucceededGetScale"
		}, 10},
		"a cooldown": {func(_ *autoscaling.HorizontalPodAutoscalerStatus, s *calculator.Settings) { s.Cooldown.Up = 1 }, 10},
	} {
		t.Run(name, func(t *testing.T) {
			observed := int64(3)
			status := autoscaling.HorizontalPodAutoscalerStatus{
				CurrentReplicas: 5, DesiredReplicas: 5, ObservedGeneration: &observed,
				Conditions: []autoscaling.HorizontalPodAutoscalerCondition{
					{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"},
					{Type: autoscaling.ScalingActive, Status: autoscaling.ConditionTrue, Reason: "ValidMetricFound"},
					{Type: autoscaling.ScalingLimited, Status: autoscaling.ConditionFalse, Reason: "DesiredWithinRange"},
				},
			}
			own := settings
			tt.change(&status, &own)
			spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
			r := (&calculator.Known{Status: status, Generation: 3}).Decide(noon, &own, &spec, cpuAt(5, 400))
			require.NoError(t, r.Err())
			require.EqualValues(t, 4, r.Low.DesiredReplicas)
			require.Equal(t, tt.high, r.High.DesiredReplicas)
			_, known := r.Replicas()
			require.False(t, known)
			require.True(t, r.Recommendations)
			require.False(t, r.Events)
		})
	}
}

// Without generations, the times of the writes tell whether the status is of
// the spec: an edit within the second of the status may be later.
func TestRangeKnowsNoHighestAfterAnEdit(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
	at := func(ago time.Duration) time.Time { return noon.Add(-ago) }
	var never time.Time
	for _, tt := range []struct {
		spec, status time.Time
		high         int32
	}{
		{never, never, 10},
		{never, at(0), 10},
		{at(10 * time.Second), never, 10},
		{at(10 * time.Second), at(11 * time.Second), 10},
		{at(10 * time.Second), at(10 * time.Second), 10},
		{at(10 * time.Second), at(9 * time.Second), 5},
		{at(10 * time.Second), noon.Add(1), 10},
		{at(5*time.Minute + time.Second), never, 10},
		{at(5*time.Minute + time.Second + 1), never, 5},
	} {
		k := calculator.Known{
			SpecWritten: tt.spec, StatusWritten: tt.status,
			Status: autoscaling.HorizontalPodAutoscalerStatus{
				CurrentReplicas: 5, DesiredReplicas: 5,
				Conditions: []autoscaling.HorizontalPodAutoscalerCondition{
					{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"},
					{Type: autoscaling.ScalingActive, Status: autoscaling.ConditionTrue, Reason: "ValidMetricFound"},
					{Type: autoscaling.ScalingLimited, Status: autoscaling.ConditionFalse, Reason: "DesiredWithinRange"},
				},
			},
		}
		r := k.Decide(noon, &settings, &spec, cpuAt(5, 400))
		require.Equal(t, tt.high, r.High.DesiredReplicas, "%v", tt)
	}
}

// On releases that observe no generation, a behavior with a short window may
// have been removed since the last sync. Recommendations that had left that
// window then count again.
func TestRangeOfARemovedBehavior(t *testing.T) {
	settings := calculator.DefaultSettings()
	settings.Release = release.MustParse("1.32")
	window := int32(60)
	spec := autoscaling.NewSpec(1, 20, autoscaling.ResourceUtilizationMetric("cpu", 50))
	spec.Behavior = &behavior.Behavior{ScaleDown: &behavior.ScalingRules{StabilizationWindowSeconds: &window}}
	spec.SetDefaults()
	var st calculator.State
	var status autoscaling.HorizontalPodAutoscalerStatus
	now := noon
	sync := func(obs *calculator.Observation) int32 {
		d := calculator.Decide(now, &settings, &spec, obs, &st)
		st.Applied(now, &d)
		status = d.Status(&st)
		return d.DesiredReplicas
	}
	sync(cpuAt(9, 500))
	for range 8 {
		now = now.Add(15 * time.Second)
		sync(cpuAt(status.DesiredReplicas, 1500/metrics.Milli(status.DesiredReplicas)))
	}
	require.EqualValues(t, 3, status.DesiredReplicas)
	now = now.Add(15 * time.Second)
	sync(cpuAt(3, 500))
	now = now.Add(15 * time.Second)
	spec.Behavior = nil
	r := (&calculator.Known{Status: status, Generation: 2}).Decide(now, &settings, &spec, cpuAt(3, 300))
	require.EqualValues(t, 6, sync(cpuAt(3, 300)), "twice the size, on the way to 9")
	require.GreaterOrEqual(t, r.High.DesiredReplicas, int32(6), r)
	require.Contains(t, r.String(), "The spec may have changed since the status was written")
}

// A percentage of more than all turns the order round: with any size at the
// start of the period but 0, nothing may be removed.
func TestRangeOfMoreThanAll(t *testing.T) {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
	window := int32(0)
	spec.Behavior = &behavior.Behavior{ScaleDown: &behavior.ScalingRules{
		StabilizationWindowSeconds: &window, SelectPolicy: behavior.SelectMin,
		Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}, {Type: behavior.PercentPolicy, Value: 101, PeriodSeconds: 60}},
	}}
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	status := autoscaling.HorizontalPodAutoscalerStatus{
		LastScaleTime: noon.Add(-29 * time.Second), CurrentReplicas: 5, DesiredReplicas: 5,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"}},
	}
	r := (&calculator.Known{Status: status}).Decide(noon, &settings, &spec, cpuAt(5, 200))
	require.EqualValues(t, 2, r.Low.DesiredReplicas)
	require.EqualValues(t, 5, r.High.DesiredReplicas)
	require.True(t, r.Events)
}

// A recommendation that is known, though others are not, holds the size while
// it is in the window. The others may hold it longer.
func TestRangeOfOneRecommendation(t *testing.T) {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
	spec.Behavior = &behavior.Behavior{}
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	k := calculator.Known{Status: autoscaling.HorizontalPodAutoscalerStatus{
		LastScaleTime: noon.Add(-time.Hour), CurrentReplicas: 5, DesiredReplicas: 5,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"}},
	}}
	k.Recommendations.Record(noon, 5, stabilize.Windows{})
	for after, want := range map[time.Duration][2]int32{0: {5, 5}, 5*time.Minute - 1: {5, 5}, 5 * time.Minute: {2, 5}} {
		r := k.Decide(noon.Add(after), &settings, &spec, cpuAt(5, 200))
		require.Equal(t, want, [2]int32{r.Low.DesiredReplicas, r.High.DesiredReplicas}, "%v: %s", after, r)
	}
	r := k.Decide(noon.Add(time.Minute), &settings, &spec, cpuAt(5, 200))
	require.Contains(t, r.String(), "\nStabilization: 5 replicas instead of 2, because of recommendations in the last 5m. They count until 2026-05-04T12:05:00Z, in 4m, at least, and until 2026-05-04T12:06:00Z, in 5m, at the latest.\n")
}

// Events that are known for longer than recommendations narrow what policies
// allow.
func TestRangeOfEventsAlone(t *testing.T) {
	spec := autoscaling.NewSpec(1, 20, autoscaling.ResourceUtilizationMetric("cpu", 50))
	spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 600}}}}
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	k := calculator.Known{Status: autoscaling.HorizontalPodAutoscalerStatus{
		LastScaleTime: noon.Add(-10 * time.Second), CurrentReplicas: 5, DesiredReplicas: 5,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"}},
	}}
	k.Events.Record(noon.Add(-10*time.Second), 4, 5, spec.Behavior)
	for since, want := range map[time.Duration][2]int32{0: {5, 10}, 5 * time.Minute: {5, 10}, 10 * time.Minute: {8, 8}} {
		k.EventsSince = noon.Add(-since)
		r := k.Decide(noon, &settings, &spec, cpuAt(5, 1000))
		require.Equal(t, want, [2]int32{r.Low.DesiredReplicas, r.High.DesiredReplicas}, "%v: %s", since, r)
	}
}

// Known events stay where they are in time, whichever direction comes first.
func TestRangeKeepsKnownEvents(t *testing.T) {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
	spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{SelectPolicy: behavior.SelectMin, Policies: []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 15}, {Type: behavior.PodsPolicy, Value: 100, PeriodSeconds: 1800},
	}}}
	spec.SetDefaults()
	settings := calculator.DefaultSettings()
	k := calculator.Known{Since: noon.Add(-10 * time.Minute), Status: autoscaling.HorizontalPodAutoscalerStatus{
		LastScaleTime: noon.Add(-10 * time.Second), CurrentReplicas: 5, DesiredReplicas: 5,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"}},
	}}
	k.Events.Record(noon.Add(-50*time.Second), 4, 3, spec.Behavior)
	k.Events.Record(noon.Add(-10*time.Second), 3, 5, spec.Behavior)
	r := k.Decide(noon, &settings, &spec, cpuAt(5, 600))
	size, known := r.Replicas()
	require.True(t, known, r)
	require.EqualValues(t, 5, size, "two were added within 15 seconds")
}
