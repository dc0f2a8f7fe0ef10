package calculator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
)

// sampleState returns a state with all that there is: recommendations, an event
// of each direction, conditions, one of them somebody else's, and times.
func sampleState(t testing.TB) calculator.State {
	t.Helper()
	spec := cpuSpec(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":15}}`)
	settings := calculator.DefaultSettings()
	var st calculator.State
	size := int32(2)
	for i, milli := range []int64{500, 1000, 250, 250, 250} {
		now := noon.Add(time.Duration(i)*15*time.Second + 5)
		d := calculator.Decide(now, &settings, spec, cpuAt(size, milliOf(milli)), &st)
		require.NoError(t, d.Err())
		st.Applied(now, &d)
		size = d.DesiredReplicas
	}
	generation := int64(7)
	st.Conditions = append(st.Conditions, calculator.Condition{
		Type:               "Own",
		Status:             calculator.ConditionUnknown,
		Message:            calculator.Text("who knows"),
		ObservedGeneration: &generation,
	})
	return st
}

func TestStateClone(t *testing.T) {
	st := sampleState(t)
	pristine := recode(t, &st, true)
	c := st.Clone()
	require.True(t, c.Equal(&st))

	// Nothing that is done to the clone reaches the state.
	*c.Condition("Own").ObservedGeneration = 8
	c.Conditions[0].Reason = "Other"
	c.Conditions = append(c.Conditions[:1], c.Conditions[2:]...)
	early := noon.Add(-time.Hour)
	c.Recommendations.Rewind(early)
	c.Events.Rewind(early)
	c.Recommendations.Reset()
	c.Recommendations.Start(early, 99)
	c.LastScaleTime, c.Started, c.DesiredReplicas = early, early, 99
	require.True(t, st.Equal(&pristine))
	require.False(t, st.Equal(&c))

	var zero calculator.State
	require.Equal(t, calculator.State{}, zero.Clone())
}

// A clone keeps no hold of the spec whose metric its condition names.
func TestClonedMessagesAreTexts(t *testing.T) {
	spec := externalSpec(t, "")
	selector := &calculator.LabelSelector{MatchLabels: map[string]string{"queue": "mail"}}
	spec.Metrics[0].External.Metric.Selector = selector
	settings := calculator.DefaultSettings()
	var st calculator.State
	calculator.Decide(noon, &settings, spec, backlogOf(1, 20_000), &st)
	c := st.Clone()
	want := st.Condition(calculator.ScalingActive).Message.String()
	require.Contains(t, want, "mail")
	selector.MatchLabels["queue"] = "news"
	require.Contains(t, st.Condition(calculator.ScalingActive).Message.String(), "news")
	require.Equal(t, want, c.Condition(calculator.ScalingActive).Message.String())
}

func TestStateEqual(t *testing.T) {
	generation := func(g int64) *int64 { return &g }
	for name, change := range map[string]func(*calculator.State){
		"recommendation":                func(s *calculator.State) { s.Recommendations.Rewind(noon) },
		"no recommendations":            func(s *calculator.State) { s.Recommendations.Reset() },
		"event of a scale-up":           func(s *calculator.State) { s.Events.Added.Rewind(noon) },
		"event of a scale-down":         func(s *calculator.State) { s.Events.Removed.Rewind(noon) },
		"no conditions":                 func(s *calculator.State) { s.Conditions = nil },
		"order of conditions":           func(s *calculator.State) { s.Conditions[0], s.Conditions[1] = s.Conditions[1], s.Conditions[0] },
		"condition's type":              func(s *calculator.State) { s.Conditions[0].Type = "Other" },
		"condition's status":            func(s *calculator.State) { s.Conditions[0].Status = calculator.ConditionUnknown },
		"condition's reason":            func(s *calculator.State) { s.Conditions[0].Reason = "Other" },
		"condition's message":           func(s *calculator.State) { s.Conditions[0].Message = calculator.Text("other") },
		"condition's time":              func(s *calculator.State) { s.Conditions[0].LastTransitionTime = noon },
		"condition's generation":        func(s *calculator.State) { s.Condition("Own").ObservedGeneration = generation(8) },
		"condition's generation of -1":  func(s *calculator.State) { s.Conditions[0].ObservedGeneration = generation(-1) },
		"no generation for a condition": func(s *calculator.State) { s.Condition("Own").ObservedGeneration = nil },
		"last scale time":               func(s *calculator.State) { s.LastScaleTime = s.LastScaleTime.Add(1) },
		"desired replicas":              func(s *calculator.State) { s.DesiredReplicas++ },
		"start":                         func(s *calculator.State) { s.Started = s.Started.Add(1) },
	} {
		a, b := sampleState(t), sampleState(t)
		require.True(t, a.Equal(&b), name)
		change(&b)
		require.False(t, a.Equal(&b), name)
		require.False(t, b.Equal(&a), name)
	}
	a, b := sampleState(t), sampleState(t)
	*b.Condition("Own").ObservedGeneration = 7
	require.True(t, a.Equal(&b), "the generation is compared, not its address")
}

// Only the moment of a time counts.
func TestStateEqualInAnotherLocation(t *testing.T) {
	a, b := sampleState(t), sampleState(t)
	zone := time.FixedZone("", 3600)
	b.LastScaleTime, b.Started = b.LastScaleTime.In(zone), b.Started.In(zone)
	for i := range b.Conditions {
		b.Conditions[i].LastTransitionTime = b.Conditions[i].LastTransitionTime.In(zone)
	}
	require.True(t, a.Equal(&b))

	// Two readings of the same monotonic clock, one of a wall clock that was
	// set in between, would be equal to time.Time.Equal.
	now := time.Now()
	a.LastScaleTime, b.LastScaleTime = now, now.Round(0)
	a.Started, b.Started = now.Round(0), now
	a.Conditions[0].LastTransitionTime, b.Conditions[0].LastTransitionTime = now, now.Round(0)
	require.True(t, a.Equal(&b))
}
