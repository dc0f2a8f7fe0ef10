package calctest_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// tally counts what occurs.
type tally map[occurrence]int

// occurrence is a value of something.
type occurrence struct {
	what  string
	value any
}

func (n tally) see(what string, value any) { n[occurrence{what, value}]++ }

// seeSpec counts what a spec asks for.
func (n tally) seeSpec(s *autoscaling.HorizontalPodAutoscalerSpec) {
	for i := range s.Metrics {
		m := &s.Metrics[i]
		n.see("source", m.Type)
		switch {
		case m.Object != nil:
			n.see("Object target", m.Object.Target.Type)
		case m.External != nil:
			n.see("External target", m.External.Target.Type)
		case m.Pods != nil:
			n.see("Pods target", m.Pods.Target.Type)
		case m.Resource != nil:
			n.see("Resource target", m.Resource.Target.Type)
		case m.ContainerResource != nil:
			n.see("ContainerResource target", m.ContainerResource.Target.Type)
		}
	}
	if s.Behavior == nil {
		n.see("behavior", "none")
		return
	}
	n.see("behavior", "some")
	for direction, r := range map[string]*behavior.ScalingRules{"scaleUp": s.Behavior.ScaleUp, "scaleDown": s.Behavior.ScaleDown} {
		n.see(direction+" select policy", r.SelectPolicy)
		for _, p := range r.Policies {
			n.see(direction+" policy type", p.Type)
		}
	}
}

// seeDecision counts what a decision says.
func (n tally) seeDecision(d *calculator.Decision, s *calculator.Settings, obs *calculator.Observation) {
	n.see("zone", d.Zone)
	n.see("rescale reason", d.Reason)
	n.see("outcome", d.Outcome)
	n.see("stabilization", d.Stabilization.Reason)
	n.see("limit", d.Limits.Reason)
	n.see("raised to minimum", d.RaisedToMin)
	for i := range d.Proposals {
		p := &d.Proposals[i]
		n.see("rule", p.Rule)
		n.see("failure", p.Failure.Kind)
		n.see("missing", p.MissingAs)
		n.see("unready", p.UnreadyAs)
		for _, v := range d.AppendVerdicts(nil, i, s, obs) {
			n.see("pod class", v.Class)
			n.see("pod reason", v.Reason)
		}
	}
	if obs.SelectorError != nil {
		n.see("selector", obs.SelectorError.Reason)
	}
	for _, c := range d.Conditions {
		n.see("condition "+string(c.Type), c.Status)
	}
}

// all expects every value of an enumeration: from zero on, as long as they have
// a word of their own.
func all[E interface {
	~uint8
	fmt.Stringer
}](what string) (expected []occurrence) {
	for v := E(0); !strings.Contains(v.String(), "("+fmt.Sprint(uint8(v))+")"); v++ {
		expected = append(expected, occurrence{what, v})
	}
	return expected
}

func these[V any](what string, values ...V) (expected []occurrence) {
	for _, v := range values {
		expected = append(expected, occurrence{what, v})
	}
	return expected
}

