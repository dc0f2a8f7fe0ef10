package calculator_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// proposedAgain returns readings that propose what the library itself did.
func proposedAgain(d *calculator.Decision) []calculator.Reading {
	readings := make([]calculator.Reading, len(d.Proposals))
	for i := range d.Proposals {
		p := &d.Proposals[i]
		if err := p.Err(); err != nil {
			readings[i].Err = err
			continue
		}
		readings[i].Proposed = &calculator.Proposed{Replicas: p.Replicas, Value: p.Usage, Utilization: p.Utilization, Until: p.Until}
	}
	return readings
}

// The library's own proposals, fed back by a caller, give the same sizes,
// conditions, statuses, events and states on all recorded syncs.
func TestOwnProposalsMadeElsewhere(t *testing.T) {
	t.Parallel()
	syncs, proposals, failures := 0, 0, 0
	eachVector(t, func(v *vector) {
		settings := v.settings()
		var own, foreign calculator.State
		for i := range v.Steps {
			s := &v.Steps[i]
			var d, e calculator.Decision
			s.sync(&d, &settings, &v.DefaultedSpec, &own)
			step := *s
			step.observed.Pods = nil
			if step.observed.Readings = proposedAgain(&d); len(d.Proposals) == 0 {
				step.observed.Readings = s.observed.Readings
			}
			step.sync(&e, &settings, &v.DefaultedSpec, &foreign)
			want, got := s.result(t, &d, &own), s.result(t, &e, &foreign)
			require.Equal(t, want, got, "vector %s, step %d", v.Name, i)
			require.True(t, own.Equal(&foreign), "vector %s, step %d", v.Name, i)
			syncs++
			for j := range d.Proposals {
				if proposals++; d.Proposals[j].Failed() {
					failures++
				}
			}
		}
	})
	t.Log(syncs, "syncs,", proposals, "proposals,", failures, "failed")
	require.Equal(t, vectorsSyncs, syncs)
	require.Positive(t, failures)
}

func TestProposedRatio(t *testing.T) {
	spec := cpuSpec(t, "")
	settings := calculator.DefaultSettings()
	for _, tt := range []struct {
		proposed    calculator.Proposed
		calibration float64
		want        int32
		rule        calculator.Rule
	}{
		{calculator.Proposed{}, 0, 0, calculator.AsProposed},
		{calculator.Proposed{Replicas: 7}, 0.5, 7, calculator.AsProposed},
		{calculator.Proposed{Replicas: 7, Ratio: 1.1, Counted: 4}, 0, 4, calculator.WithinTolerance},
		{calculator.Proposed{Ratio: 1.11, Counted: 4}, 0, 5, calculator.RatioTimesPods},
		{calculator.Proposed{Ratio: 1.5, Counted: 4}, 0, 6, calculator.RatioTimesPods},
		{calculator.Proposed{Ratio: 1.5, Counted: 4}, 1, 6, calculator.RatioTimesPods},
		{calculator.Proposed{Ratio: 1.5, Counted: 4}, 0.4, 15, calculator.RatioTimesPods},
		{calculator.Proposed{Ratio: 0, Counted: 4}, 0, 0, calculator.RatioTimesPods},
		{calculator.Proposed{Ratio: 1.5}, 0, 0, calculator.RatioTimesPods},
		{calculator.Proposed{Ratio: math.MaxFloat64, Counted: math.MaxInt}, math.SmallestNonzeroFloat64, math.MaxInt32, calculator.RatioTimesPods},
	} {
		var st calculator.State
		obs := calculator.Observation{SpecReplicas: 4, StatusReplicas: 4, Calibration: tt.calibration, Readings: []calculator.Reading{{Proposed: &tt.proposed}}}
		d := calculator.Decide(noon, &settings, spec, &obs, &st)
		require.NoError(t, d.Err())
		require.Equal(t, tt.want, d.Choice.Replicas, "%+v", tt)
		require.Equal(t, tt.rule, d.Proposals[0].Rule, "%+v", tt)
	}
}

