package calculator

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// metric tells how the proposal of metric i came about.
func (t *text) metric(i int) {
	p, spec := &t.d.Metrics[i], t.d.metricSpec(i)
	m := metricText{text: t, p: p, spec: spec}
	t.say("Metric %d of %d%s%s: ", i+1, len(t.d.Metrics), m.name(), m.target())
	if p.Failure.Kind != NoFailure {
		t.say("it failed: %s.", plain(m.failureText()))
		m.pods(" There are ")
		t.say("\n")
		return
	}
	m.pods("")
	if m.looksAtPods() {
		t.say("\n  Usage: ")
	}
	m.usage()
	m.ratio("")
	m.correction()
	m.proposal()
}

// metricText is a metric being written.
type metricText struct {
	*text
	p    *Proposal
	spec *MetricSpec
}

// looksAtPods reports whether the samples are of pods. Without the spec, it is
// guessed from the trace.
func (m *metricText) looksAtPods() bool {
	if m.spec == nil {
		return m.p.Pods != PodCounts{}
	}
	switch m.spec.source() {
	case resourceSource, containerResourceSource, podsSource:
		return true
	}
	return false
}

// name is the source and what it measures, in the words of the spec.
func (m *metricText) name() string {
	if m.spec == nil {
		return ""
	}
	s := m.spec
	name, container := s.measured()
	dst := append([]byte(", "), string(s.Type)...)
	dst = append(dst, ' ')
	dst = append(dst, name...)
	switch s.source() {
	case containerResourceSource:
		dst = append(dst, " of container "...)
		dst = append(dst, container...)
	case objectSource:
		dst = append(dst, " of "...)
		dst = append(dst, s.Object.DescribedObject.Kind...)
		dst = append(dst, ' ')
		dst = append(dst, s.Object.DescribedObject.Name...)
	}
	if l := s.selector(); l != nil {
		dst = append(dst, " {"...)
		dst = l.appendShort(dst)
		dst = append(dst, '}')
	}
	return plain(string(dst))
}

// appendShort appends the selector as kubectl writes and reads one.
func (s *LabelSelector) appendShort(dst []byte) []byte {
	first := true
	comma := func() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
	}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		comma()
		dst = append(dst, key...)
		dst = append(dst, '=')
		dst = append(dst, s.MatchLabels[key]...)
	}
	for i := range s.MatchExpressions {
		e := &s.MatchExpressions[i]
		comma()
		switch e.Operator {
		case LabelSelectorOpExists:
			dst = append(dst, e.Key...)
		case LabelSelectorOpDoesNotExist:
			dst = append(dst, '!')
			dst = append(dst, e.Key...)
		default:
			dst = append(dst, e.Key...)
			dst = append(dst, ' ')
			dst = append(dst, strings.ToLower(string(e.Operator))...)
			dst = append(dst, " ("...)
			dst = append(dst, strings.Join(e.Values, ",")...)
			dst = append(dst, ')')
		}
	}
	return dst
}

// measured returns the name of the metric or resource, and the container if it
// is that of one.
func (s *MetricSpec) measured() (name, container string) {
	switch s.source() {
	case resourceSource:
		return s.Resource.Name, ""
	case containerResourceSource:
		return s.ContainerResource.Name, s.ContainerResource.Container
	case podsSource:
		return s.Pods.Metric.Name, ""
	case objectSource:
		return s.Object.Metric.Name, ""
	case externalSource:
		return s.External.Metric.Name, ""
	}
	return "", ""
}

// target is the target in the words of the spec.
func (m *metricText) target() string {
	switch t := m.p.Target; t.Type() {
	case metrics.UtilizationTarget:
		return ", target averageUtilization " + percent(t.Percent())
	case metrics.AverageValueTarget:
		return ", target averageValue " + m.amount(t.Milli())
	case metrics.ValueTarget:
		return ", target value " + m.amount(t.Milli())
	}
	return ""
}

// failureText is what Kubernetes says of the failure.
func (m *metricText) failureText() string {
	if m.spec == nil {
		return m.p.Failure.Error()
	}
	var n metricName
	m.spec.name(m.d.namespace, &n)
	return string(n.appendFailure(nil, &m.p.Failure))
}

// format is the notation in which the status shows the metric.
func (m *metricText) format() metrics.Format {
	if m.resource() == podgroup.Memory {
		return metrics.BinarySI
	}
	return metrics.DecimalSI
}

// resource is the resource measured, "" for other metrics.
func (m *metricText) resource() string {
	if m.spec == nil {
		return ""
	}
	switch m.spec.source() {
	case resourceSource, containerResourceSource:
		name, _ := m.spec.measured()
		return name
	}
	return ""
}