// What the generators claim to reach, they do, in 10,000 draws: a timeline and
// one sync at once each.
func TestGeneratorsReachEverything(t *testing.T) {
	draws := 10_000
	seen := tally{}
	timelines := calctest.Timelines(nil, calctest.SegmentsUpTo(3))
	for i := range draws {
		tl := timelines.Example(i)
		seen.seeSpec(tl.Setup.Spec)
		err := tl.Run(func(s *prove.Sync) bool {
			seen.seeDecision(s.Decision, &tl.Setup.Settings, s.Observation)
			return true
		})
		require.NoError(t, err)

		r := tl.Setup
		if i%8 == 0 {
			r.Settings.Corrections = correction.All()
		}
		pods := calctest.Pods(r.Spec).Example(i)
		obs := calculator.Observation{
			SpecReplicas:   int32(len(pods)),
			StatusReplicas: int32(len(pods)),
			Pods:           pods,
			Readings:       calctest.Readings(r.Spec, pods).Example(i),
		}
		var st calculator.State
		d := calculator.Decide(prove.Start, &r.Settings, r.Spec, &obs, &st)
		seen.seeDecision(&d, &r.Settings, &obs)
	}

	expected := slices.Concat(
		these("zone", calculator.NoZone, calculator.ZoneNormal, calculator.ZoneDisabled, calculator.ZoneFromZero, calculator.ZoneAboveMax, calculator.ZoneBelowMin),
		these("rescale reason", calculator.NoReason, calculator.AboveTarget, calculator.BelowTarget, calculator.AboveMaxReplicas, calculator.BelowMinReplicas),
		these("outcome", calculator.OutcomeUnchanged, calculator.OutcomePending, calculator.OutcomeWritten, calculator.OutcomeNotWritten),
		these("stabilization", stabilize.NotStabilized, stabilize.ScaleUpStabilized, stabilize.ScaleDownStabilized),
		these("limit", behavior.DesiredWithinRange, behavior.TooFewReplicas, behavior.TooManyReplicas, behavior.ScaleUpLimit, behavior.ScaleDownLimit),
		these("rule", calculator.NoProposal, calculator.WithinTolerance, calculator.CorrectedWithinTolerance, calculator.DirectionWouldChange,
			calculator.CountWouldChangeDirection, calculator.RatioTimesPods, calculator.CorrectedRatioTimesPods, calculator.RatioFromZero, calculator.UsagePerTarget, calculator.NoReadyPods),
		// No valid spec has calculator.NoTarget or calculator.InvalidTarget.
		these("failure", calculator.NoFailure, calculator.MetricUnavailable, calculator.NoPods, calculator.NoSamples, calculator.NoRequest,
			calculator.NoMatchingSamples, calculator.ZeroRequests, calculator.InvalidSelector),
		all[podgroup.Class]("pod class"),
		all[podgroup.Reason]("pod reason"),
		these("selector", calculator.SelectorRequired, calculator.SelectorInvalid, calculator.SelectorAmbiguous),
		these("missing", calculator.NotCounted, calculator.AsZero, calculator.AsTarget, calculator.AsRequest),
		these("unready", calculator.NotCounted, calculator.AsZero),
		these("raised to minimum", true, false),
		these("source", autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType,
			autoscaling.PodsMetricSourceType, autoscaling.ObjectMetricSourceType, autoscaling.ExternalMetricSourceType),
		these("Resource target", autoscaling.UtilizationMetricType, autoscaling.AverageValueMetricType),
		these("ContainerResource target", autoscaling.UtilizationMetricType, autoscaling.AverageValueMetricType),
		these("Pods target", autoscaling.AverageValueMetricType),
		these("Object target", autoscaling.ValueMetricType, autoscaling.AverageValueMetricType),
		these("External target", autoscaling.ValueMetricType, autoscaling.AverageValueMetricType),
		these("behavior", "none", "some"),
		these("scaleUp select policy", behavior.SelectMax, behavior.SelectMin, behavior.SelectDisabled),
		these("scaleDown select policy", behavior.SelectMax, behavior.SelectMin, behavior.SelectDisabled),
		these("scaleUp policy type", behavior.PodsPolicy, behavior.PercentPolicy),
		these("scaleDown policy type", behavior.PodsPolicy, behavior.PercentPolicy),
		these("condition AbleToScale", autoscaling.ConditionTrue, autoscaling.ConditionFalse),
		these("condition ScalingActive", autoscaling.ConditionTrue, autoscaling.ConditionFalse),
		these("condition ScalingLimited", autoscaling.ConditionTrue, autoscaling.ConditionFalse),
		these("condition ScaledToZero", autoscaling.ConditionTrue, autoscaling.ConditionFalse),
	)
	for _, what := range expected {
		if seen[what] == 0 {
			t.Errorf("%s %v: never in %d draws", what.what, what.value, draws)
		} else {
			t.Logf("%7d %s %v", seen[what], what.what, what.value)
		}
	}
}

