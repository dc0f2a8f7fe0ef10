package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	autoscalinginformers "k8s.io/client-go/informers/autoscaling/v2"
	"k8s.io/client-go/kubernetes"
	autoscalinglisters "k8s.io/client-go/listers/autoscaling/v2"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// gated is the informer of HPAs with a lister that a sync has to wait for. The
// controller uses it once a sync, and first, so that a test decides when a sync
// begins, and what all caches hold by then.
type gated struct {
	autoscalinginformers.HorizontalPodAutoscalerInformer
	ctx       context.Context
	client    kubernetes.Interface
	pods      corelisters.PodLister
	turnstile string
}

func (g *gated) Lister() autoscalinglisters.HorizontalPodAutoscalerLister {
	return gatedLister{g.HorizontalPodAutoscalerInformer.Lister(), g}
}

type gatedLister struct {
	autoscalinglisters.HorizontalPodAutoscalerLister
	gate *gated
}

func (l gatedLister) HorizontalPodAutoscalers(namespace string) autoscalinglisters.HorizontalPodAutoscalerNamespaceLister {
	return gatedNamespace{l.HorizontalPodAutoscalerLister.HorizontalPodAutoscalers(namespace), l.gate, namespace}
}

type gatedNamespace struct {
	autoscalinglisters.HorizontalPodAutoscalerNamespaceLister
	gate      *gated
	namespace string
}

// Get waits for the turnstile, and until the caches hold what the API server
// has.
func (n gatedNamespace) Get(name string) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	if err := n.gate.pass(n.namespace, name); err != nil {
		return nil, err
	}
	for {
		hpa, err := n.HorizontalPodAutoscalerNamespaceLister.Get(name)
		if err != nil {
			return nil, err
		}
		fresh, err := n.gate.fresh(hpa)
		if fresh || err != nil {
			return hpa, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (g *gated) pass(namespace, name string) error {
	req, err := http.NewRequestWithContext(g.ctx, http.MethodGet, g.turnstile+"/"+namespace+"/"+name, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the turnstile answers %s", resp.Status)
	}
	return nil
}

// fresh reports whether the API server has this version of the HPA, and the
// versions of pods that the cache has.
func (g *gated) fresh(hpa *autoscalingv2.HorizontalPodAutoscaler) (bool, error) {
	live, err := g.client.AutoscalingV2().HorizontalPodAutoscalers(hpa.Namespace).Get(g.ctx, hpa.Name, metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	pods, err := g.client.CoreV1().Pods(hpa.Namespace).List(g.ctx, metav1.ListOptions{})
	if err != nil {
		return false, err
	}
	cached, err := g.pods.Pods(hpa.Namespace).List(labels.Everything())
	if err != nil {
		return false, err
	}
	want, got := map[types.UID]string{}, map[types.UID]string{}
	for i := range pods.Items {
		want[pods.Items[i].UID] = pods.Items[i].ResourceVersion
	}
	for _, p := range cached {
		got[p.UID] = p.ResourceVersion
	}
	return live.ResourceVersion == hpa.ResourceVersion && maps.Equal(want, got), nil
}
