package calculator

import (
	"math"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// metric says how proposal i came about.
func (t *text) metric(i int) {
	p := &t.d.Proposals[i]
	m := metricText{text: t, p: p}
	t.say("Metric %d of %d%s%s: ", i+1, len(t.d.Proposals), m.name(), m.target())
	switch {
	case p.Failure.Kind != NoFailure:
		t.say("it failed: %s.", plain(string(t.d.appendFailure(nil, p))))
		m.pods(" There are ", " There is ")
		m.fallback()
	case p.elsewhere:
		m.proposed()
		m.proposal()
	default:
		m.calculation()
		m.proposal()
	}
	m.otherwise()
}

// proposed says what was proposed elsewhere.
func (m *metricText) proposed() {
	m.say("proposed elsewhere")
	if m.p.Text != "" {
		m.say(": %s", plain(m.p.Text))
	}
	m.say(".")
	if m.p.Rule != Elsewhere {
		m.ratio("")
	}
	if at := m.p.Until; !at.IsZero() {
		m.say(" That changes at %s.", m.until(at))
	}
	m.say("\n")
}

// calculation says how the metric's value leads to a ratio.
func (m *metricText) calculation() {
	m.pods("", "")
	if m.p.Metric.OfPods() {
		m.say("\n  Usage: ")
	}
	m.usage()
	m.ratio("")
	m.correction()
}

// fallback says what the fallback of a metric that failed does.
func (m *metricText) fallback() {
	p := m.p
	if p.failing && p.Rule != Fallback {
		m.say(" Its fallback counts from %s.", m.until(p.Until))
	}
	m.say("\n")
	if p.Rule == Fallback {
		m.proposal()
	}
}

// metricText is a metric being written.
type metricText struct {
	*text
	p *Proposal
}

// otherwise says what makes the proposal another one than the newest release's.
func (m *metricText) otherwise() {
	m.release("  ", m.p.Differences)
	m.corrections("  ", m.p.Corrections)
}

// name is the source and what it measures, in the words of the spec.
func (m *metricText) name() string {
	n := &m.p.Metric
	if n.Source == "" {
		return ""
	}
	s := ", " + string(n.Source) + " " + n.Name
	switch n.Source {
	case autoscaling.ContainerResourceMetricSourceType:
		s += " of container " + n.Container
	case autoscaling.ObjectMetricSourceType:
		s += " of " + n.DescribedObject.Kind + " " + n.DescribedObject.Name
	}
	if n.Selector != nil {
		s += " {" + n.Selector.Short() + "}"
	}
	return plain(s)
}

// target is the target in the words of the spec.
func (m *metricText) target() string {
	switch t := m.p.Metric.Target; t.Type() {
	case metrics.UtilizationTarget:
		return ", target averageUtilization " + percent(t.Percent())
	case metrics.AverageValueTarget:
		return ", target averageValue " + m.amount(t.Milli())
	case metrics.ValueTarget:
		return ", target value " + m.amount(t.Milli())
	}
	return ""
}

func (m *metricText) amount(v metrics.Milli) string {
	return string(metrics.AppendQuantity(nil, v, m.p.Metric.Format()))
}

func percent(n int32) string { return strconv.FormatInt(int64(n), 10) + "%" }

// pods says how many pods there are of each class, and why they are not ready,
// after a word for many pods or for one.
func (m *metricText) pods(many, one string) {
	c := &m.p.Pods
	switch {
	case !m.p.Metric.OfPods():
		return
	case *c == PodCounts{} && m.p.Failure.Kind != NoFailure:
		// It failed before they were counted.
		return
	}
	all := c.Ready + c.Unready + c.Missing + c.Ignored
	if all == 1 {
		many = one
	}
	m.say("%s%s", many, words.Count(all, "pod"))
	switch separator := ": "; {
	case all > 0 && c.Ready == all:
		m.say(", all ready")
	default:
		for _, part := range [...]struct {
			n     int
			what  string
			class podgroup.Class
		}{
			{c.Ready, "ready", podgroup.Ready}, {c.Unready, "unready", podgroup.Unready},
			{c.Missing, "missing", podgroup.Missing}, {c.Ignored, "ignored", podgroup.Ignored},
		} {
			if part.n == 0 {
				continue
			}
			m.say("%s%d %s", separator, part.n, part.what)
			if why := c.Reasons.Text(part.class); why != "" {
				m.say(" (%s)", why)
			}
			separator = ", "
		}
	}
	if c.Strays > 0 {
		m.say(", and %s of pods that are not listed", words.Count(c.Strays, "sample"))
	}
	m.say(".")
	if at := m.p.Until; !at.IsZero() {
		m.say(" The first unready one counts as ready from %s.", m.until(at))
	}
}

// usage says what was measured.
func (m *metricText) usage() {
	p := m.p
	switch {
	case p.Metric.Target.Type() == metrics.UtilizationTarget:
		m.say("the ready pods use %s of the %s %s that they request: %s%s.", m.amount(p.Sum), m.amount(p.Requests),
			plain(m.p.Metric.Name), percent(p.Utilization), truncated(p.Sum, p.Requests))
	case m.p.Metric.OfPods():
		m.say("%s over %s: %s on average.", m.amount(p.Sum), m.measured(), m.amount(p.Usage))
	case p.Metric.Target.Type() == metrics.AverageValueTarget && p.Current == 0:
		m.say("the value is %s, and status.replicas is 0.", m.amount(p.Sum))
	case p.Metric.Target.Type() == metrics.AverageValueTarget:
		m.say("the value is %s, which is %s per pod (status.replicas is %d).",
			m.amount(p.Sum), m.amount(p.Usage), p.Current)
	default:
		m.say("the value is %s.", m.amount(p.Sum))
	}
}

// measured names the pods whose samples count.
func (m *metricText) measured() string {
	c := &m.p.Pods
	s := words.Count(c.Ready, "ready pod")
	if c.Strays > 0 {
		s += " and " + words.Count(c.Strays, "pod") + " not listed"
	}
	return s
}

// truncated marks a utilization that was truncated.
func truncated(sum, requests metrics.Milli) string {
	if requests <= 0 || math.Mod(float64(sum)*100, float64(requests)) == 0 {
		return ""
	}
	return " (truncated)"
}

// distance says how the tolerance takes a ratio whose rounded distance from 1 decides.
func (m *metricText) distance(ratio float64) {
	tolerance, word := m.d.Tolerance.Up, "more"
	if ratio < 1 {
		tolerance = m.d.Tolerance.Down
	}
	if m.d.Tolerance.Within(ratio) {
		word = "no more"
	}
	m.say(". Its distance from 1, rounded to %v, is %s than the tolerance of %v.", math.Abs(1-ratio), word, tolerance)
}

// ratio says the ratio and how the tolerance takes it.
func (m *metricText) ratio(corrected string) {
	p := m.p
	r := p.Ratio
	if corrected != "" {
		r = p.CorrectedRatio
	}
	m.say(" The %sratio to the target is %s", corrected, m.digits(r))
	switch {
	case p.Rule == RatioFromZero:
		m.say(". From size 0, the tolerance does not count.")
	case m.d.Tolerance.Distance && m.d.Tolerance.Within(r) != (metrics.Tolerance{Down: m.d.Tolerance.Down, Up: m.d.Tolerance.Up}).Within(r):
		m.distance(r)
	case m.d.Tolerance.Within(r):
		m.say(", within the tolerance of %s.", m.tolerated())
	default:
		m.say(", outside the tolerance of %s.", m.tolerated())
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
	return m.p.UnreadyAs != NotCounted || m.p.Metric.OfPods() && (c.Missing > 0 || c.Unready > 0 && m.p.Ratio > 1)
}

// correction says what missing and unready pods make of the ratio.
func (m *metricText) correction() {
	p := m.p
	if !m.corrected() {
		m.say("\n")
		return
	}
	m.say("\n  Correction: ")
	var parts []string
	if n := p.Pods.Missing; n > 0 {
		parts = append(parts, m.assumed(n, "missing pod", "missing pods", p.MissingAs))
	}
	if n := p.Pods.Unready; n > 0 {
		parts = append(parts, m.assumed(n, "unready pod", "unready pods", p.UnreadyAs))
	}
	m.say("%s.", strings.Join(parts, ", "))
	switch {
	case p.MissingAs == NotCounted && p.UnreadyAs == NotCounted, !p.Metric.OfPods():
	case p.Metric.Target.Type() == metrics.UtilizationTarget:
		m.say(" That makes %s of %s %s: %s%s.", m.amount(p.CorrectedSum), m.amount(p.CorrectedRequests),
			plain(m.p.Metric.Name), percent(p.CorrectedUtilization), truncated(p.CorrectedSum, p.CorrectedRequests))
	default:
		m.say(" That makes %s: %s on average.", m.amount(p.CorrectedSum), m.amount(p.CorrectedUsage))
	}
	m.ratio("corrected ")
	m.say("\n")
}

// assumed says what n pods are counted as.
func (m *metricText) assumed(n int, one, many string, as Assumption) string {
	who, counts, not := "the "+one, " counts", " does not count"
	if n != 1 {
		who, counts, not = "the "+strconv.Itoa(n)+" "+many, " count", " do not count"
	}
	switch target := m.p.Metric.Target; {
	case as == NotCounted:
		return who + not
	case as == AsZero:
		return who + counts + " as using nothing"
	case as == AsTarget:
		return who + counts + " as using the target"
	case target.Percent() > fallbackPercent:
		return who + counts + " as using " + percent(target.Percent()) + " of the request"
	}
	return who + counts + " as using the request"
}

// proposal says the size and the rule that gave it.
func (m *metricText) proposal() {
	p := m.p
	m.say("  Proposal: %s, ", replicas(p.Replicas))
	there := "the current size"
	if !m.p.Metric.OfPods() && p.Metric.Target.Type() == metrics.AverageValueTarget && !p.Corrections.Has(correction.StatusSize) {
		there = "as in status.replicas"
	}
	switch p.Rule {
	case WithinTolerance:
		m.say("%s, because the ratio is within the tolerance.\n", there)
	case CorrectedWithinTolerance:
		m.say("%s, because the corrected ratio is within the tolerance.\n", there)
	case DirectionWouldChange:
		m.say("%s, because the correction would turn %s.\n", there, turned(p.Ratio > 1))
	case CountWouldChangeDirection:
		m.say("%s, because %s times %s counted%s, rounded up, is %d, which would turn %s.\n",
			there, m.digits(p.CorrectedRatio), words.Count(p.Counted, "pod"), m.calibration(),
			timesPods(p.CorrectedRatio, p.Counted, m.d.Calibration), turned(p.CorrectedRatio > 1))
	case NoReadyPods:
		m.say("%s, because there are no pods to multiply the ratio by.\n", there)
	case RatioTimesPods:
		what := "ready pod"
		if !m.p.Metric.OfPods() {
			what = "running and ready pod"
		}
		if p.elsewhere {
			what = "pod"
		}
		m.say("%s times %s%s, rounded up.\n", m.digits(p.Ratio), words.Count(p.Counted, what), m.calibration())
	case CorrectedRatioTimesPods:
		m.say("%s times %s counted%s, rounded up.\n", m.digits(p.CorrectedRatio), words.Count(p.Counted, "pod"), m.calibration())
	case RatioFromZero:
		m.say("the ratio, rounded up.\n")
	case Elsewhere:
		m.say("as proposed.\n")
	case Fallback:
		m.say("the fallback, because the metric has failed since %s.\n", rfc3339(m.d.failingSince(p)))
	case UsagePerTarget:
		m.say("%s divided by %s, rounded up.\n", m.amount(p.Sum), m.amount(p.Metric.Target.Milli()))
	default:
		m.say("%s.\n", p.Rule)
	}
}

// calibration says what the product is divided by.
func (m *metricText) calibration() string {
	if c := m.d.Calibration; c != 0 && c != 1 {
		return ", divided by the share of " + strconv.FormatFloat(c, 'g', -1, 64) + " that they are"
	}
	return ""
}

// turned names a change of direction.
func turned(up bool) string {
	if up {
		return "scaling up into scaling down"
	}
	return "scaling down into scaling up"
}
