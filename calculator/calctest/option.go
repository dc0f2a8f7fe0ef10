package calctest

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
)

// Option constrains what is drawn, or says what is put to the test. Options
// that a generator or an invariant has no use for make no difference.
type Option func(*config)

// Decider makes a decision as calculator.DecideInto does.
type Decider func(d *calculator.Decision, now time.Time, settings *calculator.Settings, spec *calculator.Spec, obs *calculator.Observation, st *calculator.State)

type config struct {
	low, high   float64
	bounded     bool
	load        Load
	calm        bool
	length      int
	decide      Decider
	restart     func(*calculator.State) error
	maxReplicas int32
	sources     []calculator.MetricSourceType
	behavior    *behavior.Behavior
	anyBehavior bool
	// remember tells that invariants want the state before each decision.
	remember bool
}

func configOf(opts []Option) *config {
	c := &config{
		decide:      calculator.DecideInto,
		restart:     reencode,
		maxReplicas: 20,
		length:      8,
		anyBehavior: true,
		sources: []calculator.MetricSourceType{
			calculator.ResourceMetricSourceType,
			calculator.ExternalMetricSourceType,
			calculator.PodsMetricSourceType,
			calculator.ObjectMetricSourceType,
			calculator.ContainerResourceMetricSourceType,
		},
	}
	for _, o := range opts {
		o(c)
	}
	return c
}

// reencode is a restart: the state goes through its binary form.
func reencode(st *calculator.State) error {
	data, err := st.MarshalBinary()
	if err != nil {
		return err
	}
	var after calculator.State
	if err := after.UnmarshalBinary(data); err != nil {
		return err
	}
	*st = after
	return nil
}

// loads returns the least and the largest load to draw; usual is the latter
// where no option says.
func (c *config) loads(usual float64) (low, high float64) {
	if c.bounded {
		return c.low, c.high
	}
	return 0, usual
}

// LoadUpTo draws loads from none to what so many replicas carry. Without, they
// go somewhat beyond what maxReplicas carry, but not beyond 100.
func LoadUpTo(replicas float64) Option { return LoadBetween(0, replicas) }

// LoadBetween draws loads within these bounds.
func LoadBetween(low, high float64) Option {
	return func(c *config) { c.low, c.high, c.bounded = max(low, 0), max(high, low, 0), true }
}

// ThisLoad takes this load instead of drawing one.
func ThisLoad(load Load) Option { return func(c *config) { c.load = load } }

// Calm lets nothing happen but load: no failure, no restart, nobody else who
// changes the size, and pods that only take their time to start.
func Calm() Option { return func(c *config) { c.calm = true } }

// PhasesUpTo draws timelines of up to n phases, 8 unless told.
func PhasesUpTo(n int) Option { return func(c *config) { c.length = max(n, 1) } }

// Deciding puts this decision to the test instead of calculator.DecideInto. It
// must decide alike on equal arguments.
func Deciding(decide Decider) Option { return func(c *config) { c.decide = decide } }

// Restarting says what a restart does to the state. Without, it is encoded to
// its binary form and decoded again.
func Restarting(restart func(*calculator.State) error) Option {
	return func(c *config) { c.restart = restart }
}

// ReplicasUpTo draws specs with a maxReplicas of up to n, 20 unless told.
func ReplicasUpTo(n int32) Option { return func(c *config) { c.maxReplicas = max(n, 1) } }

// MetricsFrom draws metrics of these sources alone.
func MetricsFrom(sources ...calculator.MetricSourceType) Option {
	return func(c *config) {
		if len(sources) > 0 {
			c.sources = sources
		}
	}
}

// WithBehavior draws specs with this behavior, which is nil for none.
func WithBehavior(b *behavior.Behavior) Option {
	return func(c *config) { c.behavior, c.anyBehavior = b, false }
}
