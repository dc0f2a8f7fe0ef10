package calculator_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var decisions = flag.Int("decisions", 20_000, "how many decisions TestRangeOfCourses makes")

// Whatever a status says of a decision is true of the decision that then
// happens: its range, the conditions that are certain, each stage of the text,
// and until when it stays the same. Everything that a decision depends on is
// drawn, and changes on the way: the course of an autoscaler whose controller
// may forget, whose clock may jump, and whose spec somebody edits.
//
// The courses are always the same ones. One that fails is found again by its
// number.
func TestRangeOfCourses(t *testing.T) {
	t.Parallel()
	var seen counts
	for n := uint64(0); seen.decisions < *decisions; n++ {
		c := newCourse(n)
		for range 8 + c.IntN(24) {
			c.step(t, &seen)
		}
		if t.Failed() {
			t.Fatalf("course %d", n)
		}
	}
	t.Logf("%+v", seen)
	require.Greater(t, seen.known, seen.decisions/10)
	require.Greater(t, seen.certain, seen.conditions/2)
	require.Greater(t, seen.fallbacks, seen.decisions/100)
	require.Greater(t, seen.moments, seen.decisions/100)
}

// counts is what the courses held.
type counts struct {
	decisions, known, unknown, fallbacks, conditions, certain, moments int
}

// course is the course of an autoscaler.
type course struct {
	*rand.Rand
	number   uint64
	settings calculator.Settings
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	// failing has the metrics that fail, by their index in the spec.
	failing []bool
	st      calculator.State
	now     time.Time
	size    int32
	known   calculator.Known
	// back reports that the clock has gone back since the last sync.
	back bool
	// status is the status as it was written last.
	status string
}

func newCourse(n uint64) *course {
	c := &course{Rand: rand.New(rand.NewPCG(n, 1)), number: n, now: noon, size: int32(n % 12)}
	c.settings = calculator.DefaultSettings()
	s := &c.settings
	s.Release = release.MustParse(oneOf(c, "1.29", "1.32", "1.37"))
	for _, gate := range release.Gates() {
		if c.IntN(3) == 0 {
			s.Release, _ = s.Release.With(gate, c.IntN(2) == 0) // not every release has each
		}
	}
	s.Tolerance = oneOf(c, 0.1, 0.1, 0, 0.5)
	s.DownscaleStabilization = oneOf(c, 5*time.Minute, 5*time.Minute, 0, 30*time.Second)
	s.CPUInitializationPeriod = oneOf(c, 0, time.Minute, 5*time.Minute)
	s.ZeroFlags = true
	s.ChooseBy = oneOf(c, calculator.ChooseMax, calculator.ChooseMin, calculator.ChooseFirst)
	s.ColdStart = oneOf(c, calculator.RecommendCurrent, calculator.RecommendCurrent, calculator.HoldScaleDown)
	if c.IntN(4) == 0 {
		s.Cooldown = oneOf(c, behavior.DefaultCooldown(), behavior.Cooldown{Up: 30 * time.Second}, behavior.Cooldown{Down: time.Minute})
	}
	if c.IntN(3) == 0 {
		for one := range correction.All().All() {
			if c.IntN(3) == 0 {
				s.Corrections = s.Corrections.With(one)
			}
		}
	}
	c.spec = &autoscaling.HorizontalPodAutoscalerSpec{}
	c.editBounds()
	c.editMetrics()
	c.editBehavior()
	c.edited()
	return c
}

func oneOf[T any](c *course, values ...T) T { return values[c.IntN(len(values))] }

// edited makes a spec of what the edits left.
func (c *course) edited() {
	c.spec.SetDefaults()
	c.known.Generation++
	c.failing = slices.Grow(c.failing, len(c.spec.Metrics))[:len(c.spec.Metrics)]
}

func (c *course) editBounds() {
	least := int32(oneOf(c, 0, 1, 1, 2, 5))
	c.spec.MinReplicas, c.spec.MaxReplicas = &least, least+int32(1+c.IntN(15))
}

