package autoscaling

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
)

func TestSetDefaultsRecorded(t *testing.T) {
	for _, r := range recordedSpecs(t) {
		s := decodeSpec(t, r.Spec)
		s.SetDefaults()
		require.Equal(t, string(r.Defaulted), encodeSpec(t, s), "%s", r.Spec)
	}
}

func TestSetDefaultsVectors(t *testing.T) {
	specs, defaulted := vectorSpecs(t)
	for i := range specs {
		s := decodeSpec(t, specs[i])
		s.SetDefaults()
		require.Equal(t, string(defaulted[i]), encodeSpec(t, s), "%s", specs[i])
		require.Empty(t, s.Validate())
		require.Equal(t, string(defaulted[i]), encodeSpec(t, decodeSpec(t, defaulted[i])))
	}
}

func TestSetDefaults(t *testing.T) {
	(*HorizontalPodAutoscalerSpec)(nil).SetDefaults()

	var s HorizontalPodAutoscalerSpec
	s.SetDefaults()
	require.Equal(t, HorizontalPodAutoscalerSpec{
		MinReplicas: ptr32(1),
		Metrics: []MetricSpec{{
			Type:     ResourceMetricSourceType,
			Resource: &ResourceMetricSource{Name: "cpu", Target: MetricTarget{Type: UtilizationMetricType, AverageUtilization: ptr32(80)}},
		}},
	}, s, "no behavior stays no behavior")

	s = HorizontalPodAutoscalerSpec{Metrics: []MetricSpec{}, Behavior: &behavior.Behavior{}, MinReplicas: ptr32(0)}
	s.SetDefaults()
	require.Len(t, s.Metrics, 1, "an empty list is no list")
	require.NotNil(t, s.Behavior.ScaleUp)
	require.NotNil(t, s.Behavior.ScaleDown)
	require.EqualValues(t, 0, *s.MinReplicas)

	s = HorizontalPodAutoscalerSpec{Metrics: []MetricSpec{{}}}
	s.SetDefaults()
	require.Equal(t, []MetricSpec{{}}, s.Metrics, "metrics that are there stay, whatever they are")
}

func TestSetDefaultsSharesNothing(t *testing.T) {
	var a, b HorizontalPodAutoscalerSpec
	a.SetDefaults()
	*a.MinReplicas = 7
	*a.Metrics[0].Resource.Target.AverageUtilization = 7
	a.Metrics[0].Resource.Name = "memory"
	b.SetDefaults()
	require.EqualValues(t, 1, *b.MinReplicas)
	require.EqualValues(t, 80, *b.Metrics[0].Resource.Target.AverageUtilization)
	require.Equal(t, "cpu", b.Metrics[0].Resource.Name)
}

func TestSpecClone(t *testing.T) {
	require.Nil(t, (*HorizontalPodAutoscalerSpec)(nil).Clone())
	require.Equal(t, &HorizontalPodAutoscalerSpec{}, (&HorizontalPodAutoscalerSpec{}).Clone())

	fresh := func() *HorizontalPodAutoscalerSpec {
		selector := func() *LabelSelector {
			return &LabelSelector{
				MatchLabels:      map[string]string{"a": "1"},
				MatchExpressions: []LabelSelectorRequirement{{Key: "b", Operator: LabelSelectorOpIn, Values: []string{"2"}}},
			}
		}
		target := func() MetricTarget {
			return MetricTarget{Type: UtilizationMetricType, AverageUtilization: ptr32(50)}
		}
		return &HorizontalPodAutoscalerSpec{
			MinReplicas: ptr32(1),
			MaxReplicas: 2,
			Metrics: []MetricSpec{{
				Type:              "all",
				Object:            &ObjectMetricSource{Metric: MetricIdentifier{Name: "o", Selector: selector()}, Target: target()},
				Pods:              &PodsMetricSource{Metric: MetricIdentifier{Name: "p", Selector: selector()}, Target: target()},
				Resource:          &ResourceMetricSource{Name: "r", Target: target()},
				ContainerResource: &ContainerResourceMetricSource{Name: "c", Target: target()},
				External:          &ExternalMetricSource{Metric: MetricIdentifier{Name: "e", Selector: selector()}, Target: target()},
			}},
			Behavior: &behavior.Behavior{ScaleUp: &behavior.ScalingRules{StabilizationWindowSeconds: ptr32(3)}},
		}
	}
	s := fresh()
	c := s.Clone()
	require.Equal(t, s, c)

	// Whatever is written to the copy, the original does not see.
	*c.MinReplicas = 9
	m := &c.Metrics[0]
	for _, id := range []*MetricIdentifier{&m.Object.Metric, &m.Pods.Metric, &m.External.Metric} {
		id.Name = "x"
		id.Selector.MatchLabels["a"] = "x"
		id.Selector.MatchExpressions[0].Values[0] = "x"
		id.Selector.MatchExpressions[0].Key = "x"
	}
	for _, target := range []*MetricTarget{&m.Object.Target, &m.Pods.Target, &m.Resource.Target, &m.ContainerResource.Target, &m.External.Target} {
		*target.AverageUtilization = 9
		target.Type = "x"
	}
	m.Resource.Name, m.ContainerResource.Name = "x", "x"
	*c.Behavior.ScaleUp.StabilizationWindowSeconds = 9
	m.Type = "x"
	require.Equal(t, fresh(), s)
}
