package kube

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/purehpa/hpa/calculator"
)

// EventRecorder records events about objects. The EventRecorder of
// k8s.io/client-go/tools/record is one.
type EventRecorder interface {
	Event(object runtime.Object, eventtype, reason, message string)
}

// RecordEvents records the events of d's sync about the object, in the order in
// which Kubernetes' controller emits them. If the input was invalid, there are
// none.
func RecordEvents(r EventRecorder, object runtime.Object, d *calculator.Decision) {
	for _, e := range d.AppendEvents(nil) {
		r.Event(object, e.Type, e.Reason, e.Message)
	}
}
