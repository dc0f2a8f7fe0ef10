package kubejson

import (
	"cmp"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/podgroup"
)

// Cluster holds the decoded documents of one sync. The zero Cluster is empty.
type Cluster struct {
	// Namespace is the namespace of all documents, "" until one names it. Set
	// it before Add to accept no other.
	Namespace string
	// Strict makes Add read autoscalers as DecodeManifest does: it refuses what
	// the API server refuses with strict validation, such as spec.behaviour, and
	// reads autoscaling/v1, too. The *Error then wraps a *StrictError. Set it
	// before Add for manifests that people write. What a newer Kubernetes prints
	// may have fields that are not known here.
	Strict bool
	// Version is the version of the API server, such as "v1.32.13"; "" if no
	// document has it. release.Parse reads it.
	Version string
	// Autoscaler is the autoscaler to decide for. If Add read several, it is
	// empty until Choose.
	Autoscaler HorizontalPodAutoscaler
	// Autoscalers are all that Add read.
	Autoscalers []HorizontalPodAutoscaler
	// Scale is the scale of its target. If it is nil, spec and status both have
	// the size of status.currentReplicas of the autoscaler, and whether the
	// pods are the target's is not known.
	Scale *Scale
	// Pods are the pods that match the scale's selector. After Add they are nil
	// only if there was no document of pods.
	Pods []podgroup.Pod
	// PodMetrics is the answer of the resource metrics API; nil means no
	// answer.
	PodMetrics *PodMetrics
	// Custom are the answers of the custom metrics API. Observation says where
	// their order counts.
	Custom []CustomMetrics
	// External are those of the external metrics API.
	External []ExternalMetrics
	// labels are those of the pods that Add read, by name.
	labels map[string]labels
}

// Observation returns the sizes, the pods and a reading for each metric of the
// spec, in its order. A metric without an answer gets a *NoAnswerError.
//
// An answer belongs to the metrics with its name and, for Object metrics, its
// object. Answers do not repeat the selector. If the spec asks for one name
// with several selectors, the answers of that name are taken in the spec's
// order. An empty answer applies to each metric of its API that has no other.
//
// The observation shares the pods with c.
func (c *Cluster) Observation() calculator.Observation {
	obs := calculator.Observation{
		Namespace:      cmp.Or(c.Autoscaler.Namespace, c.Namespace),
		SpecReplicas:   c.Autoscaler.Status.CurrentReplicas,
		StatusReplicas: c.Autoscaler.Status.CurrentReplicas,
		Pods:           c.Pods,
	}
	if s := c.Scale; s != nil {
		obs.SpecReplicas, obs.StatusReplicas = s.SpecReplicas, s.StatusReplicas
		if _, err := autoscaling.ParseLabelSelector(s.Selector); s.Selector == "" {
			obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorRequired}
		} else if err != nil {
			obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Selector: s.Selector, Problem: err.Error()}
		}
	}
	free, taken, empty := answers{}, map[question][]*value{}, map[string]bool{}
	asked := make([]autoscaling.Metric, len(c.Autoscaler.Spec.Metrics))
	for i := range asked {
		m := c.Autoscaler.Spec.Metrics[i].Resolve()
		asked[i], free[ask(m.Source, m.Name, m.DescribedObject)] = m, nil
	}
	add := func(api string, document []value) {
		for q, values := range free.in(document) {
			free[q] = append(free[q], values)
		}
		empty[api] = empty[api] || len(document) == 0
	}
	for _, m := range c.Custom {
		add("custom metrics", m.values)
	}
	for _, m := range c.External {
		add("external metrics", m.values)
	}
	for _, m := range asked {
		api, q := cmp.Or(apis[m.Source], "metrics"), ask(m.Source, m.Name, m.DescribedObject) // an unknown source is not looked at
		selected := q
		selected.selector = m.Selector.String()
		if taken[selected] == nil && len(free[q]) > 0 {
			taken[selected], free[q] = free[q][0], free[q][1:]
		}
		r := calculator.Reading{Err: &NoAnswerError{api}}
		switch {
		case api == "resource metrics" && c.PodMetrics != nil:
			r = c.PodMetrics.Reading(c.Pods, m.Name, m.Container)
		case taken[selected] != nil || empty[api]:
			r = q.readingOf(taken[selected], c.Pods)
		}
		obs.Readings = append(obs.Readings, r)
	}
	return obs
}

// NoAnswerError is the error of a metric that no document answers.
type NoAnswerError struct {
	// API is the API that was asked: "resource metrics", "custom metrics" or
	// "external metrics".
	API string
}

// Error returns a text that begins like upstream's for an API that fails.
func (e *NoAnswerError) Error() string {
	return "unable to fetch metrics from " + e.API + " API: no answer given"
}

// Newest returns the latest time in the documents: of metrics, pod starts and
// transitions, the autoscaler's creation, last scale and condition transitions.
// It is the zero time.Time without such times. Use it as now for a recording.
func (c *Cluster) Newest() time.Time {
	var latest time.Time
	see := func(t time.Time) {
		if t.After(latest) {
			latest = t
		}
	}
	see(c.Autoscaler.CreationTime)
	see(c.Autoscaler.Status.LastScaleTime)
	for _, condition := range c.Autoscaler.Status.Conditions {
		see(condition.LastTransitionTime)
	}
	for i := range c.Pods {
		see(max(c.Pods[i].StartTime, c.Pods[i].ReadyTransition).Time())
	}
	if c.PodMetrics != nil {
		for i := range c.PodMetrics.pods {
			see(c.PodMetrics.pods[i].Timestamp)
		}
	}
	for _, m := range c.Custom {
		see(newest(m.values))
	}
	for _, m := range c.External {
		see(newest(m.values))
	}
	return latest.UTC()
}