// editMetrics draws metrics of all sources. There are few names, so that
// several of a name have fallbacks of different ages.
func (c *course) editMetrics() {
	c.spec.Metrics = nil
	amount := func(n int64) metrics.Quantity { return metrics.MilliQuantity(metrics.Milli(n), metrics.DecimalSI) }
	object := autoscaling.CrossVersionObjectReference{Kind: "Service", Name: "front"}
	for range 1 + c.IntN(4) {
		name := oneOf(c, "queue", "queue", "jobs")
		var m autoscaling.MetricSpec
		switch c.IntN(12) {
		case 0, 1:
			m = autoscaling.ResourceUtilizationMetric(oneOf(c, podgroup.CPU, podgroup.Memory), 50)
		case 2:
			m = autoscaling.ResourceAverageValueMetric(podgroup.CPU, amount(500))
		case 3:
			m = autoscaling.ContainerResourceUtilizationMetric(podgroup.CPU, "app", 50)
		case 4:
			m = autoscaling.PodsAverageValueMetric(name, amount(500))
		case 5:
			m = autoscaling.ObjectValueMetric(object, name, amount(500))
		case 6:
			m = autoscaling.ObjectAverageValueMetric(object, name, amount(500))
		case 7:
			m = autoscaling.ExternalValueMetric(name, amount(500))
		case 8, 9:
			m = autoscaling.ExternalAverageValueMetric(name, amount(500))
		default:
			m = autoscaling.ProposalMetric(name)
		}
		if c.IntN(3) > 0 {
			f := &autoscaling.ExternalMetricFallback{
				Replicas: int32(1 + c.IntN(12)),
				Behavior: oneOf(c, "", "", autoscaling.FallbackCurrent, autoscaling.FallbackIfHigher, autoscaling.FallbackIfLower),
			}
			if age := int32(oneOf(c, 0, 200, 240)); age > 0 {
				f.FailureDurationSeconds = &age
			}
			switch {
			case m.External != nil:
				m.External.Fallback = f
			case m.Proposal != nil:
				m.Proposal.Fallback = f
			}
		}
		c.spec.Metrics = append(c.spec.Metrics, m)
	}
}

// editBehavior draws a behavior, or takes it away.
func (c *course) editBehavior() {
	c.spec.Behavior = nil
	if c.IntN(2) == 0 {
		return
	}
	rules := func() *behavior.ScalingRules {
		if c.IntN(4) == 0 {
			return nil
		}
		r := &behavior.ScalingRules{SelectPolicy: oneOf(c, behavior.SelectMax, behavior.SelectMin, behavior.SelectMax, behavior.SelectDisabled)}
		if window := int32(oneOf(c, -1, 0, 15, 60, 120)); window >= 0 {
			r.StabilizationWindowSeconds = &window
		}
		for range 1 + c.IntN(3) {
			r.Policies = append(r.Policies, behavior.Policy{
				Type:          oneOf(c, behavior.PodsPolicy, behavior.PercentPolicy),
				Value:         oneOf[int32](c, 1, 3, 10, 50, 100, 200),
				PeriodSeconds: oneOf[int32](c, 1, 15, 60, 300),
			})
		}
		if c.IntN(4) == 0 {
			r.Tolerance = metrics.MustParseQuantity(oneOf(c, "0", "0.3"))
		}
		return r
	}
	c.spec.Behavior = &behavior.Behavior{ScaleUp: rules(), ScaleDown: rules()}
}

// step is a sync, and what happens before it.
func (c *course) step(t *testing.T, seen *counts) {
	c.pass()
	obs := c.observe()
	k := c.knows()
	r := k.Decide(c.now, &c.settings, c.spec, obs)
	before := r.String()
	if c.IntN(12) == 0 {
		c.st = calculator.StateFromStatus(&c.known.Status)
	}
	d := calculator.Decide(c.now, &c.settings, c.spec, obs, &c.st)
	require.False(t, d.Zone == calculator.NoZone && obs.ScaleError == nil, "%v", d.Err())
	holds := func(ok bool, what string) {
		if !ok {
			require.FailNow(t, what, "course %d, after %v, %+v\n%v\n%s\n%s", c.number, c.now.Sub(noon), k, c.spec, before, d)
		}
	}
	holds(r.Low.DesiredReplicas <= d.DesiredReplicas && d.DesiredReplicas <= r.High.DesiredReplicas, "the range")
	holds(r.Fallback || r.Recommendations || r.Events || r.Low.DesiredReplicas == r.High.DesiredReplicas, "what the range depends on")
	for _, s := range r.Stages() {
		holds(allows(&s, &d), s.Name)
	}
	if c.IntN(4) == 0 && holdUntil(t, &d, &c.settings, c.spec, obs, &c.st) {
		seen.moments++
	}
	seen.decisions++
	if _, known := r.Replicas(); known {
		seen.known++
	} else {
		seen.unknown++
	}
	if r.Fallback {
		seen.fallbacks++
	}
	if d.Rescale && c.IntN(8) == 0 {
		c.st.Failed(c.now, &d, errors.New("conflict"))
	} else {
		c.st.Applied(c.now, &d)
		r.Applied(c.now)
		_, high := r.Statuses()
		for i := range high.Conditions {
			if seen.conditions++; r.Certain(&high.Conditions[i]) {
				seen.certain++
				want, got := &high.Conditions[i], c.st.Condition(high.Conditions[i].Type)
				holds(got != nil && got.Status == want.Status && got.Reason == want.Reason && got.Message == want.Message, fmt.Sprintf("the condition %+v, but %+v", want, got))
			}
		}
	}
	c.size = d.DesiredReplicas
	if d.Outcome == calculator.OutcomeNotWritten {
		c.size = d.CurrentReplicas
	}
	c.write(&d)
	c.back = false
}

