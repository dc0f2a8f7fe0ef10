// Package wire reads answers of the metrics APIs as they come over the wire, in JSON
// or in Kubernetes' protobuf, without making objects of them.
//
// It reads ordinary answers of three types: PodMetricsList of metrics.k8s.io/v1beta1,
// MetricValueList of custom.metrics.k8s.io/v1beta1 and v1beta2, and
// ExternalMetricValueList of external.metrics.k8s.io/v1beta1. An answer is ordinary if
// Kubernetes' codecs decode it without an error, each field is there at most once, and
// all items have names, values and at most one namespace. Fields that no version of the
// type has are skipped. Of another answer, [Answer.Ordinary] reports false, and a full
// decoder has to say what it is.
//
// An [Answer] yields items. A [Reader] makes readings of them, and allocates nothing
// once its memory is long enough.
package wire

import (
	"bytes"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Pod is the usage of a pod.
type Pod struct {
	// Name is part of the body.
	Name []byte
	// Measured reports whether there is a usage: whether the container has one or,
	// if none is named, all containers have, of which there is one.
	Measured bool
	// Listed reports whether there is a container of that name.
	Listed bool
	// Usage is the usage of the container, or the sum of all.
	Usage metrics.Milli
	// Time is the end of the window in which it was measured.
	Time   time.Time
	Window time.Duration
}

// Value is a value of a custom or an external metric.
type Value struct {
	// Name is that of the object, and part of the body. External metrics have no
	// object.
	Name  []byte
	Value metrics.Milli
	// Time is the end of the window in which it was measured.
	Time   time.Time
	Window time.Duration
}

// Answer is an answer that is read. The zero Answer has no items.
type Answer struct {
	// Pod is the pod that Next came to, of a PodMetricsList.
	Pod Pod
	// Value is the value that Next came to, of the other lists.
	Value Value

	of                  listType
	version             string
	resource, container string
	bad                 bool // not ordinary, or not yet known to be
	// namespace is that of the items before, if one had one.
	namespace []byte
	sum       metrics.Sum
	other     bool // a container has no usage of the resource

	text scanner
	// Of JSON: top is at the first member of the list, within is within its items, and
	// item is at the first of them.
	top, within, item bool
	seen              field
	// items are the fields of a list in protobuf, without bytes in JSON.
	items message
	// Times and windows often are those of the item before.
	at, window cached
	lastAt     time.Time
	lastWindow time.Duration
}

// cached is a text that was read before.
type cached []byte

func (c *cached) is(b []byte) bool { return *c != nil && bytes.Equal(*c, b) }

// field is a set of fields that there are once at the most.
type field uint16

const (
	kind field = 1 << iota
	apiVersion
	list
	metadata
	name
	namespace
	timestamp
	windowField
	containers
	object
	metric
	metricName
	value
)

// listType is a type of lists.
type listType uint8

const (
	podMetrics listType = iota + 1
	customMetrics
	externalMetrics
)

// kind returns the kind of the list, which is that of its items and List.
func (t listType) kind() string {
	switch t {
	case podMetrics:
		return "PodMetricsList"
	case customMetrics:
		return "MetricValueList"
	}
	return "ExternalMetricValueList"
}

const (
	resourceBeta1 = "metrics.k8s.io/v1beta1"
	customBeta1   = "custom.metrics.k8s.io/v1beta1"
	customBeta2   = "custom.metrics.k8s.io/v1beta2"
	externalBeta1 = "external.metrics.k8s.io/v1beta1"
)

// version returns a version that the type has, or "".
func (t listType) version(b []byte) string {
	switch v := string(b); {
	case t == podMetrics && v == resourceBeta1:
		return resourceBeta1
	case t == customMetrics && v == customBeta1:
		return customBeta1
	case t == customMetrics && v == customBeta2:
		return customBeta2
	case t == externalMetrics && v == externalBeta1:
		return externalBeta1
	}
	return ""
}

// PodMetrics begins to read a body with a PodMetricsList, which must not change until
// the end. Resource is the resource, and container is empty for the sum over all
// containers.
func (a *Answer) PodMetrics(body []byte, resource, container string) {
	a.start(body, podMetrics)
	a.resource, a.container = resource, container
}

// CustomMetrics begins to read a body with a MetricValueList, which must not change
// until the end.
func (a *Answer) CustomMetrics(body []byte) { a.start(body, customMetrics) }

// ExternalMetrics begins to read a body with an ExternalMetricValueList, which must
// not change until the end.
func (a *Answer) ExternalMetrics(body []byte) { a.start(body, externalMetrics) }

// Magic is what bodies in Kubernetes' protobuf begin with.
const Magic = "k8s\x00"

func (a *Answer) start(body []byte, of listType) {
	*a = Answer{of: of, bad: true}
	if raw, ok := bytes.CutPrefix(body, []byte(Magic)); ok {
		a.items.b, a.bad = a.open(raw)
		return
	}
	a.text = scanner{b: body}
	a.bad = !a.text.open('{')
	a.top = true
}

// Next goes to the next item, if there is one.
func (a *Answer) Next() bool {
	if a.bad {
		return false
	}
	a.Pod, a.Value, a.sum, a.other = Pod{}, Value{}, metrics.Sum{}, false
	var more bool
	if a.items.b != nil {
		more = a.nextMessage()
	} else {
		more = a.nextObject()
	}
	if !more || a.bad {
		return false
	}
	if a.bad = !a.complete(); a.bad {
		return false
	}
	if a.of == podMetrics && a.container == "" {
		a.Pod.Measured = a.Pod.Listed && !a.other
		a.Pod.Usage = a.sum.Milli()
	}
	return true
}

// Ordinary reports, after Next has reported false, whether the answer was ordinary.
// If it was not, its items do not count.
func (a *Answer) Ordinary() bool { return !a.bad }

// complete reports whether an item has what ordinary items have.
func (a *Answer) complete() bool {
	switch a.of {
	case podMetrics:
		return len(a.Pod.Name) > 0
	case customMetrics:
		if len(a.Value.Name) == 0 {
			return false
		}
	}
	if a.seen&windowField == 0 {
		a.Value.Window = metrics.DefaultWindow
	}
	return a.seen&(metricName|value) == metricName|value
}

// once notes a field.
func (a *Answer) once(f field) {
	a.bad = a.bad || a.seen&f != 0
	a.seen |= f
}

// in notes the namespace of an item.
func (a *Answer) in(ns []byte) {
	a.once(namespace)
	if len(a.namespace) == 0 {
		a.namespace = ns
	}
	a.bad = a.bad || len(ns) > 0 && !bytes.Equal(ns, a.namespace)
}

// named notes the name of an item's metric.
func (a *Answer) named(metric []byte) {
	a.once(metricName)
	a.bad = a.bad || len(metric) == 0
}

// add adds a container's usage, which it may lack.
func (a *Answer) add(name []byte, usage metrics.Milli, ok bool) {
	switch {
	case a.container == "":
		a.Pod.Listed = true
		a.other = a.other || !ok
		a.sum.Add(usage)
	case string(name) == a.container && !a.Pod.Listed:
		a.Pod.Listed, a.Pod.Measured, a.Pod.Usage = true, ok, usage
	}
}
