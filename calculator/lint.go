package calculator

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Finding is a setting that is legal and likely to be regretted.
type Finding = behavior.Finding

// LintFacts is what Lint needs to know and a spec does not tell.
type LintFacts struct {
	// UsualReplicas is the size that is usually needed. More than maxReplicas
	// count as that.
	UsualReplicas int32
	// Peak is how long the shortest peak of load lasts that is to be answered.
	// Zero means that none is.
	Peak time.Duration
	// SyncPeriod is the time from one decision to the next.
	SyncPeriod time.Duration
	// Growth is the fraction by which the load may grow from one sync to the
	// next: 0.1 for a tenth.
	Growth float64
	// MemoryKept is the fraction of the memory in use that a pod still holds
	// once its load is gone, from 0 to 1.
	MemoryKept float64
}

// DefaultLintFacts returns what is likely of a service of which nothing is known:
// that it usually needs as many replicas as it may have, that peaks of five
// minutes are to be answered, that its load grows by a tenth within
// Kubernetes' sync period at most, and that its pods give no memory back.
func DefaultLintFacts() LintFacts {
	return LintFacts{
		UsualReplicas: math.MaxInt32,
		Peak:          5 * time.Minute,
		SyncPeriod:    SyncPeriod,
		Growth:        0.1,
		MemoryKept:    1,
	}
}

// Lint returns what is legal and likely to be regretted about the spec, in the
// order of its fields: each with the reason, and with a case that Decide decides
// as the finding says. The spec must be valid and have its defaults; about
// another one it says nothing.
//
//   - behavior.UnreachableSize: sizes strictly within the bounds to which no load
//     leads, from any size within them, as long as all pods are ready and have
//     samples. Tolerance keeps the size, and beyond it the ratio, rounded up, is
//     already more or less than that. Utilization in whole percent adds to it.
//   - behavior.ScaleUpDisabled: the way up is disabled, the way down is not, and
//     minReplicas is less than LintFacts.UsualReplicas.
//   - behavior.WindowOutlastsPeaks: the window of the way up hides a whole peak of
//     LintFacts.Peak.
//   - behavior.MemoryNeverFalls: with LintFacts.MemoryKept, the size does not come
//     down to minReplicas when the load is gone.
//   - behavior.NoHeadroom: at the highest utilization that is tolerated, and with
//     LintFacts.Growth on top, pods need all that they request before the next
//     sync. Targets above 100%, which are meant to use more, are left alone.
//   - behavior.PolicyNeverBinds: a policy never counts, because another one always
//     does.
//
// It says nothing that is not so, but it does not find everything: sizes are
// looked at only up to a range of 2,000, where policies do not cut the way
// short and neither direction is disabled, and policies are compared one by
// one.
func (s *Spec) Lint(settings *Settings, f LintFacts) []Finding {
	if s == nil || settings == nil || !s.decidable() {
		return nil
	}
	l := lint{spec: s, facts: f, tolerance: settings.tolerance(s.Behavior), low: minReplicas(s), high: s.MaxReplicas}
	windows, cooldown := settings.windows(s.Behavior), settings.Cooldown
	l.apart = 2 * max(windows.Up, windows.Down, cooldown.Up, cooldown.Down, longestPeriod)
	for i := range s.Metrics {
		if sc, ok := s.Metrics[i].scale(); ok {
			l.scales = append(l.scales, sc)
		} else {
			return nil // no sync ends well
		}
	}
	l.unreachable()
	for i := range s.Metrics {
		l.memory(i)
		l.headroom(i)
	}
	return append(l.found, s.Behavior.Lint(behavior.LintFacts{
		MinReplicas:   l.low,
		MaxReplicas:   l.high,
		UsualReplicas: f.UsualReplicas,
		Peak:          f.Peak,
		SyncPeriod:    f.SyncPeriod,
	})...)
}

// longestPeriod is the longest period that a policy can look back.
const longestPeriod = time.Duration(behavior.MaxPeriodSeconds) * time.Second

// lint looks for what is to be regretted.
type lint struct {
	spec      *Spec
	facts     LintFacts
	tolerance metrics.Tolerance
	low, high int32
	scales    []scale
	// apart is how far decisions are apart that do not see each other.
	apart time.Duration
	found []Finding
}

func (l *lint) disabled() (up, down bool) {
	b := l.spec.Behavior
	if b == nil {
		return false, false
	}
	return b.ScaleUp.SelectPolicy == behavior.SelectDisabled, b.ScaleDown.SelectPolicy == behavior.SelectDisabled
}

