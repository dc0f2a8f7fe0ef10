package calculator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/metrics"
)

// keyed is an autoscaler whose state is keyed.
type keyed struct {
	settings *calculator.Settings
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	st       calculator.State
	d        calculator.Decision
	now      time.Time
	size     int32
}

// step is a sync: what is asked for and what happens, after some time.
type step struct {
	after    time.Duration
	proposal int32
	// others is a size set by others, if not negative.
	others      int32
	writeFail   bool
	metricFails bool
}

func keySteps(sizes int32, steps *rapid.Generator[time.Duration]) *rapid.Generator[step] {
	return rapid.Custom(func(t *rapid.T) step {
		s := step{after: steps.Draw(t, "after"), proposal: rapid.Int32Range(0, sizes).Draw(t, "proposal"), others: -1}
		switch rapid.IntRange(0, 16).Draw(t, "trouble") {
		case 13, 14, 15, 16:
			s.metricFails = true
		case 11:
			s.others = rapid.Int32Range(0, sizes).Draw(t, "others")
		case 12:
			s.writeFail = true
		}
		return s
	})
}

func (k *keyed) sync(t require.TestingT, s step) {
	k.now = k.now.Add(s.after)
	if s.others >= 0 {
		k.size = s.others
	}
	obs := calculator.Observation{
		SpecReplicas: k.size, StatusReplicas: k.size,
		Readings: []calculator.Reading{{Values: []metrics.Milli{metrics.Milli(s.proposal) * 1000}}},
	}
	if s.metricFails {
		obs.Readings[0] = calculator.Reading{Err: errMetric}
	}
	calculator.DecideInto(&k.d, k.now, k.settings, k.spec, &obs, &k.st)
	if !s.metricFails {
		require.NoError(t, k.d.Err())
	}
	switch {
	case s.writeFail:
		k.st.Failed(k.now, &k.d, errWrite)
	default:
		k.st.Applied(k.now, &k.d)
		k.size = k.d.DesiredReplicas
	}
}

func (k *keyed) clone() *keyed {
	return &keyed{settings: k.settings, spec: k.spec, st: k.st.Clone(), now: k.now, size: k.size}
}

// said is what the last decision said, with moments relative to it.
func (k *keyed) said() []any {
	d := &k.d
	ago := func(at time.Time) time.Duration {
		if at.IsZero() {
			return -1
		}
		return at.Sub(k.now)
	}
	s, l, c := d.Stabilization, d.Limits, d.Cooldown
	said := []any{d.Zone, d.DesiredReplicas, d.Rescale, d.Reason, d.Choice, d.Started, d.ColdStart, d.RaisedToMin,
		s.Replicas, s.Reason, ago(s.Until), l.Replicas, l.Reason, l.Rate, ago(l.Until), c.Replicas, c.Backoff, ago(c.Until), ago(d.Until)}
	for _, p := range d.Proposals {
		said = append(said, p.Replicas, p.Rule, p.Failed(), ago(p.Until))
	}
	for _, p := range d.Policies {
		said = append(said, p.Policy, p.Added, p.Removed, p.Limit, ago(p.Until))
	}
	return said
}

// keySpecs draws specs of up to so many replicas, and settings.
func keySpecs(t *rapid.T, sizes int32) (*calculator.Settings, *autoscaling.HorizontalPodAutoscalerSpec) {
	settings := machineSettings().Draw(t, "settings")
	spec := autoscaling.NewSpec(0, 1, autoscaling.ExternalAverageValue("jobs", metrics.MustParseQuantity("1")))
	least := rapid.Int32Range(0, 2).Draw(t, "min")
	spec.MinReplicas, spec.MaxReplicas = &least, rapid.Int32Range(2, sizes).Draw(t, "max")
	spec.Behavior = calctest.Behaviors().Draw(t, "rules")
	if rapid.Bool().Draw(t, "falls back") {
		seconds := rapid.SampledFrom([]int32{15, 30, 60, 180}).Draw(t, "after")
		spec.Metrics[0].External.Fallback = &autoscaling.ExternalMetricFallback{FailureDurationSeconds: &seconds, Replicas: rapid.Int32Range(1, sizes).Draw(t, "fallback")}
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

func forward() *rapid.Generator[time.Duration] {
	return rapid.OneOf(
		rapid.Just(15*time.Second), rapid.Just(15*time.Second),
		rapid.SampledFrom([]time.Duration{0, 1, time.Second, 30 * time.Second, 15*time.Second - 1, 61 * time.Second, 5 * time.Minute, time.Hour + 1}),
	)
}

// A state that is made from a key at another time, and one that is trimmed, decide
// forever as the state does.
func TestKeyHasAllThatMatters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := &keyed{now: noon, size: rapid.Int32Range(0, 8).Draw(t, "size")}
		_, before := keySpecs(t, 8) // the rules may have changed before, and leave stale events
		k.settings, k.spec = keySpecs(t, 8)
		after := k.spec
		steps := keySteps(8, forward())
		if rapid.Bool().Draw(t, "other rules before") {
			k.spec = before
			for _, s := range rapid.SliceOfN(steps, 0, 12).Draw(t, "under other rules") {
				k.sync(t, s)
			}
		}
		k.spec = after
		for _, s := range rapid.SliceOfN(steps, 0, 25).Draw(t, "before") {
			k.sync(t, s)
		}
		next := rapid.SliceOfN(steps, 1, 40).Draw(t, "after")
		now := k.now.Add(rapid.SampledFrom([]time.Duration{0, next[0].after}).Draw(t, "keyed at"))
		key := k.st.AppendKey(nil, now, k.settings, k.spec)

		moved := k.clone()
		moved.st = calculator.State{}
		shift := rapid.SampledFrom([]time.Duration{0, 1, -time.Hour, 1000 * time.Hour}).Draw(t, "shift")
		moved.now = k.now.Add(shift)
		require.NoError(t, moved.st.SetKey(key, now.Add(shift)))
		require.Equal(t, key, moved.st.AppendKey(nil, now.Add(shift), k.settings, k.spec), "the key of the key's state")

		trimmed := k.clone()
		trimmed.st.Trim(now, k.settings, k.spec)
		require.Equal(t, key, trimmed.st.AppendKey(nil, now, k.settings, k.spec))
		require.LessOrEqual(t, trimmed.st.Events.Len(), k.st.Events.Len())
		for i, s := range next {
			k.sync(t, s)
			moved.sync(t, s)
			trimmed.sync(t, s)
			require.Equal(t, k.said(), moved.said(), "%v\n%v", &k.d, &moved.d)
			require.Equal(t, fingerprint(t, &k.d, &k.st), fingerprint(t, &trimmed.d, &trimmed.st))
			key := k.st.AppendKey(nil, k.now, k.settings, k.spec)
			require.Equal(t, key, moved.st.AppendKey(nil, moved.now, k.settings, k.spec), "after %d syncs", i+1)
			require.Equal(t, key, trimmed.st.AppendKey(nil, trimmed.now, k.settings, k.spec))
		}
	})
}

