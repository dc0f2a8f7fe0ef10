package behavior

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// LintKind is a kind of setting that is legal and likely to be regretted.
type LintKind string

const (
	// UnreachableSize: sizes within the bounds that no load leads to, because of
	// rounding and tolerance.
	UnreachableSize LintKind = "UnreachableSize"
	// ScaleUpDisabled: the way up is disabled, and the way down leads below the
	// usual size.
	ScaleUpDisabled LintKind = "ScaleUpDisabled"
	// WindowOutlastsPeaks: the stabilization window of the way up is longer than
	// the peaks that it is to answer.
	WindowOutlastsPeaks LintKind = "WindowOutlastsPeaks"
	// MemoryNeverFalls: a target for memory, which pods keep when their load is
	// gone, so that the size does not fall.
	MemoryNeverFalls LintKind = "MemoryNeverFalls"
	// NoHeadroom: a target so near to all that pods request that they starve
	// before the next sync.
	NoHeadroom LintKind = "NoHeadroom"
	// PolicyNeverBinds: a policy that never counts, because another one always
	// does.
	PolicyNeverBinds LintKind = "PolicyNeverBinds"
)

// Finding is a setting that is legal and likely to be regretted.
type Finding struct {
	// Kind says what is wrong with it.
	Kind LintKind
	// Field is the path of the field, such as "spec.behavior.scaleUp.policies[1]".
	Field string
	// Reason says why in a sentence.
	Reason string
	// Case shows it: decisions that follow each other on one autoscaler.
	Case []Moment
}

// Moment is one decision of a case.
type Moment struct {
	// At is when, since the start of the case.
	At time.Duration
	// Replicas is the size before; where it is not what the moment before led
	// to, somebody has set it. At zero, it is the autoscaler that went there.
	Replicas int32
	// Metric is the index of the metric that Usage is of; -1 if it may be any,
	// and only Asked counts.
	Metric int
	// Usage is what the metric reads: in whole percent of the requests for a
	// target Utilization, else in milli-units, the average over the pods for
	// metrics of pods, and the whole for others. All pods are ready and have a
	// sample, and the other metrics read zero.
	Usage metrics.Milli
	// Target is the metric's target.
	Target metrics.Target
	// Asked is the size that the metrics ask for then.
	Asked int32
	// Becomes is the size after.
	Becomes int32
}

// String tells the finding in a line: field, kind and reason.
func (f Finding) String() string { return f.Field + ": " + string(f.Kind) + ": " + f.Reason }

// String tells the moment in a line.
func (m Moment) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "after %s, at %s, ", span(m.At), replicas(m.Replicas))
	switch {
	case m.Metric < 0:
		fmt.Fprintf(&b, "the metrics ask for %d", m.Asked)
	case m.Target.Type() == metrics.UtilizationTarget:
		fmt.Fprintf(&b, "metric %d reads %d%% and asks for %d", m.Metric+1, int64(m.Usage), m.Asked)
	default:
		fmt.Fprintf(&b, "metric %d reads %v and asks for %d", m.Metric+1, m.Usage, m.Asked)
	}
	if m.Becomes == m.Replicas {
		b.WriteString(": the size stays")
	} else {
		fmt.Fprintf(&b, ": the size becomes %d", m.Becomes)
	}
	return b.String()
}

