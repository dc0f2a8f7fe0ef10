package lint

import (
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/metrics"
)

// linter collects the findings about one spec.
type linter struct {
	facts     Facts
	behavior  *behavior.Behavior
	bounds    behavior.Bounds
	tolerance metrics.Tolerance
	metrics   []alike.Metric
	decisive  bool // a metric decides the size while the others read zero
	up, down  direction
	cooldown  behavior.Cooldown
	// apart separates the moments of a case that do not see each other: no
	// window, period or cooldown is as long.
	apart time.Duration
	found []Finding
}

// direction is scale up or scale down.
type direction struct {
	up bool
	// path is that of the rules, which are nil without a behavior.
	path  string
	rules *behavior.ScalingRules
	// window is the stabilization window.
	window time.Duration
	// from and to are the bounds, from minReplicas to maxReplicas for scale up.
	from, to int32
	disabled bool
}

// longest is the longest window, and no period is longer.
const longest = time.Duration(behavior.MaxStabilizationWindowSeconds) * time.Second

func newLinter(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, f Facts) *linter {
	b, bounds := spec.Behavior, spec.Bounds()
	windows := b.Windows(settings.DownscaleStabilization)
	l := &linter{
		facts:     f,
		behavior:  b,
		bounds:    bounds,
		tolerance: settings.ToleranceOf(b),
		up:        direction{up: true, path: "spec.behavior.scaleUp", window: windows.Up, from: bounds.Min, to: bounds.Max},
		down:      direction{path: "spec.behavior.scaleDown", window: windows.Down, from: bounds.Max, to: bounds.Min},
		apart:     2 * min(max(longest, windows.Down, settings.Cooldown.Up, settings.Cooldown.Down), math.MaxInt64/8),
		cooldown:  settings.Cooldown,
	}
	if b != nil {
		l.up.rules, l.down.rules = b.ScaleUp, b.ScaleDown
		l.up.disabled = b.ScaleUp.SelectPolicy == behavior.SelectDisabled
		l.down.disabled = b.ScaleDown.SelectPolicy == behavior.SelectDisabled
	}
	if f.SyncPeriod > longest {
		l.facts.SyncPeriod = 0
	}
	for i := range spec.Metrics {
		l.metrics = append(l.metrics, alike.New(&spec.Metrics[i]))
	}
	l.decisive = settings.ChooseBy == calculator.ChooseMax || len(l.metrics) == 1
	return l
}

// numbers are [Finding].Numbers.
type numbers = map[string]float64

func (l *linter) find(kind Kind, field, message string, n numbers, c ...Moment) {
	l.found = append(l.found, Finding{Kind: kind, Field: field, Message: message, Numbers: n, Case: c})
}

// reading returns the moment at which metric i has a reading at some size.
func (l *linter) reading(i int, usage int64, size int32) Moment {
	m := &l.metrics[i]
	proposed := m.Propose(usage, size, l.tolerance)
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
	return l.allowed(current, proposed)
}

// allowed returns the size that a proposal leads to where no window holds it
// and the size has not changed within any period.
func (l *linter) allowed(current, proposed int32) int32 {
	limited, _ := l.behavior.Limit(time.Time{}, behavior.Change{Current: current, Desired: proposed}, l.bounds, nil, nil)
	return limited.Replicas
}

// proposal returns the moment at which any metrics propose a size.
func proposal(at time.Duration, current, proposed, desired int32) Moment {
	return Moment{At: at, Current: current, Metric: -1, Proposed: proposed, Desired: desired}
}

// steady returns the moment at which any metrics propose the current size.
// Cases of changes start with it, as the first sync takes its size for a
// recommendation.
func steady(size int32) Moment { return proposal(0, size, size, size) }
