package guarantee

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/calculator/internal/pace"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// Guarantees are what the rules of a spec guarantee.
type Guarantees struct {
	MinReplicas int32
	MaxReplicas int32
	// SyncPeriod is the time between decisions.
	SyncPeriod time.Duration
	// Up and Down are the times from size to size.
	Up, Down Moves
	// Growth is the fastest growth of load that is followed for ever.
	Growth Growth
	// Peak is what a peak of load leaves behind.
	Peak Peak
	// Bands are the load at which no sync asks for another size, by metric and then by
	// size: the sizes of the tables, but 0.
	Bands []Band
	// Wave is the smallest wave that makes the size move at each sync.
	Wave Wave
	// Unreached are the sizes that no load leads to.
	Unreached Unreached
}

// MarshalJSON returns the numbers by the names of the fields, with times in seconds.
func (g Guarantees) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		MinReplicas int32     `json:"minReplicas"`
		MaxReplicas int32     `json:"maxReplicas"`
		SyncPeriod  float64   `json:"syncPeriodSeconds"`
		Up          Moves     `json:"up"`
		Down        Moves     `json:"down"`
		Growth      Growth    `json:"growth"`
		Peak        Peak      `json:"peak"`
		Bands       []Band    `json:"bands"`
		Wave        Wave      `json:"wave"`
		Unreached   Unreached `json:"unreached"`
	}{g.MinReplicas, g.MaxReplicas, g.SyncPeriod.Seconds(), g.Up, g.Down, g.Growth, g.Peak, g.Bands, g.Wave, g.Unreached})
}

// Of returns what the rules of the spec guarantee while it is synced once per period,
// which is [calculator.SyncPeriod] unless the controller has another one: a second to
// an hour. The spec is taken as the API server of the settings' release admits it; a
// missing scaleTargetRef does not matter. Nothing is kept or changed.
//
// The error is a [field.ErrorList] if the spec is not valid, else a [*field.Error]
// that names the argument.
func Of(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, period time.Duration) (Guarantees, error) {
	r, err := newRules(settings, spec, period)
	if err != nil {
		return Guarantees{}, err
	}
	sizes := r.sizes()
	g := Guarantees{
		MinReplicas: r.bounds.Min, MaxReplicas: r.bounds.Max, SyncPeriod: period,
		Up:     r.up.moves(sizes),
		Down:   r.down.moves(sizes),
		Growth: r.growth(),
		Peak:   r.peak(),
		Bands:  r.bands(sizes),
		Wave:   r.wave(),
	}
	g.Unreached = r.unreached()
	return g, nil
}

// rules are those of a spec on a grid of syncs.
type rules struct {
	behavior  *behavior.Behavior
	bounds    behavior.Bounds
	period    time.Duration
	windows   stabilize.Windows
	tolerance metrics.Tolerance
	metrics   []alike.Metric
	up, down  direction
}

// direction is one of the directions of rules.
type direction struct {
	*pace.Rules
	period time.Duration
	// hold and holdNew are the syncs until the window lets the size change, the
	// latter without a history.
	hold, holdNew int64
	// from and to are the bounds, from minReplicas to maxReplicas for scaling up.
	from, to int32
	// bound is that of steady times. forgets reports whether policies may see less
	// than what happened.
	bound   Bound
	forgets bool
}

const (
	leastPeriod = time.Second
	mostPeriod  = time.Hour
)

func newRules(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, period time.Duration) (*rules, error) {
	if err := problem(settings, spec, period); err != nil {
		return nil, err
	}
	spec = spec.Clone()
	// A target decides nothing, and autoscaling.NewSpec leaves it out.
	if err := spec.Admit(settings.Release).Without("spec.scaleTargetRef").Err(); err != nil {
		return nil, err
	}
	r := &rules{
		behavior:  spec.Behavior,
		bounds:    spec.Bounds(),
		period:    period,
		windows:   spec.Behavior.Windows(settings.DownscaleStabilization),
		tolerance: settings.ToleranceOf(spec.Behavior),
	}
	for i := range spec.Metrics {
		m := alike.New(&spec.Metrics[i])
		if err := m.Selector.Problem(); err != nil {
			return nil, field.Invalid("spec.metrics["+strconv.Itoa(i)+"]", m.Selector, "the metric fails in each sync: "+err.Error())
		}
		r.metrics = append(r.metrics, m)
	}
	r.up = r.direction(true, r.windows.Up, r.bounds.Min, r.bounds.Max)
	r.down = r.direction(false, r.windows.Down, r.bounds.Max, r.bounds.Min)
	r.up.forgets, r.down.forgets = r.up.Forgets(r.down.Rules), r.down.Forgets(r.up.Rules)
	return r, nil
}

// problem returns what is wrong with the arguments, the spec itself aside.
func problem(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, period time.Duration) error {
	switch {
	case settings == nil:
		return field.Required("settings", "")
	case spec == nil:
		return field.Required("spec", "")
	case period < leastPeriod || period > mostPeriod:
		return field.Invalid("syncPeriod", period.String(), "must be from 1s to 1h")
	case settings.DownscaleStabilization/period >= stabilize.MaxRecommendations:
		return field.Invalid("settings.downscaleStabilization", settings.DownscaleStabilization.String(),
			"must be shorter than "+strconv.Itoa(stabilize.MaxRecommendations)+" sync periods")
	case settings.Cooldown != behavior.Cooldown{}:
		return field.Forbidden("settings.cooldown", "there are no guarantees beside a cooldown")
	case settings.Corrections != 0:
		return field.Forbidden("settings.corrections", "the guarantees are those of Kubernetes")
	case settings.ColdStart != calculator.RecommendCurrent:
		return field.Forbidden("settings.coldStart", "the guarantees are those of Kubernetes")
	case settings.Choosing != calculator.ChooseMax:
		return field.Forbidden("settings.choosing", "the guarantees are those of Kubernetes")
	}
	return nil
}

func (r *rules) direction(up bool, window time.Duration, from, to int32) direction {
	d := direction{Rules: pace.Of(r.behavior, up, r.period), period: r.period, from: from, to: to, bound: Exactly}
	d.hold, d.holdNew = d.Hold(window, r.period), d.HoldNew(window, r.period)
	// Young pods count as idle for scaling up, unless the metric does not look at pods.
	if len(r.metrics) > 1 || up && !r.metrics[0].Total {
		d.bound = AtLeast
	}
	return d
}

// sizes returns the bounds and the powers of two between them, ascending.
func (r *rules) sizes() []int32 {
	sizes := []int32{r.bounds.Min}
	for n := int64(1); n < int64(r.bounds.Max); n *= 2 {
		if n > int64(r.bounds.Min) {
			sizes = append(sizes, int32(n))
		}
	}
	if r.bounds.Max > r.bounds.Min {
		sizes = append(sizes, r.bounds.Max)
	}
	return sizes
}