// An impossible proposal is an error, and nothing is recorded.
func TestProposedErrors(t *testing.T) {
	spec := cpuSpec(t, "")
	settings := calculator.DefaultSettings()
	for problem, proposed := range map[string]calculator.Proposed{
		`observation.readings[0].proposed.replicas: Invalid value: -1: must not be negative`:               {Replicas: -1},
		`observation.readings[0].proposed.ratio: Invalid value: "-0.5": must be a number and not negative`: {Ratio: -0.5},
		`observation.readings[0].proposed.ratio: Invalid value: "NaN": must be a number and not negative`:  {Ratio: math.NaN()},
		`observation.readings[0].proposed.ratio: Invalid value: "+Inf": must be a number and not negative`: {Ratio: math.Inf(1)},
		`observation.readings[0].proposed.counted: Invalid value: -1: must not be negative`:                {Counted: -1},
	} {
		var st calculator.State
		obs := calculator.Observation{SpecReplicas: 4, StatusReplicas: 4, Readings: []calculator.Reading{{Proposed: &proposed}}}
		d := calculator.Decide(noon, &settings, spec, &obs, &st)
		require.EqualError(t, d.Err(), problem)
		var e *field.Error
		require.ErrorAs(t, d.Err(), &e)
		require.True(t, st.Equal(&calculator.State{}))
		require.Equal(t, int32(4), d.DesiredReplicas)
	}
	for _, calibration := range []float64{-1, math.NaN(), math.Inf(1)} {
		var st calculator.State
		obs := calculator.Observation{SpecReplicas: 4, Calibration: calibration}
		d := calculator.Decide(noon, &settings, spec, &obs, &st)
		require.ErrorContains(t, d.Err(), "observation.calibration: Invalid value:")
	}
}

// A metric of type Proposal is for what the API has no metric for.
func TestProposalMetric(t *testing.T) {
	spec := autoscaling.NewSpec(0, 20, autoscaling.ProposalMetric("forecast"))
	require.ErrorContains(t, spec.Validate().Err(), `spec.metrics[0].type: Unsupported value: "Proposal"`)
	settings := calculator.DefaultSettings()
	settings.DownscaleStabilization = 0
	obs := calculator.Observation{Namespace: "ns", SpecReplicas: 4, StatusReplicas: 4}
	var st calculator.State
	decide := func(at time.Duration, r calculator.Reading) calculator.Decision {
		obs.Readings = []calculator.Reading{r}
		d := calculator.Decide(noon.Add(at), &settings, &spec, &obs, &st)
		st.Applied(noon.Add(at), &d)
		obs.SpecReplicas, obs.StatusReplicas = d.DesiredReplicas, d.DesiredReplicas
		return d
	}
	d := decide(0, calculator.Reading{Proposed: &calculator.Proposed{Replicas: 7, Value: 6500, Text: "rush hour"}})
	require.Equal(t, []string{"Normal SuccessfulRescale New size: 7; reason: proposal forecast above target"}, texts(&d))
	status := d.Status(&st).CurrentMetrics[0]
	require.Equal(t, "forecast", status.Proposal.Name)
	require.Equal(t, "6500m", status.Proposal.Current.Value.String())
	require.Equal(t, "the HPA was able to successfully calculate a replica count from proposal forecast", st.Condition(autoscaling.ScalingActive).Message)
	text, err := d.MarshalJSON()
	require.NoError(t, err)
	require.Contains(t, string(text), `"text":"rush hour"`)

	d = decide(time.Minute, calculator.Reading{})
	require.Equal(t, []string{
		"Warning FailedGetProposal unable to get proposal forecast: no size was proposed",
		"Warning FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get forecast proposal: unable to get proposal forecast: no size was proposed",
	}, texts(&d))
	require.Equal(t, calculator.NotProposed, d.Proposals[0].Failure.Kind)

	// To zero and back, as no pods are needed to propose.
	d = decide(2*time.Minute, calculator.Reading{Proposed: &calculator.Proposed{}})
	require.Equal(t, int32(0), d.DesiredReplicas)
	require.Equal(t, autoscaling.ConditionTrue, st.Condition(autoscaling.ScaledToZero).Status)
	d = decide(3*time.Minute, calculator.Reading{Proposed: &calculator.Proposed{Replicas: 3}})
	require.Equal(t, calculator.ZoneFromZero, d.Zone)
	require.Equal(t, int32(3), d.DesiredReplicas)
}
