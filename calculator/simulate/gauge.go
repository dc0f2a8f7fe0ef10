package simulate

import (
	"errors"
	"math"
	"math/bits"
	"sort"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// ErrUnavailable is the answer of a metrics API that fails, by a Gauge's
// FailureRate.
var ErrUnavailable = errors.New("simulate: the metrics API is unavailable")

// Gauge is how a metric follows the load, and how it gets to the autoscaler. It
// serves all metrics of a spec that have its name.
//
// A metric of each pod (Resource, ContainerResource, Pods) shows, for a pod
// that is ready,
//
//	Idle + PerLoad * the load that the pod serves / LoadUnit
//
// and Starting for one that is not ready yet. A metric of the whole (Object,
// External) shows
//
//	Idle + PerLoad * the load that is asked for, served or not / LoadUnit
//
// Both are averages over a window that ends when the metric is scraped. The
// window of a pod is no longer than its container runs. A container that has
// not run before the scrape has no sample, and neither has a pod that has to go.
type Gauge struct {
	// Metric is the resource or the name of the metric.
	Metric string
	// Container is the container of a ContainerResource metric, "" for all
	// others.
	Container string

	// Idle, PerLoad and Starting are in milli-units of the metric, and none is
	// negative.
	Idle, PerLoad, Starting metrics.Milli
	// LoadUnit is the load, in milli-units, that PerLoad is for; zero is a whole
	// unit, 1000. With a pod's capacity, PerLoad is what a pod shows that can
	// serve no more.
	LoadUnit metrics.Milli

	// Period is the time from one scrape to the next, counted from the start of
	// the simulation. Zero scrapes for each sync.
	Period time.Duration
	// Lag is the time from a scrape until the autoscaler can see it.
	Lag time.Duration
	// Window is what is averaged over; zero shows the moment of the scrape.
	Window time.Duration

	// MissingRate is the fraction of the samples of pods that go missing, 0 to
	// 1.
	MissingRate float64
	// FailureRate is the fraction of the syncs in which the metrics API answers
	// with an error, 0 to 1.
	FailureRate float64
}

func (g *Gauge) check(field string) error {
	switch {
	case g.Metric == "":
		return inputErrorf(field+".metric", "empty")
	case g.Idle < 0:
		return inputErrorf(field+".idle", "%v is negative", g.Idle)
	case g.PerLoad < 0:
		return inputErrorf(field+".perLoad", "%v is negative", g.PerLoad)
	case g.Starting < 0:
		return inputErrorf(field+".starting", "%v is negative", g.Starting)
	case g.LoadUnit < 0:
		return inputErrorf(field+".loadUnit", "%v is negative", g.LoadUnit)
	case !(g.MissingRate >= 0 && g.MissingRate <= 1):
		return inputErrorf(field+".missingRate", "%v is not between 0 and 1", g.MissingRate)
	case !(g.FailureRate >= 0 && g.FailureRate <= 1):
		return inputErrorf(field+".failureRate", "%v is not between 0 and 1", g.FailureRate)
	}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{".period", g.Period}, {".lag", g.Lag}, {".window", g.Window}} {
		if d.d < 0 {
			return inputErrorf(field+d.name, "%v is negative", d.d)
		}
		if d.d > margin/4 {
			return inputErrorf(field+d.name, "%v is longer than %v", d.d, margin/4)
		}
	}
	return nil
}

// lookback is how old what a sync sees of the gauge can be.
func (g *Gauge) lookback() time.Duration { return g.Period + g.Lag + max(g.Window, 1) }

// shows returns what the gauge shows of a load.
func (g *Gauge) shows(load metrics.Milli) metrics.Milli {
	return addSat(g.Idle, scale(load, uint64(g.PerLoad), g.unit()))
}

func (g *Gauge) unit() uint64 {
	if g.LoadUnit == 0 {
		return 1000
	}
	return uint64(g.LoadUnit)
}

// carries returns the most load with which the gauge shows no more than most;
// -1 if even no load shows more.
func (g *Gauge) carries(most metrics.Milli) metrics.Milli {
	switch {
	case most < g.Idle:
		return -1
	case g.PerLoad == 0 || most == math.MaxInt64:
		return math.MaxInt64
	}
	// The load beyond is the first that shows a milli-unit more.
	return metrics.Milli(min(mulCeil(most-g.Idle+1, g.unit(), uint64(g.PerLoad))-1, math.MaxInt64))
}

