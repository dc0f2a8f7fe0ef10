package guarantee

import (
	"cmp"
	"encoding/json"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/calculator/internal/pace"
)

// Growth is the fastest load growth that scaling keeps up with: at each sync,
// the size carries the load of Behind ago within tolerance. Faster growth
// leaves the size further and further behind, until maxReplicas ends it. It is
// of sizes above 0. At small ones policies in percent allow more, as they round
// up to whole pods.
type Growth struct {
	// None reports that the size follows no growth: scaling up is disabled, or
	// no load exceeds the tolerance. The other fields, except Behind and Bound,
	// are then zero.
	None bool `json:"none,omitempty"`
	// Pods and Percent are the fastest load growth that policies of that type
	// follow, zero without such policies.
	//
	// Each pod may carry up to 1 plus the scaleUp tolerance. So with a
	// tolerance of 0.1, a policy of 4 pods follows a load that grows by 4.4.
	// Growth in percent compounds, so the tolerance adds nothing to it. A
	// utilization is truncated to whole percents, and a pod carries up to the
	// end of its [Band].
	Pods    Rate `json:"pods,omitzero"`
	Percent Rate `json:"percent,omitzero"`
	// AtOnce is the size that each sync may scale up to, whatever the size was:
	// 4 without a behavior, else 0.
	AtOnce int32 `json:"atOnce,omitempty"`
	// Select says what counts if there are both. With SelectMax, a load that
	// grows by either is followed; in the long run Percent is the faster one.
	// With SelectMin, it must grow by no more than each.
	Select behavior.SelectPolicy `json:"select,omitempty"`
	// Behind is how far the size is behind the load, by the window of scaleUp
	// and the sync period.
	Behind Time  `json:"behind"`
	Bound  Bound `json:"bound"`
}

// Rate is a growth of load. The zero Rate means no growth.
type Rate struct {
	// Value is in replicas, such as 4.4, or in percent, which compound.
	Value float64
	// Every is how long that takes: the period of a policy, up to whole sync
	// periods.
	Every time.Duration
}

// MarshalJSON returns {"value":4.4,"everySeconds":15}.
func (r Rate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Value float64 `json:"value"`
		Every float64 `json:"everySeconds"`
	}{r.Value, r.Every.Seconds()})
}

func (r *rules) growth() Growth {
	g := Growth{Bound: Exactly, Select: r.up.Select, Behind: r.up.after(r.up.hold, r.up.bound)}
	if r.up.bound == AtLeast {
		g.Bound = AtMost
	}
	carried := r.carried()
	if r.up.Disabled || math.IsInf(carried, 1) {
		return Growth{None: true, Bound: Exactly, Behind: Time{Never: true, Bound: Exactly}}
	}
	if r.behavior == nil {
		g.Percent = Rate{100, r.period} // it may double each sync
		g.AtOnce = r.up.Limit(0)
		return g
	}
	g.Pods = r.rate(behavior.PodsPolicy, func(v float64) float64 { return v })
	g.Pods.Value = math.Round(g.Pods.Value*carried*1e9) / 1e9 // 3.3, not 3.3000000000000003
	g.Percent = r.rate(behavior.PercentPolicy, func(v float64) float64 { return math.Log1p(v / 100) })
	return g
}

// carried returns the load per pod, in replicas, up to which a large size
// stays. Of several metrics it is the one that tolerates most.
func (r *rules) carried() (most float64) {
	for i := range r.metrics {
		m := &r.metrics[i]
		switch above := r.asks(m, 1, 2); {
		case above == alike.MostReading:
			return math.Inf(1)
		case m.Total: // the reading of many pods is hardly truncated
			most = max(most, 1+r.tolerance.Up)
		default: // the first reading that is too high is so at each size
			most = max(most, load(m, above, 1))
		}
	}
	return most
}

// rate returns the growth of the policies of a type. The size of a policy's
// value adds up over periods.
func (r *rules) rate(t behavior.PolicyType, size func(value float64) float64) Rate {
	var best *pace.Policy
	each := func(p *pace.Policy) float64 { return size(float64(p.Value)) / float64(p.Syncs) }
	for i := range r.up.Policies {
		p := &r.up.Policies[i]
		if p.Type != t {
			continue
		}
		if best == nil || (cmp.Compare(each(p), each(best)) < 0) == (r.up.Select == behavior.SelectMin) {
			best = p
		}
	}
	if best == nil {
		return Rate{}
	}
	return Rate{float64(best.Value), time.Duration(best.Syncs) * r.period}
}
