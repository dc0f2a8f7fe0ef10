package autoscaling

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseLabelSelector(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		" \t":                          "",
		"app=web":                      "app in (web)",
		"app==web":                     "app in (web)",
		"app!=web":                     "app notin (web)",
		"app = web , tier":             "app in (web),tier",
		"app=,!old":                    "app in (),!old",
		"app=":                         "app in ()",
		"tier in (b, a,b)":             "tier in (a,b)",
		"x in (foo,,baz),y,z notin ()": "x in (,baz,foo),y,z notin ()",
		"x in (,),y in (a,)":           "x in (),y in (,a)",
		"in in (in,notin),notin":       "in in (in,notin),notin",
		"example.com/rank>3,n<-1":      `values[0][n]: Invalid value: "-1": ` + labelValueFormat,
		"example.com/rank>3,n<1":       "example.com/rank gt (3),n lt (1)",
		"n>x":                          `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
		"n>":                           `unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
		"a=b c":                        "found 'c', expected: ',' or 'end of string'",
		"a,":                           "found '', expected: identifier after ','",
		"=a":                           "found '=', expected: !, identifier, or 'end of string'",
		"!":                            "unable to parse requirement: found '', expected: identifier",
		"!a=b":                         "found '=', expected: ',' or 'end of string'",
		"a b":                          "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
		"a in b":                       "unable to parse requirement: found 'b' expected: '('",
		"a in (":                       "unable to parse requirement: found '', expected: ',', ')' or identifier",
		"a in (b":                      "unable to parse requirement: found '', expected: ',' or ')'",
		"a in (b,":                     "unable to parse requirement: found '', expected: ',', or identifier",
		"a in (b,(":                    "unable to parse requirement: found '(', expected: ',', or identifier",
		"a in (b,,)":                   "a in (,b)",
		"a=(":                          "unable to parse requirement: found '(', expected: identifier",
		"-=a":                          `unable to parse requirement: <nil>: Invalid value: "-": name part ` + labelNameFormat,
		"a=-":                          `unable to parse requirement: values[0][a]: Invalid value: "-": ` + labelValueFormat,
		"a=\x00":                       `unable to parse requirement: values[0][a]: Invalid value: "\x00": ` + labelValueFormat,
	} {
		s, err := ParseLabelSelector(text)
		if err != nil {
			require.Nil(t, s)
			require.Contains(t, err.Error(), want, "%q", text)
			continue
		}
		require.Equal(t, want, s.Short(), "%q", text)
		require.Nil(t, s.MatchLabels)
	}
}

func TestSelectorMatches(t *testing.T) {
	labels := map[string]string{"app": "web", "tier": "", "rank": "4", "name": "x1"}
	for text, want := range map[string]bool{
		"": true, "app=web": true, "app=api": false, "app!=api": true, "app!=web": false,
		"tier": true, "tier=": true, "!tier": false, "zone": false, "zone=": false, "!zone": true, "zone!=a": true,
		"app in (api,web)": true, "app in (api,db)": false, "app notin (api,db)": true, "zone notin (a)": true, "zone in (a)": false,
		"app=web,tier=": true, "app=web,app=api": false, "app=web,!zone,rank": true,
		"rank>3": true, "rank>4": false, "rank<4": false, "rank<5": true, "zone<5": false, "name>0": false, "tier<5": false,
	} {
		s, err := ParseLabelSelector(text)
		require.NoError(t, err, text)
		require.Equal(t, want, s.Matches(labels), text)
	}
	require.False(t, (*LabelSelector)(nil).Matches(nil))
	require.True(t, new(LabelSelector).Matches(nil))
	for _, tt := range []struct {
		app, tier string
		want      bool
	}{{"web", "", true}, {"web", "a", false}, {"api", "", false}} {
		s := &LabelSelector{MatchLabels: map[string]string{"app": tt.app, "tier": tt.tier}}
		require.Equal(t, tt.want, s.Matches(labels))
	}
	require.False(t, (&LabelSelector{MatchLabels: map[string]string{"zone": ""}}).Matches(labels))
	for _, r := range []LabelSelectorRequirement{
		{Key: "app", Operator: "Like", Values: []string{"web"}}, {Key: "rank", Operator: greaterThan}, {Key: "rank", Operator: lessThan, Values: []string{"x"}},
	} {
		require.False(t, (&LabelSelector{MatchExpressions: []LabelSelectorRequirement{r}}).Matches(labels))
	}
}
