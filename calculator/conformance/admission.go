package conformance

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	internal "k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	apijson "sigs.k8s.io/json"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
)

var creation = request.WithRequestInfo(request.WithNamespace(context.Background(), Namespace), &request.RequestInfo{
	APIGroup: "autoscaling", APIVersion: "v2", Resource: "horizontalpodautoscalers",
})

// admit does with the spec what the API server does when the autoscaler is
// created, and returns its complaints, with forbidden sources of one metric in
// a fixed order.
func admit(spec *autoscalingv2.HorizontalPodAutoscalerSpec) (admitted autoscalingv2.HorizontalPodAutoscalerSpec, complaints []string) {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: Name, Namespace: Namespace}, Spec: *spec.DeepCopy()}
	created := &internal.HorizontalPodAutoscaler{}
	convert(hpa, created)
	rest.FillObjectMetaSystemFields(created)
	if err := rest.BeforeCreate(horizontalpodautoscaler.Strategy, creation, created); err != nil {
		for _, c := range err.(*apierrors.StatusError).ErrStatus.Details.Causes {
			complaints = append(complaints, c.Field+": "+c.Message)
		}
	}
	stored := &autoscalingv2.HorizontalPodAutoscaler{}
	convert(created, stored)
	return stored.Spec, inOrder(complaints)
}

func convert(from, to any) {
	if err := legacyscheme.Scheme.Convert(from, to, nil); err != nil {
		panic(err)
	}
}

var forbiddenSource = regexp.MustCompile(`^spec\.metrics\[\d+\]\.(\w+): Forbidden: must populate the given metric source only$`)

// inOrder sorts runs of forbidden sources, whose order is random upstream.
func inOrder(list []string) []string {
	order := []string{"object", "external", "pods", "resource", "containerResource"}
	of := func(text string) (metric string, rank int) {
		m := forbiddenSource.FindStringSubmatch(text)
		if m == nil {
			return "", -1
		}
		return text[:strings.Index(text, "]")], slices.Index(order, m[1])
	}
	for i := 0; i < len(list); i++ {
		metric, _ := of(list[i])
		j := i + 1
		for ; metric != "" && j < len(list); j++ {
			if m, _ := of(list[j]); m != metric {
				break
			}
		}
		slices.SortFunc(list[i:j], func(a, b string) int {
			_, x := of(a)
			_, y := of(b)
			return x - y
		})
		i = j - 1
	}
	return list
}

// Admission compares what both make of a random spec that is created: what the
// API server drops, its defaults and its complaints.
func Admission(dice Dice) *Report {
	report := &Report{Specs: 1}
	text := randomSpec(dice)
	fail := func(path, up, lib string) *Report {
		report.Failure = &Failure{Differences: []Difference{{Path: path, Metric: -1, Upstream: up, Library: lib}}, Input: string(text)}
		return report
	}
	var up autoscalingv2.HorizontalPodAutoscalerSpec
	var lib autoscaling.HorizontalPodAutoscalerSpec
	upErr, libErr := apijson.UnmarshalCaseSensitivePreserveInts(text, &up), json.Unmarshal(text, &lib)
	switch {
	case upErr != nil || strings.Contains(string(text), `"selectPolicy":""`):
		return report // a test compares decoding, and an empty policy is not set here
	case libErr != nil && Release().Quirks().Has(release.OneTolerance) && strings.Contains(string(text), "tolerance"):
		return report // upstream does not look at it
	case libErr != nil:
		return fail("decoding", "", libErr.Error())
	}
	hpa := &autoscalingv2.HorizontalPodAutoscaler{Spec: up}
	defaults.SetObjectDefaults_HorizontalPodAutoscaler(hpa)
	admitted, want := admit(&hpa.Spec)
	got, stored := admission(&lib, Release())
	if quantities := inGo(want); quantities {
		// Up to 1.33, complaints show the unexported fields of quantities.
		report.deviated(QuantityInGo, 1)
		want, got = withoutQuantities(want), withoutQuantities(got)
	}
	// The library's own complaints come after Kubernetes'.
	if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		return fail("complaints", strings.Join(want, "\n\t"), strings.Join(got, "\n\t"))
	}
	if marshal(&admitted) != stored {
		return fail("admitted spec", marshal(&admitted), stored)
	}
	if len(want) > 0 {
		report.Refused++
	}
	for _, d := range admittedOtherwise(&lib) {
		report.named(d, true)
	}
	return report
}

var goQuantity = regexp.MustCompile(`^([^ ]+: Invalid value): (resource\.Quantity\{.*\}|"[^"]*"): must be positive$`)

// inGo reports whether a complaint shows the fields of a quantity.
func inGo(complaints []string) bool {
	return slices.ContainsFunc(complaints, func(s string) bool { return strings.Contains(s, "resource.Quantity{") })
}

// withoutQuantities returns the complaints without the quantities that they
// show.
func withoutQuantities(complaints []string) (list []string) {
	for _, s := range complaints {
		list = append(list, goQuantity.ReplaceAllString(s, "$1: must be positive"))
	}
	return list
}

// admission is what the library makes of a spec as a release.
func admission(spec *autoscaling.HorizontalPodAutoscalerSpec, r release.Release) (complaints []string, stored string) {
	spec = spec.Clone()
	for _, e := range spec.ApplyAdmission(r) {
		complaints = append(complaints, e.Error())
	}
	return complaints, marshal(spec)
}

// admittedOtherwise returns the differences between upstream's release and the
// newest that change what becomes of the spec. Each release is compared with
// the next.
func admittedOtherwise(spec *autoscaling.HorizontalPodAutoscalerSpec) (list []release.Quirk) {
	for r := Release(); !r.IsZero(); {
		next, changed := later(r)
		before, stored := admission(spec, r)
		after, storedNext := admission(spec, next)
		other := func(l []string) []string {
			return slices.DeleteFunc(slices.Clone(l), func(s string) bool { return strings.Contains(s, ".apiVersion: ") })
		}
		for _, d := range changed {
			switch {
			case d == release.APIVersionUnchecked && len(other(after)) != len(after) && !slices.Equal(before, after),
				d == release.ValuesInGo && !slices.Equal(other(before), other(after)),
				d == release.OneTolerance && stored != storedNext,
				d != release.APIVersionUnchecked && d != release.ValuesInGo && d != release.OneTolerance && !slices.Equal(before, after):
				list = append(list, d)
			}
		}
		r = next
	}
	return list
}

// later returns the next release, and the quirks of admission that r has and it
// lacks. Between 1.36 and 1.37, the gate of scaling to zero is a step of its
// own.
func later(r release.Release) (next release.Release, changed []release.Quirk) {
	if r.Minor() == 36 && !r.Enabled(release.HPAScaleToZero) {
		next, err := r.With(release.HPAScaleToZero, true)
		if err != nil {
			panic(err)
		}
		return next, admits(r, next)
	}
	for _, next := range release.All() {
		if next.Minor() == r.Minor()+1 {
			return next, admits(r, next)
		}
	}
	return release.Release{}, nil
}

// admits are the differences of r from the next that concern what is admitted.
func admits(r, next release.Release) (list []release.Quirk) {
	gone := r.Quirks() &^ next.Quirks()
	for d := range gone.All() {
		if d.Row().Kind == release.Admits || d == release.OneTolerance || d == release.ValuesInGo || d == release.LabelsInCharacters || d == release.NoContainerMetrics {
			list = append(list, d)
		}
	}
	return list
}
