package calculator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
)

// fallbackSpec is externalSpec with a fallback.
func fallbackSpec(t *testing.T, fallback string) *autoscaling.HorizontalPodAutoscalerSpec {
	t.Helper()
	return specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[{"type":"External","external":{"metric":{"name":"backlog"},
		"target":{"type":"AverageValue","averageValue":"10"},"fallback":`+fallback+`}}]}`)
}

func failingBacklog(n int32) *calculator.Observation {
	obs := backlogOf(n)
	obs.Readings[0] = calculator.Reading{Err: errMetric}
	return obs
}

// A fallback counts from the duration on, not a nanosecond before.
func TestFallbackBoundaries(t *testing.T) {
	settings := calculator.DefaultSettings()
	for _, tt := range []struct {
		fallback string
		current  int32
		after    time.Duration
		want     int32
	}{
		{`{"replicas":12}`, 8, 180 * time.Second, 12},
		{`{"replicas":12,"failureDurationSeconds":181}`, 8, 181 * time.Second, 12},
		{`{"replicas":12,"behavior":"static"}`, 8, 180 * time.Second, 12},
		{`{"replicas":12,"behavior":"currentReplicas"}`, 8, 180 * time.Second, 8},
		{`{"replicas":12,"behavior":"currentReplicasIfHigher"}`, 8, 180 * time.Second, 12},
		{`{"replicas":12,"behavior":"currentReplicasIfHigher"}`, 15, 180 * time.Second, 15},
		{`{"replicas":12,"behavior":"currentReplicasIfLower"}`, 8, 180 * time.Second, 8},
		{`{"replicas":12,"behavior":"currentReplicasIfLower"}`, 15, 180 * time.Second, 12},
	} {
		t.Run(fmt.Sprint(tt.fallback, tt.current), func(t *testing.T) {
			spec, obs := fallbackSpec(t, tt.fallback), failingBacklog(tt.current)
			var st calculator.State
			for _, age := range []time.Duration{0, tt.after - 1, tt.after, tt.after + 1} {
				d := calculator.Decide(noon.Add(age), &settings, spec, obs, &st)
				p := &d.Proposals[0]
				require.Equal(t, st.Failing, d.Failing)
				require.Equal(t, []calculator.FailingMetric{{Metric: "external metric backlog(nil)", Since: noon}}, st.Failing)
				require.Equal(t, "Warning FailedGetExternalMetric unable to get external metric ns/backlog/nil: the metric is not to be had", texts(&d)[0])
				require.Zero(t, d.Status(&st).CurrentMetrics[0])
				active := st.Condition(autoscaling.ExternalMetricFallbackActive)
				if age < tt.after {
					require.True(t, p.Failed(), age)
					require.Equal(t, noon.Add(tt.after), d.Until)
					require.ErrorIs(t, d.Err(), errMetric)
					require.Equal(t, autoscaling.ConditionFalse, active.Status)
					continue
				}
				require.False(t, p.Failed(), age)
				require.NoError(t, d.Err())
				require.Equal(t, tt.want, d.Choice.Replicas)
				require.Equal(t, autoscaling.ConditionTrue, active.Status)
				require.Equal(t, noon.Add(tt.after), active.LastTransitionTime)
				require.Equal(t, "external metric backlog(nil) keeps failing, and its fallback counts", active.Message)
			}
		})
	}
}

// A success, or a spec without the fallback, begins anew; what lies between two
// syncs is not seen.
func TestFallbackForgets(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec := fallbackSpec(t, `{"replicas":12}`)
	for name, between := range map[string]func(now time.Time, st *calculator.State){
		"a success": func(now time.Time, st *calculator.State) {
			calculator.Decide(now, &settings, spec, backlogOf(8, 80), st)
		},
		"no fallback": func(now time.Time, st *calculator.State) {
			calculator.Decide(now, &settings, externalSpec(t, ""), failingBacklog(8), st)
		},
		"another name": func(now time.Time, st *calculator.State) {
			other := spec.Clone()
			other.Metrics[0].External.Metric.Name = "jobs"
			calculator.Decide(now, &settings, other, failingBacklog(8), st)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var st calculator.State
			calculator.Decide(noon, &settings, spec, failingBacklog(8), &st)
			between(noon.Add(time.Minute), &st)
			d := calculator.Decide(noon.Add(3*time.Minute), &settings, spec, failingBacklog(8), &st)
			require.True(t, d.Proposals[0].Failed())
			require.Equal(t, noon.Add(3*time.Minute), d.Failing[0].Since)
		})
	}
	t.Run("no answer about the scale", func(t *testing.T) {
		var st calculator.State
		calculator.Decide(noon, &settings, spec, failingBacklog(8), &st)
		calculator.Decide(noon.Add(time.Minute), &settings, spec, &calculator.Observation{ScaleError: errScale}, &st)
		calculator.Decide(noon.Add(2*time.Minute), &settings, spec, failingBacklog(30), &st) // above the maximum
		d := calculator.Decide(noon.Add(3*time.Minute), &settings, spec, failingBacklog(8), &st)
		require.Equal(t, calculator.Fallback, d.Proposals[0].Rule)
	})
}

// A clock that goes back does not hold a fallback for longer than its duration.
func TestFallbackWhenTheClockGoesBack(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec := fallbackSpec(t, `{"replicas":12}`)
	var st calculator.State
	calculator.Decide(noon, &settings, spec, failingBacklog(8), &st)
	back := noon.Add(-24 * time.Hour)
	calculator.Decide(back, &settings, spec, failingBacklog(8), &st)
	d := calculator.Decide(back.Add(3*time.Minute-1), &settings, spec, failingBacklog(8), &st)
	require.True(t, d.Proposals[0].Failed())
	d = calculator.Decide(back.Add(3*time.Minute), &settings, spec, failingBacklog(8), &st)
	require.Equal(t, int32(12), d.Choice.Replicas)
}

// More failing metrics than a state holds are no error, and neither are names
// that its encodings cannot hold.
func TestFailingMetricsAreBounded(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec := fallbackSpec(t, `{"replicas":12}`)
	for i := range calculator.MaxFailing + 3 {
		m := spec.Clone().Metrics[0]
		m.External.Metric.Name = fmt.Sprint("\xff", i)
		if i%16 == 0 {
			m.External.Metric.Name += strings.Repeat("\xff", calculator.MaxMessageLength)
		}
		spec.Metrics = append(spec.Metrics, m)
	}
	obs := failingBacklog(8)
	for range spec.Metrics[1:] {
		obs.Readings = append(obs.Readings, obs.Readings[0])
	}
	var st calculator.State
	for _, after := range []time.Duration{0, time.Minute, 3 * time.Minute} {
		d := calculator.Decide(noon.Add(after), &settings, spec, obs, &st)
		require.Len(t, st.Failing, calculator.MaxFailing)
		for i := range d.Proposals {
			due := after == 3*time.Minute && i < calculator.MaxFailing
			require.Equal(t, due, !d.Proposals[i].Failed(), "metric %d after %v", i, after)
		}
		st = recode(t, &st, after == 0)
	}
	clear(st.Failing[1:])
	_, err := st.MarshalBinary()
	require.EqualError(t, err, `state.failing[2].metric: Invalid value: "": is there twice`)
}

// A state without failing metrics is encoded as ever, so that older readers
// have it.
func TestVersionOfEncodings(t *testing.T) {
	st := sampleState(t)
	for _, version := range []int{1, 2} {
		text, err := st.MarshalJSON()
		require.NoError(t, err)
		require.Contains(t, string(text), fmt.Sprintf(`"version":%d`, version))
		data, err := st.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, byte(version), data[4])
		st.Failing = []calculator.FailingMetric{{Metric: "external metric backlog(nil)", Since: noon}}
	}
	text, err := st.MarshalJSON()
	require.NoError(t, err)
	require.Contains(t, string(text), `"failing":[{"metric":"external metric backlog(nil)","since":"2026-05-04T12:00:00Z"}]`)
	var old calculator.State
	require.EqualError(t, old.UnmarshalJSON([]byte(strings.Replace(string(text), `"version":2`, `"version":1`, 1))),
		"calculator.State: failing: not in version 1")
	require.Zero(t, old)
}

// Metrics that fail for as long as they like allocate nothing more.
func TestFallbackDoesNotAllocate(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec, obs := fallbackSpec(t, `{"replicas":12}`), failingBacklog(12)
	var st calculator.State
	var d calculator.Decision
	now := noon
	sync := func() {
		now = now.Add(time.Minute)
		calculator.DecideInto(&d, now, &settings, spec, obs, &st)
	}
	for range 100 {
		sync()
	}
	require.Zero(t, testing.AllocsPerRun(100, sync))
}

// Without the state, nobody knows for how long a metric has failed. Both
// answers are within the range.
func TestRangeOfFallbacks(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec := fallbackSpec(t, `{"replicas":12}`)
	known := calculator.Known{Status: autoscaling.HorizontalPodAutoscalerStatus{
		CurrentReplicas: 8, DesiredReplicas: 8,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "SucceededGetScale"}},
	}}
	r := known.Decide(noon, &settings, spec, failingBacklog(8))
	require.Equal(t, []int32{8, 16}, []int32{r.Low.DesiredReplicas, r.High.DesiredReplicas})
	require.True(t, r.Fallback)
	require.Contains(t, r.String(), "At 2026-05-04T12:00:00Z, the size will be between 8 and 16 replicas; the status does not say more.")
	require.Contains(t, r.String(), "so its fallback may count.\n")
	for age := range 5 {
		var st calculator.State
		calculator.Decide(noon.Add(-time.Duration(age)*time.Minute), &settings, spec, failingBacklog(8), &st)
		d := calculator.Decide(noon, &settings, spec, failingBacklog(8), &st)
		require.Contains(t, []int32{8, 12}, d.DesiredReplicas)
	}

	r = known.Decide(noon, &settings, spec, backlogOf(8, 80_000))
	require.False(t, r.Fallback)
	r = (&calculator.Known{}).Decide(noon, &settings, spec, failingBacklog(8))
	require.False(t, r.Fallback, "an autoscaler that was never synced")
	require.Equal(t, int32(8), r.High.DesiredReplicas)
}

// Each metric that fails may have done so for long, alone or with others.
func TestRangeOfSomeFallbacks(t *testing.T) {
	spec := fallbackSpec(t, `{"replicas":2}`)
	for i, n := range []int32{8, 14} {
		m := fallbackSpec(t, fmt.Sprintf(`{"replicas":%d}`, n)).Metrics[0]
		m.External.Metric.Name = fmt.Sprint("backlog", i)
		spec.Metrics = append(spec.Metrics, m)
	}
	spec.Behavior = &behavior.Behavior{ScaleDown: &behavior.ScalingRules{StabilizationWindowSeconds: new(int32)}}
	spec.SetDefaults()
	obs := failingBacklog(5)
	for range 2 {
		obs.Readings = append(obs.Readings, obs.Readings[0])
	}
	known := calculator.Known{Status: autoscaling.HorizontalPodAutoscalerStatus{
		CurrentReplicas: 5, DesiredReplicas: 5,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue, Reason: "ReadyForNewScale"}},
	}}
	settings := calculator.DefaultSettings()
	for _, settings.ChooseBy = range []calculator.ChooseBy{calculator.ChooseMax, calculator.ChooseMin, calculator.ChooseFirst} {
		r := known.Decide(noon, &settings, spec, obs)
		require.True(t, r.Fallback)
		for long := range 8 {
			st := calculator.StateFromStatus(&known.Status)
			for i, name := range []string{"backlog", "backlog0", "backlog1"} {
				if long>>i&1 != 0 {
					st.Failing = append(st.Failing, calculator.FailingMetric{Metric: "external metric " + name + "(nil)", Since: noon.Add(-time.Hour)})
				}
			}
			d := calculator.Decide(noon, &settings, spec, obs, &st)
			require.LessOrEqual(t, r.Low.DesiredReplicas, d.DesiredReplicas, "%q %b", settings.ChooseBy, long)
			require.GreaterOrEqual(t, r.High.DesiredReplicas, d.DesiredReplicas, "%q %b", settings.ChooseBy, long)
		}
	}
}

// Metrics of one name fail together, and may have fallbacks of different ages.
func TestRangeOfFallbacksOfOneName(t *testing.T) {
	settings := calculator.DefaultSettings()
	settings.Release, settings.ChooseBy = release.MustParse("1.33"), calculator.ChooseMin
	spec, later := cpuSpec(t, ""), int32(200)
	for _, f := range []*autoscaling.ExternalMetricFallback{{Replicas: 5}, {Replicas: 6, FailureDurationSeconds: &later}} {
		m := autoscaling.ProposalMetric("forecast")
		m.Proposal.Fallback = f
		spec.Metrics = append(spec.Metrics, m)
	}
	obs := cpuAt(2, 2000)
	obs.Readings = append(obs.Readings, calculator.Reading{Err: errMetric}, calculator.Reading{Err: errMetric})
	var st calculator.State
	for after, want := range map[time.Duration]int32{0: 2, 180 * time.Second: 2, 200 * time.Second: 4, time.Hour: 4} {
		st = calculator.State{Failing: []calculator.FailingMetric{{Metric: "proposal forecast", Since: noon}}}
		d := calculator.Decide(noon.Add(after), &settings, spec, obs, &st)
		require.Equal(t, want, d.DesiredReplicas, "%v: twice the size at most, once no metric lacks", after)
		k := calculator.Known{Status: d.Status(&st)}
		r := k.Decide(noon.Add(after), &settings, spec, obs)
		require.Equal(t, [2]int32{2, 4}, [2]int32{r.Low.DesiredReplicas, r.High.DesiredReplicas}, "%v\n%v", after, r)
	}
}

// A fallback to the current size changes no size, but the text and conditions.
func TestRangeOfAFallbackOfTheSameSize(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec, obs := fallbackSpec(t, `{"replicas":8}`), failingBacklog(8)
	spec.Behavior = behavior.Default()
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, obs, &st)
	k := calculator.Known{Status: d.Status(&st)}
	r := k.Decide(noon.Add(time.Minute), &settings, spec, obs)
	size, known := r.Replicas()
	require.True(t, known)
	require.EqualValues(t, 8, size)
	require.True(t, r.Fallback)
	require.Contains(t, r.String(), "the metric is not to be had. For how long is not known, so its fallback may count.\n")
	require.NotContains(t, r.String(), "counts from")
	r.Applied(noon.Add(time.Minute))
	_, high := r.Statuses()
	for i := range high.Conditions {
		require.False(t, r.Certain(&high.Conditions[i]), "%v", high.Conditions[i])
	}
}
