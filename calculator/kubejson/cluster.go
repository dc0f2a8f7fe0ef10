package kubejson

import (
	"cmp"
	"encoding/json"
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
	// Namespace is the namespace of all documents, "" until one names it. Set it
	// before Add to accept no other.
	Namespace string
	// Version is the version of the API server, such as "v1.32.13"; "" if no
	// document tells it. release.Parse reads it.
	Version string
	// Autoscaler is the autoscaler to decide for. If Add read several, it is empty
	// until Choose.
	Autoscaler HorizontalPodAutoscaler
	// Autoscalers are all that Add read.
	Autoscalers []HorizontalPodAutoscaler
	// Scale is the scale of its target. If it is nil, spec and status both have
	// the size of status.currentReplicas of the autoscaler, and nothing tells
	// whether the pods are the target's.
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
	// labels are those of the pods that Add read, by name.
	labels map[string]labels
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
// It is the zero time.Time if there is none. Use it as now for a recording.
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

// Add decodes a stream of JSON documents and adds each to c by its kind: any
// number of HorizontalPodAutoscalers, pods, pod metrics, custom metrics and
// external metrics, one Scale, and the version of the API server, as `kubectl version
// -o json` or `kubectl get --raw /version` prints it. The items of a List may be of several kinds; an
// empty one counts as pods. The input may be what several commands print:
//
//	(kubectl get hpa,pods -l app=web -o json; kubectl get --raw …) | …
//
// It is an error if documents do not belong together: if their namespaces differ,
// if the scale is not that of the autoscaler's target, or if the scale's selector
// does not select a pod. Documents without labels, such as metrics, are not
// checked against the selector.
//
// On an error, which is an *Error, c is unchanged.
func (c *Cluster) Add(data []byte) error {
	// Copies of c may share what is appended to.
	after, pods := *c, newPodList(slices.Clone(c.Pods), c.labels)
	after.Namespace = cmp.Or(c.Namespace, c.Autoscaler.Namespace)
	after.Autoscalers = slices.Clip(c.Autoscalers)
	after.Custom, after.External = slices.Clip(c.Custom), slices.Clip(c.External)
	if c.PodMetrics != nil {
		after.PodMetrics = &PodMetrics{slices.Clip(c.PodMetrics.pods)}
	}
	in := newStream(inUTF8(data))
	var h header
	for n := 1; ; n++ {
		h = header{}
		text, err := in.next(&h)
		switch {
		case err == nil && text != nil:
			err, _ = after.add(&h, text, &pods).(*Error)
		case err == nil && n == 1:
			return errorAt("", "empty").in("input")
		case err == nil:
			after.Pods, after.labels = pods.pods, pods.labels
			if len(after.Autoscalers) > len(c.Autoscalers) {
				after.Autoscaler = HorizontalPodAutoscaler{}
				if len(after.Autoscalers) == 1 {
					after.Autoscaler = after.Autoscalers[0]
				}
			}
			if err := after.check(); err != nil {
				return err
			}
			*c = after
			return nil
		}
		if err != nil {
			return err.in(strings.TrimSuffix(fmt.Sprintf("document %d, %s", n, err.Document), ", "))
		}
	}
}

// add adds a document of which h is the beginning.
func (c *Cluster) add(h *header, data []byte, pods *podList) error {
	if h.Kind == "List" {
		if err := h.check([]string{"v1"}, "List"); err != nil {
			return err.in("list")
		}
		for kind, run := range listItems(data).runs() {
			if err := c.addItems(kind, run, pods); err != nil {
				return err
			}
		}
		return nil
	}
	if server := serverVersion(data); h.Kind == "" && server != "" {
		if c.Version != "" && c.Version != server {
			return errorAt("", "%s; there is already %s", quote(server), quote(c.Version)).in("version")
		}
		c.Version = server
		return nil
	}
	kind := strings.TrimSuffix(h.Kind, "List")
	for _, d := range documents {
		if d.kind == kind {
			if err := d.fits(h); err != nil {
				return err.in(d.name)
			}
			return c.addItems(kind, d.itemsOf(h, data), pods)
		}
	}
	return c.addItems(h.Kind, items{first: -1}, pods)
}

// serverVersion returns the version of the API server that a document tells, or "".
func serverVersion(data []byte) string {
	type info struct {
		GitVersion string `json:"gitVersion"`
	}
	var v struct {
		info
		ServerVersion info `json:"serverVersion"`
	}
	if json.Unmarshal(data, &v) != nil {
		return ""
	}
	return cmp.Or(v.ServerVersion.GitVersion, v.GitVersion)
}

// addItems adds objects of a kind.
func (c *Cluster) addItems(kind string, in items, pods *podList) (err error) {
	switch kind {
	case autoscalerDocument.kind:
		c.Autoscalers, err = decodeItems(autoscalerDocument, in, c.Autoscalers, new(autoscaler), &c.Namespace, addAutoscaler)
	case scaleDocument.kind:
		var scales []Scale
		if c.Scale != nil {
			scales = append(scales, *c.Scale)
		}
		scales, err = decodeItems(scaleDocument, in, scales, new(scale), &c.Namespace, addScale)
		switch {
		case len(scales) > 1:
			return errorAt("", "there is one already").in(scaleDocument.name)
		case len(scales) == 1:
			c.Scale = &scales[0]
		}
	case podDocument.kind:
		pods.grow(in)
		*pods, err = decodeItems(podDocument, in, *pods, pods.next, &c.Namespace, (*podList).add)
		if pods.pods == nil {
			pods.pods = []podgroup.Pod{}
		}
	case podMetricsDocument.kind:
		c.PodMetrics = cmp.Or(c.PodMetrics, new(PodMetrics))
		*c.PodMetrics, err = decodeItems(podMetricsDocument, in, *c.PodMetrics, new(podMetrics), &c.Namespace, (*PodMetrics).add)
	case customDocument.kind:
		var m CustomMetrics
		m, err = decodeItems(customDocument, in, m, new(metricValue), &c.Namespace, (*CustomMetrics).add)
		c.Custom = append(c.Custom, m)
	case externalDocument.kind:
		var m ExternalMetrics
		m, err = decodeItems(externalDocument, in, m, new(metricValue), &c.Namespace, (*ExternalMetrics).add)
		c.External = append(c.External, m)
	case "":
		return errorAt(in.path()+".kind", "missing; %s was expected", kinds).in("object")
	default:
		return errorAt(in.path()+".kind", "wrong kind %s; %s was expected", quote(kind), kinds).in("object")
	}
	return err
}

// kinds are the kinds that Add reads.
const kinds = "HorizontalPodAutoscaler, Scale, Pod, PodMetrics, MetricValue, ExternalMetricValue or a list of these"
