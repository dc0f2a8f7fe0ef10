package conformance

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// Difference is one thing that an API client sees differently.
type Difference struct {
	// Path is where: "size", "status.conditions[1].message".
	Path string
	// Metric is the index of the metric that it is about, -1 if none.
	Metric int
	// Upstream and Library are the two answers.
	Upstream, Library string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s\n\tupstream: %s\n\tlibrary:  %s", d.Path, d.Upstream, d.Library)
}

// differences collects differences.
type differences struct {
	list   []Difference
	metric int
}

func (d *differences) text(path, upstream, library string) {
	if upstream != library {
		d.list = append(d.list, Difference{path, d.metric, upstream, library})
	}
}

func (d *differences) number(path string, upstream, library int64) {
	if upstream != library {
		d.text(path, strconv.FormatInt(upstream, 10), strconv.FormatInt(library, 10))
	}
}

func (d *differences) boolean(path string, upstream, library bool) {
	if upstream != library {
		d.text(path, strconv.FormatBool(upstream), strconv.FormatBool(library))
	}
}

// moment compares two times in whole seconds, as in the API.
func (d *differences) moment(path string, upstream *metav1.Time, library time.Time) {
	zero := upstream == nil || upstream.IsZero()
	if zero != library.IsZero() || !zero && upstream.Unix() != library.Unix() {
		d.text(path, fmt.Sprint(upstream), fmt.Sprint(library))
	}
}

func (d *differences) quantity(path string, upstream *resource.Quantity, library metrics.Quantity) {
	if upstream == nil {
		if library.IsSet() {
			d.text(path, "<nil>", library.String())
		}
		return
	}
	d.text(path, upstream.String(), library.String())
}

// compare returns all that an API client sees differently after a sync.
func (l *Library) compare(a *Answer, step *Step) []Difference {
	d := differences{metric: -1}
	dec := &l.decision
	size, rescaled := step.SpecReplicas, dec.Outcome == calculator.OutcomeWritten
	if rescaled {
		size = dec.DesiredReplicas
	}
	d.number("size", int64(a.Size), int64(size))
	d.boolean("rescaled", a.Rescaled, rescaled)
	d.text("error", a.Error, errorText(dec.Err()))
	l.events = dec.AppendEvents(l.events[:0])
	for i := range max(len(l.events), len(a.Events)) {
		up, lib := "<none>", "<none>"
		if i < len(a.Events) {
			up = a.Events[i]
		}
		if i < len(l.events) {
			lib = l.events[i].String()
		}
		d.text("events["+strconv.Itoa(i)+"]", up, lib)
	}
	l.updateStatus()
	d.status(a.Status, &l.status)
	return d.list
}

// updateStatus sets the status as a caller of the library does. If the scale
// could not be read, only the conditions change.
func (l *Library) updateStatus() {
	status := l.decision.Status(&l.state)
	if l.obs.ScaleError != nil {
		l.status.Conditions = status.Conditions
		return
	}
	l.status = status
	if !l.settings.Release.Quirks().Has(release.NoObservedGeneration) {
		l.status.ObservedGeneration = ptr(l.generation)
	}
}

func (d *differences) status(up *autoscalingv2.HorizontalPodAutoscalerStatus, lib *autoscaling.HorizontalPodAutoscalerStatus) {
	switch {
	case up.ObservedGeneration == nil && lib.ObservedGeneration == nil:
	case up.ObservedGeneration == nil || lib.ObservedGeneration == nil:
		d.boolean("status.observedGeneration", up.ObservedGeneration == nil, lib.ObservedGeneration == nil)
	default:
		d.number("status.observedGeneration", *up.ObservedGeneration, *lib.ObservedGeneration)
	}
	d.moment("status.lastScaleTime", up.LastScaleTime, lib.LastScaleTime)
	d.number("status.currentReplicas", int64(up.CurrentReplicas), int64(lib.CurrentReplicas))
	d.number("status.desiredReplicas", int64(up.DesiredReplicas), int64(lib.DesiredReplicas))
	if len(up.Conditions) != len(lib.Conditions) {
		d.text("status.conditions", marshal(up.Conditions), marshal(lib.Conditions))
	}
	for i := range min(len(up.Conditions), len(lib.Conditions)) {
		d.condition("status.conditions["+strconv.Itoa(i)+"].", &up.Conditions[i], &lib.Conditions[i])
	}
	if len(up.CurrentMetrics) != len(lib.CurrentMetrics) {
		d.number("status.currentMetrics", int64(len(up.CurrentMetrics)), int64(len(lib.CurrentMetrics)))
		return
	}
	for i := range up.CurrentMetrics {
		d.metric = i
		d.metricStatus("status.currentMetrics["+strconv.Itoa(i)+"].", &up.CurrentMetrics[i], &lib.CurrentMetrics[i])
	}
	d.metric = -1
}

func (d *differences) condition(path string, up *autoscalingv2.HorizontalPodAutoscalerCondition, lib *autoscaling.HorizontalPodAutoscalerCondition) {
	d.text(path+"type", string(up.Type), string(lib.Type))
	d.text(path+"status", string(up.Status), string(lib.Status))
	d.text(path+"reason", up.Reason, lib.Reason)
	d.text(path+"message", up.Message, lib.Message)
	d.moment(path+"lastTransitionTime", &up.LastTransitionTime, lib.LastTransitionTime)
}

