package autoscaling

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
)

func TestSelectorRecorded(t *testing.T) {
	count, problems := 0, 0
	for _, r := range recordedSpecs(t) {
		if r.Selector == nil {
			continue
		}
		s := decodeSpec(t, r.Spec).Metrics[0].External.Metric.Selector
		require.Equal(t, r.Selector.Text, s.String(), "%s", r.Spec)
		count++
		if r.Selector.Problem == "" {
			require.NoError(t, s.Problem(), "%s", r.Spec)
			continue
		}
		problems++
		require.EqualError(t, s.Problem(), r.Selector.Problem, "%s", r.Spec)
	}
	require.Greater(t, count, 30)
	require.Greater(t, problems, 15)
}

func TestSelectorString(t *testing.T) {
	for _, tt := range []struct {
		selector *LabelSelector
		want     string
	}{
		{nil, "nil"},
		{&LabelSelector{}, "&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}"},
		{
			&LabelSelector{MatchLabels: map[string]string{"queue": "orders"}},
			"&LabelSelector{MatchLabels:map[string]string{queue: orders,},MatchExpressions:[]LabelSelectorRequirement{},}",
		},
		{
			&LabelSelector{
				MatchLabels: map[string]string{"b": "2", "": "", "a": "1"},
				MatchExpressions: []LabelSelectorRequirement{
					{Key: "k", Operator: LabelSelectorOpIn, Values: []string{"x", "", "y z"}}, {},
				},
			},
			"&LabelSelector{MatchLabels:map[string]string{: ,a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{" +
				"LabelSelectorRequirement{Key:k,Operator:In,Values:[x  y z],},LabelSelectorRequirement{Key:,Operator:,Values:[],},},}",
		},
	} {
		require.Equal(t, tt.want, tt.selector.String())
		require.Equal(t, tt.want, fmt.Sprintf("%+v", tt.selector))
		text, err := tt.selector.AppendText([]byte("x"))
		require.NoError(t, err)
		require.Equal(t, "x"+tt.want, string(text))
	}
}

func TestSelectorAllocations(t *testing.T) {
	s := &LabelSelector{
		MatchLabels:      map[string]string{"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "f": "6", "g": "7", "example.com/h": "8"},
		MatchExpressions: []LabelSelectorRequirement{{Key: "k", Operator: LabelSelectorOpIn, Values: []string{"x", "y"}}},
	}
	room := make([]byte, 0, 1024)
	require.Zero(t, testing.AllocsPerRun(100, func() { room, _ = s.AppendText(room[:0]) }))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if s.Problem() != nil {
			t.Fatal("unexpected")
		}
	}))
}

func TestSelectorProblem(t *testing.T) {
	in := func(values ...string) *LabelSelector {
		return &LabelSelector{MatchExpressions: []LabelSelectorRequirement{{Key: "k", Operator: LabelSelectorOpIn, Values: values}}}
	}
	for _, tt := range []struct {
		name     string
		selector *LabelSelector
		want     string
	}{
		{"nil", nil, ""},
		{"empty", &LabelSelector{}, ""},
		{"labels", &LabelSelector{MatchLabels: map[string]string{"a": "1", "example.com/b": ""}}, ""},
		{"in", in("x", ""), ""},
		{"in nothing", in(), `values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`},
		{"in an empty list", in([]string{}...), `values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`},
		{"bad value", in("x", "-"), `values[1][k]: Invalid value: "-": ` + labelValueFormat},
		{"bad key and value", &LabelSelector{MatchLabels: map[string]string{"-": "-"}},
			`[key: Invalid value: "-": name part ` + labelNameFormat + `, values[0][-]: Invalid value: "-": ` + labelValueFormat + `]`},
		{"the first bad label by name", &LabelSelector{MatchLabels: map[string]string{"c": "-", "b": "-", "a": "1", "d": "-"}},
			`values[0][b]: Invalid value: "-": ` + labelValueFormat},
		{"labels before expressions", &LabelSelector{
			MatchLabels:      map[string]string{"": "1"},
			MatchExpressions: []LabelSelectorRequirement{{}},
		}, `key: Invalid value: "": name part must be non-empty; name part ` + labelNameFormat},
		{"operator before key", &LabelSelector{MatchExpressions: []LabelSelectorRequirement{{Operator: "Gt\"\x00"}}},
			`"Gt\"\x00" is not a valid label selector operator`},
		{"exists with values", &LabelSelector{MatchExpressions: []LabelSelectorRequirement{{Key: "k", Operator: LabelSelectorOpExists, Values: []string{"x", "y"}}}},
			`values: Invalid value: ["x","y"]: values set must be empty for exists and does not exist`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 10 { // in whatever order the map is read
				if tt.want == "" {
					require.NoError(t, tt.selector.Problem())
				} else {
					require.EqualError(t, tt.selector.Problem(), tt.want)
				}
			}
		})
	}

	var operator *UnknownOperatorError
	require.ErrorAs(t, (&LabelSelector{MatchExpressions: []LabelSelectorRequirement{{Operator: "Gt"}}}).Problem(), &operator)
	require.Equal(t, LabelSelectorOperator("Gt"), operator.Operator)
	var field *field.Error
	require.ErrorAs(t, in("-").Problem(), &field)
	require.Equal(t, "-", field.BadValue)
}

// A problem keeps its own copy of the values.
func TestSelectorProblemKeepsNothing(t *testing.T) {
	values := []string{"x"}
	err := (&LabelSelector{MatchExpressions: []LabelSelectorRequirement{{Key: "k", Operator: LabelSelectorOpExists, Values: values}}}).Problem()
	before := err.Error()
	values[0] = "changed"
	require.Equal(t, before, err.Error())
}

func TestPropertySelector(t *testing.T) {
	word := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "-", "a/b", "a b"}), rapid.String())
	rapid.Check(t, func(rt *rapid.T) {
		s := &LabelSelector{MatchLabels: rapid.MapOfN(word, word, 0, 12).Draw(rt, "labels")}
		for range rapid.IntRange(0, 2).Draw(rt, "expressions") {
			s.MatchExpressions = append(s.MatchExpressions, LabelSelectorRequirement{
				Key:      word.Draw(rt, "key"),
				Operator: rapid.SampledFrom([]LabelSelectorOperator{"In", "NotIn", "Exists", "DoesNotExist", "", "x"}).Draw(rt, "operator"),
				Values:   rapid.SliceOfN(word, 0, 3).Draw(rt, "values"),
			})
		}
		c := s.Clone()
		require.Equal(rt, s, c)
		require.Equal(rt, s.String(), c.String())
		require.Equal(rt, fmt.Sprint(s.Problem()), fmt.Sprint(c.Problem()))

		bad := false
		for k, v := range s.MatchLabels {
			bad = bad || !labelKey(k) || !labelValue(v)
			require.Contains(rt, s.String(), k+": "+v+",")
		}
		for _, r := range s.MatchExpressions {
			wantsValues := r.Operator == "In" || r.Operator == "NotIn"
			known := wantsValues || r.Operator == "Exists" || r.Operator == "DoesNotExist"
			bad = bad || !known || !labelKey(r.Key) || wantsValues != (len(r.Values) > 0)
			for _, v := range r.Values {
				bad = bad || !labelValue(v)
			}
			require.Contains(rt, s.String(), "Values:["+strings.Join(r.Values, " ")+"],}")
		}
		require.Equal(rt, bad, s.Problem() != nil)
	})
}

func TestSelectorCloneNil(t *testing.T) {
	require.Nil(t, (*LabelSelector)(nil).Clone())
}
