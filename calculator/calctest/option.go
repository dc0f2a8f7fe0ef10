package calctest

import (
	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
)

// Option constrains what is drawn, or changes what is tested. Generators and
// invariants ignore options that do not apply to them.
type Option func(*config)

type config struct {
	low, high   float64
	bounded     bool
	load        LoadProfile
	calm        bool
	length      int
	maxReplicas int32
	sources     []autoscaling.MetricSourceType
	behavior    *behavior.Behavior
	anyBehavior bool
	prove.Runner
}

func configOf(opts []Option) *config {
	c := &config{
		Runner:      prove.Runner{Decide: calculator.DecideInto, Restart: prove.Restart},
		maxReplicas: 20,
		length:      8,
		anyBehavior: true,
		sources: []autoscaling.MetricSourceType{
			autoscaling.ResourceMetricSourceType,
			autoscaling.ExternalMetricSourceType,
			autoscaling.PodsMetricSourceType,
			autoscaling.ObjectMetricSourceType,
			autoscaling.ContainerResourceMetricSourceType,
		},
	}
	for _, o := range opts {
		o(c)
	}
	return c
}

// loads returns the bounds of loads to draw. Without options, they are 0 and
// usual.
func (c *config) loads(usual float64) (low, high float64) {
	if c.bounded {
		return c.low, c.high
	}
	return 0, usual
}

// LoadUpTo draws loads from 0 to that many replicas. By default they are up to
// a quarter above maxReplicas, but at most 100.
func LoadUpTo(replicas float64) Option { return LoadBetween(0, replicas) }

// LoadBetween draws loads within bounds, in replicas. Bounds that are negative
// or NaN count as 0, and those above math.MaxInt32 as that.
func LoadBetween(low, high float64) Option {
	low = clamp(low)
	high = max(clamp(high), low)
	return func(c *config) { c.low, c.high, c.bounded = low, high, true }
}

// WithLoad uses this load instead of drawing one. An invariant fails for one
// without levels; nil means to draw.
func WithLoad(load LoadProfile) Option { return func(c *config) { c.load = load } }

// LoadOnly disables everything but load: failures, restarts, changes of size by
// others, and pods that become unready after their startup.
func LoadOnly() Option { return func(c *config) { c.calm = true } }

// SegmentsUpTo draws timelines of up to n segments. The default is 8.
func SegmentsUpTo(n int) Option { return func(c *config) { c.length = max(n, 1) } }

// WithDecider tests this decision instead of calculator.DecideInto. It must be
// deterministic.
func WithDecider(decide prove.Decider) Option { return func(c *config) { c.Decide = decide } }

// WithRestart sets what a restart does to the state. By default, the state is
// encoded to its binary form and decoded again.
func WithRestart(restart func(*calculator.State) error) Option {
	return func(c *config) { c.Restart = restart }
}

// ReplicasUpTo draws specs with a maxReplicas of up to n. The default is 20.
func ReplicasUpTo(n int32) Option { return func(c *config) { c.maxReplicas = max(n, 1) } }

// MetricsFrom draws metrics of these sources only.
func MetricsFrom(sources ...autoscaling.MetricSourceType) Option {
	return func(c *config) {
		if len(sources) > 0 {
			c.sources = sources
		}
	}
}

// WithBehavior draws specs with this behavior. Nil means none.
func WithBehavior(b *behavior.Behavior) Option {
	return func(c *config) { c.behavior, c.anyBehavior = b, false }
}
