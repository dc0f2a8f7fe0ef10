package autoscaling

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/metrics"
)

// The controller reads the field that a metric's type names, and picks the
// target by what is set. AverageValue wins, but for an Object source, whose
// type decides.
func TestResolve(t *testing.T) {
	selector := &LabelSelector{MatchLabels: map[string]string{"q": "a"}}
	id := MetricIdentifier{Name: "jobs", Selector: selector}
	value, average, percent := metrics.MustParseQuantity("3"), metrics.MustParseQuantity("2"), int32(60)
	all := MetricTarget{Type: "None", Value: value, AverageValue: average, AverageUtilization: &percent}
	of := func(typ MetricTargetType) MetricTarget {
		m := all
		m.Type = typ
		return m
	}
	ref := CrossVersionObjectReference{Kind: "Ingress", Name: "main"}
	for _, tt := range []struct {
		name     string
		spec     MetricSpec
		want     Metric
		ofPods   bool
		resource string
	}{
		{"zero", MetricSpec{}, Metric{}, false, ""},
		{"unknown type", MetricSpec{Type: "Other", Resource: &ResourceMetricSource{Name: "cpu"}}, Metric{Source: "Other"}, false, ""},
		{"no source", MetricSpec{Type: ResourceMetricSourceType}, Metric{}, false, ""},
		{"another source", MetricSpec{Type: ResourceMetricSourceType, External: &ExternalMetricSource{}}, Metric{}, false, ""},
		{
			"resource", MetricSpec{Type: ResourceMetricSourceType, Resource: &ResourceMetricSource{"cpu", all}},
			Metric{Source: ResourceMetricSourceType, Name: "cpu", Target: metrics.AverageValue(2000)}, true, "cpu",
		},
		{
			"utilization", ResourceUtilizationMetric("cpu", 60),
			Metric{Source: ResourceMetricSourceType, Name: "cpu", Target: metrics.Utilization(60)}, true, "cpu",
		},
		{
			"resource average", ResourceAverageValueMetric("memory", average),
			Metric{Source: ResourceMetricSourceType, Name: "memory", Target: metrics.AverageValue(2000)}, true, "memory",
		},
		{
			"resource without a target", MetricSpec{Type: ResourceMetricSourceType, Resource: &ResourceMetricSource{"cpu", MetricTarget{Value: value}}},
			Metric{Source: ResourceMetricSourceType, Name: "cpu"}, true, "cpu",
		},
		{
			"container", MetricSpec{Type: ContainerResourceMetricSourceType, ContainerResource: &ContainerResourceMetricSource{"cpu", all, "app"}},
			Metric{Source: ContainerResourceMetricSourceType, Name: "cpu", Container: "app", Target: metrics.AverageValue(2000)}, true, "cpu",
		},
		{
			"pods", PodsAverageValueMetric("jobs", average),
			Metric{Source: PodsMetricSourceType, Name: "jobs", Target: metrics.AverageValue(2000)}, true, "",
		},
		{
			"pods with a value alone", MetricSpec{Type: PodsMetricSourceType, Pods: &PodsMetricSource{id, MetricTarget{Value: value}}},
			Metric{Source: PodsMetricSourceType, Name: "jobs", Selector: selector}, true, "",
		},
		{
			"object by value", MetricSpec{Type: ObjectMetricSourceType, Object: &ObjectMetricSource{ref, of(ValueMetricType), id}},
			Metric{Source: ObjectMetricSourceType, Name: "jobs", Selector: selector, DescribedObject: ref, Target: metrics.Value(3000)}, false, "",
		},
		{
			"object by average", MetricSpec{Type: ObjectMetricSourceType, Object: &ObjectMetricSource{ref, of(AverageValueMetricType), id}},
			Metric{Source: ObjectMetricSourceType, Name: "jobs", Selector: selector, DescribedObject: ref, Target: metrics.AverageValue(2000)}, false, "",
		},
		{
			"object by another type", MetricSpec{Type: ObjectMetricSourceType, Object: &ObjectMetricSource{ref, of(UtilizationMetricType), id}},
			Metric{Source: ObjectMetricSourceType, Name: "jobs", Selector: selector, DescribedObject: ref}, false, "",
		},
		{
			"external", MetricSpec{Type: ExternalMetricSourceType, External: &ExternalMetricSource{Metric: id, Target: all}},
			Metric{Source: ExternalMetricSourceType, Name: "jobs", Selector: selector, Target: metrics.AverageValue(2000)}, false, "",
		},
		{
			"external by value", MetricSpec{Type: ExternalMetricSourceType, External: &ExternalMetricSource{Metric: id, Target: MetricTarget{Value: value}}},
			Metric{Source: ExternalMetricSourceType, Name: "jobs", Selector: selector, Target: metrics.Value(3000)}, false, "",
		},
		{
			"external by average", ExternalAverageValueMetric("jobs", average),
			Metric{Source: ExternalMetricSourceType, Name: "jobs", Target: metrics.AverageValue(2000)}, false, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.spec.Resolve()
			require.Equal(t, tt.want, m)
			require.Equal(t, tt.ofPods, m.OfPods())
			require.Equal(t, tt.resource, m.Resource())
			require.Equal(t, tt.resource == "memory", m.Format() == metrics.BinarySI)
		})
	}
}

