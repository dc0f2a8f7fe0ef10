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
func (l *linter) policies(path string, up bool) {
	low, high, end := l.bounds.Min, l.bounds.Max, l.bounds.Min
	rules, defaults, limit := l.behavior.ScaleDown, behavior.DefaultScaleDown(), behavior.DownLimit
	if up {
		end = high
		rules, defaults, limit = l.behavior.ScaleUp, behavior.DefaultScaleUp(), behavior.UpLimit
	}
	if rules.SelectPolicy == behavior.SelectDisabled || slices.Equal(rules.Policies, defaults.Policies) {
		return // nobody has written the default ones
	}
	first := *rules
	first.Policies = first.Policies[:min(len(first.Policies), maxPolicies)]
	// The limits of each policy, from minReplicas, one more, and so on. Where the
	// lower one is selected they are negative, so that it always is the higher one.
	limits := make([][]int32, len(first.Policies))
	sign := int32(1)
	if (rules.SelectPolicy == behavior.SelectMin) == up {
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
				l.covered(path, rules, i, j, behavior.Change{Current: low + farthest(a, b, up), Desired: end})
				break
			}
		}
	}
}

// neverAbove reports whether a is never above b, whatever the sizes at the starts
// of the periods. Those are one size if the periods are the same, and else any
// two.
func neverAbove(a, b []int32, same bool) bool {
	if !same {
		// The limits rise or fall as the size grows.
		last := len(a) - 1
		return max(a[0], a[last]) <= min(b[0], b[last])
	}
	return slices.EqualFunc(a, b, func(x, y int32) bool { return x <= y })
}

// farthest returns the index at which a and b differ most. Among equals it is the
// one with the longest way ahead of it.
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

// covered finds that policy i is never selected because of policy j, as the
// change shows.
func (l *linter) covered(path string, rules *behavior.ScalingRules, i, j int, change behavior.Change) {
	memory := make([]behavior.PolicyLimit, 0, len(rules.Policies))
	limited, _ := l.behavior.Limit(time.Time{}, change, l.bounds, nil, memory)
	than := "more"
	if rules.SelectPolicy == behavior.SelectMin {
		than = "less"
	}
	low, high := l.bounds.Min, l.bounds.Min+min(l.bounds.Max-l.bounds.Min, maxSizes)
	l.find(PolicyNeverBinds, fmt.Sprintf("%s.policies[%d]", path, i),
		fmt.Sprintf("selectPolicy %s never selects it: from any size between %d and %d, %s is no %s than %s",
			rules.SelectPolicy, low, high, policyText(rules.Policies[i]), than, policyText(rules.Policies[j])),
		Moment{Current: change.Current, Metric: -1, Proposed: change.Current, Desired: change.Current},
		Moment{At: l.apart, Current: change.Current, Metric: -1, Proposed: change.Desired, Desired: limited.Replicas})
}

// policyText returns the policy in words, such as "4 pods in 1m".
func policyText(p behavior.Policy) string {
	value := fmt.Sprintf("%d%%", p.Value)
	if p.Type == behavior.PodsPolicy {
		value = words.Count(p.Value, "pod")
	}
	return value + " in " + words.Span(time.Duration(p.PeriodSeconds)*time.Second)
}