// span is a duration without parts that are zero at its end.
func span(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func replicas(n int32) string {
	if n == 1 {
		return "1 replica"
	}
	return fmt.Sprintf("%d replicas", n)
}

// LintFacts is what Lint needs to know and the rules do not tell.
type LintFacts struct {
	// MinReplicas and MaxReplicas are the bounds of the size.
	MinReplicas, MaxReplicas int32
	// UsualReplicas is the size that is usually needed. More than MaxReplicas
	// count as that.
	UsualReplicas int32
	// Peak is how long the shortest peak of load lasts that is to be answered.
	// Zero, or less than SyncPeriod, means that none is.
	Peak time.Duration
	// SyncPeriod is the time from one decision to the next.
	SyncPeriod time.Duration
}

// lintSizes is how many sizes Lint looks at, from MinReplicas on.
const lintSizes = 20_000

// Lint returns what is legal and likely to be regretted about the rules. They
// must be valid and have their defaults; about others it says nothing. It finds
// ScaleUpDisabled, WindowOutlastsPeaks and PolicyNeverBinds; calculator.Spec.Lint
// finds these and the others.
//
// It says nothing that is not so, but it does not find everything. It looks at
// no more than 20,000 sizes, compares policies one by one, and leaves the default
// policies alone.
func (b *Behavior) Lint(f LintFacts) []Finding {
	if b == nil || b.Problem() != nil || f.MinReplicas < 0 || f.MaxReplicas <= f.MinReplicas {
		return nil // bounds that are wrong, or leave one size
	}
	var found []Finding
	found = append(found, b.lintDisabled(f)...)
	found = append(found, b.lintWindow(f)...)
	found = append(found, b.ScaleUp.lintPolicies(scaleUpPath, up, f)...)
	return append(found, b.ScaleDown.lintPolicies(scaleDownPath, down, f)...)
}

// lintDisabled finds a size that falls and never rises again.
func (b *Behavior) lintDisabled(f LintFacts) []Finding {
	usual := min(f.UsualReplicas, f.MaxReplicas)
	if b.ScaleUp.SelectPolicy != SelectDisabled || b.ScaleDown.SelectPolicy == SelectDisabled || f.MinReplicas >= usual {
		return nil
	}
	return []Finding{{
		Kind:  ScaleUpDisabled,
		Field: scaleUpPath + ".selectPolicy",
		Reason: fmt.Sprintf("scaling up is disabled, so that a size which has once fallen to minReplicas, %d, stays there, though %d is usual",
			f.MinReplicas, usual),
		Case: []Moment{{Replicas: f.MinReplicas, Metric: -1, Asked: usual, Becomes: f.MinReplicas}},
	}}
}

// lintWindow finds a window that hides a whole peak: a recommendation from just
// before the peak is within it at each sync of the peak.
func (b *Behavior) lintWindow(f LintFacts) []Finding {
	window := time.Duration(*b.ScaleUp.StabilizationWindowSeconds) * time.Second
	if f.SyncPeriod <= 0 || f.Peak < f.SyncPeriod || b.ScaleUp.SelectPolicy == SelectDisabled {
		return nil
	}
	last := f.Peak / f.SyncPeriod * f.SyncPeriod
	if window <= last {
		return nil
	}
	low := max(f.MinReplicas, 1)
	if low == f.MaxReplicas {
		return nil
	}
	at := func(t time.Duration, asked int32) Moment {
		return Moment{At: t, Replicas: low, Metric: -1, Asked: asked, Becomes: low}
	}
	c := []Moment{at(0, low), at(f.SyncPeriod, f.MaxReplicas)}
	if last > f.SyncPeriod {
		c = append(c, at(last, f.MaxReplicas))
	}
	return []Finding{{
		Kind:  WindowOutlastsPeaks,
		Field: scaleUpPath + ".stabilizationWindowSeconds",
		Reason: fmt.Sprintf("a peak of %s is over before the window of %s is: the recommendation from before the peak holds the size throughout",
			span(f.Peak), span(window)),
		Case: append(c, at(last+f.SyncPeriod, low)),
	}}
}

// lintPolicies finds policies that never count.
func (r *Rules) lintPolicies(path string, d direction, f LintFacts) []Finding {
	if r.SelectPolicy == SelectDisabled || slices.Equal(r.Policies, d.defaults().Policies) {
		return nil // nobody has written the default ones
	}
	var found []Finding
	for i := range r.Policies {
		for j := range r.Policies {
			// Of two that never differ, it is the later one.
			if i != j && r.covers(j, i, d, f) && !(i < j && r.covers(i, j, d, f)) {
				found = append(found, r.covered(path, i, j, d, f))
				break
			}
		}
	}
	return found
}

// covers reports whether policy j counts wherever policy i might: with Max it
// allows as much, and with Min no more, from any size within the bounds at the
// start of the period. Of policies with other periods, any two such sizes may
// come together.
func (r *Rules) covers(j, i int, d direction, f LintFacts) bool {
	p, q := r.Policies[i], r.Policies[j]
	low, high := int64(f.MinReplicas), min(int64(f.MaxReplicas), int64(f.MinReplicas)+lintSizes)
	wins := func(a, b int64) bool { // a for p, b for q
		return !d.selects(r.SelectPolicy, d.bounded(a, p, f), d.bounded(b, q, f))
	}
	if p.PeriodSeconds != q.PeriodSeconds {
		return wins(low, low) && wins(low, high) && wins(high, low) && wins(high, high)
	}
	for start := low; start <= high; start++ {
		if !wins(start, start) {
			return false
		}
	}
	return true
}

// bounded is what the policy allows, within the bounds.
func (d direction) bounded(start int64, p Policy, f LintFacts) int32 {
	if d == up {
		return min(d.allow(start, p), f.MaxReplicas)
	}
	return max(d.allow(start, p), f.MinReplicas)
}

// covered is the finding that policy i never counts because of policy j. The
// case is the size at which they differ most.
func (r *Rules) covered(path string, i, j int, d direction, f LintFacts) Finding {
	p, q := r.Policies[i], r.Policies[j]
	current, most := f.MinReplicas, int64(-1)
	high := min(int64(f.MaxReplicas), int64(f.MinReplicas)+lintSizes)
	for start := int64(f.MinReplicas); start <= high; start++ {
		by := int64(d.bounded(start, p, f)) - int64(d.bounded(start, q, f))
		// Where nothing is left to differ by, the way is longest from there.
		if by = max(by, -by); by > most || by == most && d == down {
			current, most = int32(start), by
		}
	}
	asked := f.MaxReplicas
	limit, _ := UpLimit(time.Time{}, current, r, nil, nil)
	if d == down {
		asked = f.MinReplicas
		limit, _ = DownLimit(time.Time{}, current, r, nil, nil)
	}
	becomes := d.within(asked, limit.Replicas)
	than := "more"
	if r.SelectPolicy == SelectMin {
		than = "less"
	}
	return Finding{
		Kind:  PolicyNeverBinds,
		Field: policyPath(path, i),
		Reason: fmt.Sprintf("it never counts: with selectPolicy %s, %s allows no %s than %s from any size between %d and %d",
			r.SelectPolicy, p.words(), than, q.words(), f.MinReplicas, high),
		Case: []Moment{
			{Replicas: current, Metric: -1, Asked: current, Becomes: current},
			{At: longAfter, Replicas: current, Metric: -1, Asked: asked, Becomes: becomes},
		},
	}
}

// longAfter is when no window holds what was asked for at first.
const longAfter = 2 * time.Duration(MaxStabilizationWindowSeconds) * time.Second

// words tells the policy in words: "Pods 4 in 60s".
func (p Policy) words() string {
	return fmt.Sprintf("%s %d in %ds", p.Type, p.Value, p.PeriodSeconds)
}
