package calculator_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/metrics"
)

// names returns the names of the stages, with commas between them.
func names(stages []stage.Stage) string {
	var list []string
	for _, s := range stages {
		list = append(list, s.Name)
	}
	return strings.Join(list, ",")
}

// stageOf returns the stage of that name, which must be there.
func stageOf(t require.TestingT, stages []stage.Stage, name string) stage.Stage {
	i := slices.IndexFunc(stages, func(s stage.Stage) bool { return s.Name == name })
	require.GreaterOrEqual(t, i, 0, "%s in %s", name, names(stages))
	return stages[i]
}

// joined returns the texts of the stages, one after the other.
func joined(stages []stage.Stage) (text string) {
	for _, s := range stages {
		text += s.Text()
	}
	return text
}

// holdStages checks what is true of the stages of every decision that was
// decided: they have its sizes, reasons and moments.
func holdStages(t require.TestingT, d *calculator.Decision) {
	stages := d.Stages()
	require.Equal(t, d.String(), joined(stages))
	result := stages[0]
	require.Equal(t, stage.NameResult, result.Name)
	require.Equal(t, d.DesiredReplicas, result.Low)
	for _, s := range stages {
		require.Equal(t, d.Now, s.Now)
		require.Equal(t, d.CurrentReplicas, s.Current)
		require.Equal(t, s.Low, s.High, s.Name)
		require.GreaterOrEqual(t, s.Low, int32(0), s.Name)
		switch {
		case s.Metric != nil:
			p := &d.Proposals[s.Metric.Number-1]
			require.Equal(t, p.Failed(), s.Metric.Proposal == nil)
			if !p.Failed() {
				require.Equal(t, p.Replicas, s.Low)
			}
			require.Equal(t, p.Until, s.Until)
		case s.Choice != nil && !d.Choice.Blocked:
			require.Equal(t, d.Choice.Replicas, s.Low)
		case s.Stabilization != nil:
			require.Equal(t, d.Stabilization.Replicas, s.Low)
			require.Equal(t, d.Stabilization.Until, s.Until)
			require.Equal(t, s.Low != s.Stabilization.Desired, s.Bound != "")
		case s.Policies != nil:
			for _, p := range s.Policies.List {
				require.GreaterOrEqual(t, min(p.Start, int64(p.Limit)), int64(0))
			}
		case s.Limits != nil:
			require.Equal(t, d.Limits.Replicas, s.Low)
		case s.Next != nil:
			require.Equal(t, d.Until, s.Until)
		}
	}
}

// holdRange checks what is true of the stages of a range that the decision is
// in.
func holdRange(t *testing.T, r *calculator.Range, d *calculator.Decision) {
	stages := r.Stages()
	require.Equal(t, r.String(), joined(stages))
	for _, s := range stages {
		require.LessOrEqual(t, s.Low, s.High, "%s\n%s", s.Name, r)
	}
	result := stages[0]
	require.True(t, result.Low <= d.DesiredReplicas && d.DesiredReplicas <= result.High)
	for _, s := range stages {
		if s.Next != nil && !s.Next.Unknown {
			require.True(t, s.Until.Equal(d.Until), "%s\n%s", r, d)
		}
	}
}

// What bounds the size is Kubernetes' reason, where it has one.
func TestStagesOfADecision(t *testing.T) {
	d := scripted(t)
	stages := d.Stages()
	require.Equal(t, "Result,Size,Metric 1,Metric 2,Metric 3,Choice,Stabilization,Policies,Limits,Error", names(stages))
	require.Equal(t, "FailedGetExternalMetric", stageOf(t, stages, "Metric 2").Bound)
	require.Equal(t, "WithinTolerance", stageOf(t, stages, "Metric 3").Bound)
	require.Equal(t, "ScaleUpStabilized", stageOf(t, stages, "Stabilization").Bound)
	require.Equal(t, calculator.MetricUnavailable, calculator.FailureKind(stageOf(t, stages, "Metric 2").Metric.Failure.Kind))
	require.Equal(t, d.Policies, []behavior.PolicyLimit{stages[7].Policies.List[0].PolicyLimit, stages[7].Policies.List[1].PolicyLimit})

	// Nothing that happens to the decision changes them.
	before := joined(stages)
	for i := range d.Proposals {
		d.Proposals[i] = calculator.Proposal{}
		d.Policies = append(d.Policies[:0], make([]behavior.PolicyLimit, 2)...)
	}
	require.Equal(t, before, joined(stages))
}

