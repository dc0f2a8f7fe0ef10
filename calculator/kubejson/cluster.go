package kubejson

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
)

// Cluster is what one sync looks at: the decoded documents, as far as there are
// any.
type Cluster struct {
	// Autoscaler says what is asked for.
	Autoscaler Autoscaler
	// Scale is the scale of its target. Nil stands for one of the size that the
	// autoscaler's status last saw, in spec and status.
	Scale *Scale
	// Pods are those that the scale's selector lists. After Add, they are nil
	// only if no document was one of pods.
	Pods []podgroup.Pod
	// PodMetrics is the answer of the resource metrics API; nil if it gave none.
	PodMetrics *PodMetrics
	// Custom are the answers of the custom metrics API, in any order but for
	// what Observation says.
	Custom []CustomMetrics
	// External are those of the external metrics API.
	External []ExternalMetrics
}

// Observation returns the sizes, the pods and a reading for each metric of the
// spec, in its order. A metric that no document answers gets a *NoAnswerError.
//
// Answers are found by the metric's name and what it describes. Where the spec
// asks for one name with several selectors, which answers do not repeat, the
// answers of that name are taken in the order in which the spec asks. An empty
// answer, which has no name, is that to every metric of its API that no other
// one answers.
//
// The observation shares the pods with c.
func (c *Cluster) Observation() calculator.Observation {
	obs := calculator.Observation{
		Namespace:      c.Autoscaler.Namespace,
		SpecReplicas:   c.Autoscaler.Status.CurrentReplicas,
		StatusReplicas: c.Autoscaler.Status.CurrentReplicas,
		Pods:           c.Pods,
	}
	if s := c.Scale; s != nil {
		obs.SpecReplicas, obs.StatusReplicas = s.SpecReplicas, s.StatusReplicas
		if s.Selector == "" {
			obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorRequired}
		}
	}
	a := answers{cluster: c, taken: map[question]int{}}
	for i := range c.Autoscaler.Spec.Metrics {
		obs.Readings = append(obs.Readings, a.reading(&c.Autoscaler.Spec.Metrics[i]))
	}
	return obs
}

// NoAnswerError says that no document answers a metric.
type NoAnswerError struct {
	// API is the API that would have: "resource metrics", "custom metrics" or
	// "external metrics".
	API string
}

// Error returns the text, which begins as upstream's does for an API that
// fails.
func (e *NoAnswerError) Error() string {
	return "unable to fetch metrics from " + e.API + " API: no answer given"
}

// question is what a metric of the spec asks a metrics API for.
type question struct {
	source   calculator.MetricSourceType
	metric   string
	selector string
	object   calculator.CrossVersionObjectReference
}

// answers hands out the answers to the metrics of the spec.
type answers struct {
	cluster *Cluster
	// taken says which answer, by its index, a question got; -1 for none.
	taken map[question]int
}

