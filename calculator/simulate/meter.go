package simulate

import (
	"fmt"
	"math"
	"sort"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// meter is a metric of the spec with its gauge.
type meter struct {
	Gauge
	// index is that of the gauge.
	index int
	// whole reports whether the metric is an Object or External metric.
	whole bool
	// most is the largest metric that is tolerated: for each pod if perPod, or
	// else in all.
	most   metrics.Milli
	perPod bool
	// aimed reports whether there is a target, so that most is known.
	aimed bool

	// first is the time of the first scrape in the run.
	first            metrics.Instant
	missing, failing chance
	// samples were read at readAt, from version readPod of the pods.
	readAt  metrics.Instant
	readPod uint64
	samples []metrics.Sample
	value   [1]metrics.Milli
}

// newMeter returns the meter of a metric of pods like the template.
func newMeter(path string, metric autoscaling.Metric, gauges []Gauge, template *podgroup.Pod, t metrics.Tolerance) (meter, error) {
	for i := range gauges {
		if gauges[i].Metric != metric.Name || gauges[i].Container != metric.Container {
			continue
		}
		m := meter{
			Gauge:   gauges[i],
			index:   i,
			whole:   !metric.OfPods(),
			missing: chanceOf(gauges[i].MissingRate),
			failing: chanceOf(gauges[i].FailureRate),
		}
		target := metric.Target
		if metric.Source == autoscaling.ProposalMetricSourceType {
			target = m.Target
		}
		m.aim(target, template, t)
		return m, nil
	}
	switch {
	case metric.Source == autoscaling.ProposalMetricSourceType:
		return meter{Gauge: Gauge{Metric: metric.Name}, index: len(gauges), whole: true, most: math.MaxInt64}, nil
	case metric.Container != "":
		return meter{}, field.Invalid(path, metric.Name, fmt.Sprintf("no gauge has this metric of container %q", metric.Container))
	}
	return meter{}, field.Invalid(path, metric.Name, "no gauge has this metric")
}

// aim sets the largest metric that is tolerated. Usage is truncated before the
// ratio is taken, as in package calculator.
func (m *meter) aim(target metrics.Target, template *podgroup.Pod, t metrics.Tolerance) {
	m.most = math.MaxInt64
	if !target.Valid() {
		return
	}
	tolerated := func(ratio float64) bool { return ratio <= 1+t.Up }
	if target.Type() == metrics.UtilizationTarget {
		m.perPod = true
		request, err := template.Request(m.Metric, m.Container)
		if err != nil {
			return
		}
		m.aimed = true
		// One milli-unit less than the first percentage that is not tolerated.
		percent := sort.Search(math.MaxInt32, func(p int) bool {
			return !tolerated(metrics.UtilizationRatio(int32(p), target.Percent()))
		})
		m.most = metrics.Milli(min(max(mulCeil(max(request, 0), uint64(percent), 100), 1)-1, math.MaxInt64))
		return
	}
	m.aimed, m.perPod = true, target.Type() == metrics.AverageValueTarget
	low, high := target.Milli(), metrics.Milli(math.MaxInt64)
	for low < high {
		middle := low + (high-low)/2 + 1
		if tolerated(metrics.UsageRatio(middle, target.Milli())) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	m.most = low
}

// exceeds reports whether the metric can be above what is tolerated, of pods
// that serve no more than capacity.
func (m *meter) exceeds(capacity metrics.Milli) bool {
	unknown := m.most == math.MaxInt64
	return unknown || m.whole || max(m.shows(capacity), m.Starting) > m.most
}

// holds returns the largest load that n ready pods serve with the metric's
// ratio tolerated.
func (m *meter) holds(n int) metrics.Milli {
	switch {
	case n == 0:
		return 0
	case m.whole && m.perPod:
		return max(m.carries(times(m.most, n)), 0)
	case m.whole:
		return max(m.carries(m.most), 0)
	}
	each := m.carries(m.most)
	if each == math.MaxInt64 || each < 0 {
		return max(each, 0)
	}
	// The load of each pod is truncated as well.
	return max(times(each+1, n)-1, 0)
}
