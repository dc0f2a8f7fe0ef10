package behavior

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/metrics"
)

func errorTexts(l field.ErrorList) []string {
	var out []string
	for _, e := range l {
		out = append(out, e.Error())
	}
	return out
}

func validRules() *ScalingRules {
	return &ScalingRules{
		StabilizationWindowSeconds: ptr32(0),
		SelectPolicy:               SelectMax,
		Policies:                   []Policy{{Type: PodsPolicy, Value: 1, PeriodSeconds: 1}, {Type: PercentPolicy, Value: 1, PeriodSeconds: 1}},
	}
}

// ruleCases change valid rules and say what validation and the check before a
// decision make of them; an empty text means nothing.
var ruleCases = []struct {
	name              string
	change            func(r *ScalingRules)
	complaint, reason string
}{
	{"fine", func(r *ScalingRules) {}, "", ""},
	{"window -1", func(r *ScalingRules) { *r.StabilizationWindowSeconds = -1 },
		"r.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero", "="},
	{"window least", func(r *ScalingRules) { *r.StabilizationWindowSeconds = math.MinInt32 },
		"r.stabilizationWindowSeconds: Invalid value: -2147483648: must be greater than or equal to zero", "="},
	{"window 1", func(r *ScalingRules) { *r.StabilizationWindowSeconds = 1 }, "", ""},
	{"window 3599", func(r *ScalingRules) { *r.StabilizationWindowSeconds = MaxStabilizationWindowSeconds - 1 }, "", ""},
	{"window 3600", func(r *ScalingRules) { *r.StabilizationWindowSeconds = MaxStabilizationWindowSeconds }, "", ""},
	{"window 3601", func(r *ScalingRules) { *r.StabilizationWindowSeconds = MaxStabilizationWindowSeconds + 1 },
		"r.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600", ""},
	{"select Min", func(r *ScalingRules) { r.SelectPolicy = SelectMin }, "", ""},
	{"select Disabled", func(r *ScalingRules) { r.SelectPolicy = SelectDisabled }, "", ""},
	{"select unset", func(r *ScalingRules) { r.SelectPolicy = "" }, "",
		"r.selectPolicy: Required value: must be set, which SetDefaults does"},
	{"select unknown", func(r *ScalingRules) { r.SelectPolicy = "max" },
		`r.selectPolicy: Unsupported value: "max": supported values: "Disabled", "Max", "Min"`, "="},
	{"policies nil", func(r *ScalingRules) { r.Policies = nil }, "r.policies: Required value: must specify at least one Policy", "="},
	{"policies empty", func(r *ScalingRules) { r.Policies = []Policy{} }, "r.policies: Required value: must specify at least one Policy", "="},
	{"policy type unset", func(r *ScalingRules) { r.Policies[0].Type = "" },
		`r.policies[0].type: Unsupported value: "": supported values: "Percent", "Pods"`, "="},
	{"policy type unknown", func(r *ScalingRules) { r.Policies[1].Type = "pods" },
		`r.policies[1].type: Unsupported value: "pods": supported values: "Percent", "Pods"`, "="},
	{"value -1", func(r *ScalingRules) { r.Policies[1].Value = -1 }, "r.policies[1].value: Invalid value: -1: must be greater than zero", "="},
	{"value 0", func(r *ScalingRules) { r.Policies[1].Value = 0 }, "r.policies[1].value: Invalid value: 0: must be greater than zero", "="},
	{"value greatest", func(r *ScalingRules) { r.Policies[1].Value = math.MaxInt32 }, "", ""},
	{"period -1", func(r *ScalingRules) { r.Policies[1].PeriodSeconds = -1 }, "r.policies[1].periodSeconds: Invalid value: -1: must be greater than zero", "="},
	{"period 0", func(r *ScalingRules) { r.Policies[1].PeriodSeconds = 0 }, "r.policies[1].periodSeconds: Invalid value: 0: must be greater than zero", "="},
	{"period 2", func(r *ScalingRules) { r.Policies[1].PeriodSeconds = 2 }, "", ""},
	{"period 1799", func(r *ScalingRules) { r.Policies[1].PeriodSeconds = MaxPeriodSeconds - 1 }, "", ""},
	{"period 1800", func(r *ScalingRules) { r.Policies[1].PeriodSeconds = MaxPeriodSeconds }, "", ""},
	{"period 1801", func(r *ScalingRules) { r.Policies[1].PeriodSeconds = MaxPeriodSeconds + 1 },
		"r.policies[1].periodSeconds: Invalid value: 1801: must be less than or equal to 1800", ""},
}

func TestRulesValidate(t *testing.T) {
	require.Nil(t, (*ScalingRules)(nil).Validate("r"))
	require.Equal(t, []string{"r.policies: Required value: must specify at least one Policy"}, errorTexts((&ScalingRules{}).Validate("r")))
	for _, tt := range ruleCases {
		t.Run(tt.name, func(t *testing.T) {
			r := validRules()
			tt.change(r)
			var want []string
			if tt.complaint != "" {
				want = []string{tt.complaint}
			}
			require.Equal(t, want, errorTexts(r.Validate("r")))
		})
	}
	for text, want := range map[string][]string{
		"0": nil, "1n": nil, "0.1": nil, "1e3": nil,
		"-1n":   {`r.tolerance: Invalid value: "-1n": must be greater than or equal to 0`},
		"-0.10": {`r.tolerance: Invalid value: "-100m": must be greater than or equal to 0`},
	} {
		r := validRules()
		r.Tolerance = metrics.MustParseQuantity(text)
		require.Equal(t, want, errorTexts(r.Validate("r")), text)
	}
}

