//go:build kubernetes132

package conformance

import (
	"encoding/json"
	"errors"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// The API of these releases lacks pod-level requests and the tolerances of
// scaling rules. Its server drops them from what users write. So upstream does
// not see them here either, but the library does.

// podConverter converts pods through their JSON, as package kube needs a newer
// API. It keeps those of the history, which are listed in many syncs.
type podConverter struct{ known map[*corev1.Pod]podgroup.Pod }

func (c *podConverter) appendTo(dst []podgroup.Pod, pods []*corev1.Pod) ([]podgroup.Pod, error) {
	if c.known == nil {
		c.known = map[*corev1.Pod]podgroup.Pod{}
	}
	for _, p := range pods {
		converted, ok := c.known[p]
		if !ok {
			var err error
			if converted, err = convertPod(p); err != nil {
				return dst, err
			}
			c.known[p] = converted
		}
		dst = append(dst, converted)
	}
	return dst, nil
}

func convertPod(p *corev1.Pod) (podgroup.Pod, error) {
	whole := *p
	whole.APIVersion, whole.Kind = "v1", "Pod"
	text, err := json.Marshal(&whole)
	if list, ok := p.Annotations[wholeRequests]; ok && err == nil {
		text, err = addResources(text, list)
	}
	if err != nil {
		return podgroup.Pod{}, err
	}
	out, err := kubejson.DecodePods(nil, text)
	if err != nil {
		return podgroup.Pod{}, err
	}
	if t := p.Status.StartTime; t != nil && t.IsZero() {
		out[0].StartTime = metrics.At(t.Time) // JSON has no such time
	}
	out[0].Resolve()
	return out[0], nil
}

// wholeRequests is the annotation that keeps a pod's pod-level requests.
const wholeRequests = "requests"

// requestAsWhole sets the pod-level requests.
func requestAsWhole(p *corev1.Pod, list corev1.ResourceList) {
	metav1.SetMetaDataAnnotation(&p.ObjectMeta, wholeRequests, marshal(list))
}

// addResources adds spec.resources to a pod's JSON.
func addResources(pod []byte, requests string) ([]byte, error) {
	var object, spec map[string]any
	if err := json.Unmarshal(pod, &object); err != nil {
		return nil, err
	}
	spec, _ = object["spec"].(map[string]any)
	spec["resources"] = map[string]any{"requests": json.RawMessage(requests)}
	return json.Marshal(object)
}

// observeScale is that of package kube.
func observeScale(o *calculator.Observation, scale *autoscalingv1.Scale) {
	o.Namespace = scale.Namespace
	o.SpecReplicas, o.StatusReplicas = scale.Spec.Replicas, scale.Status.Replicas
	text := scale.Status.Selector
	if _, err := labels.Parse(text); err != nil {
		o.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Selector: text, Problem: err.Error()}
	}
	if text == "" {
		o.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorRequired}
	}
}

// attach does nothing: a user's rules have no tolerance.
func (tolerances) attach(*autoscalingv2.HorizontalPodAutoscalerBehavior) {}

// complete sets the tolerances of the library's rules.
func (t tolerances) complete(b *behavior.Behavior) error {
	if b == nil {
		return nil
	}
	complete := func(r *behavior.ScalingRules, t *resource.Quantity) (err error) {
		if r != nil && t != nil {
			r.Tolerance, err = metrics.ParseQuantity(t.String())
		}
		return err
	}
	return errors.Join(complete(b.ScaleUp, t.up), complete(b.ScaleDown, t.down))
}
