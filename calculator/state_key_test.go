package calculator_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// Two copies of an autoscaler decide as it does, at every sync after they were
// made:
//
//   - one whose state comes from the key, and which lives at another time,
//   - one whose state was trimmed, which even an API client cannot tell apart.
//
// At every sync, the three states have the same key.
func TestKeyHasAllThatMatters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := drawPast(t)
		next := rapid.SliceOfN(keySteps(8, passing()), 1, 40).Draw(t, "after")
		keyedAt := a.now.Add(rapid.SampledFrom([]time.Duration{0, next[0].After}).Draw(t, "keyed at"))
		key := a.key(keyedAt)

		shift := rapid.SampledFrom([]time.Duration{0, 1, -time.Hour, 1000 * time.Hour}).Draw(t, "shift")
		moved := a.clone()
		moved.now = a.now.Add(shift)
		moved.state = calculator.State{}
		require.NoError(t, moved.state.SetKey(key, keyedAt.Add(shift)))
		require.Equal(t, key, moved.key(keyedAt.Add(shift)), "the key of the key's state")

		trimmed := a.clone()
		trimmed.state.Trim(keyedAt, a.settings, a.spec)
		require.Equal(t, key, trimmed.key(keyedAt), "the key of the trimmed state")
		require.LessOrEqual(t, trimmed.state.Events.Len(), a.state.Events.Len())

		for i, s := range next {
			a.sync(t, s)
			moved.sync(t, s)
			trimmed.sync(t, s)
			want := a.decided()
			require.Equal(t, want, moved.decided(), "%v\n%v", &a.d, &moved.d)
			require.Equal(t, want, trimmed.decided(), "%v\n%v", &a.d, &trimmed.d)
			require.Equal(t, fingerprint(t, &a.d, &a.state), fingerprint(t, &trimmed.d, &trimmed.state))

			key := a.key(a.now)
			require.Equal(t, key, moved.key(moved.now), "after %d syncs", i+1)
			require.Equal(t, key, trimmed.key(trimmed.now), "after %d syncs", i+1)
		}
	})
}

// States with the same key decide alike at every later sync, however they came
// about.
func TestEqualKeysDecideAlike(t *testing.T) {
	t.Parallel()
	pairs := 0
	rapid.Check(t, func(t *rapid.T) {
		settings, spec := drawKeyedRules(t, 4)
		steps := keySteps(4, rapid.Just(15*time.Second))
		next := rapid.SliceOfN(steps, 30, 30).Draw(t, "after")
		type equal struct {
			size int32
			key  string
		}
		seen := map[equal]*keyedAutoscaler{}
		for range 20 {
			a := &keyedAutoscaler{settings: settings, spec: spec, now: noon}
			a.size = rapid.Int32Range(1, 4).Draw(t, "size")
			for _, s := range rapid.SliceOfN(steps, 0, 12).Draw(t, "before") {
				a.sync(t, s)
			}
			key := equal{a.size, string(a.key(a.now.Add(next[0].After)))}
			other := seen[key]
			seen[key] = a.clone()
			if other == nil {
				continue
			}
			pairs++
			for _, s := range next {
				a.sync(t, s)
				other.sync(t, s)
				require.Equal(t, a.decided(), other.decided(), "%v\n%v", &a.d, &other.d)
			}
		}
	})
	require.Greater(t, pairs, 100)
}

// keyedAutoscaler is an autoscaler whose state is keyed.
type keyedAutoscaler struct {
	settings *calculator.Settings
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	now      time.Time
	size     int32
	state    calculator.State
	d        calculator.Decision // the last one
}

// keyStep is a sync: the time since the one before, what the metric proposes,
// and what happens.
type keyStep struct {
	After    time.Duration
	Proposal int32
	Event    string
	// Resized is the size of a resizedByOthers.
	Resized int32
}

// The events of a sync.
const (
	noEvent         = "nothing happens"
	resizedByOthers = "others set the size"
	writeFails      = "the write fails"
	metricFails     = "the metric fails"
)

// keySteps draws steps of sizes up to most. One in 17 is resized by others, one
// in 17 fails to write, and 4 in 17 have no metric.
func keySteps(most int32, after *rapid.Generator[time.Duration]) *rapid.Generator[keyStep] {
	events := slices.Repeat([]string{noEvent}, 11)
	events = append(events, resizedByOthers, writeFails, metricFails, metricFails, metricFails, metricFails)
	return rapid.Custom(func(t *rapid.T) keyStep {
		s := keyStep{
			After:    after.Draw(t, "after"),
			Proposal: rapid.Int32Range(0, most).Draw(t, "proposal"),
			Event:    rapid.SampledFrom(events).Draw(t, "event"),
		}
		if s.Event == resizedByOthers {
			s.Resized = rapid.Int32Range(0, most).Draw(t, "others set")
		}
		return s
	})
}