// pass lets time pass, and what happens in it: edits of the spec, changes of
// size by others, metrics that begin to fail or no longer do.
func (c *course) pass() {
	switch c.IntN(40) {
	case 0:
		c.now, c.back = c.now.Add(-time.Duration(c.Int64N(int64(10*time.Minute)))), true
		// Times from before the jump tell nothing about what was first.
		c.known.SpecWritten, c.known.StatusWritten = time.Time{}, time.Time{}
	case 1:
		c.now = c.now.Add(time.Duration(c.Int64N(int64(2 * time.Hour))))
	default:
		c.now = c.now.Add(oneOf(c, 15*time.Second, 15*time.Second, 15*time.Second, time.Minute, 1, time.Second/2, 100*time.Second))
	}
	if c.IntN(5) == 0 {
		switch c.IntN(4) {
		case 0:
			c.editBounds()
		case 1:
			c.editMetrics()
		default:
			c.editBehavior()
		}
		c.edited()
		c.known.SpecWritten = c.now.Truncate(time.Second)
	}
	if c.IntN(12) == 0 {
		c.size = int32(c.IntN(16))
	}
	for i := range c.failing {
		if c.IntN(5) == 0 {
			c.failing[i] = c.IntN(2) == 0
		}
	}
}

// knows returns what is known from the object as kubectl printed it, with or
// without its generation and the times of its writes.
func (c *course) knows() calculator.Known {
	k := c.known
	if c.back || c.IntN(4) == 0 {
		k.Generation = 0
	}
	if c.IntN(4) == 0 {
		k.SpecWritten, k.StatusWritten = time.Time{}, time.Time{}
	}
	return k
}

// write writes the status as the API server keeps it: in whole seconds.
func (c *course) write(d *calculator.Decision) {
	status := d.Status(&c.st)
	if generation := c.known.Generation; !c.settings.Release.Quirks().Has(release.NoObservedGeneration) {
		status.ObservedGeneration = &generation
	}
	if d.Zone == calculator.NoZone {
		conditions := status.Conditions
		status = c.known.Status
		status.Conditions = conditions
	}
	text, err := json.Marshal(status)
	if err != nil {
		panic(err)
	}
	if string(text) == c.status {
		return
	}
	c.status, c.known.StatusWritten, c.known.Status = string(text), c.now.Truncate(time.Second), autoscaling.HorizontalPodAutoscalerStatus{}
	if err := json.Unmarshal(text, &c.known.Status); err != nil {
		panic(err)
	}
}

// observe draws what the sync sees.
func (c *course) observe() *calculator.Observation {
	obs := &calculator.Observation{Namespace: "ns", SpecReplicas: c.size, StatusReplicas: c.size, Calibration: oneOf(c, 0, 0, 0, 1, 0.5)}
	if c.IntN(6) == 0 {
		obs.StatusReplicas = int32(c.IntN(16))
	}
	switch c.IntN(60) {
	case 0:
		obs.ScaleError = errors.New("no scale")
	case 1:
		obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Problem: "oh"}
	}
	obs.Pods = readyPods(int(c.size))
	odd := c.IntN(3) == 0
	for i := range obs.Pods {
		p := &obs.Pods[i]
		p.Containers = appContainers
		if !odd || c.IntN(4) > 0 {
			continue
		}
		switch c.IntN(6) {
		case 0:
			p.Phase = oneOf(c, podgroup.PhasePending, podgroup.PhaseFailed, podgroup.PhaseSucceeded)
		case 1:
			p.Deleted = true
		case 2:
			p.Foreign = true
		default:
			p.StartTime = metrics.At(c.now.Add(-time.Duration(c.Int64N(int64(6 * time.Minute)))))
			p.ReadyTransition = p.StartTime.Add(time.Duration(c.Int64N(int64(time.Minute))))
			p.Ready = oneOf(c, podgroup.ReadyTrue, podgroup.ReadyFalse)
		}
	}
	value := func() metrics.Milli {
		return metrics.Milli(oneOf[int64](c, 0, 100, 250, 450, 500, 540, 700, 1000, 2000))
	}
	for i := range c.spec.Metrics {
		m := c.spec.Metrics[i].Resolve()
		var r calculator.Reading
		usage := value()
		switch {
		case c.failing[i]:
			r.Err = oneOf(c, errMetric, errors.New("gone"))
		case m.Source == autoscaling.ProposalMetricSourceType:
			if c.IntN(8) > 0 {
				r.Proposed = &calculator.Proposed{Replicas: int32(c.IntN(16)), Text: "drawn"}
			}
		case !m.OfPods():
			r.Values = []metrics.Milli{usage * metrics.Milli(1+c.IntN(8))}
		default:
			r.Samples = same(len(obs.Pods), usage*oneOf[metrics.Milli](c, 1, 1, 1<<20))
			for j := range r.Samples {
				r.Samples[j].Time = metrics.At(c.now.Add(-15 * time.Second))
				r.Samples[j].Present = !odd || c.IntN(6) > 0
			}
			if c.IntN(8) == 0 {
				r.Strays = samplesOf(usage)
			}
		}
		obs.Readings = append(obs.Readings, r)
	}
	return obs
}