func TestRulesValidateAllAtOnce(t *testing.T) {
	r := &ScalingRules{
		StabilizationWindowSeconds: ptr32(-1),
		SelectPolicy:               "x",
		Policies:                   []Policy{{}, {Type: PodsPolicy, Value: 1, PeriodSeconds: 1801}},
		Tolerance:                  metrics.MustParseQuantity("-1"),
	}
	require.Equal(t, []string{
		"r.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero",
		`r.selectPolicy: Unsupported value: "x": supported values: "Disabled", "Max", "Min"`,
		`r.policies[0].type: Unsupported value: "": supported values: "Percent", "Pods"`,
		"r.policies[0].value: Invalid value: 0: must be greater than zero",
		"r.policies[0].periodSeconds: Invalid value: 0: must be greater than zero",
		"r.policies[1].periodSeconds: Invalid value: 1801: must be less than or equal to 1800",
		`r.tolerance: Invalid value: "-1": must be greater than or equal to 0`,
	}, errorTexts(r.Validate("r")))
}

func TestBehaviorValidate(t *testing.T) {
	require.Nil(t, (*Behavior)(nil).Validate())
	require.Nil(t, (&Behavior{}).Validate())
	b := &Behavior{ScaleUp: &ScalingRules{}, ScaleDown: &ScalingRules{}}
	require.Equal(t, []string{
		"spec.behavior.scaleUp.policies: Required value: must specify at least one Policy",
		"spec.behavior.scaleDown.policies: Required value: must specify at least one Policy",
	}, errorTexts(b.Validate()))
	b.SetDefaults()
	require.NoError(t, b.Validate().Err())
}

func TestBadValues(t *testing.T) {
	r := &ScalingRules{StabilizationWindowSeconds: ptr32(-7), SelectPolicy: "x", Policies: []Policy{{Type: "y", Value: -1, PeriodSeconds: -2}}, Tolerance: metrics.MustParseQuantity("-1")}
	var got []any
	for _, e := range r.Validate("r") {
		got = append(got, e.BadValue)
	}
	require.Equal(t, []any{int32(-7), SelectPolicy("x"), PolicyType("y"), int32(-1), int32(-2), "-1"}, got)
}

func TestProblem(t *testing.T) {
	require.Nil(t, (*Behavior)(nil).Problem())
	for _, tt := range ruleCases {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.reason
			if want == "=" {
				want = tt.complaint
			}
			r := validRules()
			tt.change(r)
			for path, b := range map[string]*Behavior{
				"spec.behavior.scaleUp":   {ScaleUp: r, ScaleDown: validRules()},
				"spec.behavior.scaleDown": {ScaleUp: validRules(), ScaleDown: r},
			} {
				if want == "" {
					require.Nil(t, b.Problem())
					continue
				}
				require.EqualError(t, b.Problem(), path+want[1:])
			}
		})
	}
	const unset = ": Required value: must be set, which SetDefaults does"
	noWindow := validRules()
	noWindow.StabilizationWindowSeconds = nil
	negative := validRules()
	negative.Tolerance = metrics.MustParseQuantity("-1n")
	for _, tt := range []struct {
		b    Behavior
		want string
	}{
		{Behavior{}, "spec.behavior.scaleUp" + unset},
		{Behavior{ScaleDown: validRules()}, "spec.behavior.scaleUp" + unset},
		{Behavior{ScaleUp: validRules()}, "spec.behavior.scaleDown" + unset},
		{Behavior{ScaleUp: noWindow, ScaleDown: validRules()}, "spec.behavior.scaleUp.stabilizationWindowSeconds" + unset},
		{Behavior{ScaleUp: validRules(), ScaleDown: negative}, `spec.behavior.scaleDown.tolerance: Invalid value: "-1n": must be greater than or equal to 0`},
	} {
		require.EqualError(t, tt.b.Problem(), tt.want)
	}
	require.Nil(t, (&Behavior{ScaleUp: validRules(), ScaleDown: noWindow}).Problem(), "the way down may leave its window to the controller")
}

func TestProblemAllocatesNothing(t *testing.T) {
	b := &Behavior{ScaleUp: validRules(), ScaleDown: validRules()}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if b.Problem() != nil {
			t.Fatal("unexpected")
		}
	}))
}

// What is valid and set can be applied, and what cannot be applied is invalid
// or not set.
func TestPropertyProblemAgreesWithValidate(t *testing.T) {
	rules := anyRules(t)
	rapid.Check(t, func(rt *rapid.T) {
		b := &Behavior{ScaleUp: rules.Draw(rt, "up"), ScaleDown: rules.Draw(rt, "down")}
		if rapid.Bool().Draw(rt, "defaults") {
			b.SetDefaults()
		}
		p, errs := b.Problem(), b.Validate()
		if p == nil {
			for _, e := range errs {
				require.Contains(rt, []string{"must be less than or equal to 3600", "must be less than or equal to 1800"}, e.Detail)
			}
			return
		}
		if p.Type == field.ErrorTypeRequired && p.Detail != "must specify at least one Policy" {
			return
		}
		require.Contains(rt, errorTexts(errs), p.Error())
	})
}
