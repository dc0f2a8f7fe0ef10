package conformance

import (
	"reflect"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/purehpa/hpa/calculator/kube"
)

// TestKubeKnowsAllFields: no field of this release's spec is lost in package
// kube, which is built with an older k8s.io/api.
func TestKubeKnowsAllFields(t *testing.T) {
	var want autoscalingv2.HorizontalPodAutoscalerSpec
	fill(t, reflect.ValueOf(&want).Elem())
	spec, err := kube.Spec(nil, &want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := kube.APISpec(&spec)
	if err != nil {
		t.Fatal(err)
	}
	if !equality.Semantic.DeepEqual(want, got) {
		t.Errorf("before: %s\nafter:  %s", marshal(want), marshal(got))
	}
}

// fill sets all that v consists of to something other than zero.
func fill(t *testing.T, v reflect.Value) {
	if q, ok := v.Addr().Interface().(*resource.Quantity); ok {
		*q = resource.MustParse("3")
		return
	}
	switch v.Kind() {
	case reflect.Int32:
		v.SetInt(7)
	case reflect.String:
		v.SetString("word")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"key": "value"}))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		t.Fatalf("the spec has a %s", v.Type())
	}
}
