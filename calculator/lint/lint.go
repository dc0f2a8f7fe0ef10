package lint

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// Facts are what [Lint] needs to know and a spec does not say. Most callers
// should start from [DefaultFacts].
type Facts struct {
	// UsualReplicas is the size that is usually needed. More than maxReplicas
	// counts as maxReplicas.
	UsualReplicas int32
	// Peak is how long the shortest peak of load lasts that needs an answer.
	// Zero, or less than SyncPeriod, means that none does.
	Peak time.Duration
	// SyncPeriod is the time from one decision to the next.
	SyncPeriod time.Duration
	// Growth is the fraction by which the load may grow from one sync to the
	// next: 0.1 for 10 percent.
	Growth float64
	// MemoryKept is the fraction of its memory that a pod keeps once its load
	// is gone, 0 to 1.
	MemoryKept float64
}

// DefaultFacts returns what is likely of an unknown service: it usually needs
// maxReplicas, peaks of 5 minutes need an answer, the load grows by at most 10
// percent within Kubernetes' sync period, and pods give no memory back.
func DefaultFacts() Facts {
	return Facts{
		UsualReplicas: math.MaxInt32,
		Peak:          5 * time.Minute,
		SyncPeriod:    calculator.SyncPeriod,
		Growth:        0.1,
		MemoryKept:    1,
	}
}

// Lint returns what is legal and likely to be regretted about the spec, in the
// order of its fields. The spec must be valid and have its defaults, but needs
// no scaleTargetRef. There are no findings for a spec that is not valid, or that
// has a metric whose selector is not.
func Lint(spec *autoscaling.HorizontalPodAutoscalerSpec, settings *calculator.Settings, f Facts) []Finding {
	if spec == nil || settings == nil || !valid(spec) {
		return nil
	}
	b, bounds := spec.Behavior, spec.Bounds()
	if bounds.Min == bounds.Max {
		return nil
	}
	windows := b.Windows(settings.DownscaleStabilization)
	const longest = time.Duration(behavior.MaxStabilizationWindowSeconds) * time.Second
	l := linter{
		facts:     f,
		behavior:  b,
		bounds:    bounds,
		tolerance: b.Tolerance(settings.Tolerance),
		upWindow:  windows.Up,
		noUp:      b != nil && b.ScaleUp.SelectPolicy == behavior.SelectDisabled,
		noDown:    b != nil && b.ScaleDown.SelectPolicy == behavior.SelectDisabled,
		apart:     2 * max(longest, windows.Down, settings.Cooldown.Up, settings.Cooldown.Down),
	}
	for i := range spec.Metrics {
		m := newMetric(&spec.Metrics[i])
		if m.Selector.Problem() != nil {
			return nil // it fails in every sync
		}
		l.metrics = append(l.metrics, m)
	}
	l.sizes()
	for i := range l.metrics {
		l.memory(i)
		l.headroom(i)
	}
	if b != nil {
		l.disabledScaleUp()
		l.window()
		l.policies("spec.behavior.scaleUp", true)
		l.policies("spec.behavior.scaleDown", false)
	}
	return l.found
}

// valid reports whether the spec is valid, but for the scaleTargetRef, which
// decides nothing and which autoscaling.NewSpec leaves out.
func valid(spec *autoscaling.HorizontalPodAutoscalerSpec) bool {
	return !slices.ContainsFunc(spec.Validate(), func(e *field.Error) bool {
		return !strings.HasPrefix(e.Field, "spec.scaleTargetRef")
	})
}

// linter collects the findings about one spec.
type linter struct {
	facts     Facts
	behavior  *behavior.Behavior
	bounds    behavior.Bounds
	tolerance metrics.Tolerance
	upWindow  time.Duration
	metrics   []metric
	// noUp and noDown report whether a direction is disabled.
	noUp, noDown bool
	// apart separates the moments of a case that do not see each other: no
	// window, period or cooldown is as long.
	apart time.Duration
	found []Finding
}

func (l *linter) find(kind Kind, field, reason string, c ...Moment) {
	l.found = append(l.found, Finding{Kind: kind, Field: field, Reason: reason, Case: c})
}

// reading returns the moment at which metric i has a reading at some size.
func (l *linter) reading(i int, usage int64, size int32) Moment {
	m := &l.metrics[i]
	proposed := m.propose(usage, size, l.tolerance)
	return Moment{
		Current: size, Metric: i, Usage: metrics.Milli(usage), Target: m.Target,
		Proposed: proposed, Desired: l.limit(size, proposed),
	}
}

// limit returns the size that a proposal leads to where no policy limits it.
func (l *linter) limit(current, proposed int32) int32 {
	if l.behavior != nil {
		return min(max(proposed, l.bounds.Min), l.bounds.Max)
	}
	return behavior.LimitWithoutBehavior(behavior.Change{Current: current, Desired: proposed}, l.bounds).Replicas
}
