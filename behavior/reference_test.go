package behavior_test

import (
	"math"
	"slices"
	"sort"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
)

// What follows is a second calculation of events and limits, as a reference: in
// plain slices, and without regard to speed.

type refEvent struct {
	at     time.Time
	change int32
	stale  bool
	// forgotten events are where kube-controller-manager has them, but no
	// period is long enough to see them.
	forgotten bool
}

// refEvents are the events of both directions in the order in which
// kube-controller-manager would have them.
type refEvents struct{ added, removed []refEvent }

func (e *refEvents) record(now time.Time, from, to int32, b *behavior.Behavior) {
	if b == nil || from == to {
		return
	}
	e.advance(now, b)
	if to > from {
		e.added = put(e.added, refEvent{at: now, change: to - from}, longest(b.ScaleUp))
	} else {
		e.removed = put(e.removed, refEvent{at: now, change: from - to}, longest(b.ScaleDown))
	}
}

// advance forgets the future and what is older than half an hour.
func (e *refEvents) advance(now time.Time, b *behavior.Behavior) {
	horizon := max(30*time.Minute, longest(b.ScaleUp), longest(b.ScaleDown))
	for _, events := range [][]refEvent{e.added, e.removed} {
		for i := range events {
			if events[i].at.After(now) {
				events[i].at = now
			}
			if events[i].at.Add(horizon).Before(now) {
				events[i].stale, events[i].forgotten = true, true
			}
		}
	}
}

// asOf returns the events with those dated after now dated now.
func (e *refEvents) asOf(now time.Time) *refEvents {
	c := &refEvents{added: slices.Clone(e.added), removed: slices.Clone(e.removed)}
	for _, events := range [][]refEvent{c.added, c.removed} {
		for i := range events {
			if events[i].at.After(now) {
				events[i].at = now
			}
		}
	}
	return c
}

// longest returns the longest period, 15 s for the default rules.
func longest(r *behavior.ScalingRules) time.Duration {
	if r == nil {
		return 15 * time.Second
	}
	var seconds int32
	for _, p := range r.Policies {
		seconds = max(seconds, p.PeriodSeconds)
	}
	return time.Duration(seconds) * time.Second
}

func put(events []refEvent, e refEvent, longest time.Duration) []refEvent {
	place := -1
	for i := range events {
		if events[i].at.Add(longest).Before(e.at) {
			events[i].stale = true
		}
		if events[i].stale {
			place = i
		}
	}
	if place < 0 {
		return append(events, e)
	}
	events[place] = e
	return events
}

// within sums up the events that are younger than the period.
func within(events []refEvent, now time.Time, period time.Duration) int64 {
	var sum int64
	for _, e := range events {
		if !e.forgotten && e.at.Add(period).After(now) {
			sum += int64(e.change)
		}
	}
	return sum
}

func toInt32(f float64) int32 {
	if f > math.MaxInt32 {
		return math.MaxInt32
	}
	if f < math.MinInt32 {
		return math.MinInt32
	}
	return int32(f)
}

// refPolicy returns what a policy says.
func refPolicy(now time.Time, current int32, p behavior.Policy, e *refEvents, goesUp bool) behavior.PolicyLimit {
	period := time.Duration(p.PeriodSeconds) * time.Second
	l := behavior.PolicyLimit{Policy: p, Added: within(e.added, now, period), Removed: within(e.removed, now, period)}
	l.Start = int64(current) - l.Added + l.Removed
	part := float64(p.Value) / 100
	switch {
	case p.Type == behavior.PodsPolicy && goesUp:
		l.Limit = toInt32(float64(l.Start + int64(p.Value))) // exact below 2^53
	case p.Type == behavior.PodsPolicy:
		l.Limit = toInt32(float64(l.Start - int64(p.Value)))
	case goesUp:
		l.Limit = toInt32(math.Ceil(float64(l.Start) * (1 + part)))
	default:
		l.Limit = toInt32(float64(l.Start) * (1 - part))
	}
	// The first moment at which an event leaves the period.
	for _, events := range [][]refEvent{e.added, e.removed} {
		for _, event := range events {
			leaves := event.at.Add(period)
			if !event.forgotten && leaves.After(now) && (l.Until.IsZero() || leaves.Before(l.Until)) {
				l.Until = leaves
			}
		}
	}
	return l
}

// refRate returns what the policies of one direction say together.
func refRate(now time.Time, current int32, r *behavior.ScalingRules, e *refEvents, goesUp bool) (behavior.RateLimit, []behavior.PolicyLimit) {
	if r.SelectPolicy == behavior.SelectDisabled {
		return behavior.RateLimit{Replicas: current, Select: behavior.SelectDisabled, Disabled: true, Selected: -1}, nil
	}
	rate := behavior.RateLimit{Replicas: current, Select: r.SelectPolicy, Selected: -1}
	var all []behavior.PolicyLimit
	var limits []int
	for _, p := range r.Policies {
		l := refPolicy(now, current, p, e, goesUp)
		all = append(all, l)
		limits = append(limits, int(l.Limit))
	}
	if len(all) == 0 {
		return rate, nil
	}
	sorted := append([]int{}, limits...)
	sort.Ints(sorted)
	best := sorted[0]
	if largest := r.SelectPolicy != behavior.SelectMin; largest == goesUp {
		best = sorted[len(sorted)-1]
	}
	for i := len(limits) - 1; i >= 0; i-- {
		if limits[i] == best {
			rate.Selected = i
		}
	}
	if goesUp == (best > int(current)) {
		rate.Replicas = int32(best)
	}
	return rate, all
}

