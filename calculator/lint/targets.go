package lint

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

const (
	// leastMemory is what any pod uses, 1Mi.
	leastMemory = 1 << 20 * 1000
	// mostCPU is more than any pod uses, 100 cpu.
	mostCPU = 100 * 1000
)

// sourcePath returns the path of the source of metric i.
func (l *linter) sourcePath(i int) string {
	source := string(l.metrics[i].Source)
	return fmt.Sprintf("spec.metrics[%d].%s%s", i, strings.ToLower(source[:1]), source[1:])
}

// targetPath returns the path of the target of metric i, which is of a
// resource.
func (l *linter) targetPath(i int) string {
	if l.metrics[i].Target.Type() == metrics.UtilizationTarget {
		return l.sourcePath(i) + ".target.averageUtilization"
	}
	return l.sourcePath(i) + ".target.averageValue"
}

// idle finds a target below what idle pods use.
func (l *linter) idle(i int) {
	m := &l.metrics[i]
	var usage int64
	what, unit := fmt.Sprintf("%v of %s", l.facts.IdleCPU, m.Name), "Milli"
	switch resource := m.Resource(); {
	case resource == "" || l.up.disabled:
		return
	case m.Target.Type() == metrics.UtilizationTarget:
		usage = int64(l.facts.IdleUtilization)
		what, unit = fmt.Sprintf("%d%% of their requests", usage), "Percent"
	case resource == podgroup.CPU:
		usage = int64(l.facts.IdleCPU)
	case resource == podgroup.Memory:
		usage = leastMemory
		what = "1Mi of memory"
	}
	size := max(l.bounds.Min, 1)
	if m.Propose(usage, size, l.tolerance) <= size {
		return
	}
	l.find(TargetBelowIdle, l.targetPath(i),
		fmt.Sprintf("idle pods use %s, and the target is %v: the size rises to maxReplicas, %d, without load", what, m.Target, l.bounds.Max),
		numbers{"idle" + unit: float64(usage), "target" + unit: float64(m.Amount), "maxReplicas": float64(l.bounds.Max)},
		l.reading(i, usage, l.bounds.Max))
}

// outOfReach finds a target of cpu above what pods can use.
func (l *linter) outOfReach(i int) {
	m := &l.metrics[i]
	size := max(l.bounds.Min, 1)
	if m.Resource() != podgroup.CPU || m.Target.Type() == metrics.UtilizationTarget || l.up.disabled ||
		m.Propose(mostCPU, size, l.tolerance) > size {
		return
	}
	l.find(TargetOutOfReach, l.targetPath(i),
		fmt.Sprintf("the target is %v: pods that use 100 cpu each do not scale up", m.Target),
		numbers{"usageMilli": mostCPU, "targetMilli": float64(m.Amount)},
		l.reading(i, mostCPU, size))
}

// memory finds a target of memory that holds the size above minReplicas.
func (l *linter) memory(i int) {
	m := &l.metrics[i]
	if m.Resource() != podgroup.Memory || l.down.disabled {
		return
	}
	kept := fraction(l.facts.MemoryKept, 1)
	usage := m.Reading(kept, 1)
	// A fall ends at the largest size from which the metric proposes no less.
	fall := sort.Search(int(l.bounds.Max-l.bounds.Min), func(k int) bool {
		size := l.bounds.Max - int32(k)
		return m.Propose(usage, size, l.tolerance) >= size
	})
	size := l.bounds.Max - int32(fall)
	if size == l.bounds.Min {
		return
	}
	l.find(MemoryNeverFalls, l.targetPath(i),
		fmt.Sprintf("pods keep %.0f%% of their memory when the load is gone: the size does not fall below %d, though minReplicas is %d",
			100*kept, size, l.bounds.Min),
		numbers{"memoryKept": kept, "size": float64(size), "minReplicas": float64(l.bounds.Min)},
		l.reading(i, usage, size))
}

// headroom finds a target that leaves pods no room to grow until the next sync.
func (l *linter) headroom(i int) {
	m := &l.metrics[i]
	size := max(l.bounds.Min, 1)
	if m.Target.Type() != metrics.UtilizationTarget || m.Amount > 100 || size == l.bounds.Max || l.up.disabled {
		return
	}
	most := int64(100)
	for most > m.Amount && m.Propose(most, size, l.tolerance) != size {
		most--
	}
	growth := fraction(l.facts.Growth, math.MaxFloat64/100)
	message := "utilization of 100% is within tolerance: the size is unchanged while pods use all that they request"
	if most < 100 {
		if !(float64(most)*(1+growth) >= 100) {
			return
		}
		message = fmt.Sprintf("utilization of %d%% is within tolerance: if the load then grows by %.4g%%, pods need all that they request before the next sync",
			most, 100*growth)
	}
	l.find(NoHeadroom, l.targetPath(i), message, numbers{"utilizationPercent": float64(most), "growth": growth}, l.reading(i, most, size))
}

// fraction returns f within 0 and most, 0 for NaN.
func fraction(f, most float64) float64 {
	if !(f > 0) {
		return 0
	}
	return min(f, most)
}

// wideTolerance finds a tolerance of the spec that hides twice the target when
// scaling up, or half the target when scaling down: the size may then stay at
// twice what the load needs.
func (l *linter) wideTolerance(d *direction) {
	if !l.decisive || d.rules == nil || !d.rules.Tolerance.IsSet() {
		return
	}
	m, size, usage, t := &l.metrics[0], max(d.from, 1), int64(0), d.rules.Tolerance.Float64()
	hidden := "fall even without usage"
	switch rest := 1 - t; {
	case d.up && t >= 1:
		usage, hidden = m.Reading(2, size), "rise even at twice the target"
	case d.up || t < 0.5:
		return
	case t < 1:
		for usage = m.Reading(rest, size); m.Propose(usage, size, l.tolerance) < size; {
			usage += alike.Step(usage)
		}
		hidden = fmt.Sprintf("fall until usage is below %.4g%% of the target, so %d replicas stay where %d would do",
			100*rest, size, max(m.Propose(usage, size, metrics.Tolerance{}), d.to))
	}
	l.find(WideTolerance, d.path+".tolerance",
		fmt.Sprintf("a tolerance of %v is %.4g%%: the size does not %s", d.rules.Tolerance, 100*t, hidden),
		numbers{"tolerance": t},
		l.reading(0, usage, size))
}
