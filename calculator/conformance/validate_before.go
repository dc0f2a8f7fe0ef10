//go:build kubernetes136

package conformance

import (
	fields "k8s.io/apimachinery/pkg/util/validation/field"
	internal "k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
)

// validate returns the API server's complaints.
func validate(created *internal.HorizontalPodAutoscaler) fields.ErrorList {
	return copied(horizontalpodautoscaler.Strategy.Validate(creation, created))
}