// mulCeil returns m*by/per rounded up, stopping at the end of uint64. Neither m
// is negative nor per zero.
func mulCeil(m metrics.Milli, by, per uint64) uint64 {
	hi, lo := bits.Mul64(uint64(m), by)
	lo, carry := bits.Add64(lo, per-1, 0)
	hi += carry
	if hi >= per {
		return math.MaxUint64
	}
	q, _ := bits.Div64(hi, lo, per)
	return q
}

// meter is a metric of the spec, with its gauge.
type meter struct {
	Gauge
	// whole tells a metric of the whole from one of each pod.
	whole bool
	// most is what the metric may show: for each pod if perPod, or in all.
	most   metrics.Milli
	perPod bool

	missing, failing chance
	// read is what Observe found at the last scrape: at the moment and the state
	// of the pods.
	readAt  metrics.Instant
	readPod uint64
	samples []metrics.Sample
	value   [1]metrics.Milli
}

// newMeter returns the meter of a metric, whose target is held by pods that
// consist of the containers.
func newMeter(field string, spec *calculator.MetricSpec, gauges []Gauge, template *podgroup.Pod, tolerance float64) (meter, error) {
	name, container, target := described(spec)
	for i := range gauges {
		if gauges[i].Metric != name || gauges[i].Container != container {
			continue
		}
		m := meter{
			Gauge:   gauges[i],
			whole:   spec.Type == calculator.ObjectMetricSourceType || spec.Type == calculator.ExternalMetricSourceType,
			missing: chanceOf(gauges[i].MissingRate),
			failing: chanceOf(gauges[i].FailureRate),
		}
		m.aim(target, template, tolerance)
		return m, nil
	}
	if container != "" {
		return meter{}, inputErrorf(field, "no gauge has the metric %q of the container %q", name, container)
	}
	return meter{}, inputErrorf(field, "no gauge has the metric %q", name)
}

// described returns the name of a metric, its container, and its target; a
// target that is not set where the spec is not valid.
func described(s *calculator.MetricSpec) (name, container string, target metrics.Target) {
	switch {
	case s.Type == calculator.ResourceMetricSourceType && s.Resource != nil:
		return s.Resource.Name, "", targetOf(&s.Resource.Target)
	case s.Type == calculator.ContainerResourceMetricSourceType && s.ContainerResource != nil:
		return s.ContainerResource.Name, s.ContainerResource.Container, targetOf(&s.ContainerResource.Target)
	case s.Type == calculator.PodsMetricSourceType && s.Pods != nil:
		return s.Pods.Metric.Name, "", targetOf(&s.Pods.Target)
	case s.Type == calculator.ObjectMetricSourceType && s.Object != nil:
		return s.Object.Metric.Name, "", targetOf(&s.Object.Target)
	case s.Type == calculator.ExternalMetricSourceType && s.External != nil:
		return s.External.Metric.Name, "", targetOf(&s.External.Target)
	}
	return "", "", metrics.Target{}
}

func targetOf(t *calculator.MetricTarget) metrics.Target {
	switch {
	case t.AverageValue.IsSet():
		return metrics.AverageValue(t.AverageValue.Milli())
	case t.Value.IsSet():
		return metrics.Value(t.Value.Milli())
	case t.AverageUtilization != nil:
		return metrics.Utilization(*t.AverageUtilization)
	}
	return metrics.Target{}
}

// aim finds the most that the metric may show with its ratio tolerated. The
// metric's value is truncated before the ratio is taken, as the calculator does.
func (m *meter) aim(target metrics.Target, template *podgroup.Pod, up float64) {
	m.most = math.MaxInt64
	if !target.Valid() {
		return
	}
	tolerated := func(ratio float64) bool { return ratio <= 1+up }
	if target.Type() == metrics.UtilizationTarget {
		m.perPod = true
		request, err := template.Request(m.Metric, m.Container)
		if err != nil {
			return
		}
		// Of the first percentage that is too much, one milli-unit less.
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

// holds returns the most load that n ready pods can serve with the metric's
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
	// The load of each pod is truncated, too.
	return max(times(each+1, n)-1, 0)
}
