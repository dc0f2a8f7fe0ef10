// Package podusage reads answers of the resource metrics API as they come over the
// wire, in JSON or in Kubernetes' protobuf, without making objects of them. It
// allocates nothing.
//
// It reads ordinary answers: PodMetricsLists of metrics.k8s.io/v1beta1 that
// Kubernetes' codecs decode without an error, with each field at most once. Fields
// that it does not know are skipped. Of another answer, [Answer.Ordinary] reports
// false, and a full decoder has to say what it is.
package podusage

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

// Answer is an answer that is read. The zero Answer has no pods.
type Answer struct {
	// Pod is the pod that Next came to.
	Pod Pod

	resource, container string
	bad                 bool // not ordinary, or not yet known to be
	sum                 metrics.Sum
	other               bool // a container has no usage of the resource

	text scanner
	// Of JSON: top is at the first member of the list, within is within its items, and
	// item is at the first of them.
	top, within, item bool
	seen              field
	// items are the fields of a list in protobuf, without bytes in JSON.
	items message
	// Times and windows often are those of the pod before.
	at, window cached
	lastAt     time.Time
	lastWindow time.Duration
}

// cached is a text that was read before.
type cached []byte

func (c *cached) is(b []byte) bool { return *c != nil && bytes.Equal(*c, b) }

// field is a set of fields that there are once at the most.
type field uint8

const (
	kind field = 1 << iota
	apiVersion
	list
	metadata
	name
	timestamp
	windowField
	containers
)

// The type of the list.
const (
	listKind    = "PodMetricsList"
	listVersion = "metrics.k8s.io/v1beta1"
)

// Start begins to read a body, which must not change until the end. Resource is
// the resource, and container is empty for the sum over all containers.
func (a *Answer) Start(body []byte, resource, container string) {
	*a = Answer{resource: resource, container: container, bad: true}
	if raw, ok := bytes.CutPrefix(body, []byte("k8s\x00")); ok {
		a.items.b, a.bad = open(raw)
		return
	}
	a.text = scanner{b: body}
	a.bad = !a.text.open('{')
	a.top = true
}

// Next goes to the next pod, if there is one.
func (a *Answer) Next() bool {
	if a.bad {
		return false
	}
	a.Pod, a.sum, a.other = Pod{}, metrics.Sum{}, false
	var more bool
	if a.items.b != nil {
		more = a.nextMessage()
	} else {
		more = a.nextObject()
	}
	if a.bad || !more {
		return false
	}
	if a.container == "" {
		a.Pod.Measured = a.Pod.Listed && !a.other
		a.Pod.Usage = a.sum.Milli()
	}
	return true
}

// Ordinary reports, after Next has reported false, whether the answer was ordinary.
// If it was not, its pods do not count.
func (a *Answer) Ordinary() bool { return !a.bad }

// once notes a field.
func (a *Answer) once(f field) {
	a.bad = a.bad || a.seen&f != 0
	a.seen |= f
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
