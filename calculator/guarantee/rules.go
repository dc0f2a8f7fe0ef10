package guarantee

import (
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

// rules are those of a spec on a grid of syncs.
type rules struct {
	behavior  *behavior.Behavior
	bounds    behavior.Bounds
	period    time.Duration
	startup   time.Duration
	windows   stabilize.Windows
	tolerance metrics.Tolerance
	metrics   []alike.Metric
	up, down  direction
	// work is how many limits of policies and proposals were computed, about.
	work int
}

// direction is one of the directions of rules.
type direction struct {
	*pace.Rules
	period time.Duration
	// hold and holdNew are the syncs until the window lets the size change, the
	// latter without a history.
	hold, holdNew int64
	// from and to are the bounds, from minReplicas to maxReplicas for scaling
	// up.
	from, to int32
	// bound is that of steady times, and worstBound that of the worst ones, if
	// they are computed exactly. forgets reports whether policies may see less
	// than what happened, and histories are then all, if they are few.
	bound, worstBound Bound
	forgets           bool
	histories         *histories
	// work is that of the rules.
	work *int
}

const (
	leastPeriod = time.Second
	mostPeriod  = time.Hour
)

func newRules(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, period, startup time.Duration) (*rules, error) {
	set, err := settings.OrDefault()
	if err != nil {
		return nil, err
	}
	settings = &set
	if err := problem(settings, spec, period, startup); err != nil {
		return nil, err
	}
	spec = spec.Clone()
	// A target decides nothing, and autoscaling.NewSpec leaves it out.
	if err := spec.ApplyAdmission(settings.Release).Without("spec.scaleTargetRef").Err(); err != nil {
		return nil, err
	}
	r := &rules{
		behavior:  spec.Behavior,
		bounds:    spec.Bounds(),
		period:    period,
		startup:   startup,
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
	if (r.up.forgets || r.down.forgets) && r.up.worstBound == Exactly {
		h := r.findHistories()
		r.up.histories, r.down.histories = h, h
	}
	return r, nil
}

// problem returns what is wrong with the arguments, the spec itself aside.
func problem(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, period, startup time.Duration) error {
	switch {
	case spec == nil:
		return field.Required("spec", "")
	case period < leastPeriod || period > mostPeriod:
		return field.Invalid("syncPeriod", period.String(), "must be from 1s to 1h")
	case startup < 0:
		return field.Invalid("startup", startup.String(), "must be greater than or equal to 0s")
	case settings.DownscaleStabilization/period >= stabilize.MaxRecommendations:
		return field.Invalid("settings.downscaleStabilization", settings.DownscaleStabilization.String(),
			"must be shorter than "+strconv.Itoa(stabilize.MaxRecommendations)+" sync periods")
	case settings.Cooldown != behavior.Cooldown{}:
		return field.Forbidden("settings.cooldown", "there are no guarantees beside a cooldown")
	case settings.Corrections != 0:
		return field.Forbidden("settings.corrections", "the guarantees are those of Kubernetes")
	case settings.ColdStart != calculator.RecommendCurrent:
		return field.Forbidden("settings.coldStart", "the guarantees are those of Kubernetes")
	case settings.ChooseBy != calculator.ChooseMax:
		return field.Forbidden("settings.chooseBy", "the guarantees are those of Kubernetes")
	}
	return nil
}

func (r *rules) direction(up bool, window time.Duration, from, to int32) direction {
	d := direction{Rules: pace.New(r.behavior, up, r.period), period: r.period, from: from, to: to, bound: Exactly, worstBound: Exactly, work: &r.work}
	d.hold, d.holdNew = d.Hold(window, r.period), d.HoldNew(window, r.period)
	// Young pods count as idle for scaling up, and not at all or as busy for
	// scaling down, unless the metric does not look at pods. Before a steady
	// load, none are left.
	several, young := len(r.metrics) > 1, r.startup > 0 && !r.metrics[0].Total
	if several || up && young {
		d.bound = AtLeast
	}
	if several || young {
		d.worstBound = AtLeast
	}
	return d
}

// after returns the time of so many syncs.
func (d *direction) after(syncs int64, bound Bound) Time {
	return Time{Duration: time.Duration(syncs) * d.period, Bound: bound}
}
