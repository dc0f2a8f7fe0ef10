// Package v1alpha1 is the resource that the controller reconciles: a
// HorizontalPodAutoscaler of autoscaling/v2 that can also run dry.
//
// +groupName=autoscaling.example.com
package v1alpha1

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of the resource.
var GroupVersion = schema.GroupVersion{Group: "autoscaling.example.com", Version: "v1alpha1"}

// DryRun is the condition that says what a dry run would do.
const DryRun autoscalingv2.HorizontalPodAutoscalerConditionType = "DryRun"

// Autoscaler scales one target.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=as
// +kubebuilder:printcolumn:name="Reference",type=string,JSONPath=`.spec.scaleTargetRef.name`
// +kubebuilder:printcolumn:name="Min",type=integer,JSONPath=`.spec.minReplicas`
// +kubebuilder:printcolumn:name="Max",type=integer,JSONPath=`.spec.maxReplicas`
// +kubebuilder:printcolumn:name="Current",type=integer,JSONPath=`.status.currentReplicas`
// +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.status.desiredReplicas`
// +kubebuilder:printcolumn:name="Dry run",type=boolean,JSONPath=`.spec.dryRun`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Autoscaler struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   AutoscalerSpec   `json:"spec"`
	Status AutoscalerStatus `json:"status,omitempty"`
}

// AutoscalerSpec is the spec of autoscaling/v2, and dryRun.
type AutoscalerSpec struct {
	autoscalingv2.HorizontalPodAutoscalerSpec `json:",inline"`
	// DryRun decides, and writes to the status what it would do, but never to
	// the target.
	DryRun bool `json:"dryRun,omitempty"`
}

// AutoscalerStatus is the status of autoscaling/v2, and what the controller
// remembers.
type AutoscalerStatus struct {
	autoscalingv2.HorizontalPodAutoscalerStatus `json:",inline"`
	// State is the library's state after the last sync: what the next one
	// depends on, in any replica of the controller.
	// +kubebuilder:pruning:PreserveUnknownFields
	State *runtime.RawExtension `json:"state,omitempty"`
	// Intent is there while the target's scale is written.
	Intent *Intent `json:"intent,omitempty"`
}

// Intent is what is about to be written to the target's scale. A controller
// that finds one sees by the scale whether it was.
type Intent struct {
	// Replicas is the size.
	// +kubebuilder:validation:Minimum=0
	Replicas int32 `json:"replicas"`
	// State is the library's state once the size is written.
	// +kubebuilder:pruning:PreserveUnknownFields
	State runtime.RawExtension `json:"state"`
}

// AutoscalerList is a list of them.
//
// +kubebuilder:object:root=true
type AutoscalerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Autoscaler `json:"items"`
}

// AddToScheme makes the types known.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &Autoscaler{}, &AutoscalerList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}
