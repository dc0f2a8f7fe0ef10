package guarantee

import (
	"encoding/json"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// Guarantees are what the rules of a spec guarantee.
type Guarantees struct {
	MinReplicas int32
	MaxReplicas int32
	// SyncPeriod is the time between decisions.
	SyncPeriod time.Duration
	// Startup is the time until a new pod counts.
	Startup time.Duration
	// LessIfLate reports that scaling down, in Down and Peak, takes one sync
	// period less if syncs are a little late, as those of a cluster are. Without
	// a behavior, the downscale stabilization includes its end, which only a
	// sync on the exact grid meets.
	LessIfLate bool
	// Up and Down are the times from size to size.
	Up, Down Moves
	// Growth is the fastest load growth that scaling keeps up with.
	Growth Growth
	// Peak is what a peak of load leaves behind.
	Peak Peak
	// Bands are the load at which no sync asks for another size, by metric and
	// then by size: the sizes of the tables, except 0.
	Bands []Band
	// Wave is the smallest wave that makes the size move at each sync.
	Wave Wave
	// Unreached are the sizes that no load leads to.
	Unreached Unreached
}

// MarshalJSON returns the numbers by the names of the fields, with times in
// seconds.
func (g Guarantees) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		MinReplicas int32     `json:"minReplicas"`
		MaxReplicas int32     `json:"maxReplicas"`
		SyncPeriod  float64   `json:"syncPeriodSeconds"`
		Startup     float64   `json:"startupSeconds"`
		LessIfLate  bool      `json:"lessIfLate,omitempty"`
		Up          Moves     `json:"up"`
		Down        Moves     `json:"down"`
		Growth      Growth    `json:"growth"`
		Peak        Peak      `json:"peak"`
		Bands       []Band    `json:"bands"`
		Wave        Wave      `json:"wave"`
		Unreached   Unreached `json:"unreached"`
	}{g.MinReplicas, g.MaxReplicas, g.SyncPeriod.Seconds(), g.Startup.Seconds(), g.LessIfLate, g.Up, g.Down, g.Growth, g.Peak, g.Bands, g.Wave, g.Unreached})
}

// Compute returns what the rules of the spec guarantee with a sync each period,
// from a second to an hour; kube-controller-manager's is
// [calculator.SyncPeriod]. The spec counts as the API server of the settings'
// release admits it; a missing scaleTargetRef does not matter. Nil settings
// mean [calculator.DefaultSettings]. Nothing is kept or changed.
//
// The startup is the time from the creation of a pod until it is ready and its
// metrics count, such as a minute. Zero means that this is so at the next sync.
// Any other startup leaves lower bounds where young pods count differently;
// how long it is does not matter. Metrics that do not look at pods are the same
// with any startup.
//
// The error is a [field.ErrorList] if the spec is not valid, else a
// [*field.Error] that names the argument.
func Compute(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, period, startup time.Duration) (Guarantees, error) {
	r, err := newRules(settings, spec, period, startup)
	if err != nil {
		return Guarantees{}, err
	}
	return r.all(), nil
}

func (r *rules) all() Guarantees {
	sizes := r.sizes()
	return Guarantees{
		MinReplicas: r.bounds.Min, MaxReplicas: r.bounds.Max, SyncPeriod: r.period, Startup: r.startup,
		LessIfLate: r.behavior == nil && r.windows.Down > 0 && r.windows.Down%r.period == 0,
		Up:         r.up.moves(sizes),
		Down:       r.down.moves(sizes),
		Growth:     r.growth(),
		Peak:       r.peak(),
		Bands:      r.bands(sizes),
		Wave:       r.wave(),
		Unreached:  r.unreached(),
	}
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