// States that came about otherwise and have the same key decide alike forever.
func TestEqualKeysDecideAlike(t *testing.T) {
	t.Parallel()
	pairs := 0
	rapid.Check(t, func(t *rapid.T) {
		settings, spec := keySpecs(t, 4)
		steps := keySteps(4, rapid.Just(15*time.Second))
		seen := map[string]*keyed{}
		next := rapid.SliceOfN(steps, 30, 30).Draw(t, "after")
		for range 20 {
			k := &keyed{settings: settings, spec: spec, now: noon, size: rapid.Int32Range(1, 4).Draw(t, "size")}
			for _, s := range rapid.SliceOfN(steps, 0, 12).Draw(t, "before") {
				k.sync(t, s)
			}
			key := string(k.st.AppendKey([]byte{byte(k.size)}, k.now.Add(next[0].after), settings, spec))
			other := seen[key]
			if seen[key] = k.clone(); other == nil {
				continue
			}
			pairs++
			for _, s := range next {
				k.sync(t, s)
				other.sync(t, s)
				require.Equal(t, k.said(), other.said(), "%v\n%v", &k.d, &other.d)
			}
		}
	})
	require.Greater(t, pairs, 100)
}

// The key has room to spare for what decides, and nothing else allocates.
func TestKeyDoesNotAllocate(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec := autoscaling.NewSpec(1, 9, autoscaling.ExternalAverageValue("jobs", metrics.MustParseQuantity("1")))
	spec.Behavior = behavior.Default()
	k := &keyed{settings: &settings, spec: &spec, now: noon, size: 1}
	for _, n := range []int32{1, 9, 8, 7, 2, 3} {
		k.sync(t, step{after: 15 * time.Second, proposal: n, others: -1})
	}
	key := k.st.AppendKey(nil, k.now, &settings, &spec)
	require.Zero(t, testing.AllocsPerRun(100, func() { key = k.st.AppendKey(key[:0], k.now, &settings, &spec) }))
	require.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, k.st.SetKey(key, k.now)) }))
}

func TestSetKeyOfNoKey(t *testing.T) {
	var st calculator.State
	require.EqualError(t, st.SetKey(nil, noon), "calculator.State: byte 0: cut short")
	require.Error(t, st.SetKey([]byte{0, 1, 0, 0, 0, 0, 0}, noon), "more after the end")
	require.NoError(t, st.SetKey([]byte{0, 1, 0, 0, 0, 0}, noon))
	require.True(t, st.Equal(&calculator.State{}))
}

func FuzzSetKey(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 0, 0})
	f.Add(append([]byte{8, 1, 1, 'm', 5}, 1, 0, 0, 0, 0))
	f.Add([]byte{7, 30, 0, 2, 5, 0, 2, 30, 0, 0, 0, 1, 3, 2, 0, 0})
	f.Fuzz(func(t *testing.T, key []byte) {
		var st calculator.State
		if st.SetKey(key, noon) != nil {
			require.Zero(t, st.Recommendations.Len()+st.Events.Len()+len(st.Failing))
			return
		}
		settings := calculator.DefaultSettings()
		spec := autoscaling.NewSpec(1, 9, autoscaling.ExternalAverageValue("jobs", metrics.MustParseQuantity("1")))
		var again calculator.State
		own := st.AppendKey(nil, noon, &settings, &spec)
		require.NoError(t, again.SetKey(own, noon))
		require.Equal(t, own, again.AppendKey(nil, noon, &settings, &spec))
	})
}
