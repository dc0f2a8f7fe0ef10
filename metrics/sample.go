package metrics

import "time"

// Sample is what a metrics API said of one pod. The zero Sample is a missing
// one: the API said nothing of the pod.
type Sample struct {
	// Value is the usage, in milli-units.
	Value Milli
	// Time is the end of the window over which the usage was measured. Only
	// cpu needs it: see podgroup.
	Time Instant
	// Window is the length of that window. Kubernetes takes a minute for a
	// custom metric that tells none.
	Window time.Duration
	// Present tells a sample from a missing one, whatever its value.
	Present bool
}

// DefaultWindow is the window of a custom metric that tells none (upstream's
// metricServerDefaultMetricWindow), and the length of what Collapse averages.
const DefaultWindow = time.Minute

// Point is one raw reading of one pod.
type Point struct {
	// Value is in milli-units.
	Value Milli
	// Time is when it was read.
	Time Instant
}

// Collapse makes one sample of a pod's raw points, in any order, as the
// releases of Kubernetes that read Heapster did (collapseTimeSamples in
// podautoscaler/metrics of 1.11): the mean, truncated to a whole milli-unit, of
// the points of the window that ends at the newest point. The window is open at
// its start: a point that is exactly one window older than the newest does not
// count. Without points, and with a window that is not positive, the sample is
// missing.
//
// The sample's time is the newest point's, its window is the window.
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
