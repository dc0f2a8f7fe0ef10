package conformance

import (
	"reflect"
	"time"
	"unsafe"

	"k8s.io/kubernetes/pkg/controller/podautoscaler"

	"github.com/purehpa/hpa/metrics"
)

// fieldOf returns an unexported field of the controller, which can be set.
func fieldOf(c *podautoscaler.HorizontalController, name string) reflect.Value {
	f := reflect.ValueOf(c).Elem().FieldByName(name)
	if !f.IsValid() {
		panic("this release's HorizontalController has no field " + name)
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

func set(c *podautoscaler.HorizontalController, name string, value any) {
	fieldOf(c, name).Set(reflect.ValueOf(value))
}

// upstreamTolerances returns upstream's value of the tolerance.
func upstreamTolerances(t metrics.Tolerance) podautoscaler.Tolerances {
	both := [2]float64{t.Down, t.Up}
	return *(*podautoscaler.Tolerances)(unsafe.Pointer(&both))
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
