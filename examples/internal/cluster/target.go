package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/scale"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
)

// Target is what is scaled.
type Target struct {
	Resource schema.GroupResource
	// Scale is as it was read.
	Scale *autoscalingv1.Scale
}

// Targets reads the scales of whatever references point to.
type Targets struct {
	Mapper meta.RESTMapper
	Scales scale.ScalesGetter
}

// NewTargets returns the Targets of a cluster.
func NewTargets(config *rest.Config, mapper meta.RESTMapper, d discovery.ServerResourcesInterface) (Targets, error) {
	scales, err := scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(d))
	return Targets{Mapper: mapper, Scales: scales}, err
}

// Resource returns the resource of the reference's kind.
func (t *Targets) Resource(ref autoscaling.CrossVersionObjectReference) (schema.GroupResource, error) {
	gv, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		return schema.GroupResource{}, err
	}
	mapping, err := t.Mapper.RESTMapping(schema.GroupKind{Group: gv.Group, Kind: ref.Kind})
	if err != nil {
		return schema.GroupResource{}, err
	}
	return mapping.Resource.GroupResource(), nil
}

// Read reads the scale. On an error, the target has the resource if that is
// known.
func (t *Targets) Read(ctx context.Context, namespace string, ref autoscaling.CrossVersionObjectReference) (Target, error) {
	resource, err := t.Resource(ref)
	if err != nil {
		return Target{}, err
	}
	scale, err := t.Scales.Scales(namespace).Get(ctx, resource, ref.Name, metav1.GetOptions{})
	if err != nil {
		return Target{Resource: resource}, err
	}
	return Target{resource, scale}, nil
}

// Selectors are those of the autoscalers of a namespace, by name, to find pods that
// have two.
type Selectors map[string]labels.Selector

// Sharing returns the autoscalers that select some of the pods, as Kubernetes of a
// release writes them, or "" if there is at most one. Those of the newest name two
// of them, and do not say which.
func (s Selectors) Sharing(namespace string, pods []*corev1.Pod, quirks release.Quirks) string {
	var found []types.NamespacedName
	for name, selector := range s {
		if slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return selector.Matches(labels.Set(p.Labels)) }) {
			found = append(found, types.NamespacedName{Namespace: namespace, Name: name})
		}
	}
	if len(found) < 2 {
		return ""
	}
	slices.SortFunc(found, func(a, b types.NamespacedName) int { return cmp.Compare(a.Name, b.Name) })
	if !quirks.Has(release.SharedSelectorByAll) {
		return fmt.Sprint(found[:2])
	}
	var texts []string
	for _, key := range found {
		texts = append(texts, fmt.Sprintf("{%s %s}", key.Name, key.Namespace))
	}
	return "[" + strings.Join(texts, " ") + "]"
}
