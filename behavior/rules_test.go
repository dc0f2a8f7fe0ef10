package behavior

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/metrics"
)

func TestBehaviorJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, out string }{
		{"nothing", `{}`, `{}`},
		{"nulls", `{"scaleUp":null,"scaleDown":null}`, `{}`},
		{"empty rules stay", `{"scaleUp":{},"scaleDown":{}}`, `{"scaleUp":{},"scaleDown":{}}`},
		{"nulls in rules", `{"scaleUp":{"stabilizationWindowSeconds":null,"selectPolicy":null,"policies":null,"tolerance":null}}`, `{"scaleUp":{}}`},
		{"zero window stays", `{"scaleDown":{"stabilizationWindowSeconds":0}}`, `{"scaleDown":{"stabilizationWindowSeconds":0}}`},
		{"zero tolerance stays", `{"scaleDown":{"tolerance":"0"}}`, `{"scaleDown":{"tolerance":"0"}}`},
		{"tolerance is made canonical", `{"scaleDown":{"tolerance":0.05}}`, `{"scaleDown":{"tolerance":"50m"}}`},
		{
			"everything, in the order of autoscaling/v2",
			`{"scaleDown":{"tolerance":"1","policies":[{"periodSeconds":60,"value":4,"type":"Pods"},{}],"selectPolicy":"Min","stabilizationWindowSeconds":300,"unknown":1},"scaleUp":{}}`,
			`{"scaleUp":{},"scaleDown":{"stabilizationWindowSeconds":300,"selectPolicy":"Min","policies":[{"type":"Pods","value":4,"periodSeconds":60},{"type":"","value":0,"periodSeconds":0}],"tolerance":"1"}}`,
		},
		{"unknown words survive", `{"scaleUp":{"selectPolicy":"Median","policies":[{"type":"Nodes","value":1,"periodSeconds":2}]}}`, `{"scaleUp":{"selectPolicy":"Median","policies":[{"type":"Nodes","value":1,"periodSeconds":2}]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b Behavior
			require.NoError(t, json.Unmarshal([]byte(tt.in), &b))
			out, err := json.Marshal(&b)
			require.NoError(t, err)
			require.Equal(t, tt.out, string(out))
		})
	}
}

func TestBehaviorJSONPoliciesNilAndEmpty(t *testing.T) {
	for in, isNil := range map[string]bool{`{}`: true, `{"policies":null}`: true, `{"policies":[]}`: false} {
		var r ScalingRules
		require.NoError(t, json.Unmarshal([]byte(in), &r))
		require.Equal(t, isNil, r.Policies == nil, in)
	}
}

func TestClone(t *testing.T) {
	require.Nil(t, (*Behavior)(nil).Clone())
	require.Nil(t, (*ScalingRules)(nil).Clone())
	require.Equal(t, &Behavior{}, (&Behavior{}).Clone())

	b := &Behavior{
		ScaleUp: &ScalingRules{
			StabilizationWindowSeconds: ptr32(1),
			SelectPolicy:               SelectMin,
			Policies:                   []Policy{{Type: PodsPolicy, Value: 2, PeriodSeconds: 3}},
			Tolerance:                  metrics.MustParseQuantity("0.25"),
		},
		ScaleDown: &ScalingRules{Policies: []Policy{}},
	}
	c := b.Clone()
	require.Empty(t, cmp.Diff(b, c, cmp.Comparer(func(x, y metrics.Quantity) bool { return x == y })))
	require.NotNil(t, c.ScaleDown.Policies, "an empty list stays empty")
	require.Nil(t, (&ScalingRules{}).Clone().Policies, "a nil list stays nil")

	*c.ScaleUp.StabilizationWindowSeconds = 9
	c.ScaleUp.Policies[0].Value = 9
	c.ScaleUp.SelectPolicy = SelectMax
	c.ScaleDown.SelectPolicy = SelectMax
	require.EqualValues(t, 1, *b.ScaleUp.StabilizationWindowSeconds)
	require.EqualValues(t, 2, b.ScaleUp.Policies[0].Value)
	require.Equal(t, SelectMin, b.ScaleUp.SelectPolicy)
	require.Equal(t, SelectPolicy(""), b.ScaleDown.SelectPolicy)
}