// scale is what a metric's readings are held against, in whole percent or
// milli-units.
type scale struct {
	target metrics.Target
	aim    int64
	// whole tells that the reading is that of all replicas together.
	whole bool
}

func (s *MetricSpec) scale() (scale, bool) {
	t, ok := s.target()
	sc := scale{target: t, aim: int64(t.Milli())}
	if t.Type() == metrics.UtilizationTarget {
		sc.aim = int64(t.Percent())
	}
	source := s.source()
	sc.whole = t.Type() == metrics.AverageValueTarget && (source == objectSource || source == externalSource)
	return sc, ok
}

// times returns the reading that is f times the aim at that size, or one next to
// it: the arithmetic is in floating point.
func (sc scale) times(f float64, size int32) int64 {
	f *= float64(sc.aim)
	if sc.whole {
		f *= float64(size)
	}
	return int64(min(max(f, 0), math.MaxInt64/2))
}

// ask returns the size that the reading asks for at a size of ready pods, which
// is that size if it is tolerated.
func (sc scale) ask(usage int64, size int32, t metrics.Tolerance) (asked int32, tolerated bool) {
	ratio := metrics.UsageRatio(metrics.Milli(usage), metrics.Milli(sc.aim))
	if !sc.whole {
		if t.Within(ratio) {
			return size, true
		}
		return metrics.Replicas(ratio * float64(size)), false
	}
	if t.Within(float64(usage) / (float64(sc.aim) * float64(size))) {
		return size, true
	}
	return metrics.Replicas(ratio), false
}

// step is a difference from a reading that floating point does not lose.
func step(usage int64) int64 { return max(1, usage>>45) }

// reaches reports whether some reading at that size asks for n, another size.
func (sc scale) reaches(n, size int32, t metrics.Tolerance) bool {
	// Of the readings that ask for n, the last one is furthest from being
	// tolerated on the way up, and the first one on the way down.
	end := float64(n)
	if n < size {
		end--
	}
	around := sc.times(end/float64(size), size)
	by := step(around)
	for u := max(around-by, 0); u <= around+2*by; u += by {
		if asked, tolerated := sc.ask(u, size, t); !tolerated && asked == n {
			return true
		}
	}
	return false
}

// maxLintSizes is the largest range of sizes that is looked at.
const maxLintSizes = 2000

// unreachable finds sizes that no load leads to.
func (l *lint) unreachable() {
	up, down := l.disabled()
	if up || down || l.low < 1 || l.high-l.low > maxLintSizes || l.cut() {
		return
	}
	var sizes []int32
	for n := l.low + 1; n < l.high; n++ {
		if !l.reachable(n) {
			sizes = append(sizes, n)
		}
	}
	if len(sizes) == 0 {
		return
	}
	l.found = append(l.found, Finding{
		Kind:  behavior.UnreachableSize,
		Field: "spec.maxReplicas",
		Reason: fmt.Sprintf("no load leads to %s: at any size between %d and %d, it is tolerated, or asks for more or for less",
			ranges(sizes), l.low, l.high),
		Case: l.leap(sizes[0]),
	})
}

// cut reports whether policies can end a change at a size that no metric asks
// for. They are tightest from the bounds.
func (l *lint) cut() bool {
	b := l.spec.Behavior
	if b == nil {
		return false // see reachable
	}
	up, _ := behavior.UpLimit(time.Time{}, l.low, b.ScaleUp, nil, nil)
	down, _ := behavior.DownLimit(time.Time{}, l.high, b.ScaleDown, nil, nil)
	return up.Replicas < l.high || down.Replicas > l.low
}

// reachable reports whether a load leads to n from another size within the
// bounds.
func (l *lint) reachable(n int32) bool {
	for size := l.low; size <= l.high; size++ {
		if size == n {
			continue
		}
		// Without a behavior, the limit of a sync is a size to stop at, too.
		if l.spec.Behavior == nil && size < n && behavior.LimitWithoutBehavior(size, l.high, l.low, l.high).Replicas == n {
			return true
		}
		for _, sc := range l.scales {
			if sc.reaches(n, size, l.tolerance) {
				return true
			}
		}
	}
	return false
}

