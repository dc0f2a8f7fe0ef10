package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	internal "k8s.io/kubernetes/pkg/apis/autoscaling"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/kubejson"
)

// author writes JSON for Kubernetes' types, with all fields that they have and
// with mistakes.
type author struct {
	Dice
	// mistake is how many members there are to a mistake; 0 means none.
	mistake int
}

// value writes a value of the type.
func (a *author) value(t reflect.Type) string {
	if a.mistake > 0 && one(a, 8*a.mistake) {
		return pick(a, `7`, `1.5`, `1e3`, `-0`, `3000000000`, `9223372036854775808`, `"x"`, `""`, `"1mm"`, `"2026-05-04"`, `true`, `null`, `{}`, `[]`, `[{}]`, `[7]`, `{"a":"b"}`, `{"a":1}`)
	}
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return pick(a, `"10"`, `"250m"`, `"0"`, `7`)
	case reflect.TypeFor[metav1.Time]():
		return `"2026-05-04T12:00:00Z"`
	case reflect.TypeFor[metav1.FieldsV1]():
		return `{"f:spec":{},"f:spec":{}}`
	}
	switch t.Kind() {
	case reflect.Pointer:
		return a.value(t.Elem())
	case reflect.Struct:
		return a.object(a.members(t))
	case reflect.Map:
		return a.object([][2]string{{"a", `"b"`}, {"app.kubernetes.io/name", `"web"`}})
	case reflect.Slice:
		items := make([]string, a.Roll(3))
		for i := range items {
			items[i] = a.value(t.Elem())
		}
		return "[" + strings.Join(items, ",") + "]"
	case reflect.String:
		return pick(a, `"web"`, `"cpu"`, `"Pods"`, `"Min"`)
	case reflect.Bool:
		return "true"
	}
	return fmt.Sprint(a.Roll(100))
}

// members returns some of the fields of a struct.
func (a *author) members(t reflect.Type) (list [][2]string) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous || len(f.Index) > 1, f.Type == reflect.TypeFor[metav1.ObjectMeta]() || a.Roll(3) == 0:
			continue
		case name == "":
			name = f.Name // as in the internal types
		}
		list = append(list, [2]string{name, a.value(f.Type)})
	}
	return list
}

// object writes an object with mistakes in its members.
func (a *author) object(members [][2]string) string {
	var texts []string
	for i := 0; i < len(members); i++ {
		name, value := members[i][0], members[i][1]
		quoted := marshal(&name)
		if a.mistake > 0 && one(a, a.mistake) {
			switch a.Roll(6) {
			case 0:
				quoted = marshal(ptr(strings.ToUpper(name[:1]) + name[1:]))
			case 1:
				quoted = pick(a, `"typo"`, `"Typo.x"`, `"\u0074ypo"`, `"\""`, `"é"`, `""`, "\"\xff\"", `"\ud800"`)
			case 2:
				texts = append(texts, fmt.Sprint(pick(a, `"typo"`, `"kinds"`, `"proposal"`), ":", pick(a, `{"a":1,"a":2}`, `[{"b":1}]`, `null`)))
			case 3, 4:
				members = append(members, [2]string{name, pick(a, value, value, `null`)})
			case 5:
				quoted = fmt.Sprintf(`"\u%04x%s"`, name[0], name[1:])
			}
		}
		texts = append(texts, quoted+pick(a, ":", " : ")+value)
	}
	return "{" + strings.Join(texts, pick(a, ",", " ,\n")) + "}"
}

// manifest writes an autoscaler of that version.
func (a *author) manifest(version string, t reflect.Type) string {
	meta := slices.DeleteFunc(a.members(reflect.TypeFor[metav1.ObjectMeta]()), func(m [2]string) bool { return m[0] == "name" || m[0] == "annotations" })
	annotations := [][2]string{{"a", `"b"`}}
	for _, c := range []struct {
		name string
		of   reflect.Type
	}{
		{internal.MetricSpecsAnnotation, reflect.TypeFor[[]autoscalingv1.MetricSpec]()},
		{internal.BehaviorSpecsAnnotation, reflect.TypeFor[internal.HorizontalPodAutoscalerBehavior]()},
	} {
		if a.Roll(2) == 0 {
			text := (&author{a, 0}).value(c.of)
			if one(a, 10) {
				text = pick(a, `{`, `7`, `{}`, `[7]`, `[{"pods":[]}]`, `{"ScaleUp":7}`, `{"ScaleUp":null}`)
			}
			annotations = append(annotations, [2]string{c.name, marshal(&text)})
		}
	}
	meta = append(meta, [2]string{"annotations", a.object(annotations)}, [2]string{"name", `"web"`})
	return a.object(append([][2]string{
		{"apiVersion", marshal(&version)}, {"kind", `"HorizontalPodAutoscaler"`}, {"metadata", a.object(meta)},
	}, a.members(t)...))
}