// passing draws times that pass between syncs, often 15 seconds.
func passing() *rapid.Generator[time.Duration] {
	const usual = 15 * time.Second
	return rapid.OneOf(
		rapid.Just(usual),
		rapid.Just(usual),
		rapid.SampledFrom([]time.Duration{
			0, 1, time.Second, usual - 1, 30 * time.Second, 61 * time.Second, 5 * time.Minute, time.Hour + 1,
		}),
	)
}

// drawPast draws an autoscaler with a past. The rules may have changed
// meanwhile, which leaves stale events.
func drawPast(t *rapid.T) *keyedAutoscaler {
	const most = 8
	a := &keyedAutoscaler{now: noon, size: rapid.Int32Range(0, most).Draw(t, "size")}
	_, earlier := drawKeyedRules(t, most)
	settings, spec := drawKeyedRules(t, most)
	steps := keySteps(most, passing())
	if rapid.Bool().Draw(t, "other rules before") {
		a.settings, a.spec = settings, earlier
		for _, s := range rapid.SliceOfN(steps, 0, 12).Draw(t, "under other rules") {
			a.sync(t, s)
		}
	}
	a.settings, a.spec = settings, spec
	for _, s := range rapid.SliceOfN(steps, 0, 25).Draw(t, "before") {
		a.sync(t, s)
	}
	return a
}

// drawKeyedRules draws settings, and a spec of up to most replicas whose metric
// reads what it proposes.
func drawKeyedRules(t *rapid.T, most int32) (*calculator.Settings, *autoscaling.HorizontalPodAutoscalerSpec) {
	settings := machineSettings().Draw(t, "settings")
	spec := oneJobEach(rapid.Int32Range(0, 2).Draw(t, "min"), rapid.Int32Range(2, most).Draw(t, "max"))
	spec.Behavior = calctest.Behaviors().Draw(t, "rules")
	if rapid.Bool().Draw(t, "falls back") {
		seconds := rapid.SampledFrom([]int32{15, 30, 60, 180}).Draw(t, "after")
		spec.Metrics[0].External.Fallback = &autoscaling.ExternalMetricFallback{
			FailureDurationSeconds: &seconds,
			Replicas:               rapid.Int32Range(1, most).Draw(t, "fallback"),
		}
	}
	if spec.Behavior != nil && rapid.Bool().Draw(t, "short periods") {
		for _, r := range []*behavior.ScalingRules{spec.Behavior.ScaleUp, spec.Behavior.ScaleDown} {
			for i := range r.Policies {
				r.Policies[i].PeriodSeconds = rapid.SampledFrom([]int32{15, 30, 45, 60, 90}).Draw(t, "period")
			}
		}
	}
	return &settings, &spec
}

// oneJobEach aims at one job for each pod.
func oneJobEach(least, most int32) autoscaling.HorizontalPodAutoscalerSpec {
	return autoscaling.NewSpec(least, most, autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("1")))
}

func (a *keyedAutoscaler) sync(t require.TestingT, s keyStep) {
	a.now = a.now.Add(s.After)
	if s.Event == resizedByOthers {
		a.size = s.Resized
	}
	reading := calculator.Reading{Values: []metrics.Milli{metrics.Milli(s.Proposal) * 1000}}
	if s.Event == metricFails {
		reading = calculator.Reading{Err: errMetric}
	}
	obs := calculator.Observation{
		SpecReplicas:   a.size,
		StatusReplicas: a.size,
		Readings:       []calculator.Reading{reading},
	}
	calculator.DecideInto(&a.d, a.now, a.settings, a.spec, &obs, &a.state)
	if s.Event != metricFails {
		require.NoError(t, a.d.Err())
	}
	if s.Event == writeFails {
		a.state.Failed(a.now, &a.d, errWrite)
		return
	}
	a.state.Applied(a.now, &a.d)
	a.size = a.d.DesiredReplicas
}

// key is the key of the state at that time.
func (a *keyedAutoscaler) key(at time.Time) []byte {
	return a.state.AppendKey(nil, at, a.settings, a.spec)
}

func (a *keyedAutoscaler) clone() *keyedAutoscaler {
	return &keyedAutoscaler{settings: a.settings, spec: a.spec, now: a.now, size: a.size, state: a.state.Clone()}
}