// NewSpec has Kubernetes' defaults, and prints what it says.
func TestNewSpec(t *testing.T) {
	s := NewSpec(0, 9)
	require.Equal(t, int32(0), s.Bounds().Min)
	require.Equal(t, int32(9), s.Bounds().Max)
	require.False(t, s.HasObjectOrExternalMetric())
	require.Equal(t, metrics.Utilization(80), s.Metrics[0].Resolve().Target)
	require.Equal(t, `{"scaleTargetRef":{"kind":"","name":""},"minReplicas":0,"maxReplicas":9,"metrics":[{"type":"Resource",`+
		`"resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]}`, fmt.Sprint(s))
	require.Equal(t, fmt.Sprint(s), fmt.Sprintf("%#v", &s))
	external := NewSpec(0, 9, ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("1")))
	require.True(t, external.HasObjectOrExternalMetric())
	require.Equal(t, int32(1), new(HorizontalPodAutoscalerSpec).Bounds().Min)
}

func TestSelectorsCompare(t *testing.T) {
	fresh := func() *LabelSelector {
		return &LabelSelector{
			MatchLabels: map[string]string{"b": "2", "a": "1"},
			MatchExpressions: []LabelSelectorRequirement{
				{Key: "k", Operator: LabelSelectorOpIn, Values: []string{"x", "y"}}, {Key: "e", Operator: LabelSelectorOpExists},
				{Key: "n", Operator: LabelSelectorOpDoesNotExist}, {Key: "o", Operator: LabelSelectorOpNotIn, Values: []string{"z"}},
			},
		}
	}
	s := fresh()
	require.True(t, s.Equal(fresh()))
	require.True(t, s.Equal(s.Clone()))
	require.Equal(t, "a=1,b=2,k in (x,y),e,!n,o notin (z)", s.Short())
	for name, change := range map[string]func(*LabelSelector){
		"label":    func(s *LabelSelector) { s.MatchLabels["a"] = "2" },
		"more":     func(s *LabelSelector) { s.MatchLabels["c"] = "" },
		"key":      func(s *LabelSelector) { s.MatchExpressions[0].Key = "j" },
		"operator": func(s *LabelSelector) { s.MatchExpressions[0].Operator = LabelSelectorOpNotIn },
		"value":    func(s *LabelSelector) { s.MatchExpressions[0].Values[1] = "z" },
		"fewer":    func(s *LabelSelector) { s.MatchExpressions = s.MatchExpressions[1:] },
	} {
		other := fresh()
		change(other)
		require.False(t, s.Equal(other), name)
	}
	require.False(t, s.Equal(nil))
	require.True(t, (*LabelSelector)(nil).Equal(nil))
	require.Empty(t, (*LabelSelector)(nil).Short())
}
