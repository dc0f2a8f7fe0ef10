package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/calculator/kubejson"
)

// autoscaler is one of the cluster's.
type autoscaler struct {
	kubejson.HorizontalPodAutoscaler
	meta *metav1.ObjectMeta
}

// key names it.
func (a *autoscaler) key() string { return a.Namespace + "/" + a.Name }

// get reads one autoscaler.
func (c *connection) get(ctx context.Context, name string) (*autoscaler, error) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "hpa/"), "horizontalpodautoscaler/")
	object, err := c.client.AutoscalingV2().HorizontalPodAutoscalers(c.namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, clusterError(fmt.Errorf("%w %s/%s", errNone, c.namespace, name))
	}
	if err != nil {
		return nil, clusterError(readable(err))
	}
	return decode(object)
}

// list reads those that the selector selects, of one namespace or of all.
func (c *connection) list(ctx context.Context, namespace, selector string) (all []*autoscaler, err error) {
	found, err := pages[autoscalingv2.HorizontalPodAutoscaler](ctx, metav1.ListOptions{LabelSelector: selector}, c.client.AutoscalingV2().HorizontalPodAutoscalers(namespace).List)
	if err != nil {
		return nil, clusterError(readable(err))
	}
	for _, object := range found {
		a, err := decode(object)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// decode takes the object through its JSON, which is what the library reads.
func decode(object *autoscalingv2.HorizontalPodAutoscaler) (*autoscaler, error) {
	object.APIVersion, object.Kind = "autoscaling/v2", "HorizontalPodAutoscaler"
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	a, err := kubejson.DecodeAutoscaler(text)
	a.Spec.SetDefaults()
	return &autoscaler{a, &object.ObjectMeta}, err
}

// ownerNote warns when KEDA owns the HPA.
func (a *autoscaler) ownerNote() string {
	i := slices.IndexFunc(a.meta.OwnerReferences, func(r metav1.OwnerReference) bool { return strings.HasPrefix(r.APIVersion, "keda.sh/") })
	if i < 0 {
		return ""
	}
	r := &a.meta.OwnerReferences[i]
	return fmt.Sprintf("KEDA makes this autoscaler from %s %s: changes belong there. KEDA itself scales to zero and back, and pauses.", r.Kind, r.Name)
}

// waited says of an error that it is a time that is up, and whose.
func (c *connection) waited(err error) error {
	if timeout := net.Error(nil); c.requests != nil && errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("no answer within --metrics-timeout, %v: %w", c.requests.metricsTimeout, err)
	}
	return err
}

// readable adds to an error about rights where they are listed.
func readable(err error) error {
	if apierrors.IsForbidden(err) {
		return fmt.Errorf("%w (a right is missing: kubectl hpa why --rights prints all that are needed)", err)
	}
	return err
}