// appContainers are the containers of each pod.
var appContainers = func() []podgroup.Container {
	app := podgroup.Container{Name: "app"}
	app.Requests.Set(podgroup.CPU, 1000)
	return []podgroup.Container{app}
}()

// allows reports whether the decision is one that the stage of a range speaks
// of.
func allows(s *stage.Stage, d *calculator.Decision) bool {
	within := func(size int32) bool { return s.Low <= size && size <= s.High }
	normalized := d.Stabilization.Reason != ""
	switch {
	case s.Result != nil:
		rescales, unknown := s.Result.Outcome == stage.Pending, s.Result.Reason == "" && s.Result.Why != ""
		return within(d.DesiredReplicas) && (s.Result.Outcome == stage.Unknown || rescales == d.Rescale) &&
			(!rescales || unknown || s.Result.Reason == string(d.Reason)) && !(s.Result.Outcome == stage.NoSize && normalized)
	case s.Size != nil:
		return s.Size.Zone == string(d.Zone)
	case s.Metric != nil:
		p := &d.Proposals[s.Metric.Number-1]
		if f := s.Metric.Failure; f != nil {
			if f.Kind != string(p.Failure.Kind) || f.Waits && (!p.Failed() || !p.Until.Equal(s.Until)) {
				return false
			}
			at := slices.IndexFunc(d.Failing, func(m calculator.FailingMetric) bool { return m.Metric == d.MetricName(s.Metric.Number-1) })
			return f.Since.IsZero() || at >= 0 && d.Failing[at].Since.Equal(f.Since)
		}
		return !p.Failed() && within(p.Replicas) && s.Until.Equal(p.Until)
	case s.Choice != nil:
		return s.Choice.Blocked == d.Choice.Blocked && s.Choice.Metric == d.Choice.Metric+1 && (d.Choice.Blocked || within(d.Choice.Replicas))
	case s.Stabilization != nil:
		held, latest := &d.Stabilization, s.Stabilization.Latest
		return normalized && within(held.Replicas) && (latest.IsZero() || !held.Until.After(latest)) && (s.Bound == "" ||
			s.Bound == string(held.Reason) && s.Until.Equal(held.Until) && s.Stabilization.Recommended == held.Bound.Value)
	case s.Policies != nil:
		for i, p := range s.Policies.List {
			if len(d.Policies) > 0 && !p.Unknown && (s.Policies.Direction == stage.Up) == (d.Limits.Desired > d.CurrentReplicas) && p.Limit != max(d.Policies[i].Limit, 0) {
				return false
			}
		}
		return normalized
	case s.Limits != nil:
		return normalized && within(d.Limits.Replicas) && (s.Bound == "" || s.Bound == string(d.Limits.Reason))
	case s.Cooldown != nil:
		return within(d.Cooldown.Replicas) && (s.Bound == "" || s.Bound == string(d.Cooldown.Backoff))
	case s.Next != nil:
		// The status has only the second from which a cooldown counts.
		late := d.Until.Sub(s.Until)
		return s.Next.Unknown || late == 0 || d.Until.Equal(d.Cooldown.Until) && late > 0 && late < time.Second
	case s.Error != nil:
		return d.Err() != nil && strings.Contains(d.Err().Error(), s.Error.Message)
	}
	return s.Fallback == nil || within(d.DesiredReplicas)
}
