package kubejson

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/podgroup"
)

// Cluster holds the decoded documents of one sync. The zero Cluster is empty.
type Cluster struct {
	// Autoscaler is the autoscaler to decide for.
	Autoscaler HorizontalPodAutoscaler
	// Scale is the scale of its target. If it is nil, spec and status both have
	// the size of status.currentReplicas of the autoscaler.
	Scale *Scale
	// Pods are the pods that match the scale's selector. After Add they are nil
	// only if there was no document of pods.
	Pods []podgroup.Pod
	// PodMetrics is the answer of the resource metrics API; nil means no answer.
	PodMetrics *PodMetrics
	// Custom are the answers of the custom metrics API. Observation says where
	// their order counts.
	Custom []CustomMetrics
	// External are those of the external metrics API.
	External []ExternalMetrics
}

// Observation returns the sizes, the pods and a reading for each metric of the
// spec, in its order. A metric without an answer gets a *NoAnswerError.
//
// An answer belongs to the metrics with its name and, for Object metrics, its
// object. Answers do not repeat the selector. If the spec asks for one name with
// several selectors, the answers of that name are taken in the spec's order. An
// empty answer applies to each metric of its API that has no other.
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
// It is the zero time.Time if there is none. Use it as now for a recording.
func (c *Cluster) Newest() time.Time {
	times := []time.Time{c.Autoscaler.CreationTime, c.Autoscaler.Status.LastScaleTime}
	for _, condition := range c.Autoscaler.Status.Conditions {
		times = append(times, condition.LastTransitionTime)
	}
	for i := range c.Pods {
		times = append(times, c.Pods[i].StartTime.Time(), c.Pods[i].ReadyTransition.Time())
	}
	if c.PodMetrics != nil {
		for i := range c.PodMetrics.pods {
			times = append(times, c.PodMetrics.pods[i].Timestamp)
		}
	}
	for _, m := range c.Custom {
		times = append(times, newest(m.values))
	}
	for _, m := range c.External {
		times = append(times, newest(m.values))
	}
	return slices.MaxFunc(times, time.Time.Compare).UTC()
}

// Add decodes a stream of JSON documents and adds each to c by its kind: one
// HorizontalPodAutoscaler, one Scale, and any number of pods, pod metrics, custom
// metrics and external metrics. An empty List has no kind and counts as pods.
// The input may be what several commands print:
//
//	(kubectl get hpa web -o json; kubectl get pods -l app=web -o json) | …
//
// On an error, which is an *Error, c is unchanged.
func (c *Cluster) Add(data []byte) error {
	// Copies of c may share what is appended to.
	after, pods := *c, newPodList(append([]podgroup.Pod{}, c.Pods...))
	after.Custom, after.External = slices.Clip(c.Custom), slices.Clip(c.External)
	if c.PodMetrics != nil {
		after.PodMetrics = &PodMetrics{slices.Clip(c.PodMetrics.pods)}
	}
	in := newStream(data)
	for n := 1; ; n++ {
		var l list[typeMeta]
		text, err := in.next(&l)
		switch {
		case err == nil && text != nil:
			err, _ = after.add(&l, text, &pods).(*Error)
		case err == nil && n == 1:
			return errorAt("", "empty").in("input")
		case err == nil:
			*c = after
			return nil
		}
		if err != nil {
			return err.in(strings.TrimSuffix(fmt.Sprintf("document %d, %s", n, err.Document), ", "))
		}
	}
}

// kinds are the kinds that Add reads.
const kinds = "HorizontalPodAutoscaler, Scale, Pod, PodMetrics, MetricValue, ExternalMetricValue or a list of one of these"

// add adds the document of which l is the beginning.
func (c *Cluster) add(l *list[typeMeta], data []byte, pods *podList) error {
	kind, path := l.Kind, "kind"
	if kind == "List" {
		kind = podDocument.kind
		if len(l.Items) > 0 {
			kind, path = l.Items[0].Kind, "items[0].kind"
		}
	}
	already := func(d document) error { return errorAt("", "there is one already").in(d.name) }
	var err error
	switch strings.TrimSuffix(kind, "List") {
	case autoscalerDocument.kind:
		if c.Autoscaler.Name != "" {
			return already(autoscalerDocument)
		}
		c.Autoscaler, err = DecodeAutoscaler(data)
	case scaleDocument.kind:
		if c.Scale != nil {
			return already(scaleDocument)
		}
		c.Scale = new(Scale)
		*c.Scale, err = DecodeScale(data)
	case podDocument.kind:
		*pods, err = pods.decode(data)
		c.Pods = pods.pods
	case podMetricsDocument.kind:
		c.PodMetrics = cmp.Or(c.PodMetrics, new(PodMetrics))
		*c.PodMetrics, err = decode(podMetricsDocument, data, *c.PodMetrics, (*PodMetrics).add)
	case customDocument.kind:
		var m CustomMetrics
		m, err = DecodeCustomMetrics(data)
		c.Custom = append(c.Custom, m)
	case externalDocument.kind:
		var m ExternalMetrics
		m, err = DecodeExternalMetrics(data)
		c.External = append(c.External, m)
	case "":
		return errorAt(path, "missing; %s was expected", kinds).in("object")
	default:
		return errorAt(path, "wrong kind %s; %s was expected", quote(kind), kinds).in("object")
	}
	return err
}
