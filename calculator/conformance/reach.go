package conformance

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"

	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	podmetrics "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// fieldOf returns an unexported field of a struct of upstream's, which can be
// set. It is not valid if the release has no such field.
func fieldOf(of any, name string) reflect.Value {
	f := reflect.ValueOf(of).Elem().FieldByName(name)
	if !f.IsValid() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// has reports whether the release's struct has the field.
func has(of any, name string) bool { return fieldOf(of, name).IsValid() }

// set sets a field. It panics with its name if the release has no such field.
func set(of any, name string, value any) {
	f := fieldOf(of, name)
	if !f.IsValid() {
		panic(fmt.Sprintf("%T of Kubernetes %s has no field %s", of, UpstreamVersion, name))
	}
	f.Set(reflect.ValueOf(value))
}

// newCalculator is upstream's NewReplicaCalculator, which takes the tolerance
// up to 1.32. From 1.33 on, the controller has it.
func newCalculator(client podmetrics.MetricsClient, pods corelisters.PodLister, flags *Flags) *podautoscaler.ReplicaCalculator {
	c := new(podautoscaler.ReplicaCalculator)
	set(c, "metricsClient", client)
	set(c, "podLister", pods)
	set(c, "cpuInitializationPeriod", flags.CPUInitializationPeriod)
	set(c, "delayOfInitialReadinessStatus", flags.InitialReadinessDelay)
	if has(c, "tolerance") {
		set(c, "tolerance", flags.Tolerance)
	}
	return c
}

// dated is upstream's timestampedRecommendation.
type dated struct {
	value int32
	at    time.Time
}

// datedEvent is upstream's timestampedScaleEvent.
type datedEvent struct {
	value    int32
	at       time.Time
	outdated bool
}

// history returns the controller's recommendations and scale events.
func (u *Upstream) history() (recommendations []dated, up, down []datedEvent) {
	at := func(name string) unsafe.Pointer { return unsafe.Pointer(fieldOf(u.controller, name).UnsafeAddr()) }
	recommendations = (*(*map[string][]dated)(at("recommendations")))[key]
	up = (*(*map[string][]datedEvent)(at("scaleUpEvents")))[key]
	down = (*(*map[string][]datedEvent)(at("scaleDownEvents")))[key]
	return
}
