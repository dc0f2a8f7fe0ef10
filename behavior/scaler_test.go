package behavior_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/stabilize"
)

// holding returns a Scaler that 9 was proposed to a minute ago, when the size
// was 5, and changed by 2 then.
func holding(b *behavior.Behavior) *behavior.Scaler {
	s := &behavior.Scaler{Behavior: b, DownscaleStabilization: 5 * time.Minute}
	s.Recommendations.Record(noon.Add(-time.Minute), 9, stabilize.Windows{})
	s.Events.Record(noon.Add(-time.Minute), 5, 7, &behavior.Behavior{})
	return s
}

func TestScalerZones(t *testing.T) {
	rules := &behavior.Behavior{}
	rules.SetDefaults()
	for _, tt := range []struct {
		name                    string
		b                       *behavior.Behavior
		scaledToZero            bool
		current, desired        int32
		least, most             int32
		want                    int32
		stabilization           stabilize.Reason // none if empty
		limits                  behavior.LimitReason
		recommended, recordedTo int // before and after
	}{
		{"in range", rules, false, 5, 6, 1, 20, 6, stabilize.NotStabilized, behavior.DesiredWithinRange, 1, 2},
		{"held by the window", rules, false, 9, 2, 1, 20, 9, stabilize.ScaleDownStabilized, behavior.DesiredWithinRange, 1, 2},
		{"limited by a policy", rules, false, 5, 50, 1, 100, 10, stabilize.NotStabilized, behavior.ScaleUpLimit, 1, 2},
		{"limited by the maximum", rules, false, 5, 50, 1, 8, 8, stabilize.NotStabilized, behavior.TooManyReplicas, 1, 2},
		{"raised by the window", nil, false, 5, 6, 1, 20, 9, stabilize.ScaleDownStabilized, behavior.DesiredWithinRange, 1, 2},
		{"limited to twice", nil, false, 5, 50, 1, 100, 10, stabilize.NotStabilized, behavior.ScaleUpLimit, 1, 2},
		{"at the maximum", rules, false, 20, 10, 1, 20, 10, stabilize.NotStabilized, behavior.DesiredWithinRange, 1, 2},
		{"above the maximum", rules, false, 21, 30, 1, 20, 20, "", "", 1, 1},
		{"at the minimum", rules, false, 3, 3, 3, 20, 3, stabilize.NotStabilized, behavior.DesiredWithinRange, 1, 2},
		{"below the minimum", rules, false, 2, 1, 3, 20, 3, "", "", 1, 1},
		{"off", rules, false, 0, 5, 1, 20, 0, "", "", 1, 1},
		{"off, without a minimum", rules, false, 0, 5, 0, 20, 0, "", "", 1, 1},
		{"from zero", rules, true, 0, 3, 0, 20, 3, stabilize.NotStabilized, behavior.DesiredWithinRange, 1, 2},
		{"from zero to the minimum", rules, true, 0, 0, 3, 20, 3, stabilize.NotStabilized, behavior.DesiredWithinRange, 1, 2},
		{"stays at zero", rules, true, 0, 0, 0, 20, 0, stabilize.NotStabilized, behavior.DesiredWithinRange, 1, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := holding(tt.b)
			s.ScaledToZero = tt.scaledToZero
			require.Equal(t, tt.recommended, s.Recommendations.Len())
			step := s.Step(noon, behavior.Change{tt.current, tt.desired}, behavior.Bounds{tt.least, tt.most})
			require.NoError(t, step.Err)
			require.Equal(t, tt.want, step.Replicas)
			require.Equal(t, tt.stabilization, step.Stabilization.Reason)
			require.Equal(t, tt.limits, step.Limits.Reason)
			require.Equal(t, tt.recordedTo, s.Recommendations.Len())
			if tt.limits == behavior.ScaleUpLimit && tt.b != nil {
				require.Len(t, step.Policies, 2)
			}
			require.Equal(t, tt.scaledToZero, s.ScaledToZero)
		})
	}
}

func TestScalerErrors(t *testing.T) {
	valid, bounds := behavior.Change{5, 6}, behavior.Bounds{1, 20}
	for _, tt := range []struct {
		c      behavior.Change
		bounds behavior.Bounds
		b      *behavior.Behavior
		want   string
	}{
		{valid, behavior.Bounds{}, nil, "bounds.max: Invalid value: 0: must be greater than or equal to 1"},
		{valid, behavior.Bounds{-1, 20}, nil, "bounds.min: Invalid value: -1: must be greater than or equal to 0"},
		{valid, behavior.Bounds{6, 5}, nil, "bounds.max: Invalid value: 5: must be greater than or equal to `min`"},
		{behavior.Change{-1, 5}, bounds, nil, "change.current: Invalid value: -1: must be greater than or equal to 0"},
		{behavior.Change{5, math.MinInt32}, bounds, nil, "change.desired: Invalid value: -2147483648: must be greater than or equal to 0"},
		{valid, bounds, &behavior.Behavior{}, "spec.behavior.scaleUp: Required value: must be set, which SetDefaults does"},
	} {
		s := holding(tt.b)
		want := holding(tt.b)
		step := s.Step(noon, tt.c, tt.bounds)
		require.EqualError(t, step.Err, tt.want)
		require.ErrorAs(t, step.Err, new(*field.Error))
		step.Err = nil
		require.Equal(t, behavior.Step{Replicas: tt.c.Current}, step)
		require.Equal(t, want, s, "nothing is recorded")
	}
}