// A policy may allow more pods to be removed than there are. The decision has
// the difference, and the explanation has sizes.
func TestStagesHaveNoNegativeSizes(t *testing.T) {
	spec := externalSpec(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0,"policies":[{"type":"Pods","value":100,"periodSeconds":60}]}}`)
	settings := calculator.DefaultSettings()
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, backlogOf(20, 30000), &st)
	require.EqualValues(t, -80, d.Policies[0].Limit)
	holdStages(t, &d)
	require.Contains(t, d.String(), "\nPolicies: down to 0 replicas, by the only policy.\n"+
		"  Policy 1: 100 pods down in 1m: from 20 at the start of the period to 0.\n")

	status := d.Status(&st)
	known := calculator.Known{Status: status}
	r := known.Decide(noon.Add(time.Minute), &settings, spec, backlogOf(20, 30000))
	holdRange(t, &r, &d)
	for _, s := range r.Stages() {
		require.GreaterOrEqual(t, s.Low, int32(0), "%s", &r)
	}
}

// A fallback that may count is data, with the metrics that it is of.
func TestStagesOfAFallback(t *testing.T) {
	spec := externalSpec(t, "")
	spec.Metrics[0].External.Fallback = &autoscaling.ExternalMetricFallback{Replicas: 16}
	settings := calculator.DefaultSettings()
	obs := backlogOf(8)
	obs.Readings[0] = calculator.Reading{Err: errors.New("not to be had")}
	known := calculator.Known{Status: autoscaling.HorizontalPodAutoscalerStatus{
		CurrentReplicas: 8, DesiredReplicas: 8,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue}},
	}}
	r := known.Decide(noon, &settings, spec, obs)
	stages := r.Stages()
	require.Equal(t, "Result,Size,Metric 1,Fallback,Next", names(stages))
	s := stageOf(t, stages, stage.NameFallback)
	require.Equal(t, []int{1}, s.Fallback.Metrics)
	require.EqualValues(t, 8, s.Low)
	require.EqualValues(t, 16, s.High)
	require.True(t, stageOf(t, stages, stage.NameNext).Next.Unknown)
}

// Without a window, only a recommendation of the same moment counts: the
// current size at the first sync.
func TestStagesOfARangeWithoutAWindow(t *testing.T) {
	settings := calculator.DefaultSettings()
	settings.DownscaleStabilization = 0
	known := calculator.Known{Status: autoscaling.HorizontalPodAutoscalerStatus{
		CurrentReplicas: 8, DesiredReplicas: 8,
		Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionTrue}},
	}}
	r := known.Decide(noon, &settings, externalSpec(t, ""), backlogOf(8, 30_000))
	require.NotContains(t, r.String(), "last 0s")
	require.Contains(t, r.String(), " replicas. Whether a recommendation of this moment holds the size is not known.\n")
}

// A sync of an autoscaler without a target names none.
func TestErrorsWithoutATarget(t *testing.T) {
	spec := autoscaling.NewSpec(1, 10, autoscaling.ExternalValueMetric("jobs", metrics.MustParseQuantity("5")))
	failed := calculator.Reading{Err: errors.New("no answer")}
	for want, obs := range map[string]calculator.Observation{
		"failed to compute desired number of replicas based on listed metrics: invalid metrics (1 invalid out of 1), first error is: ": {SpecReplicas: 3, Readings: []calculator.Reading{failed}},
		"failed to query scale subresource: gone": {ScaleError: errors.New("gone")},
	} {
		d := calculator.Decide(noon, nil, &spec, &obs, new(calculator.State))
		require.ErrorContains(t, d.Err(), want)
		require.NotContains(t, d.String(), "//")
	}
	var st calculator.State
	obs := calculator.Observation{SpecReplicas: 3, StatusReplicas: 3, Readings: []calculator.Reading{{Values: []metrics.Milli{10_000}}}, Pods: readyPods(3)}
	d := calculator.Decide(noon, nil, &spec, &obs, &st)
	require.True(t, d.Rescale)
	st.Failed(noon, &d, errors.New("conflict"))
	require.EqualError(t, d.Err(), "failed to rescale: conflict")
}

// Each word of the enumerations has a sentence of its own: package stage knows
// the words, and sees no Decision.
func TestStagesKnowTheWords(t *testing.T) {
	decision := func() calculator.Decision {
		return calculator.Decision{Now: noon, Zone: calculator.ZoneNormal, Tolerance: metrics.Symmetric(0.1), Proposals: []calculator.Proposal{
			{Metric: autoscaling.Metric{Source: autoscaling.PodsMetricSourceType, Target: metrics.AverageValue(1)}, Rule: calculator.WithinTolerance, Ratio: 2},
		}}
	}
	texts := map[string]bool{}
	add := func(word string, d calculator.Decision) {
		text := d.String()
		require.False(t, texts[text], word)
		require.NotRegexp(t, `\b`+word+`\b`, text)
		texts[text] = true
	}
	for _, rule := range []calculator.Rule{
		calculator.WithinTolerance, calculator.CorrectedWithinTolerance, calculator.DirectionWouldChange, calculator.CountWouldChangeDirection,
		calculator.RatioTimesPods, calculator.CorrectedRatioTimesPods, calculator.RatioFromZero, calculator.UsagePerTarget, calculator.NoReadyPods,
		calculator.AsProposed, calculator.Fallback,
	} {
		d := decision()
		d.Proposals[0].Rule = rule
		add(string(rule), d)
	}
	for _, zone := range []calculator.Zone{calculator.ZoneDisabled, calculator.ZoneFromZero, calculator.ZoneAboveMax, calculator.ZoneBelowMin} {
		d := decision()
		d.Zone = zone
		add(string(zone), d)
	}
	for _, as := range []calculator.Assumption{calculator.NotCounted, calculator.AsZero, calculator.AsTarget, calculator.AsRequest} {
		d := decision()
		d.Proposals[0].Pods.Missing, d.Proposals[0].MissingAs = 1, as
		if as == calculator.NotCounted {
			add("no word", d)
		} else {
			add(string(as), d)
		}
	}
	for _, by := range []calculator.ChooseBy{calculator.ChooseMin, calculator.ChooseFirst, calculator.ChooseMax} {
		d := decision()
		d.ChooseBy, d.Proposals = by, append(d.Proposals, calculator.Proposal{})
		if by == calculator.ChooseMax {
			add("Max", d)
		} else {
			add(string(by), d)
		}
	}
	for _, reason := range []behavior.LimitReason{behavior.TooFewReplicas, behavior.TooManyReplicas, behavior.ScaleUpLimit} {
		d := decision()
		d.Limits = behavior.LimitResult{Reason: reason, Until: noon.Add(time.Hour)}
		add(string(reason), d)
	}
}
