package behavior

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/metrics"
)

func ptr32(v int32) *int32 { return &v }

func TestSetDefaults(t *testing.T) {
	up, down := DefaultScaleUp(), DefaultScaleDown()
	policies := []Policy{{Type: PercentPolicy, Value: 7, PeriodSeconds: 8}}
	tol := metrics.MustParseQuantity("0.2")
	for _, tt := range []struct {
		name     string
		in, want *Behavior
	}{
		{"no behavior", nil, nil},
		{"no rules", &Behavior{}, &Behavior{ScaleUp: &up, ScaleDown: &down}},
		{"empty rules", &Behavior{ScaleUp: &ScalingRules{}, ScaleDown: &ScalingRules{}}, &Behavior{ScaleUp: &up, ScaleDown: &down}},
		{
			"what is set stays",
			&Behavior{
				ScaleUp:   &ScalingRules{StabilizationWindowSeconds: ptr32(5), SelectPolicy: SelectDisabled, Policies: policies, Tolerance: tol},
				ScaleDown: &ScalingRules{StabilizationWindowSeconds: ptr32(0), SelectPolicy: "Median", Policies: policies, Tolerance: tol},
			},
			&Behavior{
				ScaleUp:   &ScalingRules{StabilizationWindowSeconds: ptr32(5), SelectPolicy: SelectDisabled, Policies: policies, Tolerance: tol},
				ScaleDown: &ScalingRules{StabilizationWindowSeconds: ptr32(0), SelectPolicy: "Median", Policies: policies, Tolerance: tol},
			},
		},
		{
			"an empty list of policies is set",
			&Behavior{ScaleUp: &ScalingRules{Policies: []Policy{}}, ScaleDown: &ScalingRules{Policies: []Policy{}}},
			&Behavior{
				ScaleUp:   &ScalingRules{StabilizationWindowSeconds: ptr32(0), SelectPolicy: SelectMax, Policies: []Policy{}},
				ScaleDown: &ScalingRules{SelectPolicy: SelectMax, Policies: []Policy{}},
			},
		},
		{
			"one field each",
			&Behavior{ScaleUp: &ScalingRules{SelectPolicy: SelectMin}, ScaleDown: &ScalingRules{Tolerance: tol}},
			&Behavior{
				ScaleUp:   &ScalingRules{StabilizationWindowSeconds: ptr32(0), SelectPolicy: SelectMin, Policies: up.Policies},
				ScaleDown: &ScalingRules{SelectPolicy: SelectMax, Policies: down.Policies, Tolerance: tol},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.SetDefaults()
			require.Equal(t, tt.want, tt.in)
			tt.in.SetDefaults()
			require.Equal(t, tt.want, tt.in, "a second time changes nothing")
		})
	}
}

func TestDefaultsShareNothing(t *testing.T) {
	var a, b Behavior
	a.SetDefaults()
	a.ScaleUp.Policies[0].Value = -1
	*a.ScaleUp.StabilizationWindowSeconds = -1
	a.ScaleDown.Policies[0].Value = -1
	b.SetDefaults()
	require.EqualValues(t, 4, b.ScaleUp.Policies[0].Value)
	require.EqualValues(t, 0, *b.ScaleUp.StabilizationWindowSeconds)
	require.EqualValues(t, 100, b.ScaleDown.Policies[0].Value)

	// Rules that several autoscalers share stay as they are.
	shared := &ScalingRules{Policies: []Policy{{Type: PodsPolicy, Value: 1, PeriodSeconds: 1}}, StabilizationWindowSeconds: ptr32(3)}
	c := Behavior{ScaleUp: shared, ScaleDown: shared}
	c.SetDefaults()
	require.Equal(t, &ScalingRules{Policies: []Policy{{Type: PodsPolicy, Value: 1, PeriodSeconds: 1}}, StabilizationWindowSeconds: ptr32(3)}, shared)
	c.ScaleUp.Policies[0].Value = 9
	*c.ScaleUp.StabilizationWindowSeconds = 9
	require.EqualValues(t, 1, shared.Policies[0].Value)
	require.EqualValues(t, 1, c.ScaleDown.Policies[0].Value)
	require.EqualValues(t, 3, *shared.StabilizationWindowSeconds)
}

func anyRules(t testing.TB) *rapid.Generator[*ScalingRules] {
	number := rapid.OneOf(rapid.Int32(), rapid.Int32Range(-2, 2), rapid.SampledFrom([]int32{1799, 1800, 1801, 3599, 3600, 3601}))
	policy := rapid.Custom(func(rt *rapid.T) Policy {
		return Policy{
			Type:          rapid.SampledFrom([]PolicyType{PodsPolicy, PercentPolicy, "", "pods"}).Draw(rt, "type"),
			Value:         number.Draw(rt, "value"),
			PeriodSeconds: number.Draw(rt, "period"),
		}
	})
	tolerances := []metrics.Quantity{{}, metrics.MustParseQuantity("0"), metrics.MustParseQuantity("0.1"), metrics.MustParseQuantity("-1n")}
	return rapid.Custom(func(rt *rapid.T) *ScalingRules {
		if rapid.IntRange(0, 9).Draw(rt, "nil") == 0 {
			return nil
		}
		r := &ScalingRules{
			SelectPolicy: rapid.SampledFrom([]SelectPolicy{SelectMax, SelectMin, SelectDisabled, "", "max"}).Draw(rt, "select"),
			Tolerance:    rapid.SampledFrom(tolerances).Draw(rt, "tolerance"),
		}
		if rapid.Bool().Draw(rt, "window") {
			r.StabilizationWindowSeconds = ptr32(number.Draw(rt, "seconds"))
		}
		if rapid.Bool().Draw(rt, "policies") {
			r.Policies = rapid.SliceOfN(policy, 0, 3).Draw(rt, "list")
		}
		return r
	})
}

func TestPropertyDefaultedHasNothingUndefaulted(t *testing.T) {
	rules := anyRules(t)
	rapid.Check(t, func(rt *rapid.T) {
		b := &Behavior{ScaleUp: rules.Draw(rt, "up"), ScaleDown: rules.Draw(rt, "down")}
		before := b.Clone()
		b.SetDefaults()
		if p := b.Problem(); p != nil && p.Type == field.ErrorTypeRequired {
			require.Contains(rt, p.Field, ".policies", "only an empty list of policies is left to complain about")
		}
		for i, d := range []ScalingRules{DefaultScaleUp(), DefaultScaleDown()} {
			got, was := []*ScalingRules{b.ScaleUp, b.ScaleDown}[i], []*ScalingRules{before.ScaleUp, before.ScaleDown}[i]
			want := d
			if was != nil {
				if was.StabilizationWindowSeconds != nil {
					want.StabilizationWindowSeconds = was.StabilizationWindowSeconds
				}
				if was.SelectPolicy != "" {
					want.SelectPolicy = was.SelectPolicy
				}
				if was.Policies != nil {
					want.Policies = was.Policies
				}
				want.Tolerance = was.Tolerance
			}
			require.Equal(rt, &want, got)
		}
	})
}
