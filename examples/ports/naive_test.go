package ports

import (
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// naive is a port as people write it from the documentation, with all windows,
// policies, select policies and bounds. Apart from its mistakes it is right.
type naive struct {
	rules                *behavior.Behavior
	bounds               behavior.Bounds
	past, added, removed []dated

	// first: the current size at the first sync is not a recommendation.
	first bool
	// directions: a policy counts the events of its own direction alone.
	directions bool
	// eager: an event is recorded before the write, even if that fails.
	eager bool
	// truncated: a percentage of pods is rounded down.
	truncated bool
	// keeps: an event is kept as long as any policy looks back, and not only as
	// long as those of its own direction.
	keeps bool
}

// reset makes p new, with the same mistakes.
func (p *naive) reset(rules *behavior.Behavior, bounds behavior.Bounds) {
	p.rules, p.bounds = rules, bounds
	p.past, p.added, p.removed = p.past[:0], p.added[:0], p.removed[:0]
}

// dated is an entry with its time in seconds, for speed.
type dated struct {
	second   int64
	replicas int32
}

func (p *naive) size(now time.Time, current, desired int32) int32 {
	second := now.Unix()
	to := p.limit(second, current, p.stabilize(second, current, desired))
	if p.eager {
		p.record(second, current, to)
	}
	return to
}

func (p *naive) applied(now time.Time, from, to int32) {
	if !p.eager {
		p.record(now.Unix(), from, to)
	}
}

func (p *naive) stabilize(now int64, current, desired int32) int32 {
	if len(p.past) == 0 && !p.first {
		p.past = append(p.past, dated{now, current})
	}
	up := int64(*p.rules.ScaleUp.StabilizationWindowSeconds)
	down := int64(*p.rules.ScaleDown.StabilizationWindowSeconds)
	lowest, highest := desired, desired
	for _, e := range p.past {
		if e.second > now-up {
			lowest = min(lowest, e.replicas)
		}
		if e.second > now-down {
			highest = max(highest, e.replicas)
		}
	}
	p.past = replace(p.past, dated{now, desired}, max(up, down))
	return min(max(current, lowest), highest)
}

func (p *naive) limit(now int64, current, desired int32) int32 {
	switch {
	case desired > current:
		limit := p.policies(p.rules.ScaleUp, now, current, 1)
		return min(desired, max(limit, current), p.bounds.Max)
	case desired < current:
		limit := p.policies(p.rules.ScaleDown, now, current, -1)
		return max(desired, min(limit, current), p.bounds.Min)
	}
	return desired
}

// policies returns the limit of the policies in a direction, 1 or -1.
func (p *naive) policies(r *behavior.ScalingRules, now int64, current, direction int32) int32 {
	added, removed := p.added, p.removed
	if p.directions && direction > 0 {
		removed = nil
	} else if p.directions {
		added = nil
	}
	var selected int32
	for i, policy := range r.Policies {
		start := current - pods(added, now, policy.PeriodSeconds) + pods(removed, now, policy.PeriodSeconds)
		limit := start + direction*policy.Value
		if policy.Type == behavior.PercentPolicy {
			limit = p.percent(start, policy.Value, direction)
		}
		larger := (limit-selected)*direction > 0
		if i == 0 || larger == (r.SelectPolicy != behavior.SelectMin) {
			selected = limit
		}
	}
	return selected
}

func (p *naive) percent(start, percent, direction int32) int32 {
	switch {
	case p.truncated:
		return start + direction*(start*percent/100)
	case direction > 0:
		return int32(math.Ceil(float64(start) * (1 + float64(percent)/100)))
	}
	return int32(float64(start) * (1 - float64(percent)/100))
}

// pods returns the pods of the events younger than the period.
func pods(events []dated, now int64, period int32) (n int32) {
	for _, e := range events {
		if e.second > now-int64(period) {
			n += e.replicas
		}
	}
	return n
}

func (p *naive) record(now int64, from, to int32) {
	up, down := longest(p.rules.ScaleUp), longest(p.rules.ScaleDown)
	if p.keeps {
		up, down = max(up, down), max(up, down)
	}
	switch {
	case to > from:
		p.added = replace(p.added, dated{now, to - from}, up)
	case to < from:
		p.removed = replace(p.removed, dated{now, from - to}, down)
	}
}

// longest returns the longest period of the policies.
func longest(r *behavior.ScalingRules) (seconds int64) {
	for i := range r.Policies {
		seconds = max(seconds, int64(r.Policies[i].PeriodSeconds))
	}
	return seconds
}

// replace puts e in the place of the last one in the list that is older than
// some seconds. If there is none, it appends e.
func replace(list []dated, e dated, seconds int64) []dated {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].second < e.second-seconds {
			list[i] = e
			return list
		}
	}
	return append(list, e)
}