func TestScalerReturnsOnlyFromItsOwnZero(t *testing.T) {
	bounds := behavior.Bounds{0, 20}
	var s behavior.Scaler
	s.Applied(noon, 5, 0)
	require.True(t, s.ScaledToZero)
	s.Applied(noon, 0, 0)
	require.True(t, s.ScaledToZero)
	step := s.Step(noon, behavior.Change{0, 3}, bounds)
	require.EqualValues(t, 3, step.Replicas)
	s.Applied(noon, 0, 3)
	require.False(t, s.ScaledToZero)
	step = s.Step(noon.Add(time.Second), behavior.Change{0, 3}, bounds)
	require.Zero(t, step.Replicas, "someone else turned it off")
	require.Zero(t, s.Events.Len(), "there is no behavior")
}

// A Scaler takes the stages in the order in which kube-controller-manager does,
// which notes the clock and the first size before it computes. It goes on from
// its JSON as if nothing had happened.
func TestScalerAgainstItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b *behavior.Behavior
		if rapid.Bool().Draw(t, "rules") {
			b = behaviors().Draw(t, "behavior")
			b.SetDefaults()
		}
		flag := time.Duration(rapid.IntRange(0, 300).Draw(t, "flag")) * time.Second
		s := behavior.Scaler{Behavior: b, DownscaleStabilization: flag}
		var h stabilize.History
		var e behavior.Events
		now, w := noon, b.Windows(flag)
		bounds := behavior.Bounds{1, 20}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			now = now.Add(steps().Draw(t, "step"))
			if rapid.IntRange(0, 9).Draw(t, "back") == 0 {
				now = now.Add(-time.Hour)
			}
			c := behavior.Change{rapid.Int32Range(1, 23).Draw(t, "current"), sizes().Draw(t, "desired")}
			step := s.Step(now, c, bounds)
			require.NoError(t, step.Err)

			h.Advance(now, w)
			e.Advance(now, b)
			h.Start(now, c.Current)
			if c.Current > bounds.Max {
				require.Equal(t, behavior.Step{Replicas: bounds.Max}, step)
				require.True(t, h.Equal(&s.Recommendations))
				require.True(t, e.Equal(&s.Events))
				continue
			}
			stable := b.Stabilize(now, c, w, &h)
			h.Record(now, c.Desired, w)
			limits, policies := b.Limit(now, behavior.Change{c.Current, stable.Replicas}, bounds, &e, nil)
			require.Equal(t, stable, step.Stabilization)
			require.Equal(t, limits, step.Limits)
			require.Equal(t, limits.Replicas, step.Replicas)
			require.Len(t, step.Policies, len(policies))
			if len(policies) > 0 {
				require.Equal(t, policies, step.Policies)
			}
			if rapid.Bool().Draw(t, "written") {
				s.Applied(now, c.Current, step.Replicas)
				e.Record(now, c.Current, step.Replicas, b)
			}
			if rapid.IntRange(0, 4).Draw(t, "restart") == 0 {
				data, err := json.Marshal(&s)
				require.NoError(t, err)
				s = behavior.Scaler{Behavior: b, DownscaleStabilization: flag}
				require.NoError(t, json.Unmarshal(data, &s))
			}
			require.True(t, h.Equal(&s.Recommendations))
			require.True(t, e.Equal(&s.Events))
		}
	})
}

func TestScalerDoesNotAllocate(t *testing.T) {
	rules := &behavior.Behavior{}
	rules.SetDefaults()
	for _, b := range []*behavior.Behavior{nil, rules} {
		s := behavior.Scaler{Behavior: b, DownscaleStabilization: time.Minute}
		now, size := noon, int32(5)
		sync := func() {
			now = now.Add(15 * time.Second)
			step := s.Step(now, behavior.Change{size, 12 - size}, behavior.Bounds{1, 20})
			s.Applied(now, size, step.Replicas)
			size = step.Replicas
		}
		for range 100 {
			sync()
		}
		require.Zero(t, testing.AllocsPerRun(100, sync))
	}
}
