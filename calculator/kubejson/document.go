package kubejson

import (
	"slices"
	"strings"
)

// document is a kind of object that can be read.
type document struct {
	// name is what errors call it.
	name string
	// kind is the kind of one object, or of one item where the API returns only
	// lists.
	kind string
	// versions are the values of apiVersion that can be read, with spaces
	// between them.
	versions string
	// several is what errors call several objects, if one is expected.
	several string
}

// The documents, which nothing changes.
var (
	autoscalerDocument = document{
		"horizontal pod autoscaler", "HorizontalPodAutoscaler", "autoscaling/v2", "autoscalers"}
	manifestDocument = document{
		"horizontal pod autoscaler", "HorizontalPodAutoscaler", "autoscaling/v2 autoscaling/v1", "autoscalers"}
	scaleDocument      = document{"scale", "Scale", "autoscaling/v1", "scales"}
	podDocument        = document{"pods", "Pod", "v1", ""}
	podMetricsDocument = document{"pod metrics", "PodMetrics", "metrics.k8s.io/v1beta1", ""}
	customDocument     = document{"custom metrics", "MetricValue",
		"custom.metrics.k8s.io/v1beta1 custom.metrics.k8s.io/v1beta2", ""}
	externalDocument = document{"external metrics", "ExternalMetricValue", "external.metrics.k8s.io/v1beta1", ""}

	documents = [...]document{autoscalerDocument, scaleDocument, podDocument, podMetricsDocument, customDocument, externalDocument}
)

type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

func (m *typeMeta) header() *typeMeta { return m }

// header is the kind of a document, and the items of a list as nothing.
type header struct {
	typeMeta
	Items []struct{} `json:"items"`
}

// fits says how the document is not of this kind.
func (d document) fits(h *header) *Error {
	versions := strings.Fields(d.versions)
	switch h.Kind {
	case "List":
		versions = []string{"v1"}
	case autoscalerDocument.kind + "List":
		versions = versions[:1] // that of items without one
	}
	return h.check(versions, d.kind, d.kind+"List", "List")
}

// check returns an error if m has another kind or version.
func (m *typeMeta) check(versions []string, kinds ...string) *Error {
	switch {
	case m.Kind == "":
		return errorAt(".kind", "missing; %s was expected", or(kinds))
	case !slices.Contains(kinds, m.Kind):
		return errorAt(".kind", "wrong kind %s; %s was expected", quote(m.Kind), or(kinds))
	case m.APIVersion == "":
		return errorAt(".apiVersion", "missing; %s was expected", or(versions))
	case !slices.Contains(versions, m.APIVersion):
		hint := ""
		switch {
		case len(versions) > 1 && strings.HasPrefix(m.APIVersion, "autoscaling/v2beta"):
			hint = "; Kubernetes 1.26 and later do not serve " + quote(m.APIVersion)
		case len(versions) == 1 && strings.HasPrefix(m.Kind, autoscalerDocument.kind):
			hint = "; kubectl get hpa.v2.autoscaling NAME -o json prints it"
		}
		return errorAt(".apiVersion", "wrong version %s; %s is supported%s", quote(m.APIVersion), or(versions), hint)
	}
	return nil
}

// or returns "a", "a or b" or "a, b or c".
func or(words []string) string {
	last := len(words) - 1
	return strings.TrimPrefix(strings.Join(words[:last], ", ")+" or "+words[last], " or ")
}
