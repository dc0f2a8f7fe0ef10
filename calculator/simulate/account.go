package simulate

import (
	"time"

	"github.com/purehpa/hpa/metrics"
)

// account adds up a Performance.
type account struct {
	passed                                  time.Duration
	load, unserved, capacity, target, above integral
	timeUnserved, timeAbove, pods           time.Duration
}

func (a *account) add(d time.Duration, pods int, load, target, capacity metrics.Milli, limited bool) {
	a.passed += d
	a.pods = addSat(a.pods, times(d, pods))
	a.load.add(load, d)
	a.target.add(target, d)
	if limited {
		a.capacity.add(capacity, d)
	}
	if load > capacity {
		a.unserved.add(load-capacity, d)
		a.timeUnserved += d
	}
	if load > target {
		a.above.add(load-target, d)
		a.timeAbove += d
	}
}

func (a *account) performance() Performance {
	return Performance{
		Load:            a.load.average(a.passed),
		Unserved:        a.unserved.average(a.passed),
		Capacity:        a.capacity.average(a.passed),
		TargetLoad:      a.target.average(a.passed),
		AboveTarget:     a.above.average(a.passed),
		TimeUnserved:    a.timeUnserved,
		TimeAboveTarget: a.timeAbove,
		PodTime:         a.pods,
	}
}
