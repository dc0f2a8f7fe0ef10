package calculator

import (
	"time"

	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// PodMetric is a metric that each pod has: a Resource, ContainerResource or
// Pods source.
type PodMetric struct {
	// Resource is what is measured: podgroup.CPU, podgroup.Memory or another
	// resource, and "" for a Pods source. With podgroup.CPU, the readiness of
	// the pods matters.
	Resource string
	// Container is the container measured, "" for the whole pod.
	Container string
	// CurrentReplicas is the size that the scale asks for.
	CurrentReplicas int32
	// Pods are those that the scale's selector lists.
	Pods []podgroup.Pod
	// Group was prepared from Pods; nil if it was not worth it. One that was
	// prepared from other pods is not used.
	Group *podgroup.Group
	// Samples belong to Pods by index. Pods beyond them are missing one.
	Samples []metrics.Sample
	// Strays are samples of pods that are not listed, in any order. As in
	// Kubernetes, utilization skips them, but an average value counts them as
	// ready pods.
	Strays []metrics.Sample
	// Calibration is the share of CurrentReplicas that Pods are: a size that is
	// computed from them is divided by it. 0 means all of it, as 1 does.
	Calibration float64
	// Tolerance is how far the ratio may be from 1.
	Tolerance metrics.Tolerance
	// Settings decide the class of young pods.
	podgroup.ReadinessSettings
	// Quirks are those of the release to reproduce, from Release.Quirks; none
	// for the newest.
	Quirks release.Quirks
	// Corrections change behavior that all releases share.
	Corrections correction.Set
}

// ProposeResourceUtilization proposes a size that brings the usage of a
// resource to target percent of what the pods request:
//
//	utilization = 100 * Σ usage / Σ requests, truncated to a whole percent
//	replicas    = ceil(utilization / target * ready pods)
//
// over the ready pods. If there are missing pods, or unready ones when scaling
// up, the ratio is corrected by an assumed usage:
//
//	             scale up   scale down
//	missing pod  0          the larger of 100% and target of its request
//	unready pod  0          not counted
//
// The size then stays if the corrected ratio is within the tolerance, or leads
// in the other direction.
//
// The error is a *Failure, and the proposal says how far it got. It is
// upstream's GetResourceReplicas.
func ProposeResourceUtilization(now time.Time, m *PodMetric, target int32) (Proposal, error) {
	var p Proposal
	m.orZero().utilization(now, target, &p)
	return p, p.Err()
}

// ProposeResourceAverageValue proposes a size that brings the average usage of
// a resource to target milli-units per pod. It is upstream's
// GetRawResourceReplicas.
func ProposeResourceAverageValue(now time.Time, m *PodMetric, target metrics.Milli) (Proposal, error) {
	var p Proposal
	m.orZero().averageValue(now, target, &p)
	return p, p.Err()
}

// ProposePodsAverageValue proposes a size that brings the average of a custom
// metric to target milli-units per pod:
//
//	usage    = Σ samples / their number, truncated to a whole milli-unit
//	replicas = ceil(usage / target * ready pods)
//
// Missing and unready pods (here: Pending ones) are corrected for as in
// ProposeResourceUtilization, but a missing pod is assumed to use the target
// when scaling down. m.Resource is taken as "". It is upstream's
// GetMetricReplicas.
func ProposePodsAverageValue(now time.Time, m *PodMetric, target metrics.Milli) (Proposal, error) {
	var p Proposal
	custom := *m.orZero()
	custom.Resource, custom.Container = "", ""
	custom.averageValue(now, target, &p)
	return p, p.Err()
}

// orZero returns m, or the zero PodMetric for nil.
func (m *PodMetric) orZero() *PodMetric {
	if m == nil {
		return new(PodMetric)
	}
	return m
}

// utilization fills in p, which is zero.
func (m *PodMetric) utilization(now time.Time, target int32, p *Proposal) {
	p.Metric.Target, p.Current = metrics.Utilization(target), m.CurrentReplicas
	if target <= 0 {
		p.Failure.Kind = InvalidTarget
		return
	}
	var q podgroup.Query
	q.ReadinessSettings, q.Resource, q.Container = m.ReadinessSettings, m.Resource, m.Container
	q.Requests, q.MissingPercent = true, missingPercent(target)
	var t podgroup.Tally
	if !m.tally(now, &q, &t, p) {
		return
	}
	if t.NoRequest >= 0 {
		p.Failure.Kind = NoRequest
		p.Failure.Request = t.RequestError(m.Pods, &q)
		return
	}
	if t.Requests.Sign() <= 0 {
		p.Failure.Kind = ZeroRequests
		// Where pods without the container request zero, Kubernetes' words for
		// a container that no pod has are these.
		if t.Ready == 0 || q.AbsentIsZero && m.Container != "" {
			p.Failure.Kind = NoMatchingSamples
		}
		return
	}
	p.Sum, p.Requests = t.Usage.Milli(), t.Requests.Milli()
	p.Usage = t.Usage.Average(t.Ready)
	p.Utilization = t.Usage.Percent(t.Requests)
	p.Ratio = metrics.UtilizationRatio(p.Utilization, target)
	if m.Corrections.Has(correction.Truncation) {
		p.Ratio = metrics.UtilizationRatioExact(t.Usage, t.Requests, target)
	}
	if p.settle(m) {
		return
	}
	p.MissingAs, p.UnreadyAs = assume(&t, p.Ratio, AsRequest)
	usage, requests := t.Usage, t.Requests
	addRequests(&usage, &requests, &t, p.MissingAs, p.UnreadyAs)
	p.CorrectedSum, p.CorrectedRequests = usage.Milli(), requests.Milli()
	p.CorrectedUtilization = usage.Percent(requests)
	p.CorrectedRatio = metrics.UtilizationRatio(p.CorrectedUtilization, target)
	if m.Corrections.Has(correction.Truncation) {
		p.CorrectedRatio = metrics.UtilizationRatioExact(usage, requests, target)
	}
	p.settleCorrected(m.Tolerance, m.sizing())
}

// averageValue fills in p, which is zero.
func (m *PodMetric) averageValue(now time.Time, target metrics.Milli, p *Proposal) {
	p.Metric.Target, p.Current = metrics.AverageValue(target), m.CurrentReplicas
	if target <= 0 {
		p.Failure.Kind = InvalidTarget
		return
	}
	q := podgroup.Query{ReadinessSettings: m.ReadinessSettings, Resource: m.Resource}
	var t podgroup.Tally
	if !m.tally(now, &q, &t, p) {
		return
	}
	usage := t.Usage
	strays := m.strays()
	for i := range strays {
		usage.Add(strays[i].Value)
	}
	n := t.Ready + len(strays)
	p.Sum = usage.Milli()
	p.Usage = usage.Average(n)
	p.Ratio = metrics.UsageRatio(p.Usage, target)
	if p.settle(m) {
		return
	}
	p.MissingAs, p.UnreadyAs = assume(&t, p.Ratio, AsTarget)
	addAverage(&usage, &n, &t, target, p.MissingAs, p.UnreadyAs)
	p.CorrectedSum, p.CorrectedUsage = usage.Milli(), usage.Average(n)
	p.CorrectedRatio = metrics.UsageRatio(p.CorrectedUsage, target)
	p.settleCorrected(m.Tolerance, m.sizing())
}

// podRules are what the release and the corrections say of pods.
func podRules(quirks release.Quirks, corrected correction.Set) podgroup.Options {
	return podgroup.Options{
		ContainersOnly:   quirks.Has(release.NoPodLevelRequests),
		AbsentIsZero:     quirks.Has(release.AbsentContainerRequestsZero),
		SucceededIgnored: corrected.Has(correction.Succeeded),
		OwnedOnly:        corrected.Has(correction.Owners),
		RequestsInForce:  corrected.Has(correction.Resize),
	}
}

// strays returns the samples of pods that are not listed, if they count.
func (m *PodMetric) strays() []metrics.Sample {
	if m.Corrections.Has(correction.Strays) {
		return nil
	}
	return m.Strays
}

func (m *PodMetric) sizing() sizing {
	return sizing{m.CurrentReplicas, m.Calibration, m.Corrections}
}

// tally counts the pods, and fails p if none of them has a sample that counts.
func (m *PodMetric) tally(now time.Time, q *podgroup.Query, t *podgroup.Tally, p *Proposal) (ok bool) {
	if len(m.Pods) == 0 {
		p.Failure.Kind = NoPods
		return false
	}
	if m.Quirks != 0 || m.Corrections != 0 {
		q.Options = podRules(m.Quirks, m.Corrections)
	}
	if m.Group != nil && m.Group.PreparedFrom(m.Pods) {
		t.CountGroup(now, m.Group, m.Samples, q)
	} else {
		t.Count(now, m.Pods, m.Samples, q)
	}
	c, strays := &p.Pods, len(m.strays())
	c.Ready, c.Unready, c.Missing, c.Ignored, c.Strays = t.Ready, t.Unready, t.Missing, t.Ignored, strays
	c.Reasons = t.Reasons
	if t.Until.IsSet() {
		p.Until = t.Until.Time()
	}
	if t.Ready+strays == 0 {
		p.Failure.Kind = NoSamples
		return false
	}
	return true
}

// settle ends the calculation if no missing or unready pod takes part.
func (p *Proposal) settle(m *PodMetric) bool {
	p.CorrectedSum, p.CorrectedRequests = p.Sum, p.Requests
	if p.Metric.Target.Type() == metrics.UtilizationTarget {
		p.CorrectedUtilization = p.Utilization
	} else {
		p.CorrectedUsage = p.Usage
	}
	p.CorrectedRatio = p.Ratio
	if takePart(p.Pods.Missing, p.Pods.Unready, p.Ratio) {
		return false
	}
	if m.Tolerance.Within(p.Ratio) {
		p.Rule, p.Replicas = WithinTolerance, m.CurrentReplicas
		return true
	}
	// There is no guard of the direction here: fewer pods listed than asked
	// for can turn twice the target into a smaller size.
	p.size(m.sizing(), RatioTimesPods, p.Ratio, p.Pods.Ready)
	return true
}