// What the generators draw is valid.
func TestGeneratorsDrawWhatIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := calctest.Specs(calctest.ReplicasUpTo(50)).Draw(t, "spec")
		if err := s.Validate().Err(); err != nil {
			t.Fatal(err)
		}
		if s.MaxReplicas > 50 {
			t.Fatalf("maxReplicas is %d", s.MaxReplicas)
		}
		pods := calctest.Pods(s).Draw(t, "pods")
		obs := calculator.Observation{SpecReplicas: s.MaxReplicas, Pods: pods, Readings: calctest.Readings(s, pods).Draw(t, "readings")}
		var st calculator.State
		settings := calculator.DefaultSettings()
		d := calculator.Decide(prove.Start, &settings, s, &obs, &st)
		if d.Zone != calculator.ZoneNormal {
			t.Fatalf("not decided on: %v", d.Err())
		}
	})
}

// Options constrain what is drawn.
func TestOptions(t *testing.T) {
	up := int32(120)
	b := &behavior.Behavior{ScaleUp: &behavior.ScalingRules{StabilizationWindowSeconds: &up}}
	b.SetDefaults()
	load := calctest.LoadProfile{{For: time.Minute, Replicas: 3}, {For: 20 * time.Second, Replicas: 4.5}}
	rapid.Check(t, func(t *rapid.T) {
		r := calctest.Setups(
			calctest.WithBehavior(b),
			calctest.MetricsFrom(autoscaling.PodsMetricSourceType),
		).Draw(t, "setup")
		if *r.Spec.Behavior.ScaleUp.StabilizationWindowSeconds != up {
			t.Fatal("not these rules")
		}
		for _, m := range r.Spec.Metrics {
			if m.Type != autoscaling.PodsMetricSourceType {
				t.Fatalf("a metric from %s", m.Type)
			}
		}
		tl := calctest.Timelines(r, calctest.LoadBetween(2, 7.25), calctest.LoadOnly(), calctest.SegmentsUpTo(3)).Draw(t, "timeline")
		if len(tl.Segments) > 3 {
			t.Fatalf("%d segments", len(tl.Segments))
		}
		for _, p := range tl.Segments {
			if p.Load < 2 || p.Load > 7.25 || len(p.Troubles) > 0 {
				t.Fatalf("%+v", p)
			}
		}
		for _, l := range calctest.LoadProfiles(calctest.LoadUpTo(5)).Draw(t, "load") {
			if l.Replicas < 0 || l.Replicas > 5 {
				t.Fatalf("%+v", l)
			}
		}

		r.SyncPeriod = 0
		tl = calctest.Timelines(r, calctest.WithLoad(load)).Draw(t, "timeline of the load")
		if len(tl.Segments) != 2 || tl.Segments[0].Syncs != 4 || tl.Segments[0].Load != 3 || tl.Segments[1].Syncs != 2 || tl.Segments[1].Load != 4.5 {
			t.Fatalf("%+v", tl.Segments)
		}
		if l := calctest.LoadProfiles(calctest.WithLoad(load)).Draw(t, "the load"); l.String() != "3 for 1m, 4.5 for 20s" {
			t.Fatal(l)
		}
	})
}

// Loads are numbers of replicas, for any input.
func TestLoadsOutOfRange(t *testing.T) {
	for _, tt := range []struct{ low, high, most float64 }{
		{3, math.NaN(), 3},
		{math.NaN(), -1, 0},
		{3, math.Inf(1), math.MaxInt32},
		{3, 1e18, math.MaxInt32},
		{1e18, 0, math.MaxInt32},
	} {
		highest := 0.0
		for seed := range 100 {
			for _, l := range calctest.LoadProfiles(calctest.LoadBetween(tt.low, tt.high)).Example(seed) {
				require.True(t, l.Replicas >= 0 && l.Replicas <= tt.most, "%v: %v", tt, l)
				highest = max(highest, l.Replicas)
			}
		}
		require.GreaterOrEqual(t, highest, tt.most/2, "%v", tt)
	}
}
