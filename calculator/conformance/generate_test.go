package conformance

import (
	"math"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// reached are the situations in which releases of Kubernetes differ, and what
// tells that a sync is in one.
var reached = []struct {
	what string
	is   func(*Library, *Step) bool
}{
	{"the upper edge of the tolerance", proposal(func(l *Library, p *calculator.Proposal) bool {
		return math.Abs(p.Ratio-1-l.decision.Tolerance.Up) < 1e-9
	})},
	{"the lower edge of the tolerance", proposal(func(l *Library, p *calculator.Proposal) bool {
		return math.Abs(p.Ratio-1+l.decision.Tolerance.Down) < 1e-9
	})},
	{"a tolerance of one direction that decides", proposal(func(l *Library, p *calculator.Proposal) bool {
		return l.decision.Tolerance.Within(p.Ratio) != metrics.Symmetric(l.settings.Tolerance).Within(p.Ratio)
	})},
	{"pod-level requests that count", proposal(func(l *Library, p *calculator.Proposal) bool {
		return p.Metric.Source == autoscaling.ResourceMetricSourceType && p.Requests > 0 && anyPod(l, func(p *podgroup.Pod) bool {
			return p.PodLevel != nil && (p.PodLevel.Requests.CPU.Set || p.PodLevel.Requests.Memory.Set)
		})
	})},
	{"a memory average in other words", proposal(func(_ *Library, p *calculator.Proposal) bool {
		decimal, binary := resource.NewMilliQuantity(int64(p.Usage), resource.DecimalSI), resource.NewMilliQuantity(int64(p.Usage), resource.BinarySI)
		return p.Metric.Name == podgroup.Memory && decimal.String() != binary.String()
	})},
	{"an External average near the end of int64", proposal(func(_ *Library, p *calculator.Proposal) bool {
		return p.Metric.Source == autoscaling.ExternalMetricSourceType && p.Metric.Target.Type() == metrics.AverageValueTarget && p.Sum > math.MaxInt64/2
	})},
	{"an average of an Object metric", proposal(func(_ *Library, p *calculator.Proposal) bool {
		return p.Metric.Source == autoscaling.ObjectMetricSourceType && p.Metric.Target.Type() == metrics.AverageValueTarget
	})},
	{"a container that some pods lack", lackContainer(func(with, without int) bool { return with > 0 && without > 0 })},
	{"a container that all pods lack", lackContainer(func(with, without int) bool { return with == 0 && without > 0 })},
	{"a container that the metrics of some pods lack", sampled(func(with, without int) bool { return with > 0 && without > 0 })},
	{"a container that the metrics of all pods lack", sampled(func(with, without int) bool { return with == 0 && without > 0 })},
	{"size zero", zeroSize(false, false)},
	{"size zero, and minReplicas not", zeroSize(true, false)},
	{"size zero with ScaledToZero", zeroSize(false, true)},
	{"size zero with ScaledToZero, and minReplicas not", zeroSize(true, true)},
	{"an Object metric that fails with its 1st error", objectError(0)},
	{"an Object metric that fails with its 2nd error", objectError(1)},
	{"an Object metric that fails with its 3rd error", objectError(2)},
	{"an Object metric that fails with its 4th error", objectError(3)},
	{"a shared selector", selectorError(func(e *calculator.SelectorError) bool { return e.Reason == calculator.SelectorAmbiguous })},
	{"a selector with a % in its error", selectorError(func(e *calculator.SelectorError) bool { return strings.Contains(e.Problem, "%") })},
	{"a % in the error of all metrics", func(l *Library, _ *Step) bool {
		err := l.decision.Err()
		return err != nil && strings.Contains(err.Error(), "%")
	}},
}

// proposal looks for a metric with a proposal.
func proposal(is func(*Library, *calculator.Proposal) bool) func(*Library, *Step) bool {
	return func(l *Library, _ *Step) bool {
		for i := range l.decision.Proposals {
			if p := &l.decision.Proposals[i]; p.Failure.Kind == calculator.NoFailure && is(l, p) {
				return true
			}
		}
		return false
	}
}

func anyPod(l *Library, is func(*podgroup.Pod) bool) bool {
	for i := range l.obs.Pods {
		if is(&l.obs.Pods[i]) {
			return true
		}
	}
	return false
}

// lackContainer counts the pods with and without the container of a metric that
// asks for a Utilization.
func lackContainer(is func(with, without int) bool) func(*Library, *Step) bool {
	return func(l *Library, s *Step) bool {
		for i := range l.decision.Proposals {
			m := &l.decision.Proposals[i].Metric
			if m.Source != autoscaling.ContainerResourceMetricSourceType || m.Target.Type() != metrics.UtilizationTarget || s.Readings[i].Err != nil {
				continue
			}
			with := 0
			for _, p := range s.Pods {
				for _, c := range p.Spec.Containers {
					if c.Name == m.Container {
						with++
					}
				}
			}
			if is(with, len(s.Pods)-with) {
				return true
			}
		}
		return false
	}
}

// sampled counts the samples with and without the container.
func sampled(is func(with, without int) bool) func(*Library, *Step) bool {
	return func(l *Library, s *Step) bool {
		for i := range l.decision.Proposals {
			without := 0
			for _, sample := range s.Readings[i].Samples {
				if sample.NoContainer {
					without++
				}
			}
			if is(len(s.Readings[i].Samples)-without, without) {
				return true
			}
		}
		return false
	}
}

// zeroSize is a size of zero, with a minReplicas above zero or not, and with
// the condition ScaledToZero or not.
func zeroSize(above, marked bool) func(*Library, *Step) bool {
	return func(l *Library, s *Step) bool {
		found := false
		for _, c := range l.state.Conditions {
			found = found || c.Type == "ScaledToZero" && c.Status == autoscaling.ConditionTrue
		}
		return s.SpecReplicas == 0 && l.decision.MinReplicas > 0 == above && found == marked
	}
}

func objectError(n int) func(*Library, *Step) bool {
	return func(l *Library, s *Step) bool {
		for i := range l.decision.Proposals {
			if l.decision.Proposals[i].Metric.Source == autoscaling.ObjectMetricSourceType && s.Readings[i].Err == errMetrics[n] {
				return true
			}
		}
		return false
	}
}

func selectorError(is func(*calculator.SelectorError) bool) func(*Library, *Step) bool {
	return func(l *Library, s *Step) bool {
		return s.ScaleError == nil && l.obs.SelectorError != nil && is(l.obs.SelectorError)
	}
}

// TestHistoriesReach counts the syncs in which releases of Kubernetes differ.
func TestHistoriesReach(t *testing.T) {
	counts := make([]int, len(reached))
	inspect = func(l *Library, s *Step, _ *Answer) {
		for i := range reached {
			if reached[i].is(l, s) {
				counts[i]++
			}
		}
	}
	defer func() { inspect = nil }()
	r := Histories(t, 3, 0, 2000)
	for i, n := range counts {
		t.Logf("%5d of %d: %s", n, r.Syncs, reached[i].what)
		if n < 10 {
			t.Errorf("only %d of %d syncs reach %s", n, r.Syncs, reached[i].what)
		}
	}
}
