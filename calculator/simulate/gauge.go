package simulate

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// ErrUnavailable is the error of a metrics API that fails by a Gauge's FailureRate.
var ErrUnavailable = errors.New("simulate: the metrics API is unavailable")

// Gauge describes how a metric follows the load, and how late it gets to the
// autoscaler. It serves all metrics of the spec with its name and container.
//
// A Resource, ContainerResource or Pods metric is, for a ready pod,
//
//	Idle + PerLoad * load that the pod serves / LoadUnit
//
// and Starting for a running pod that is not ready. An Object or External metric
// is
//
//	Idle + PerLoad * whole load, served or not / LoadUnit
//
// It follows the load at once, down to Idle. Memory that a process does not return
// belongs to Idle.
//
// Samples and values are averages over the Window before the scrape. The window of
// a pod begins no earlier than its containers. A pod whose containers started after
// the scrape, or that is deleted, has no sample.
type Gauge struct {
	// Metric is the name of the resource or metric.
	Metric string
	// Container is the container of a ContainerResource metric, "" for all
	// others.
	Container string

	// Idle, PerLoad and Starting are in milli-units of the metric, not negative.
	Idle, PerLoad, Starting metrics.Milli
	// LoadUnit is the load that PerLoad is for, in milli-units. Zero means 1000,
	// one unit. If it is the capacity of a pod, PerLoad is the metric of a fully
	// loaded pod.
	LoadUnit metrics.Milli

	// Period is the time between scrapes, which have a random phase. Zero means a
	// scrape at each sync.
	Period time.Duration
	// Lag is the time from a scrape until the autoscaler can read it.
	Lag time.Duration
	// Window is the length of the averages. Zero means the moment of the scrape.
	Window time.Duration

	// MissingRate is the fraction of samples that are missing, 0 to 1.
	MissingRate float64
	// FailureRate is the fraction of syncs at which the metrics API fails, 0 to 1.
	FailureRate float64
}

func (g *Gauge) check(path string) error {
	if g.Metric == "" {
		return field.Required(path+".metric", "")
	}
	for _, m := range []struct {
		name string
		m    metrics.Milli
	}{{".idle", g.Idle}, {".perLoad", g.PerLoad}, {".starting", g.Starting}, {".loadUnit", g.LoadUnit}} {
		if m.m < 0 {
			return negative(path+m.name, m.m)
		}
	}
	for _, r := range []struct {
		name string
		r    float64
	}{{".missingRate", g.MissingRate}, {".failureRate", g.FailureRate}} {
		if !(r.r >= 0 && r.r <= 1) {
			return field.Invalid(path+r.name, r.r, "must be between 0 and 1")
		}
	}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{".period", g.Period}, {".lag", g.Lag}, {".window", g.Window}} {
		if d.d < 0 {
			return negative(path+d.name, d.d)
		}
		if d.d > margin/4 {
			return field.Invalid(path+d.name, d.d.String(), fmt.Sprintf("must not be longer than %v", margin/4))
		}
	}
	return nil
}

// lookback returns how far back a sync can see through the gauge.
func (g *Gauge) lookback() time.Duration { return g.Period + g.Lag + max(g.Window, 1) }

// shows returns the metric at a load.
func (g *Gauge) shows(load metrics.Milli) metrics.Milli {
	return addSat(g.Idle, scale(load, uint64(g.PerLoad), g.unit()))
}

func (g *Gauge) unit() uint64 {
	if g.LoadUnit == 0 {
		return 1000
	}
	return uint64(g.LoadUnit)
}

// carries returns the largest load at which the metric is not above most, -1 if it
// is above at no load.
func (g *Gauge) carries(most metrics.Milli) metrics.Milli {
	switch {
	case most < g.Idle:
		return -1
	case g.PerLoad == 0 || most == math.MaxInt64:
		return math.MaxInt64
	}
	// The next larger load is the first one a milli-unit above.
	return metrics.Milli(min(mulCeil(most-g.Idle+1, g.unit(), uint64(g.PerLoad))-1, math.MaxInt64))
}

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
		m.aim(metric.Target, template, t)
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
		// One milli-unit less than the first percentage that is not tolerated.
		percent := sort.Search(math.MaxInt32, func(p int) bool {
			return !tolerated(metrics.UtilizationRatio(int32(p), target.Percent()))
		})
		m.most = metrics.Milli(min(max(mulCeil(max(request, 0), uint64(percent), 100), 1)-1, math.MaxInt64))
		return
	}
	m.perPod = target.Type() == metrics.AverageValueTarget
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

// exceeds reports whether the metric can be above what is tolerated, of pods that
// serve no more than capacity.
func (m *meter) exceeds(capacity metrics.Milli) bool {
	unknown := m.most == math.MaxInt64
	return unknown || m.whole || max(m.shows(capacity), m.Starting) > m.most
}

// holds returns the largest load that n ready pods serve with the metric's ratio
// tolerated.
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
