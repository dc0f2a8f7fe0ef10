package calctest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/calctest"
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
func (n tally) seeSpec(s *calculator.Spec) {
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
	for direction, r := range map[string]*behavior.Rules{"scaleUp": s.Behavior.ScaleUp, "scaleDown": s.Behavior.ScaleDown} {
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
	for i := range d.Metrics {
		p := &d.Metrics[i]
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

// all expects every value of an enumeration: of the values from zero on, those
// that have a word of their own.
func all[E interface {
	~uint8
	fmt.Stringer
}](what string, but ...E) (expected []occurrence) {
	for v := E(0); !strings.Contains(v.String(), "("+fmt.Sprint(uint8(v))+")"); v++ {
		if !slices.Contains(but, v) {
			expected = append(expected, occurrence{what, v})
		}
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
	timelines := calctest.Timelines(nil, calctest.PhasesUpTo(3))
	for i := range draws {
		tl := timelines.Example(i)
		seen.seeSpec(tl.Rules.Spec)
		err := tl.Run(func(s *calctest.Sync) bool {
			seen.seeDecision(s.Decision, &tl.Rules.Settings, s.Observation)
			return true
		})
		require.NoError(t, err)

		r := tl.Rules
		pods := calctest.Pods(r.Spec).Example(i)
		obs := calculator.Observation{
			SpecReplicas:   int32(len(pods)),
			StatusReplicas: int32(len(pods)),
			Pods:           pods,
			Readings:       calctest.Readings(r.Spec, pods).Example(i),
		}
		var st calculator.State
		d := calculator.Decide(calctest.Start, &r.Settings, r.Spec, &obs, &st)
		seen.seeDecision(&d, &r.Settings, &obs)
	}

	expected := slices.Concat(
		all[calculator.Zone]("zone"),
		all[calculator.RescaleReason]("rescale reason"),
		all[calculator.Outcome]("outcome"),
		all[stabilize.Reason]("stabilization"),
		all[behavior.LimitReason]("limit"),
		all[calculator.Rule]("rule"),
		// No valid spec has these.
		all("failure", calculator.NoTarget, calculator.InvalidTarget),
		all[podgroup.Class]("pod class"),
		all[podgroup.Reason]("pod reason"),
		all[calculator.SelectorReason]("selector"),
		these("missing", calculator.NotCounted, calculator.AsZero, calculator.AsTarget, calculator.AsRequest),
		these("unready", calculator.NotCounted, calculator.AsZero),
		these("raised to minimum", true, false),
		these("source", calculator.ResourceMetricSourceType, calculator.ContainerResourceMetricSourceType,
			calculator.PodsMetricSourceType, calculator.ObjectMetricSourceType, calculator.ExternalMetricSourceType),
		these("Resource target", calculator.UtilizationMetricType, calculator.AverageValueMetricType),
		these("ContainerResource target", calculator.UtilizationMetricType, calculator.AverageValueMetricType),
		these("Pods target", calculator.AverageValueMetricType),
		these("Object target", calculator.ValueMetricType, calculator.AverageValueMetricType),
		these("External target", calculator.ValueMetricType, calculator.AverageValueMetricType),
		these("behavior", "none", "some"),
		these("scaleUp select policy", behavior.SelectMax, behavior.SelectMin, behavior.SelectDisabled),
		these("scaleDown select policy", behavior.SelectMax, behavior.SelectMin, behavior.SelectDisabled),
		these("scaleUp policy type", behavior.PodsPolicy, behavior.PercentPolicy),
		these("scaleDown policy type", behavior.PodsPolicy, behavior.PercentPolicy),
		these("condition AbleToScale", calculator.ConditionTrue, calculator.ConditionFalse),
		these("condition ScalingActive", calculator.ConditionTrue, calculator.ConditionFalse),
		these("condition ScalingLimited", calculator.ConditionTrue, calculator.ConditionFalse),
		these("condition ScaledToZero", calculator.ConditionTrue, calculator.ConditionFalse),
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
		d := calculator.Decide(calctest.Start, &settings, s, &obs, &st)
		if d.Zone != calculator.Normal {
			t.Fatalf("not decided on: %v", d.Err())
		}
	})
}

// Options constrain what is drawn.
func TestOptions(t *testing.T) {
	up := int32(120)
	b := &behavior.Behavior{ScaleUp: &behavior.Rules{StabilizationWindowSeconds: &up}}
	b.SetDefaults()
	load := calctest.Load{{For: time.Minute, Replicas: 3}, {For: 20 * time.Second, Replicas: 4.5}}
	rapid.Check(t, func(t *rapid.T) {
		r := calctest.AnyRules(
			calctest.WithBehavior(b),
			calctest.MetricsFrom(calculator.PodsMetricSourceType),
		).Draw(t, "rules")
		if *r.Spec.Behavior.ScaleUp.StabilizationWindowSeconds != up {
			t.Fatal("not these rules")
		}
		for _, m := range r.Spec.Metrics {
			if m.Type != calculator.PodsMetricSourceType {
				t.Fatalf("a metric from %s", m.Type)
			}
		}
		tl := calctest.Timelines(r, calctest.LoadBetween(2, 7.25), calctest.Calm(), calctest.PhasesUpTo(3)).Draw(t, "timeline")
		if len(tl.Phases) > 3 {
			t.Fatalf("%d phases", len(tl.Phases))
		}
		for _, p := range tl.Phases {
			if p.Load < 2 || p.Load > 7.25 || len(p.Troubles) > 0 {
				t.Fatalf("%+v", p)
			}
		}
		for _, l := range calctest.Loads(calctest.LoadUpTo(5)).Draw(t, "load") {
			if l.Replicas < 0 || l.Replicas > 5 {
				t.Fatalf("%+v", l)
			}
		}

		r.SyncPeriod = 0
		tl = calctest.Timelines(r, calctest.ThisLoad(load)).Draw(t, "timeline of the load")
		if len(tl.Phases) != 2 || tl.Phases[0].Syncs != 4 || tl.Phases[0].Load != 3 || tl.Phases[1].Syncs != 2 || tl.Phases[1].Load != 4.5 {
			t.Fatalf("%+v", tl.Phases)
		}
		if l := calctest.Loads(calctest.ThisLoad(load)).Draw(t, "the load"); l.String() != "3 for 1m, 4.5 for 20s" {
			t.Fatal(l)
		}
	})
}
