package autoscaling

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/release"
)

func errorTexts(l field.ErrorList) []string {
	out := []string{}
	for _, e := range l {
		out = append(out, e.Error())
	}
	return out
}

// beyondKubernetes reports whether the complaint is one that Kubernetes does
// not make.
func beyondKubernetes(text string) bool {
	for _, detail := range []string{
		"must specify at least one metric", "must be set, which SetDefaults does", "of an Object metric", "for an Object metric",
	} {
		if strings.HasSuffix(text, detail) {
			return true
		}
	}
	return false
}

func TestValidateRecorded(t *testing.T) {
	for _, r := range recordedSpecs(t) {
		s := decodeSpec(t, r.Spec)
		undefaulted := r.Errors
		if r.UndefaultedErrors != nil {
			undefaulted = *r.UndefaultedErrors
		}
		check := func(want []string) {
			t.Helper()
			got := errorTexts(s.Validate())
			require.GreaterOrEqual(t, len(got), len(want), "%s\n%q", r.Spec, got)
			require.Equal(t, want, got[:len(want)], "%s", r.Spec)
			for _, text := range got[len(want):] {
				require.True(t, beyondKubernetes(text), "%s\n%s", r.Spec, text)
			}
		}
		check(undefaulted)
		s.SetDefaults()
		check(r.Errors)
		for _, text := range errorTexts(s.Validate())[len(r.Errors):] {
			require.Contains(t, text, ".object.target.", "defaulting leaves nothing else to complain about")
		}
		if errs := s.Validate(); r.Message != "" && len(errs) == len(r.Errors) {
			require.Equal(t, r.Message, errs.Error())
		}
	}
}

func TestValidateNil(t *testing.T) {
	require.EqualError(t, (*HorizontalPodAutoscalerSpec)(nil).Validate(), "spec: Required value")
}

func validSpec(t testing.TB) *HorizontalPodAutoscalerSpec {
	s := decodeSpec(t, []byte(`{"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},"maxReplicas":10}`))
	s.SetDefaults()
	return s
}

func TestValidateBounds(t *testing.T) {
	const less = "spec.maxReplicas: Invalid value: %: must be greater than or equal to `minReplicas`"
	for _, tt := range []struct {
		min, max *int32
		want     []string
	}{
		{nil, ptr32(1), []string{}},
		{nil, ptr32(0), []string{"spec.maxReplicas: Required value"}},
		{nil, ptr32(-1), []string{"spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1"}},
		{ptr32(1), ptr32(1), []string{}},
		{ptr32(1), ptr32(2), []string{}},
		{ptr32(2), ptr32(1), []string{strings.Replace(less, "%", "1", 1)}},
		{ptr32(1), ptr32(0), []string{strings.Replace(less, "%", "0", 1), "spec.maxReplicas: Required value"}},
		{ptr32(-1), ptr32(1), []string{"spec.minReplicas: Invalid value: -1: must be greater than or equal to 0"}},
		{ptr32(-1), ptr32(-2), []string{
			strings.Replace(less, "%", "-2", 1),
			"spec.minReplicas: Invalid value: -1: must be greater than or equal to 0",
			"spec.maxReplicas: Invalid value: -2: must be greater than or equal to 1",
		}},
		{ptr32(0), ptr32(1), []string{"spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas"}},
	} {
		s := validSpec(t)
		s.MinReplicas, s.MaxReplicas = tt.min, *tt.max
		require.Equal(t, tt.want, errorTexts(s.Validate()))
	}
}