func (d *differences) metricStatus(path string, up *autoscalingv2.MetricStatus, lib *autoscaling.MetricStatus) {
	d.text(path+"type", string(up.Type), string(lib.Type))
	d.boolean(path+"object", up.Object != nil, lib.Object != nil)
	d.boolean(path+"pods", up.Pods != nil, lib.Pods != nil)
	d.boolean(path+"resource", up.Resource != nil, lib.Resource != nil)
	d.boolean(path+"containerResource", up.ContainerResource != nil, lib.ContainerResource != nil)
	d.boolean(path+"external", up.External != nil, lib.External != nil)
	if up, lib := up.Object, lib.Object; up != nil && lib != nil {
		path := path + "object."
		d.text(path+"describedObject.kind", up.DescribedObject.Kind, lib.DescribedObject.Kind)
		d.text(path+"describedObject.name", up.DescribedObject.Name, lib.DescribedObject.Name)
		d.text(path+"describedObject.apiVersion", up.DescribedObject.APIVersion, lib.DescribedObject.APIVersion)
		d.identifier(path, &up.Metric, &lib.Metric)
		d.value(path, &up.Current, &lib.Current)
	}
	if up, lib := up.Pods, lib.Pods; up != nil && lib != nil {
		d.identifier(path+"pods.", &up.Metric, &lib.Metric)
		d.value(path+"pods.", &up.Current, &lib.Current)
	}
	if up, lib := up.Resource, lib.Resource; up != nil && lib != nil {
		d.text(path+"resource.name", string(up.Name), lib.Name)
		d.value(path+"resource.", &up.Current, &lib.Current)
	}
	if up, lib := up.ContainerResource, lib.ContainerResource; up != nil && lib != nil {
		d.text(path+"containerResource.name", string(up.Name), lib.Name)
		d.text(path+"containerResource.container", up.Container, lib.Container)
		d.value(path+"containerResource.", &up.Current, &lib.Current)
	}
	if up, lib := up.External, lib.External; up != nil && lib != nil {
		d.identifier(path+"external.", &up.Metric, &lib.Metric)
		d.value(path+"external.", &up.Current, &lib.Current)
	}
}

func (d *differences) identifier(path string, up *autoscalingv2.MetricIdentifier, lib *autoscaling.MetricIdentifier) {
	d.text(path+"metric.name", up.Name, lib.Name)
	d.boolean(path+"metric.selector", up.Selector == nil, lib.Selector == nil)
	if up.Selector != nil && lib.Selector != nil {
		d.text(path+"metric.selector", up.Selector.String(), lib.Selector.String())
	}
}

func (d *differences) value(path string, up *autoscalingv2.MetricValueStatus, lib *autoscaling.MetricValueStatus) {
	d.quantity(path+"current.value", up.Value, lib.Value)
	d.quantity(path+"current.averageValue", up.AverageValue, lib.AverageValue)
	if (up.AverageUtilization == nil) != (lib.AverageUtilization == nil) {
		d.boolean(path+"current.averageUtilization", up.AverageUtilization == nil, lib.AverageUtilization == nil)
	} else if up.AverageUtilization != nil {
		d.number(path+"current.averageUtilization", int64(*up.AverageUtilization), int64(*lib.AverageUtilization))
	}
}

// compareJSON compares the two statuses in JSON.
func (l *Library) compareJSON(a *Answer) []Difference {
	up, lib := marshal(a.Status), marshal(l.status)
	if up == lib {
		return nil
	}
	return []Difference{{Path: "status as JSON", Metric: -1, Upstream: up, Library: lib}}
}

// compareHistory compares the recommendations and events that both remember, so
// that a difference shows where it arises. The library forgets entries that no
// valid window can reach any more.
func (l *Library) compareHistory(u *Upstream, now time.Time) []Difference {
	recommendations, added, removed := u.history()
	d := differences{metric: -1}
	longest := max(l.settings.DownscaleStabilization, time.Duration(behavior.MaxStabilizationWindowSeconds)*time.Second)
	d.series("recommendations", now.Add(-longest), recommendations, l.state.Recommendations.All())
	longest = time.Duration(behavior.MaxPeriodSeconds) * time.Second
	d.series("added", now.Add(-longest), events(added), l.state.Events.Added())
	d.series("removed", now.Add(-longest), events(removed), l.state.Events.Removed())
	return d.list
}

func events(list []datedEvent) []dated {
	if len(list) == 0 {
		return nil
	}
	out := make([]dated, len(list))
	for i := range list {
		out[i] = dated{list[i].value, list[i].at}
	}
	return out
}

// series compares two lists of dated values. The library may have forgotten
// those from before the cutoff.
func (d *differences) series(path string, cutoff time.Time, up []dated, lib iter.Seq[stabilize.Entry]) {
	i := 0
	forgotten := func() bool { return i < len(up) && up[i].at.Before(cutoff) }
	for e := range lib {
		same := func() bool { return up[i].value == e.Value && up[i].at.Equal(e.Time) }
		for forgotten() && !same() {
			i++
		}
		if i >= len(up) || !same() {
			d.text(path, fmt.Sprint(up), fmt.Sprint(slices.Collect(lib)))
			return
		}
		i++
	}
	for forgotten() {
		i++
	}
	if i < len(up) {
		d.text(path, fmt.Sprint(up), fmt.Sprint(slices.Collect(lib)))
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
