package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	"pgregory.net/rapid"
	apijson "sigs.k8s.io/json"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
)

// TestSpecs compares decoding, encoding, defaulting and validation, and what is
// said of metric selectors. Specs also go through package kube and back.
func TestSpecs(t *testing.T) {
	n := uint64(20_000)
	if testing.Short() {
		n = 2_000
	}
	valid := 0
	for i := range n {
		text := randomSpec(Random(1, i))
		checkSpec(t, text, &valid)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d specs are valid", valid, n)
	if valid < int(n/50) {
		t.Error("hardly any spec is valid")
	}
}

// TestSpecProperty is TestSpecs as a property, which shrinks.
func TestSpecProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { checkSpec(rt, randomSpec(rapidDice{rt}), new(int)) })
}

// FuzzSpec decodes any JSON.
func FuzzSpec(f *testing.F) {
	for i := range uint64(20) {
		f.Add(randomSpec(Random(2, i)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) || strings.Contains(string(text), `\`) || hugeExponent.Match(text) {
			return
		}
		// The API server's names are case-sensitive.
		var tree any
		if json.Unmarshal(text, &tree) != nil || !plainNames(tree) {
			return
		}
		text, _ = json.Marshal(tree)
		checkSpec(t, text, new(int))
	})
}

// plainNames reports whether no two names differ in case alone.
func plainNames(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if !known[k] && known[strings.ToLower(k)] || lower[strings.ToLower(k)] && !known[k] || !plainNames(e) {
				return false
			}
		}
	case []any:
		for _, e := range v {
			if !plainNames(e) {
				return false
			}
		}
	}
	return true
}

var known, lower = func() (known, lower map[string]bool) {
	known, lower = map[string]bool{}, map[string]bool{}
	for _, n := range strings.Fields(`scaleTargetRef kind name apiVersion minReplicas maxReplicas metrics behavior type object pods
		resource containerResource external describedObject target metric selector matchLabels matchExpressions key operator values
		value averageValue averageUtilization container scaleUp scaleDown stabilizationWindowSeconds selectPolicy policies
		periodSeconds tolerance`) {
		known[n], lower[strings.ToLower(n)] = true, true
	}
	return
}()

type testingT interface {
	Helper()
	Errorf(string, ...any)
}

func checkSpec(t testingT, text []byte, valid *int) {
	t.Helper()
	// A documented deviation: an empty policy in JSON is not set.
	if strings.Contains(string(text), `"selectPolicy":""`) {
		return
	}
	var up autoscalingv2.HorizontalPodAutoscalerSpec
	var lib autoscaling.HorizontalPodAutoscalerSpec
	upErr, libErr := apijson.UnmarshalCaseSensitivePreserveInts(text, &up), json.Unmarshal(text, &lib)
	if (upErr != nil) != (libErr != nil) {
		t.Errorf("decoding %s\nupstream: %v\nlibrary:  %v", text, upErr, libErr)
		return
	}
	if upErr != nil {
		return
	}
	same := func(what, up, lib string) {
		t.Helper()
		if up != lib {
			t.Errorf("%s of %s\nupstream: %s\nlibrary:  %s", what, text, up, lib)
		}
	}
	same("JSON", marshal(&up), marshal(&lib))
	complain := func(what string) {
		t.Helper()
		_, want := admit(&up)
		var got []string
		for _, e := range lib.Validate() {
			got = append(got, e.Error())
		}
		// The library's own complaints come after Kubernetes'.
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%s of %s\nupstream: %s\nlibrary:  %s", what, text, strings.Join(want, "\n\t"), strings.Join(got, "\n\t"))
		}
		if len(got) == 0 {
			*valid++
		}
	}
	complain("complaints without defaults")
	hpa := &autoscalingv2.HorizontalPodAutoscaler{Spec: *up.DeepCopy()}
	defaults.SetObjectDefaults_HorizontalPodAutoscaler(hpa)
	lib.SetDefaults()
	up = hpa.Spec
	same("defaults", marshal(&up), marshal(&lib))
	complain("complaints")
	converted, err := kube.Spec(hpa, &up)
	same("package kube's error", "", errorText(err))
	same("package kube's spec", marshal(&up), marshal(&converted))
	back, err := kube.APISpec(&lib)
	same("package kube's error on the way back", "", errorText(err))
	same("package kube's API spec", marshal(&up), marshal(&back))
	for i := range up.Metrics {
		m, l := &up.Metrics[i], &lib.Metrics[i]
		if m.Object != nil {
			checkSelector(t, m.Object.Metric.Selector, l.Object.Metric.Selector)
		}
		if m.Pods != nil {
			checkSelector(t, m.Pods.Metric.Selector, l.Pods.Metric.Selector)
		}
		if m.External != nil {
			checkSelector(t, m.External.Metric.Selector, l.External.Metric.Selector)
		}
	}
}

// checkSelector compares the text of a selector, and what is wrong with it. Of
// several labels at fault, upstream names any.
func checkSelector(t testingT, up *metav1.LabelSelector, lib *autoscaling.LabelSelector) {
	t.Helper()
	if want, got := fmt.Sprintf("%+v", up), fmt.Sprintf("%+v", lib); want != got {
		t.Errorf("selector\nupstream: %s\nlibrary:  %s", want, got)
	}
	got := errorText(lib.Problem())
	want := ""
	for range 200 {
		_, err := metav1.LabelSelectorAsSelector(up)
		if want = errorText(err); want == got {
			return
		}
	}
	t.Errorf("problem of selector %v\nupstream: %s\nlibrary:  %s", up, want, got)
}