// What Kubernetes accepts and its controller cannot work with.
func TestValidateBeyondKubernetes(t *testing.T) {
	object := func(target string) func(s *HorizontalPodAutoscalerSpec) {
		return func(s *HorizontalPodAutoscalerSpec) {
			s.Metrics = decodeSpec(t, []byte(`{"metrics":[{"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"web"},"metric":{"name":"hits"},"target":`+target+`}}]}`)).Metrics
		}
	}
	for _, tt := range []struct {
		name   string
		change func(s *HorizontalPodAutoscalerSpec)
		want   []string
	}{
		{"nil metrics", func(s *HorizontalPodAutoscalerSpec) { s.Metrics = nil }, []string{"spec.metrics: Required value: must specify at least one metric"}},
		{"empty metrics", func(s *HorizontalPodAutoscalerSpec) { s.Metrics = []MetricSpec{} }, []string{"spec.metrics: Required value: must specify at least one metric"}},
		{"no metrics and from zero", func(s *HorizontalPodAutoscalerSpec) { s.Metrics, s.MinReplicas = nil, ptr32(0) }, []string{
			"spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
			"spec.metrics: Required value: must specify at least one metric",
		}},
		{"object value", object(`{"type":"Value","value":"1"}`), []string{}},
		{"object average value", object(`{"type":"AverageValue","averageValue":"1"}`), []string{}},
		{"object both", object(`{"type":"Value","value":"1","averageValue":"1"}`), []string{}},
		{"object value unset", object(`{"type":"Value","averageValue":"1"}`), []string{
			"spec.metrics[0].object.target.value: Required value: must be set for the target type Value of an Object metric",
		}},
		{"object average value unset", object(`{"type":"AverageValue","value":"1"}`), []string{
			"spec.metrics[0].object.target.averageValue: Required value: must be set for the target type AverageValue of an Object metric",
		}},
		{"object utilization", object(`{"type":"Utilization","value":"1"}`), []string{
			`spec.metrics[0].object.target.type: Invalid value: "Utilization": must be either Value or AverageValue for an Object metric`,
		}},
		{"object without any", object(`{"type":"Value"}`), []string{
			"spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue",
		}},
		{"object of an unknown target type", object(`{"type":"x","value":"1"}`), []string{
			`spec.metrics[0].object.target.type: Invalid value: "x": must be either Utilization, Value, or AverageValue`,
		}},
		{"no rules", func(s *HorizontalPodAutoscalerSpec) { s.Behavior = &behavior.Behavior{} }, []string{
			"spec.behavior.scaleUp: Required value: must be set, which SetDefaults does",
			"spec.behavior.scaleDown: Required value: must be set, which SetDefaults does",
		}},
		{"empty rules", func(s *HorizontalPodAutoscalerSpec) {
			s.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{}, ScaleDown: &behavior.ScalingRules{}}
		}, []string{
			"spec.behavior.scaleUp.policies: Required value: must specify at least one Policy",
			"spec.behavior.scaleDown.policies: Required value: must specify at least one Policy",
			"spec.behavior.scaleUp.selectPolicy: Required value: must be set, which SetDefaults does",
			"spec.behavior.scaleUp.stabilizationWindowSeconds: Required value: must be set, which SetDefaults does",
			"spec.behavior.scaleDown.selectPolicy: Required value: must be set, which SetDefaults does",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := validSpec(t)
			tt.change(s)
			require.Equal(t, tt.want, errorTexts(s.Validate()))
		})
	}
}

// The values that complaints carry are those of the fields.
func TestValidateBadValues(t *testing.T) {
	s := decodeSpec(t, []byte(`{"scaleTargetRef":{"kind":"a/b","name":"..","apiVersion":"a/b/c"},"minReplicas":-1,"maxReplicas":-2,"metrics":[
		{"type":"Bogus","object":{"describedObject":{"kind":"K","name":"n"},"metric":{"name":"%"},"target":{"type":"x","value":"-1","averageValue":"0"}}},
		{"type":"ContainerResource","containerResource":{"name":"gpu","container":"A","target":{"type":"Utilization","averageUtilization":0}}}]}`))
	values := map[string]any{}
	for _, e := range s.Validate() {
		values[e.Field] = e.BadValue
	}
	require.Equal(t, map[string]any{
		"spec.scaleTargetRef.kind":                                    "a/b",
		"spec.scaleTargetRef.name":                                    "..",
		"spec.scaleTargetRef.apiVersion":                              "a/b/c",
		"spec.minReplicas":                                            int32(-1),
		"spec.maxReplicas":                                            int32(-2),
		"spec.metrics[0].type":                                        MetricSourceType("Bogus"),
		"spec.metrics[0].object.metric.name":                          "%",
		"spec.metrics[0].object.target.type":                          MetricTargetType("x"),
		"spec.metrics[0].object.target.value":                         s.Metrics[0].Object.Target.Value,
		"spec.metrics[0].object.target.averageValue":                  s.Metrics[0].Object.Target.AverageValue,
		"spec.metrics[1].containerResource.name":                      resourceName("gpu"),
		"spec.metrics[1].containerResource.container":                 "A",
		"spec.metrics[1].containerResource.target.averageUtilization": int32(0),
	}, values)
}

