package kubejson

import (
	"cmp"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// refusal is misfit in the words of the API server. Its decoding ends at the
// first quantity or time that cannot be parsed, and passes other misfits.
func refusal(data []byte, t reflect.Type, version string) *Error {
	if first := locate(data, t, place{version: version, fatal: true}); first != nil {
		return first
	}
	return misfit(data, t, place{version: version})
}

// place is where a value is in an object that the API server decodes, as errors
// of encoding/json have it. The zero place is in a document of others.
type place struct {
	version string // of the object, such as "v2"
	fatal   bool   // whether only misfits count that end the decoding
	owner   string // the struct that has the field
	name    string // the field
	path    string // to the field, without indexes and without keys of maps
}

// member returns the place of a member of an object of the type.
func (p place) member(t reflect.Type, key string) place {
	if p.version == "" || t.Kind() != reflect.Struct {
		return p
	}
	_, p.owner, _ = strings.Cut(p.upstream(t), ".")
	p.name, p.path = key, strings.TrimPrefix(p.path+"."+key, ".")
	return p
}

// problem returns what the API server says of a value that does not fit the
// type, or "" if that is not known.
func (p place) problem(data []byte, t reflect.Type, err error) string {
	q, wanted := (*metrics.QuantityError)(nil), p.upstream(t)
	switch isTime := expected(t) == aTime; {
	case p.path == "" || p.path == "apiVersion" || p.path == "kind": // it decodes these before
		return ""
	case errors.As(err, &q) && q.Problem == metrics.QuantityExponentRange: // it computes with these
		return ""
	case errors.As(err, &q):
		return q.Problem.String()
	case isTime && data[0] != '"':
		wanted = "string"
	case isTime:
		if _, err := time.Parse(time.RFC3339, unquote(data)); err != nil && len(data) <= quoted {
			return err.Error()
		}
		return ""
	}
	value := "number"
	switch data[0] {
	case '{':
		value = "object"
	case '[':
		value = "array"
	case '"':
		value = "string"
	case 't', 'f':
		value = "bool"
	default:
		if strings.HasPrefix(wanted, "int") {
			value += " " + found(data)
		}
	}
	return "json: cannot unmarshal " + value + " into Go struct field " + p.owner + "." + p.path + " of type " + wanted
}

// upstream returns Kubernetes' name of the type at a place.
func (p place) upstream(t reflect.Type) string {
	if t.Kind() == reflect.Slice {
		return "[]" + p.upstream(t.Elem())
	}
	name := cmp.Or(upstreamNames[p.owner+"."+p.name], upstreamNames[t.String()], t.String())
	return strings.Replace(name, "autoscaling.", p.version+".", 1)
}

// upstreamNames are Kubernetes' names of types, by type or by field, where they
// are not those here.
var upstreamNames = map[string]string{
	"kubejson.autoscaler":                  "autoscaling.HorizontalPodAutoscaler",
	"kubejson.autoscalerV1":                "autoscaling.HorizontalPodAutoscaler",
	"kubejson.specV1":                      "autoscaling.HorizontalPodAutoscalerSpec",
	"kubejson.statusV1":                    "autoscaling.HorizontalPodAutoscalerStatus",
	"kubejson.wholeMeta":                   "v1.ObjectMeta",
	"kubejson.ownerReference":              "v1.OwnerReference",
	"kubejson.managedFields":               "v1.ManagedFieldsEntry",
	"metrics.TargetType":                   "autoscaling.MetricTargetType",
	"behavior.Behavior":                    "autoscaling.HorizontalPodAutoscalerBehavior",
	"behavior.ScalingRules":                "autoscaling.HPAScalingRules",
	"behavior.SelectPolicy":                "autoscaling.ScalingPolicySelect",
	"behavior.Policy":                      "autoscaling.HPAScalingPolicy",
	"behavior.PolicyType":                  "autoscaling.HPAScalingPolicyType",
	"autoscaling.ConditionStatus":          "v1.ConditionStatus",
	"autoscaling.LabelSelector":            "v1.LabelSelector",
	"autoscaling.LabelSelectorRequirement": "v1.LabelSelectorRequirement",
	"autoscaling.LabelSelectorOperator":    "v1.LabelSelectorOperator",
	"ObjectMeta.uid":                       "types.UID",
	"OwnerReference.uid":                   "types.UID",
	"ManagedFieldsEntry.operation":         "v1.ManagedFieldsOperationType",
	"ResourceMetricSource.name":            "v1.ResourceName",
	"ResourceMetricStatus.name":            "v1.ResourceName",
	"ContainerResourceMetricSource.name":   "v1.ResourceName",
	"ContainerResourceMetricStatus.name":   "v1.ResourceName",
}
