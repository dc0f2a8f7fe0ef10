package calctest

import (
	"fmt"
	"math"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/prove"
)

const withinPolicies = "No period adds or removes more than the selected policies allow."

// WithinPolicies: no sync changes the size further than the rules of that
// direction allow. For each policy, start is the size one period ago, after all
// changes until then, inclusive. The policy allows
//
//	start + value                  Pods, scale up
//	start - value                  Pods, scale down
//	ceil(start * (1 + value/100))  Percent, scale up, in floating point
//	trunc(start * (1 - value/100)) Percent, scale down, in floating point
//
// With the select policy Max, the size may go as far as any policy allows, with
// Min as far as all allow. Disabled allows no change, nor does a limit behind
// the current size. Without a behavior, the size may double or rise to 4 in one
// sync, and fall to any size.
//
// There are exceptions. A size out of bounds goes straight to the bound. A
// target scaled to zero comes back to minReplicas or more. Changes of size by
// others are not events of the autoscaler, so syncs within the longest period
// after one are not checked. The state must not be lost.
func WithinPolicies(t *rapid.T, setup *prove.Setup, opts ...Option) {
	c := prepare(t, setup, opts)
	tl := Timelines(setup, opts...).Draw(t, "timeline")
	var h sizes
	c.hold(t, tl, withinPolicies, func(s *prove.Sync) string {
		h.see(s, tl)
		d := s.Decision
		if s.After == s.Size || d.Zone != calculator.ZoneNormal && d.Zone != calculator.ZoneFromZero {
			return ""
		}
		if d.Zone == calculator.ZoneFromZero && s.After <= setup.Spec.Bounds().Min {
			return ""
		}
		b := setup.Spec.Behavior
		if b == nil {
			if most := max(2*int64(s.Size), 4); int64(s.After) > most {
				return fmt.Sprintf("%d may become %d at most, and becomes %d", s.Size, most, s.After)
			}
			return ""
		}
		rules, way := b.ScaleUp, "scaleUp"
		if s.After < s.Size {
			rules, way = b.ScaleDown, "scaleDown"
		}
		if rules.SelectPolicy == behavior.SelectDisabled {
			return fmt.Sprintf("%s is disabled, and %d becomes %d", way, s.Size, s.After)
		}
		return h.check(s, rules, way)
	})
}

// sizes is the history of the size.
type sizes struct {
	changes []change
	initial int32
	// foreign is when something else last changed the size.
	foreign time.Time
	known   bool
}

type change struct {
	at time.Time
	to int32
}

// see records changes by others before the sync, and the change of the sync.
func (h *sizes) see(s *prove.Sync, tl *prove.Timeline) {
	last := h.initial
	if n := len(h.changes); n > 0 {
		last = h.changes[n-1].to
	}
	switch {
	case !h.known:
		h.initial, h.known = s.Size, true
	case s.Size != last:
		h.foreign = s.Now
		h.changes = append(h.changes, change{s.Now, s.Size})
	}
	if s.After != s.Size {
		h.changes = append(h.changes, change{s.Now, s.After})
	}
}

// at returns the size at t, after all changes until then.
func (h *sizes) at(t time.Time) int32 {
	n := h.initial
	for _, c := range h.changes {
		if !c.at.After(t) {
			n = c.to
		}
	}
	return n
}

// check returns how the change of s breaks the policies, "" if it does not.
func (h *sizes) check(s *prove.Sync, rules *behavior.ScalingRules, way string) string {
	up := way == "scaleUp"
	var limit float64
	var said string
	for i, p := range rules.Policies {
		period := time.Duration(p.PeriodSeconds) * time.Second
		if !h.foreign.IsZero() && h.foreign.After(s.Now.Add(-period)) {
			return ""
		}
		start := h.at(s.Now.Add(-period))
		allowed := allow(p, float64(start), up)
		// Max allows the larger change, Min the smaller one.
		higher := up == (rules.SelectPolicy != behavior.SelectMin)
		if i == 0 || higher && allowed > limit || !higher && allowed < limit {
			limit = allowed
			said = fmt.Sprintf("%s %d in %s, from %d at %s", p.Type, p.Value, words.Span(period), start, since(s.Now.Add(-period)))
		}
	}
	if after := float64(s.After); up && after > limit || !up && after < limit {
		return fmt.Sprintf("%s lets the size go to %v (%s), and %d becomes %d", way, limit, said, s.Size, s.After)
	}
	return ""
}

// allow returns the size that the policy allows.
func allow(p behavior.Policy, start float64, up bool) float64 {
	switch v := float64(p.Value); {
	case p.Type == behavior.PodsPolicy && up:
		return start + v
	case p.Type == behavior.PodsPolicy:
		return start - v
	case up:
		return math.Ceil(start * (1 + v/100))
	default:
		return math.Trunc(start * (1 - v/100))
	}
}