// What each API server drops, and says of the bounds and of references.
func TestAdmit(t *testing.T) {
	const (
		external = `"metrics":[{"type":"External","external":{"metric":{"name":"jobs"},"target":{"type":"Value","value":"5"}}}]`
		bare     = `"scaleTargetRef":{"kind":"Deployment","name":"web"}`
		whole    = `"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"}`
		log      = `"metrics":[{"type":"ContainerResource","containerResource":{"name":"cpu","container":"log","target":{"type":"Utilization","averageUtilization":50}}}]`
	)
	for _, tt := range []struct {
		spec string
		says map[string]string // by the first release that says so, until the next
	}{
		{`{` + whole + `,"minReplicas":0,"maxReplicas":2,` + external + `}`, map[string]string{
			"1.29": "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1", "1.37": "",
		}},
		{`{` + whole + `,"minReplicas":-1,"maxReplicas":2,` + external + `}`, map[string]string{
			"1.29": "spec.minReplicas: Invalid value: -1: must be greater than or equal to 1",
			"1.37": "spec.minReplicas: Invalid value: -1: must be greater than or equal to 0",
		}},
		{`{"scaleTargetRef":{"kind":"","name":"web","apiVersion":"apps/v1"},"maxReplicas":0,` + external + `}`, map[string]string{
			"1.29": "[spec.maxReplicas: Invalid value: 0: must be greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`, spec.scaleTargetRef.kind: Required value]",
			"1.36": "[spec.maxReplicas: Required value: must be set and greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`, spec.scaleTargetRef.kind: Required value]",
			"1.37": "[spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`, spec.scaleTargetRef.kind: Required value, spec.maxReplicas: Required value]",
		}},
		{`{` + bare + `,"maxReplicas":2}`, map[string]string{
			"1.29": "", "1.34": `spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group`,
		}},
		{`{` + whole + `,"maxReplicas":2,` + log + `}`, map[string]string{"1.29": ""}},
	} {
		want := ""
		for _, r := range release.All() {
			if says, ok := tt.says[r.String()]; ok {
				want = says
			}
			var s HorizontalPodAutoscalerSpec
			require.NoError(t, json.Unmarshal([]byte(tt.spec), &s))
			got := ""
			if err := s.ApplyAdmission(r).Err(); err != nil {
				got = err.Error()
			}
			require.Equal(t, want, got, "%s of %s", r, tt.spec)
		}
	}

	var off HorizontalPodAutoscalerSpec
	require.NoError(t, json.Unmarshal([]byte(`{`+whole+`,"maxReplicas":2,`+log+`}`), &off))
	require.EqualError(t, off.ApplyAdmission(release.MustParse("1.29,HPAContainerMetrics=false")).Err(),
		"spec.metrics[0].containerResource: Required value: must populate information for the given metric source (only allowed when HPAContainerMetrics feature is enabled)")

	for r, kept := range map[string]bool{"1.32": false, "1.34": false, "1.33,HPAConfigurableTolerance=true": true, "1.35": true, "1.35,HPAConfigurableTolerance=false": false, "1.37": true} {
		var s HorizontalPodAutoscalerSpec
		require.NoError(t, json.Unmarshal([]byte(`{`+whole+`,"maxReplicas":2,"behavior":{"scaleUp":{"tolerance":"0.5"}}}`), &s))
		require.NoError(t, s.ApplyAdmission(release.MustParse(r)).Err())
		require.Equal(t, kept, s.Behavior.ScaleUp.Tolerance.IsSet(), r)
		require.Equal(t, int32(1), *s.MinReplicas)
	}
	var none *HorizontalPodAutoscalerSpec
	require.EqualError(t, none.ApplyAdmission(release.Release{}).Err(), "spec: Required value")
}