func (m *metricText) amount(v metrics.Milli) string {
	return string(metrics.AppendQuantity(nil, v, m.format()))
}

func percent(n int32) string { return strconv.FormatInt(int64(n), 10) + "%" }

// pods tells how many pods there are of each class.
func (m *metricText) pods(before string) {
	c := &m.p.Pods
	switch {
	case !m.looksAtPods():
		return
	case *c == PodCounts{} && m.p.Failure.Kind != NoFailure:
		// It failed before they were counted.
		return
	}
	var parts []string
	part := func(n int, what string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+what)
		}
	}
	part(c.Ready, "ready")
	part(c.Unready, "unready")
	part(c.Missing, "without a sample")
	part(c.Ignored, "deleted or failed")
	m.say("%s%s", before, count(c.Ready+c.Unready+c.Missing+c.Ignored, "pod"))
	switch {
	case len(parts) == 1 && c.Ready == 1:
		m.say(", which is ready")
	case len(parts) == 1 && c.Ready > 0:
		m.say(", all ready")
	case len(parts) > 0:
		m.say(": %s", strings.Join(parts, ", "))
	}
	if c.Strays > 0 {
		m.say(", and %s of pods that are not listed", count(c.Strays, "sample"))
	}
	m.say(".")
	if at := m.p.Until; at.IsSet() {
		m.say(" The first unready one counts as ready from %s.", m.until(at.Time()))
	}
}

// usage tells what was measured.
func (m *metricText) usage() {
	p := m.p
	switch {
	case p.Target.Type() == metrics.UtilizationTarget:
		m.say("the ready pods use %s of the %s %s that they request, which is %s%s.", m.amount(p.Sum), m.amount(p.Requests),
			plain(m.resource()), percent(p.Utilization), truncated(p.Sum, p.Requests))
	case m.looksAtPods():
		m.say("%s over %s, which is %s on average.", m.amount(p.Sum), m.measured(), m.amount(p.Usage))
	case p.Target.Type() == metrics.AverageValueTarget && p.Current == 0:
		m.say("the value is %s, and status.replicas is 0.", m.amount(p.Sum))
	case p.Target.Type() == metrics.AverageValueTarget:
		m.say("the value is %s, which is %s for each of the %s of status.replicas.",
			m.amount(p.Sum), m.amount(p.Usage), count(int(p.Current), "pod"))
	default:
		m.say("the value is %s.", m.amount(p.Sum))
	}
}

// measured names the pods whose samples count.
func (m *metricText) measured() string {
	c := &m.p.Pods
	s := count(c.Ready, "ready pod")
	if c.Strays > 0 {
		s += " and " + count(c.Strays, "pod") + " not listed"
	}
	return s
}

// truncated tells that a utilization is not the whole truth.
func truncated(sum, requests metrics.Milli) string {
	if requests <= 0 || math.Mod(float64(sum)*100, float64(requests)) == 0 {
		return ""
	}
	return " (truncated)"
}

// ratio tells the ratio and how the tolerance takes it.
func (m *metricText) ratio(corrected string) {
	p := m.p
	r := p.Ratio
	if corrected != "" {
		r = p.CorrectedRatio
	}
	m.say(" The %sratio to the target is %s", corrected, m.digits(r))
	switch {
	case p.Rule == RatioFromZero:
		m.say("; from size 0, no tolerance counts.")
	case m.d.Tolerance.Within(r):
		m.say(", within the tolerated %s.", m.tolerated())
	default:
		m.say(", outside of the tolerated %s.", m.tolerated())
	}
}

// tolerated is the range of ratios at which the size stays.
func (m *metricText) tolerated() string {
	return bound(1.0-m.d.Tolerance.Down) + " to " + bound(1.0+m.d.Tolerance.Up)
}

// The digits that a ratio and its bounds have after the point, at least.
const (
	ratioDigits = 4
	mostDigits  = 17
)

// digits is a ratio with as many digits as it takes to see on which side of the
// bounds and of 1 it is.
func (m *metricText) digits(r float64) string {
	switch {
	case math.IsNaN(r):
		return "undefined"
	case math.IsInf(r, 0):
		return "infinite"
	}
	low, high := 1.0-m.d.Tolerance.Down, 1.0+m.d.Tolerance.Up
	return shortest(r, func(v float64) bool {
		return (v >= low) == (r >= low) && (v <= high) == (r <= high) && (v < 1) == (r < 1) && (v > 1) == (r > 1)
	})
}

