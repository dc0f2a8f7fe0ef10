package conformance

import (
	"math"
	"strings"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// The deviations on purpose, where Kubernetes has no sound answer (see
// "Deviations" in the documentation of package calculator).
const (
	// Saturation: a float beyond int32 or int64 becomes the largest number.
	// Kubernetes' result depends on the processor.
	Saturation = "saturation"
	// ExactSums: sums beyond int64 are exact. Kubernetes' wrap around.
	ExactSums = "exact sums"
	// HugeAmount: a target or request beyond int64 milli-units becomes the
	// largest. Kubernetes' wraps around.
	HugeAmount = "huge amount"
	// NegativeExternal: a negative sum of an External metric counts. Kubernetes
	// takes it for an overflow.
	NegativeExternal = "negative external sum"
	// NoPodsAverage: the average over zero pods is 0. Kubernetes divides by
	// zero.
	NoPodsAverage = "average over zero pods"
	// InvalidInput: an invalid spec is an error. Kubernetes panics or answers
	// nonsense.
	InvalidInput = "invalid input"
	// NegativeProposal: proposals are never negative.
	NegativeProposal = "negative proposal"
	// PolicyOverflow: a policy's limit stops at the ends of int32. Kubernetes'
	// wraps around.
	PolicyOverflow = "policy overflow"
	// EmptyCondition: a condition without a type is not set. Kubernetes 1.29
	// sets one for a source whose gate is off.
	EmptyCondition = "empty condition"
	// QuantityInGo: complaints show quantities. Up to 1.33, Kubernetes shows
	// their unexported fields.
	QuantityInGo = "quantity in Go"
	// ZeroRequests: requests that are all zero have a text of their own.
	ZeroRequests = "zero requests"
)

// verdict is the judgment on the differences of one sync.
type verdict struct {
	// name is the deviation that explains the differences; "" without
	// differences.
	name string
	// diverged reports that both remember different things from now on.
	diverged bool
	// unexplained are those that nothing explains.
	unexplained []Difference
}

// explain finds the deviations that explain the differences of the last sync.
// If a deviation reaches a metric, that explains the metric's own status and
// what depends on all metrics, but not the status of another metric.
func (l *Library) explain(list, history []Difference, s *Step) verdict {
	var v verdict
	if len(list) == 0 && len(history) == 0 {
		return v
	}
	reached := make([]string, len(l.decision.Proposals))
	for i := range reached {
		reached[i] = l.reaches(i, s)
	}
	whole := ""
	for _, name := range append(reached, l.limitsReached()) {
		if whole == "" {
			whole = name
		}
	}
	for _, d := range list {
		name := ""
		switch {
		case d.patched(s) != "":
			name = d.patched(s)
		case d.Metric >= 0 && d.Metric < len(reached):
			name = reached[d.Metric]
			v.diverged = v.diverged || name != ""
		default:
			name = whole
			v.diverged = v.diverged || name != ""
		}
		if name == "" {
			v.unexplained = append(v.unexplained, d)
		}
		if v.name == "" {
			v.name = name
		}
	}
	if len(history) > 0 {
		v.diverged = true
		if whole == "" {
			v.unexplained = append(v.unexplained, history...)
		} else if v.name == "" {
			v.name = whole
		}
	}
	return v
}

const (
	minMilli = "-9223372036854775808m"
	maxMilli = "9223372036854775807m"
)

var zeroRequestsText = (&calculator.Failure{Kind: calculator.ZeroRequests}).Error()

// patched names the deviation that maps one text exactly to the other.
func (d *Difference) patched(s *Step) string {
	if strings.HasSuffix(d.Path, ".current.averageValue") && d.Upstream == minMilli {
		switch {
		// Without a scale, the status is the last sync's.
		case (s.StatusReplicas == 0 || s.ScaleError != nil) && d.Library == "0":
			return NoPodsAverage
		case d.Library == maxMilli:
			return Saturation
		}
	}
	if strings.ReplaceAll(d.Library, zeroRequestsText, "no metrics returned matched known pods") == d.Upstream {
		return ZeroRequests
	}
	return ""
}

// reaches names the deviation that reaches the proposal of metric i.
func (l *Library) reaches(i int, s *Step) string {
	p := &l.decision.Proposals[i]
	m := &p.Metric
	if s.Readings[i].Err != nil {
		return ""
	}
	var sum, negative float64
	for _, v := range s.Readings[i].Values {
		sum += math.Abs(float64(v))
	}
	for _, v := range s.Readings[i].Samples {
		sum += math.Abs(float64(v.Value))
	}
	const most = math.MaxInt64
	if m.Target.Milli() == most {
		return HugeAmount
	}
	switch m.Source {
	case autoscaling.ExternalMetricSourceType, autoscaling.ObjectMetricSourceType:
		if sum >= most && len(s.Readings[i].Values) > 1 {
			return ExactSums
		}
		if m.Target.Type() == metrics.AverageValueTarget && m.Source == autoscaling.ExternalMetricSourceType {
			for _, v := range s.Readings[i].Values {
				if negative += float64(v); negative < 0 {
					return NegativeExternal
				}
			}
		}
	default:
		percent, target := 1.0, float64(m.Target.Milli())
		if m.Target.Type() == metrics.UtilizationTarget {
			percent, target = 100, float64(m.Target.Percent())
		}
		if sum*percent+float64(len(s.Pods))*target >= most {
			return ExactSums
		}
		if m.Target.Type() == metrics.UtilizationTarget {
			switch sum, largest := l.requested(i); {
			case largest == most:
				return HugeAmount
			case sum*max(100, target) >= most:
				return ExactSums
			}
			if p.Utilization == math.MaxInt32 || p.Utilization == math.MinInt32 || math.Abs(p.CorrectedRatio)*target >= math.MaxInt32 {
				return Saturation
			}
		}
	}
	switch {
	case p.Failure.Kind != calculator.NoFailure:
		return ""
	case p.Replicas == math.MaxInt32:
		return Saturation
	}
	f := p.CorrectedRatio * float64(p.Counted)
	switch p.Rule {
	case calculator.RatioFromZero:
		f = p.CorrectedRatio
	case calculator.UsagePerTarget:
		f = float64(sumOf(s.Readings[i].Values)) / float64(m.Target.Milli())
	}
	if math.Ceil(f) < 0 {
		return NegativeProposal
	}
	return ""
}

func sumOf(values []int64) (sum int64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// requested returns the sum of all pods' requests of the metric's resource, and
// the largest one.
func (l *Library) requested(i int) (sum float64, largest metrics.Milli) {
	m := &l.decision.Proposals[i].Metric
	add := func(r *podgroup.Requests) {
		request := r.For(m.Name).Milli
		sum += float64(request)
		largest = max(largest, request)
	}
	for i := range l.obs.Pods {
		p := &l.obs.Pods[i]
		for j := range p.Containers {
			if m.Container == "" || m.Container == p.Containers[j].Name {
				add(&p.Containers[j].Requests)
			}
		}
		for j := range p.InitContainers {
			if m.Container == "" || m.Container == p.InitContainers[j].Name {
				add(&p.InitContainers[j].Requests)
			}
		}
		if p.PodLevel != nil {
			add(&p.PodLevel.Requests)
			add(&p.PodLevel.Overhead)
		}
	}
	return sum, largest
}

// limitsReached names the deviation that reaches the rate limits.
func (l *Library) limitsReached() string {
	d := &l.decision
	for i := range d.Policies {
		p := &d.Policies[i]
		if p.Limit == math.MaxInt32 || p.Limit == math.MinInt32 ||
			p.Added > math.MaxInt32 || p.Removed > math.MaxInt32 || p.Start != int64(int32(p.Start)) {
			return PolicyOverflow
		}
	}
	if l.Spec.Behavior == nil && d.CurrentReplicas >= 1<<30 {
		return Saturation
	}
	return ""
}
