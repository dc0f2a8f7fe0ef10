package lint

import (
	"fmt"
	"math"
)

// selectors finds metrics that fail in each sync, and reports whether there are
// any.
func (l *linter) selectors() bool {
	for i := range l.metrics {
		if err := l.metrics[i].Selector.Problem(); err != nil {
			l.find(InvalidSelector, l.sourcePath(i)+".metric.selector", fmt.Sprintf("the metric fails in each sync: %v", err), nil)
		}
	}
	return len(l.found) > 0
}

// neverScales finds a size that no load changes, and reports whether it is one.
func (l *linter) neverScales() bool {
	low, high := l.bounds.Min, l.bounds.Max
	n := numbers{"minReplicas": float64(low), "maxReplicas": float64(high)}
	switch {
	case low == high:
		l.find(NeverScales, "spec.maxReplicas", fmt.Sprintf("no load changes the size: minReplicas and maxReplicas are %d", high), n,
			proposal(0, high, high+min(1, math.MaxInt32-high), high))
	case l.up.disabled && l.down.disabled:
		l.find(NeverScales, "spec.behavior", "no load changes the size: scale up and scale down are disabled", n,
			proposal(0, low, high, low), proposal(l.apart, high, low, high))
	}
	return len(l.found) > 0
}

// disabled finds a size that goes one way only.
func (l *linter) disabled(d *direction) {
	low, high := l.bounds.Min, l.bounds.Max
	usual := min(l.facts.UsualReplicas, high)
	switch path := d.path + ".selectPolicy"; {
	case !d.up:
		l.find(ScaleDownDisabled, path,
			fmt.Sprintf("scale down is disabled: a size that has risen to maxReplicas, %d, stays there, though minReplicas is %d", high, low),
			numbers{"minReplicas": float64(low), "maxReplicas": float64(high)},
			steady(high), proposal(l.apart, high, low, high))
	case low < usual:
		l.find(ScaleUpDisabled, path,
			fmt.Sprintf("scale up is disabled: a size that has fallen to minReplicas, %d, stays there, though %d is usual", low, usual),
			numbers{"minReplicas": float64(low), "usualReplicas": float64(usual)},
			proposal(0, low, usual, low))
	}
}