// bound is an end of the tolerance. Its float may lie beside the number meant.
func bound(r float64) string {
	return shortest(r, func(v float64) bool { return math.Abs(v-r) < 1e-9 })
}

// shortest is r with the fewest digits that will do, at least four.
func shortest(r float64, do func(float64) bool) string {
	for n := ratioDigits; ; n++ {
		s := strconv.FormatFloat(r, 'f', n, 64)
		if v, _ := strconv.ParseFloat(s, 64); n == mostDigits || do(v) {
			return s
		}
	}
}

// corrected reports whether missing or unready pods take part.
func (m *metricText) corrected() bool {
	c := &m.p.Pods
	return m.looksAtPods() && (c.Missing > 0 || c.Unready > 0 && m.p.Ratio > 1)
}

// correction tells what missing and unready pods make of the ratio.
func (m *metricText) correction() {
	p := m.p
	if !m.corrected() {
		m.say("\n")
		return
	}
	m.say("\n  Correction: ")
	var parts []string
	if n := p.Pods.Missing; n > 0 {
		parts = append(parts, m.assumed(n, "pod without a sample", "pods without a sample", p.MissingAs))
	}
	if n := p.Pods.Unready; n > 0 {
		parts = append(parts, m.assumed(n, "unready pod", "unready pods", p.UnreadyAs))
	}
	m.say("%s.", strings.Join(parts, ", "))
	switch {
	case p.MissingAs == NotCounted && p.UnreadyAs == NotCounted:
	case p.Target.Type() == metrics.UtilizationTarget:
		m.say(" That makes %s of %s %s, which is %s%s.", m.amount(p.CorrectedSum), m.amount(p.CorrectedRequests),
			plain(m.resource()), percent(p.CorrectedUtilization), truncated(p.CorrectedSum, p.CorrectedRequests))
	default:
		m.say(" That makes %s, which is %s on average.", m.amount(p.CorrectedSum), m.amount(p.CorrectedUsage))
	}
	m.ratio("corrected ")
	m.say("\n")
}

// assumed tells what n pods are counted as.
func (m *metricText) assumed(n int, one, many string, as Assumption) string {
	who, counts := "the "+one, " counts"
	if n != 1 {
		who, counts = "the "+strconv.Itoa(n)+" "+many, " count"
	}
	switch {
	case as == NotCounted && n == 1:
		return who + " does not count"
	case as == NotCounted:
		return who + " do not count"
	case as == AsRequest && m.p.Target.Percent() > fallbackPercent:
		return who + counts + " as using " + percent(m.p.Target.Percent()) + " of the request"
	}
	return who + counts + " " + as.String()
}

// proposal tells the size and the rule that gave it.
func (m *metricText) proposal() {
	p := m.p
	m.say("  Proposal: %s, ", replicas(p.Replicas))
	there := "the size there is"
	if !m.looksAtPods() && p.Target.Type() == metrics.AverageValueTarget {
		there = "as in status.replicas"
	}
	switch p.Rule {
	case WithinTolerance:
		m.say("%s, for the ratio is tolerated.\n", there)
	case CorrectedWithinTolerance:
		m.say("%s, for the corrected ratio is tolerated.\n", there)
	case DirectionWouldChange:
		m.say("%s, for the correction would turn %s.\n", there, turned(p.Ratio > 1))
	case CountWouldChangeDirection:
		m.say("%s, for %s times the %s that count, rounded up, is %d, which would turn %s.\n",
			there, m.digits(p.CorrectedRatio), count(p.Counted, "pod"),
			metrics.Replicas(p.CorrectedRatio*float64(p.Counted)), turned(p.CorrectedRatio > 1))
	case RatioTimesPods:
		what := "ready pod"
		if !m.looksAtPods() {
			what = "running and ready pod"
		}
		m.say("which is %s times %s, rounded up.\n", m.digits(p.Ratio), count(p.Counted, what))
	case CorrectedRatioTimesPods:
		m.say("which is %s times the %s that count, rounded up.\n", m.digits(p.CorrectedRatio), count(p.Counted, "pod"))
	case RatioFromZero:
		m.say("which is the ratio, rounded up.\n")
	case UsagePerTarget:
		m.say("which is %s divided by %s, rounded up.\n", m.amount(p.Sum), m.amount(p.Target.Milli()))
	default:
		m.say("%s.\n", p.Rule)
	}
}

// turned names a change of direction.
func turned(up bool) string {
	if up {
		return "scaling up into scaling down"
	}
	return "scaling down into scaling up"
}
