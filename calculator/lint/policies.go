package lint

import (
	"fmt"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/words"
)

const (
	// maxPolicies is how many policies of a direction are compared.
	maxPolicies = 8
	// maxSizes is how far above minReplicas they are compared.
	maxSizes = 20_000
)

// policies finds policies that are never selected.
func (l *linter) policies(d *direction) {
	low, high := l.bounds.Min, l.bounds.Max
	rules, defaults, limit := d.rules, behavior.DefaultScaleDown(), behavior.DownLimit
	if d.up {
		defaults, limit = behavior.DefaultScaleUp(), behavior.UpLimit
	}
	if rules == nil || samePolicies(rules.Policies, defaults.Policies) {
		return // of the default ones, one never binds from 4 replicas on
	}
	first := *rules
	first.Policies = first.Policies[:min(len(first.Policies), maxPolicies)]
	// The limits of each policy, from minReplicas, one more, and so on. Where
	// the lower one is selected they are negative, so that it always is the
	// higher one.
	limits := make([][]int32, len(first.Policies))
	sign := int32(1)
	if (rules.SelectPolicy == behavior.SelectMin) == d.up {
		sign = -1
	}
	var memory []behavior.PolicyLimit
	for above := range min(high-low, maxSizes) + 1 {
		_, memory = limit(time.Time{}, low+above, &first, nil, memory[:0])
		for i := range memory {
			limits[i] = append(limits[i], sign*min(max(memory[i].Limit, low), high))
		}
	}
	for i := range limits {
		for j := range limits {
			a, b, same := limits[i], limits[j], rules.Policies[i].PeriodSeconds == rules.Policies[j].PeriodSeconds
			// Of two that never differ, the later one is found.
			if i != j && neverAbove(a, b, same) && !(i < j && neverAbove(b, a, same)) {
				l.covered(d, i, j, low+farthest(a, b, d.up))
				break
			}
		}
	}
}

// samePolicies reports whether both lists have the same policies, in any order:
// Kubernetes' defaults have another one than its documentation.
func samePolicies(a, b []behavior.Policy) bool {
	return len(a) == len(b) &&
		!slices.ContainsFunc(a, func(p behavior.Policy) bool { return !slices.Contains(b, p) }) &&
		!slices.ContainsFunc(b, func(p behavior.Policy) bool { return !slices.Contains(a, p) })
}

// neverAbove reports whether a is never above b, whatever the sizes at the
// starts of the periods. Those are one size if the periods are the same, and
// else any two.
func neverAbove(a, b []int32, same bool) bool {
	if !same {
		// The limits rise or fall as the size grows.
		last := len(a) - 1
		return max(a[0], a[last]) <= min(b[0], b[last])
	}
	return slices.EqualFunc(a, b, func(x, y int32) bool { return x <= y })
}

// farthest returns the index at which a and b differ most. Among equals it is
// the one with the longest way still to go.
func farthest(a, b []int32, up bool) int32 {
	at, most := 0, int32(-1)
	for k := range a {
		by := max(a[k]-b[k], b[k]-a[k])
		if by > most || by == most && !up {
			at, most = k, by
		}
	}
	return int32(at)
}

// covered finds that policy i is never selected because of policy j, as a
// change from that size shows.
func (l *linter) covered(d *direction, i, j int, size int32) {
	than, rules := "more", d.rules
	if rules.SelectPolicy == behavior.SelectMin {
		than = "less"
	}
	low, high := l.bounds.Min, l.bounds.Min+min(l.bounds.Max-l.bounds.Min, maxSizes)
	l.find(PolicyNeverBinds, fmt.Sprintf("%s.policies[%d]", d.path, i),
		fmt.Sprintf("selectPolicy %s never selects it: from any size between %d and %d, %s is no %s than %s",
			rules.SelectPolicy, low, high, policyText(rules.Policies[i]), than, policyText(rules.Policies[j])),
		numbers{"policy": float64(i), "other": float64(j), "least": float64(low), "most": float64(high)},
		steady(size), proposal(l.apart, size, d.to, l.allowed(size, d.to)))
}

// policyText returns the policy in words, such as "4 pods in 1m".
func policyText(p behavior.Policy) string {
	value := fmt.Sprintf("%d%%", p.Value)
	if p.Type == behavior.PodsPolicy {
		value = words.Count(p.Value, "pod")
	}
	return value + " in " + words.Span(time.Duration(p.PeriodSeconds)*time.Second)
}
