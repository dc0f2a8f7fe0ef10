//go:build !kubernetes136

package conformance

import (
	"k8s.io/apimachinery/pkg/api/operation"
	fields "k8s.io/apimachinery/pkg/util/validation/field"
	internal "k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
)

// validate returns the API server's complaints, with those of the declarative rules.
func validate(created *internal.HorizontalPodAutoscaler) fields.ErrorList {
	s := horizontalpodautoscaler.Strategy
	list := copied(s.Validate(creation, created))
	return s.ValidateDeclaratively(creation, created, nil, list, operation.Create, s.DeclarativeValidationConfig(creation, created, nil))
}
