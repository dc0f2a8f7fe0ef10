package lint

import (
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/internal/alike"
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
	// Lull is how long the shortest lull of load lasts in which pods should go.
	// Zero, or less than SyncPeriod, means that they may always stay.
	Lull time.Duration
	// Rise is how long the policies may take from minReplicas to maxReplicas.
	// Zero means any time.
	Rise time.Duration
	// Fall is how long the policies may take from maxReplicas to minReplicas.
	// Zero means any time.
	Fall time.Duration
	// SyncPeriod is the time from one decision to the next. Without one, and with
	// one above an hour, nothing that takes time is looked at.
	SyncPeriod time.Duration
	// Growth is the fraction by which the load may grow from one sync to the
	// next: 0.1 for 10 percent.
	Growth float64
	// MemoryKept is the fraction of its memory that a pod keeps once its load
	// is gone, 0 to 1.
	MemoryKept float64
	// IdleCPU is the cpu that a pod uses without load, in milli-units.
	IdleCPU metrics.Milli
	// IdleUtilization is how much of its requests a pod uses without load, in
	// whole percent.
	IdleUtilization int32
}

// DefaultFacts returns what is likely of an unknown service: it usually needs
// maxReplicas; peaks of 5 minutes need an answer, and pods should go in lulls of 30
// minutes; the policies may take 15 minutes to maxReplicas, and 12 hours, a night,
// to minReplicas; the load grows by at most 10 percent within Kubernetes' sync
// period; pods give no memory back, and idle ones use 5m of cpu and 2 percent of
// their requests.
func DefaultFacts() Facts {
	return Facts{
		UsualReplicas:   math.MaxInt32,
		Peak:            5 * time.Minute,
		Lull:            30 * time.Minute,
		Rise:            15 * time.Minute,
		Fall:            12 * time.Hour,
		SyncPeriod:      calculator.SyncPeriod,
		Growth:          0.1,
		MemoryKept:      1,
		IdleCPU:         5,
		IdleUtilization: 2,
	}
}

// Lint returns what is legal and likely to be regretted about the spec, in the
// order of its fields. It looks at the spec as the API server of the settings'
// release admits it. What that refuses is an error, a [field.ErrorList], but for a
// missing scaleTargetRef. It is a [*field.Error] if the spec or the settings are nil.
func Lint(spec *autoscaling.HorizontalPodAutoscalerSpec, settings *calculator.Settings, f Facts) ([]Finding, error) {
	switch {
	case settings == nil:
		return nil, field.Required("settings", "")
	case spec == nil:
		return nil, field.Required("spec", "")
	}
	spec = spec.Clone()
	// A target decides nothing, and autoscaling.NewSpec leaves it out.
	if err := spec.Admit(settings.Release).Without("spec.scaleTargetRef").Err(); err != nil {
		return nil, err
	}
	l := newLinter(spec, settings, f)
	if l.selectors() || l.neverScales() {
		return l.found, nil
	}
	if l.decisive {
		if !settings.Corrections.Has(correction.Truncation) {
			l.sizes()
		}
		for i := range l.metrics {
			l.idle(i)
			l.outOfReach(i)
			l.memory(i)
			l.headroom(i)
		}
	}
	for _, d := range []*direction{&l.up, &l.down} {
		if d.disabled {
			l.disabled(d)
			continue
		}
		l.window(d)
		l.pace(d)
		l.policies(d)
		l.wideTolerance(d)
	}
	return l.found, nil
}

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

func newLinter(spec *autoscaling.HorizontalPodAutoscalerSpec, settings *calculator.Settings, f Facts) *linter {
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
	l.decisive = settings.Choosing == calculator.ChooseMax || len(l.metrics) == 1
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

// allowed returns the size that a proposal leads to where no window holds it and
// the size has not changed within any period.
func (l *linter) allowed(current, proposed int32) int32 {
	limited, _ := l.behavior.Limit(time.Time{}, behavior.Change{Current: current, Desired: proposed}, l.bounds, nil, nil)
	return limited.Replicas
}

// proposal returns the moment at which any metrics propose a size.
func proposal(at time.Duration, current, proposed, desired int32) Moment {
	return Moment{At: at, Current: current, Metric: -1, Proposed: proposed, Desired: desired}
}

// steady returns the moment at which any metrics propose the current size. Cases of
// changes start with it, as the first sync takes its size for a recommendation.
func steady(size int32) Moment { return proposal(0, size, size, size) }