// keyedDecision is what a decision says, with the time left in place of
// moments.
type keyedDecision struct {
	Zone        calculator.Zone
	Proposals   []keyedProposal
	Choice      calculator.ChooseResult
	Started     bool
	ColdStart   bool
	Stabilized  int32
	Held        stabilize.Reason
	HeldFor     time.Duration
	Limited     int32
	LimitReason behavior.LimitReason
	LimitedFor  time.Duration
	Rate        behavior.RateLimit
	Policies    []keyedPolicy
	Cooled      int32
	Backoff     behavior.Backoff
	CooledFor   time.Duration
	RaisedToMin bool
	Desired     int32
	Rescale     bool
	Reason      calculator.RescaleReason
	SameFor     time.Duration
}

type keyedProposal struct {
	Replicas int32
	Rule     calculator.Rule
	Failed   bool
	SameFor  time.Duration
}

type keyedPolicy struct {
	Policy         behavior.Policy
	Added, Removed int64
	Limit          int32
	SameFor        time.Duration
}

// decided is what the last decision says.
func (a *keyedAutoscaler) decided() keyedDecision {
	d := &a.d
	left := func(until time.Time) time.Duration {
		if until.IsZero() {
			return -1
		}
		return until.Sub(a.now)
	}
	k := keyedDecision{
		Zone:        d.Zone,
		Choice:      d.Choice,
		Started:     d.Started,
		ColdStart:   d.ColdStart,
		Stabilized:  d.Stabilization.Replicas,
		Held:        d.Stabilization.Reason,
		HeldFor:     left(d.Stabilization.Until),
		Limited:     d.Limits.Replicas,
		LimitReason: d.Limits.Reason,
		LimitedFor:  left(d.Limits.Until),
		Rate:        d.Limits.Rate,
		Cooled:      d.Cooldown.Replicas,
		Backoff:     d.Cooldown.Backoff,
		CooledFor:   left(d.Cooldown.Until),
		RaisedToMin: d.RaisedToMin,
		Desired:     d.DesiredReplicas,
		Rescale:     d.Rescale,
		Reason:      d.Reason,
		SameFor:     left(d.Until),
	}
	for i := range d.Proposals {
		p := &d.Proposals[i]
		k.Proposals = append(k.Proposals, keyedProposal{p.Replicas, p.Rule, p.Failed(), left(p.Until)})
	}
	for _, p := range d.Policies {
		k.Policies = append(k.Policies, keyedPolicy{p.Policy, p.Added, p.Removed, p.Limit, left(p.Until)})
	}
	return k
}

// With room to spare, neither a key nor the state from a key allocates.
func TestKeyDoesNotAllocate(t *testing.T) {
	settings, spec := calculator.DefaultSettings(), oneJobEach(1, 9)
	spec.Behavior = behavior.Default()
	a := &keyedAutoscaler{settings: &settings, spec: &spec, now: noon, size: 1}
	for _, n := range []int32{1, 9, 8, 7, 2, 3} {
		a.sync(t, keyStep{After: 15 * time.Second, Proposal: n})
	}
	key := a.key(a.now)
	require.Zero(t, testing.AllocsPerRun(100, func() { key = a.state.AppendKey(key[:0], a.now, &settings, &spec) }))
	require.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, a.state.SetKey(key, a.now)) }))
}

// emptyKey is the key of an empty state.
var emptyKey = []byte{
	0, // no flags
	0, // no failing metrics
	0, // no recommendations
	0, // no pods added
	0, // no pods removed
}

func TestSetKeyErrors(t *testing.T) {
	var st calculator.State
	require.EqualError(t, st.SetKey(nil, noon), "calculator.State: byte 0: cut short")
	require.Error(t, st.SetKey(append(slices.Clone(emptyKey), 0), noon), "more after the end")
	require.NoError(t, st.SetKey(emptyKey, noon))
	require.True(t, st.Equal(&calculator.State{}))
}

// What SetKey accepts makes a state that has a key of its own.
func FuzzSetKey(f *testing.F) {
	f.Add(emptyKey)
	f.Add([]byte{0, 1, 1, 'm', 5, 0, 0, 0})              // a metric that fails
	f.Add([]byte{7, 30, 60, 0, 1, 0x50, 7, 1, 12, 0, 0}) // all flags
	settings, spec := calculator.DefaultSettings(), oneJobEach(1, 9)
	f.Fuzz(func(t *testing.T, key []byte) {
		var st calculator.State
		if st.SetKey(key, noon) != nil {
			require.Zero(t, st.Recommendations.Len()+st.Events.Len()+len(st.Failing))
			return
		}
		var again calculator.State
		own := st.AppendKey(nil, noon, &settings, &spec)
		require.NoError(t, again.SetKey(own, noon))
		require.Equal(t, own, again.AppendKey(nil, noon, &settings, &spec))
	})
}
