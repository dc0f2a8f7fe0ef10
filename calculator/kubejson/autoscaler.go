package kubejson

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// HorizontalPodAutoscaler is an object of that kind.
type HorizontalPodAutoscaler struct {
	// Namespace and Name are those of metadata.
	Namespace, Name string
	// Generation is metadata.generation; 0 means not set.
	Generation int64
	// CreationTime is metadata.creationTimestamp; the zero time.Time means not
	// set.
	CreationTime time.Time
	// SpecWritten and StatusWritten are when the spec and the status were last
	// written, by metadata.managedFields, in whole seconds; the zero time.Time
	// means not set. The API server notes no time for a write that only removes
	// fields. Metadata counts with the spec. kubectl prints managedFields with
	// --show-managed-fields.
	SpecWritten, StatusWritten time.Time
	// Spec is the spec as decoded. It need not be valid. The API server sets
	// the defaults; for a manifest, call
	// autoscaling.HorizontalPodAutoscalerSpec.SetDefaults.
	Spec autoscaling.HorizontalPodAutoscalerSpec
	// Status is the status after the last sync.
	Status autoscaling.HorizontalPodAutoscalerStatus
}

type autoscaler struct {
	typeMeta
	Metadata wholeMeta                                 `json:"metadata"`
	Spec     autoscaling.HorizontalPodAutoscalerSpec   `json:"spec"`
	Status   autoscaling.HorizontalPodAutoscalerStatus `json:"status"`
}

// wholeMeta has all fields of metav1.ObjectMeta.
type wholeMeta struct {
	objectMeta
	Labels                     map[string]string `json:"labels"`
	Annotations                map[string]string `json:"annotations"`
	GenerateName               string            `json:"generateName"`
	SelfLink                   string            `json:"selfLink"`
	UID                        string            `json:"uid"`
	ResourceVersion            string            `json:"resourceVersion"`
	DeletionGracePeriodSeconds int64             `json:"deletionGracePeriodSeconds"`
	Finalizers                 []string          `json:"finalizers"`
	OwnerReferences            []ownerReference  `json:"ownerReferences"`
	ManagedFields              []managedFields   `json:"managedFields"`
}

type ownerReference struct {
	APIVersion         string `json:"apiVersion"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         bool   `json:"controller"`
	BlockOwnerDeletion bool   `json:"blockOwnerDeletion"`
}

type managedFields struct {
	Manager     string          `json:"manager"`
	Operation   string          `json:"operation"`
	APIVersion  string          `json:"apiVersion"`
	Time        time.Time       `json:"time"`
	FieldsType  string          `json:"fieldsType"`
	FieldsV1    json.RawMessage `json:"fieldsV1"`
	Subresource string          `json:"subresource"`
}

// List implements codec.Lister.
func (a *autoscaler) List(path string, n int) {
	switch path {
	case "metadata.ownerReferences":
		a.Metadata.OwnerReferences = make([]ownerReference, 0, n)
	case "metadata.managedFields":
		a.Metadata.ManagedFields = make([]managedFields, 0, n)
	case "spec.metrics":
		a.Spec.Metrics = make([]autoscaling.MetricSpec, 0, n)
	case "status.currentMetrics":
		a.Status.CurrentMetrics = make([]autoscaling.MetricStatus, 0, n)
	case "status.conditions":
		a.Status.Conditions = make([]autoscaling.HorizontalPodAutoscalerCondition, 0, n)
	}
}

func (a *autoscaler) place() (path, namespace string) { return a.Metadata.place() }

// written returns when the spec and the status were last written.
func (a *autoscaler) written() (spec, status time.Time) {
	for _, f := range a.Metadata.ManagedFields {
		last := &spec
		if f.Subresource == "status" {
			last = &status
		}
		if f.Time.After(*last) {
			*last = f.Time.UTC()
		}
	}
	return spec, status
}

// DecodeAutoscaler reads a HorizontalPodAutoscaler of autoscaling/v2, as
// `kubectl get hpa NAME -o json` prints it, or a list of exactly one. The error
// is an *Error.
func DecodeAutoscaler(data []byte) (HorizontalPodAutoscaler, error) {
	return decodeOne(autoscalerDocument, data, new(autoscaler), addAutoscaler)
}

func addAutoscaler(to *[]HorizontalPodAutoscaler, a *autoscaler) *Error {
	a.Status.LastScaleTime = a.Status.LastScaleTime.UTC()
	for i := range a.Status.Conditions {
		c := &a.Status.Conditions[i]
		c.LastTransitionTime = c.LastTransitionTime.UTC()
	}
	m := &a.Metadata
	spec, status := a.written()
	*to = append(*to, HorizontalPodAutoscaler{m.Namespace, m.Name, m.Generation, m.CreationTimestamp.UTC(), spec, status, a.Spec, a.Status})
	return cmp.Or(
		errorIf(m.Name == "", ".metadata.name", "missing"),
		errorIf(a.Status.CurrentReplicas < 0, ".status.currentReplicas", "%d is negative", a.Status.CurrentReplicas),
		errorIf(a.Status.DesiredReplicas < 0, ".status.desiredReplicas", "%d is negative", a.Status.DesiredReplicas))
}

// State returns [calculator.StateFromStatus] of the status.
func (a *HorizontalPodAutoscaler) State() calculator.State {
	return calculator.StateFromStatus(&a.Status)
}

// Scale is the scale subresource of the target.
type Scale struct {
	// Namespace and Name are those of metadata.
	Namespace, Name string
	// SpecReplicas is spec.replicas, the size asked for; 0 if left out.
	SpecReplicas int32
	// StatusReplicas is status.replicas, the number of pods.
	StatusReplicas int32
	// Selector is status.selector, such as "app=web", in at most 4096 bytes.
	// See autoscaling.ParseLabelSelector.
	Selector string
}

type scale struct {
	object
	Spec struct {
		Replicas int32 `json:"replicas"`
	} `json:"spec"`
	Status struct {
		Replicas int32  `json:"replicas"`
		Selector string `json:"selector"`
	} `json:"status"`
}

// DecodeScale reads a Scale of autoscaling/v1, as
// `kubectl get deployment NAME --subresource=scale -o json` prints it, or a
// list of exactly one. The error is an *Error.
func DecodeScale(data []byte) (Scale, error) {
	return decodeOne(scaleDocument, data, new(scale), addScale)
}

// longestSelector is the most bytes of a selector. It bounds the work of
// matching it with each pod.
const longestSelector = 4096

func addScale(to *[]Scale, s *scale) *Error {
	*to = append(*to, Scale{s.Metadata.Namespace, s.Metadata.Name, s.Spec.Replicas, s.Status.Replicas, s.Status.Selector})
	return cmp.Or(
		errorIf(s.Spec.Replicas < 0, ".spec.replicas", "%d is negative", s.Spec.Replicas),
		errorIf(s.Status.Replicas < 0, ".status.replicas", "%d is negative", s.Status.Replicas),
		errorIf(len(s.Status.Selector) > longestSelector, ".status.selector", "longer than %d bytes", longestSelector))
}
