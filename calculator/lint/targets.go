package lint

import (
	"fmt"
	"sort"
	"strings"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// targetPath returns the path of the target of metric i.
func (l *linter) targetPath(i int) string {
	source := string(l.metrics[i].Source)
	return fmt.Sprintf("spec.metrics[%d].%s%s.target", i, strings.ToLower(source[:1]), source[1:])
}

// memory finds a target of memory that holds the size above minReplicas.
func (l *linter) memory(i int) {
	m := &l.metrics[i]
	if m.Resource() != podgroup.Memory || l.noDown {
		return
	}
	kept := min(max(l.facts.MemoryKept, 0), 1)
	usage := m.usage(kept, 1)
	// A fall ends at the largest size from which the metric proposes no less.
	fall := sort.Search(int(l.bounds.Max-l.bounds.Min), func(k int) bool {
		size := l.bounds.Max - int32(k)
		return m.propose(usage, size, l.tolerance) >= size
	})
	size := l.bounds.Max - int32(fall)
	if size == l.bounds.Min {
		return
	}
	l.find(MemoryNeverFalls, l.targetPath(i),
		fmt.Sprintf("pods keep %.0f%% of their memory when the load is gone: the size does not fall below %d, though minReplicas is %d",
			100*kept, size, l.bounds.Min),
		l.reading(i, usage, size))
}

// headroom finds a target that leaves pods no room to grow until the next sync.
func (l *linter) headroom(i int) {
	m := &l.metrics[i]
	size := max(l.bounds.Min, 1)
	if m.Target.Type() != metrics.UtilizationTarget || m.target > 100 || size == l.bounds.Max || l.noUp {
		return
	}
	most := int64(100)
	for most > m.target && m.propose(most, size, l.tolerance) != size {
		most--
	}
	growth := max(l.facts.Growth, 0)
	reason := "utilization of 100% is within tolerance: the size is unchanged while pods use all that they request"
	if most < 100 {
		if !(float64(most)*(1+growth) >= 100) {
			return
		}
		reason = fmt.Sprintf("utilization of %d%% is within tolerance: if the load then grows by %.4g%%, pods need all that they request before the next sync",
			most, 100*growth)
	}
	l.find(NoHeadroom, l.targetPath(i)+".averageUtilization", reason, l.reading(i, most, size))
}
