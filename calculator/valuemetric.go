package calculator

import (
	"math"

	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// ValueMetric is a metric of something other than the pods: an Object or
// External source.
type ValueMetric struct {
	// Values are the metric's: one of an Object, any number of series of an
	// External source, in milli-units. They may be negative.
	Values []metrics.Milli
	// CurrentReplicas is the size that the scale asks for, StatusReplicas the
	// one that its status reports.
	CurrentReplicas, StatusReplicas int32
	// Pods are those that the scale's selector lists. Only a target Value
	// looks at them, and only for how many run and are ready.
	Pods []podgroup.Pod
	// Calibration is the share of all pods that Pods and StatusReplicas count;
	// 0 means all, as 1 does. The value of an object is what those pods serve,
	// so a size computed from it is divided by the share. The value of an
	// External metric is that of all pods, so StatusReplicas is divided by the
	// share before the value is held against it.
	Calibration float64
	// Tolerance is how far the ratio may be from 1.
	Tolerance metrics.Tolerance
	// Quirks are those of the release to reproduce, from Release.Quirks; none
	// for the newest.
	Quirks release.Quirks
	// Corrections change behavior that all releases share.
	Corrections correction.Set
}

// ProposeObjectValue proposes a size for a metric of one object that should
// come to target milli-units:
//
//	replicas = ceil(value / target * pods that run and are ready)
//
// From size zero it is the ratio itself, and the tolerance does not count. The
// error is a *Failure. It is upstream's GetObjectMetricReplicas.
func ProposeObjectValue(m *ValueMetric, target metrics.Milli) (Proposal, error) {
	var p Proposal
	m.orZero().value(target, &p)
	return p, p.Err()
}

// ProposeObjectAverageValue proposes a size for a metric of one object that
// should come to target milli-units per pod:
//
//	replicas = ceil(value / target)
//
// The tolerance is that of value / (target * StatusReplicas); within it, the
// size proposed is StatusReplicas, even while a rollout has more pods than the
// scale asks for. Both sizes are divided by the Calibration. It is upstream's
// GetObjectPerPodMetricReplicas.
func ProposeObjectAverageValue(m *ValueMetric, target metrics.Milli) (Proposal, error) {
	var p Proposal
	m = m.orZero()
	m.averageValue(target, &p)
	p.Usage = metrics.PerPod(p.Usage, m.StatusReplicas)
	return p, p.Err()
}

// ProposeExternalValue is ProposeObjectValue for the sum of any number of
// series; no series at all are 0. A sum beyond int64 stops there. It is
// upstream's GetExternalMetricReplicas.
func ProposeExternalValue(m *ValueMetric, target metrics.Milli) (Proposal, error) {
	return ProposeObjectValue(m, target)
}

// ProposeExternalAverageValue is ProposeObjectAverageValue for the sum of any
// number of series; no series at all are 0. The sum is that of all pods, so the
// Calibration divides StatusReplicas only. It is upstream's
// GetExternalPerPodMetricReplicas, except that a negative sum proposes 0, where
// upstream treats it as an overflow.
func ProposeExternalAverageValue(m *ValueMetric, target metrics.Milli) (Proposal, error) {
	var p Proposal
	whole := *m.orZero()
	whole.externalAverageValue(target, &p)
	return p, p.Err()
}

// orZero returns m, or the zero ValueMetric for nil.
func (m *ValueMetric) orZero() *ValueMetric {
	if m == nil {
		return new(ValueMetric)
	}
	return m
}

func (m *ValueMetric) usage() metrics.Milli {
	if len(m.Values) == 1 {
		return m.Values[0]
	}
	var sum metrics.Sum
	for _, v := range m.Values {
		sum.Add(v)
	}
	return sum.Milli()
}

// value fills in p, which is zero.
func (m *ValueMetric) value(target metrics.Milli, p *Proposal) {
	p.Metric.Target, p.Current = metrics.Value(target), m.CurrentReplicas
	if target <= 0 {
		p.Failure.Kind = InvalidTarget
		return
	}
	p.Sum = m.usage()
	p.Usage = p.Sum
	p.Ratio = metrics.UsageRatio(p.Usage, target)
	p.CorrectedRatio = p.Ratio
	if p.fromZero() {
		return
	}
	if m.Tolerance.Within(p.Ratio) {
		p.Rule, p.Replicas = WithinTolerance, m.CurrentReplicas
		return
	}
	if len(m.Pods) == 0 {
		p.Failure.Kind = NoPods
		return
	}
	ready, starting := podgroup.CountReadyAndStarting(m.Pods, podRules(0, m.Corrections))
	s := sizing{m.CurrentReplicas, m.Calibration, m.Corrections}
	if starting == 0 || p.Ratio <= 1 || !m.Corrections.Has(correction.StartingPods) {
		p.size(s, RatioTimesPods, p.Ratio, ready)
		return
	}
	p.Pods.Ready, p.Pods.Unready, p.UnreadyAs = ready, starting, AsZero
	p.CorrectedRatio = p.Ratio * float64(ready) / float64(ready+starting)
	p.settleCorrected(m.Tolerance, s)
}

// averageValue fills in p, which is zero. It leaves the whole in p.Usage, which
// the sources show differently.
func (m *ValueMetric) averageValue(target metrics.Milli, p *Proposal) {
	p.Metric.Target, p.Current = metrics.AverageValue(target), m.StatusReplicas
	if target <= 0 {
		p.Failure.Kind = InvalidTarget
		return
	}
	p.Sum = m.usage()
	p.Usage = p.Sum
	p.Ratio = float64(p.Usage) / (float64(target) * float64(m.StatusReplicas))
	p.CorrectedRatio = p.Ratio
	if m.Tolerance.Within(p.Ratio) {
		p.Rule, p.Replicas = WithinTolerance, timesPods(1, int(m.StatusReplicas), m.Calibration)
		if m.Corrections.Has(correction.StatusSize) {
			p.Replicas = m.CurrentReplicas
		}
		return
	}
	p.Rule, p.Replicas = UsagePerTarget, timesPods(metrics.UsageRatio(p.Usage, target), 1, m.Calibration)
}

// externalAverageValue fills in p, which is zero. It makes m's StatusReplicas
// those of all pods.
func (m *ValueMetric) externalAverageValue(target metrics.Milli, p *Proposal) {
	m.StatusReplicas, m.Calibration = timesPods(1, int(m.StatusReplicas), m.Calibration), 0
	m.averageValue(target, p)
	m.externalUsage(p)
}

// externalUsage shows the average of a sum, but the largest int64 for a sum
// that is as large as that in floating point: upstream does not divide what it
// takes for an overflow.
func (m *ValueMetric) externalUsage(p *Proposal) {
	if float64(p.Usage) >= math.MaxInt64 && !m.Quirks.Has(release.ExternalUnguarded) {
		p.Usage = math.MaxInt64
		return
	}
	p.Usage = metrics.PerPod(p.Usage, m.StatusReplicas)
}