// refLimit bounds a size.
func refLimit(now time.Time, current, desired, least, most int32, b *behavior.Behavior, e *refEvents) (behavior.LimitResult, []behavior.PolicyLimit) {
	l := behavior.LimitResult{Desired: desired, Replicas: desired, Reason: behavior.DesiredWithinRange}
	var said []behavior.PolicyLimit
	if desired > current {
		l.Rate, said = refRate(now, current, b.ScaleUp, e, true)
		switch allowed := min(l.Rate.Replicas, most); {
		case desired <= allowed:
		case l.Rate.Replicas < most:
			l.Replicas, l.Reason = allowed, behavior.ScaleUpLimit
		default:
			l.Replicas, l.Reason = allowed, behavior.TooManyReplicas
		}
	}
	if desired < current {
		l.Rate, said = refRate(now, current, b.ScaleDown, e, false)
		switch allowed := max(l.Rate.Replicas, least); {
		case desired >= allowed:
		case l.Rate.Replicas > least:
			l.Replicas, l.Reason = allowed, behavior.ScaleDownLimit
		default:
			l.Replicas, l.Reason = allowed, behavior.TooFewReplicas
		}
	}
	return l, said
}

// refUntil searches all the moments at which an event leaves a period for the
// first that leads to another size.
func refUntil(now time.Time, current, desired, least, most int32, b *behavior.Behavior, e *refEvents) time.Time {
	var moments []time.Time
	for _, r := range []*behavior.ScalingRules{b.ScaleUp, b.ScaleDown} {
		for _, p := range r.Policies {
			for _, events := range [][]refEvent{e.added, e.removed} {
				for _, event := range events {
					moments = append(moments, event.at.Add(time.Duration(p.PeriodSeconds)*time.Second))
				}
			}
		}
	}
	sort.Slice(moments, func(i, j int) bool { return moments[i].Before(moments[j]) })
	today, _ := refLimit(now, current, desired, least, most, b, e)
	for _, at := range moments {
		if !at.After(now) {
			continue
		}
		if then, _ := refLimit(at, current, desired, least, most, b, e); then.Replicas != today.Replicas {
			return at
		}
	}
	return time.Time{}
}

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func rules() *rapid.Generator[*behavior.ScalingRules] {
	policy := rapid.Custom(func(t *rapid.T) behavior.Policy {
		p := behavior.Policy{
			Type:          rapid.SampledFrom([]behavior.PolicyType{behavior.PodsPolicy, behavior.PercentPolicy}).Draw(t, "type"),
			PeriodSeconds: rapid.OneOf(rapid.Int32Range(1, 4), rapid.Int32Range(1, 1800)).Draw(t, "period"),
		}
		p.Value = rapid.OneOf(
			rapid.Int32Range(1, 10),
			rapid.Int32Range(1, 300),
			rapid.SampledFrom([]int32{math.MaxInt32 - 1, math.MaxInt32}),
		).Draw(t, "value")
		return p
	})
	return rapid.Custom(func(t *rapid.T) *behavior.ScalingRules {
		return &behavior.ScalingRules{
			SelectPolicy: rapid.SampledFrom([]behavior.SelectPolicy{behavior.SelectMax, behavior.SelectMax, behavior.SelectMin, behavior.SelectMin, behavior.SelectDisabled}).Draw(t, "select"),
			Policies:     rapid.SliceOfN(policy, 1, 3).Draw(t, "policies"),
		}
	})
}

func behaviors() *rapid.Generator[*behavior.Behavior] {
	return rapid.Custom(func(t *rapid.T) *behavior.Behavior {
		return &behavior.Behavior{ScaleUp: rules().Draw(t, "up"), ScaleDown: rules().Draw(t, "down")}
	})
}

// sizes draws mostly small numbers of replicas.
func sizes() *rapid.Generator[int32] {
	return rapid.OneOf(
		rapid.Int32Range(0, 30),
		rapid.Int32Range(0, 30),
		rapid.Int32Range(0, 30),
		rapid.SampledFrom([]int32{math.MaxInt32 - 1, math.MaxInt32}),
		rapid.Int32Range(0, math.MaxInt32),
	)
}

// steps draws how far the clock goes from one event to the next: whole seconds,
// as periods have them, and one nanosecond beside these.
func steps() *rapid.Generator[time.Duration] {
	return rapid.Custom(func(t *rapid.T) time.Duration {
		seconds := rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, 600)).Draw(t, "seconds")
		return time.Duration(seconds)*time.Second + time.Duration(rapid.IntRange(-1, 1).Draw(t, "nanoseconds"))
	})
}