func (a *answers) reading(m *calculator.MetricSpec) calculator.Reading {
	c := a.cluster
	switch {
	case m.Type == calculator.ResourceMetricSourceType && m.Resource != nil:
		return a.resource(m.Resource.Name, "")
	case m.Type == calculator.ContainerResourceMetricSourceType && m.ContainerResource != nil:
		return a.resource(m.ContainerResource.Name, m.ContainerResource.Container)
	case m.Type == calculator.PodsMetricSourceType && m.Pods != nil:
		metric := m.Pods.Metric.Name
		i := a.take(newQuestion(m.Type, &m.Pods.Metric), len(c.Custom), func(i int) bool {
			return c.Custom[i].answers(metric, (*customValue).describesPod)
		})
		if i >= 0 {
			return c.Custom[i].PodsReading(c.Pods, metric)
		}
		if c.emptyCustom() {
			return new(CustomMetrics).PodsReading(c.Pods, metric)
		}
		return calculator.Reading{Err: &NoAnswerError{API: "custom metrics"}}
	case m.Type == calculator.ObjectMetricSourceType && m.Object != nil:
		metric, object := m.Object.Metric.Name, m.Object.DescribedObject
		q := newQuestion(m.Type, &m.Object.Metric)
		q.object = object
		i := a.take(q, len(c.Custom), func(i int) bool {
			return c.Custom[i].answers(metric, func(v *customValue) bool { return v.describes(&object) })
		})
		if i >= 0 {
			return c.Custom[i].ObjectReading(object, metric)
		}
		if c.emptyCustom() {
			return new(CustomMetrics).ObjectReading(object, metric)
		}
		return calculator.Reading{Err: &NoAnswerError{API: "custom metrics"}}
	case m.Type == calculator.ExternalMetricSourceType && m.External != nil:
		metric := m.External.Metric.Name
		i := a.take(newQuestion(m.Type, &m.External.Metric), len(c.External), func(i int) bool {
			return c.External[i].answers(metric)
		})
		if i >= 0 {
			return c.External[i].Reading(metric)
		}
		if slices.ContainsFunc(c.External, func(e ExternalMetrics) bool { return len(e.values) == 0 }) {
			return new(ExternalMetrics).Reading(metric)
		}
		return calculator.Reading{Err: &NoAnswerError{API: "external metrics"}}
	}
	// The decision refuses such a metric for its type, whatever the reading.
	return calculator.Reading{Err: &NoAnswerError{API: "metrics"}}
}

func (a *answers) resource(resource, container string) calculator.Reading {
	if a.cluster.PodMetrics == nil {
		return calculator.Reading{Err: &NoAnswerError{API: "resource metrics"}}
	}
	return a.cluster.PodMetrics.Reading(a.cluster.Pods, resource, container)
}

func newQuestion(source calculator.MetricSourceType, m *calculator.MetricIdentifier) question {
	return question{source: source, metric: m.Name, selector: m.Selector.String()}
}

// take returns the index of the answer to q: the first of the n that fits and
// that no like question with another selector has got; -1 if there is none.
func (a *answers) take(q question, n int, fits func(int) bool) int {
	a.taken[q] = -1
	for i := range n {
		if fits(i) && !a.isTaken(q, i) {
			a.taken[q] = i
			break
		}
	}
	return a.taken[q]
}

// isTaken reports whether a question that differs from q in its selector alone
// got answer i.
func (a *answers) isTaken(q question, i int) bool {
	for other, got := range a.taken {
		other.selector = q.selector
		if other == q && got == i {
			return true
		}
	}
	return false
}

func (c *Cluster) emptyCustom() bool {
	return slices.ContainsFunc(c.Custom, func(m CustomMetrics) bool { return len(m.values) == 0 })
}

// Newest returns the latest moment that the documents tell of: of the metrics,
// of the pods' starts and transitions, and of the autoscaler's creation, last
// scale and transitions. It is the zero time.Time if they tell of none. It is a
// good clock for a recorded state, which time has left behind.
func (c *Cluster) Newest() time.Time {
	var newest time.Time
	see := func(t time.Time) {
		if t.After(newest) {
			newest = t
		}
	}
	see(c.Autoscaler.CreationTime)
	see(c.Autoscaler.Status.LastScaleTime)
	for i := range c.Autoscaler.Status.Conditions {
		see(c.Autoscaler.Status.Conditions[i].LastTransitionTime)
	}
	for i := range c.Pods {
		see(c.Pods[i].StartTime.Time())
		see(c.Pods[i].ReadyTransition.Time())
	}
	if c.PodMetrics != nil {
		for i := range c.PodMetrics.pods {
			see(c.PodMetrics.pods[i].Timestamp)
		}
	}
	for i := range c.Custom {
		for j := range c.Custom[i].values {
			see(c.Custom[i].values[j].Timestamp)
		}
	}
	for i := range c.External {
		for j := range c.External[i].values {
			see(c.External[i].values[j].Timestamp)
		}
	}
	return newest.UTC()
}