// TestManifests compares what is refused in manifests, in which words and in
// which order, and what is read from those that are not.
func TestManifests(t *testing.T) {
	n := uint64(20_000)
	if testing.Short() {
		n = 2_000
	}
	counts := map[string]int{}
	for i := range n {
		counts[checkManifest(t, Random(3, i))]++
		if t.Failed() {
			return
		}
	}
	t.Log(counts)
	for _, what := range []string{"read v1", "read v2", "strict v1", "strict v2", "undecodable v1", "undecodable v2", "annotation"} {
		if counts[what] < int(n/100) {
			t.Error("hardly any is", what)
		}
	}
}

// TestManifestProperty is TestManifests as a property, which shrinks.
func TestManifestProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { checkManifest(rt, rapidDice{rt}) })
}

// checkManifest returns what the API server does with a manifest.
func checkManifest(t testingT, dice Dice) string {
	t.Helper()
	version, typ := "v2", reflect.TypeFor[autoscalingv2.HorizontalPodAutoscaler]()
	if dice.Roll(2) == 0 {
		version, typ = "v1", reflect.TypeFor[autoscalingv1.HorizontalPodAutoscaler]()
	}
	a := author{dice, pick(dice, 10, 40, 100)}
	text := a.manifest("autoscaling/"+version, typ)
	decoder := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, legacyscheme.Scheme, legacyscheme.Scheme, serializer.SerializerOptions{Strict: true})
	object, _, want := decoder.Decode([]byte(text), nil, nil)
	lib, err := kubejson.DecodeManifest([]byte(text))
	var strict *kubejson.StrictError
	var bad *kubejson.Error
	same := func(what, up, lib string) {
		t.Helper()
		if up != lib {
			t.Errorf("%s of %s\nupstream: %s\nlibrary:  %s", what, text, up, lib)
		}
	}
	switch {
	case runtime.IsStrictDecodingError(want):
		if !errors.As(err, &strict) {
			t.Errorf("%s\nupstream: %v\nlibrary:  %v", text, want, err)
			return ""
		}
		same("text", want.Error(), err.Error())
		return "strict " + version
	case want != nil:
		if !errors.As(err, &bad) {
			t.Errorf("%s\nupstream: %v\nlibrary:  %v", text, want, err)
			return ""
		}
		if header := bad.Path == "kind" || bad.Path == "apiVersion"; !header { // the library's own words
			same("text", want.Error(), bad.Problem)
		}
		return "undecodable " + version
	case errors.As(err, &bad) && strings.HasPrefix(bad.Path, "metadata.annotations["):
		old := object.(*autoscalingv1.HorizontalPodAutoscaler)
		if json.Unmarshal([]byte(old.Annotations[internal.MetricSpecsAnnotation]), new([]autoscalingv1.MetricSpec)) == nil &&
			json.Unmarshal([]byte(old.Annotations[internal.BehaviorSpecsAnnotation]), new(internal.HorizontalPodAutoscalerBehavior)) == nil {
			t.Errorf("%s\nlibrary: %v", text, err)
		}
		return "annotation"
	case err != nil:
		t.Errorf("%s\nlibrary: %v", text, err)
		return ""
	}
	up, ok := object.(*autoscalingv2.HorizontalPodAutoscaler)
	if !ok {
		between := &internal.HorizontalPodAutoscaler{}
		up = &autoscalingv2.HorizontalPodAutoscaler{}
		convert(object, between)
		convert(between, up)
		// The library does not read these.
		up.Status.CurrentMetrics, up.Status.Conditions = nil, nil
		lib.Status.CurrentMetrics, lib.Status.Conditions = nil, nil
		// Upstream converts no metrics to the default.
		defaults.SetObjectDefaults_HorizontalPodAutoscaler(up)
		lib.Spec.SetDefaults()
	}
	for i := range up.Status.Conditions {
		if c := &up.Status.Conditions[i]; c.ObservedGeneration != nil && *c.ObservedGeneration == 0 {
			c.ObservedGeneration = nil // the library makes no difference
		}
	}
	if b := up.Spec.Behavior; b != nil {
		for _, rules := range []*autoscalingv2.HPAScalingRules{b.ScaleUp, b.ScaleDown} {
			if rules != nil && rules.SelectPolicy != nil && *rules.SelectPolicy == "" {
				rules.SelectPolicy = nil // the library makes no difference
			}
		}
	}
	same("name", up.Namespace+"/"+up.Name, lib.Namespace+"/"+lib.Name)
	same("spec", marshal(&up.Spec), marshal(&lib.Spec))
	same("status", marshal(&up.Status), marshal(&lib.Status))
	return "read " + version
}
