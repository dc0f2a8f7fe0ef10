package autoscaling

import (
	"reflect"
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

	// Every field of every type is set, so that one more of them is cloned, too.
	fresh := func() *HorizontalPodAutoscalerSpec {
		spec := new(HorizontalPodAutoscalerSpec)
		fill(reflect.ValueOf(spec).Elem())
		return spec
	}
	s := fresh()
	require.NotEmpty(t, s.Metrics[0].External.Fallback.FailureDurationSeconds)
	c := s.Clone()
	require.Equal(t, s, c)
	requireApart(t, reflect.ValueOf(s), reflect.ValueOf(c), "spec")
	require.Equal(t, fresh(), s)
}

// fill sets everything that v has: to one element, or to what is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), reflect.ValueOf("value"))
	case reflect.String:
		v.SetString("text")
	case reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("fill: " + v.Type().String())
	}
}

// requireApart fails if a and b point to the same memory anywhere.
func requireApart(t *testing.T, a, b reflect.Value, path string) {
	t.Helper()
	switch a.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		require.False(t, a.UnsafePointer() == b.UnsafePointer() && !a.IsNil(), "%s is shared", path)
	}
	switch a.Kind() {
	case reflect.Pointer:
		if !a.IsNil() {
			requireApart(t, a.Elem(), b.Elem(), path)
		}
	case reflect.Slice:
		for i := range a.Len() {
			requireApart(t, a.Index(i), b.Index(i), path+"[]")
		}
	case reflect.Struct:
		for i := range a.NumField() {
			requireApart(t, a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name)
		}
	}
}