// leap shows how the first metric passes over n: the reading that leaves the
// size next to it as it is, and the next one, from below and from above.
func (l *lint) leap(n int32) []behavior.Moment {
	sc := l.scales[0]
	var c []behavior.Moment
	show := func(size int32, usage int64) {
		asked, _ := sc.ask(usage, size, l.tolerance)
		becomes := min(max(asked, l.low), l.high)
		if l.spec.Behavior == nil {
			becomes = behavior.LimitWithoutBehavior(size, asked, l.low, l.high).Replicas
		}
		c = append(c, behavior.Moment{
			At: time.Duration(len(c)) * l.apart, Replicas: size,
			Usage: metrics.Milli(usage), Target: sc.target, Asked: asked, Becomes: becomes,
		})
	}
	size := n - 1
	from := sc.times(1+l.tolerance.Up, size)
	by := step(from)
	for u := from - 2*by; u <= from+3*by; u += by {
		if asked, _ := sc.ask(u, size, l.tolerance); asked > size && u >= by {
			show(size, u-by)
			show(size, u)
			break
		}
	}
	size = n + 1
	from = sc.times(min(1-l.tolerance.Down, 1-1/float64(size)), size)
	by = step(from)
	for u := from + 2*by; u >= 0 && u > from-4*by; u -= by {
		if asked, _ := sc.ask(u, size, l.tolerance); asked < size {
			show(size, u+by)
			show(size, u)
			break
		}
	}
	return c
}

// memory finds a target of memory below which the size never gets.
func (l *lint) memory(i int) {
	m, sc := &l.spec.Metrics[i], l.scales[i]
	path := metricPath(i)
	switch {
	case m.source() == resourceSource && m.Resource.Name == podgroup.Memory:
		path += ".resource.target"
	case m.source() == containerResourceSource && m.ContainerResource.Name == podgroup.Memory:
		path += ".containerResource.target"
	default:
		return
	}
	if _, down := l.disabled(); down {
		return
	}
	kept := min(max(l.facts.MemoryKept, 0), 1)
	usage := sc.times(kept, 1)
	size := l.high
	for range 1_000_000 {
		asked, _ := sc.ask(usage, size, l.tolerance)
		if asked >= size {
			break
		}
		size = asked
	}
	asked, _ := sc.ask(usage, size, l.tolerance)
	if size <= l.low || asked < size {
		return
	}
	l.found = append(l.found, Finding{
		Kind:  behavior.MemoryNeverFalls,
		Field: path,
		Reason: fmt.Sprintf("pods that keep %.0f%% of their memory when the load is gone keep the size from falling below %d, though minReplicas is %d",
			100*kept, size, l.low),
		Case: []behavior.Moment{{
			Replicas: size, Metric: i, Usage: metrics.Milli(usage), Target: sc.target, Asked: asked, Becomes: size,
		}},
	})
}

// headroom finds a target that leaves pods no room to grow until the next sync.
func (l *lint) headroom(i int) {
	m, sc := &l.spec.Metrics[i], l.scales[i]
	path := metricPath(i)
	switch {
	case sc.target.Type() != metrics.UtilizationTarget || sc.aim > 100:
		return
	case m.source() == resourceSource:
		path += ".resource.target.averageUtilization"
	default:
		path += ".containerResource.target.averageUtilization"
	}
	size := max(l.low, 1)
	if up, _ := l.disabled(); up || size == l.high {
		return
	}
	most := sc.times(1+l.tolerance.Up, 1) + 1
	for ; most > sc.aim; most-- {
		if _, tolerated := sc.ask(most, size, l.tolerance); tolerated {
			break
		}
	}
	growth := max(l.facts.Growth, 0)
	if float64(most)*(1+growth) < 100 {
		return
	}
	reason := fmt.Sprintf("%d%% is still tolerated, and if the load then grows by %s%%, pods need all that they request before the next sync",
		most, number(100*growth))
	if most >= 100 {
		most = 100
		reason = "pods that use all that they request are still within tolerance, so that the size stays"
	}
	l.found = append(l.found, Finding{
		Kind:   behavior.NoHeadroom,
		Field:  path,
		Reason: reason,
		Case: []behavior.Moment{{
			Replicas: size, Metric: i, Usage: metrics.Milli(most), Target: sc.target, Asked: size, Becomes: size,
		}},
	})
}

func number(f float64) string { return fmt.Sprintf("%.4g", f) }

// ranges lists numbers in ascending order, such as "5 to 7 or 9".
func ranges(n []int32) string {
	var parts []string
	for i := 0; i < len(n); {
		j := i
		for j+1 < len(n) && n[j+1] == n[j]+1 {
			j++
		}
		switch j - i {
		case 0:
			parts = append(parts, fmt.Sprint(n[i]))
		case 1:
			parts = append(parts, fmt.Sprint(n[i]), fmt.Sprint(n[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", n[i], n[j]))
		}
		i = j + 1
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " or " + parts[len(parts)-1]
}
