package metrics

import "time"

// DefaultWindow is the window of a custom metric that does not report one
// (upstream's metricServerDefaultMetricWindow). Collapse usually takes it.
const DefaultWindow = time.Minute

// Sample is one pod's value from a metrics API. The zero Sample is missing: the
// API had no value for the pod. Most callers should use [NewSample].
type Sample struct {
	// Value is the usage in milli-units.
	Value Milli
	// Time is the end of the window in which the usage was measured. Only cpu
	// metrics look at it, for pods that started recently.
	Time Instant
	// Window is the length of that window.
	Window time.Duration
	// Present reports whether there is a value. A value of 0 is one.
	Present bool
}

// NewSample returns a present sample: value milli-units, measured over the
// window before at.
func NewSample(value Milli, at time.Time, window time.Duration) Sample {
	return Sample{Value: value, Time: At(at), Window: window, Present: true}
}

// Point is one raw reading of one pod.
type Point struct {
	// Value is in milli-units.
	Value Milli
	// Time is when it was read.
	Time Instant
}

// Collapse averages a pod's raw points, in any order, to one sample, as
// Kubernetes did when it read Heapster (collapseTimeSamples in
// podautoscaler/metrics of 1.11).
//
// The window ends at the newest point. Its start is exclusive: a point exactly
// one window older than the newest does not count. The mean is truncated to a
// whole milli-unit, and the sample has the newest point's time. The sample is
// missing if there are no points or the window is not positive.
func Collapse(points []Point, window time.Duration) Sample {
	if len(points) == 0 || window <= 0 {
		return Sample{}
	}
	newest := points[0].Time
	for _, p := range points[1:] {
		newest = max(newest, p.Time)
	}
	var sum Sum
	n := 0
	for _, p := range points {
		if newest.Sub(p.Time) < window {
			sum.Add(p.Value)
			n++
		}
	}
	return Sample{Value: sum.Average(n), Time: newest, Window: window, Present: true}
}
