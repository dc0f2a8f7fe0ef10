package calculator_test

import (
	"errors"
	"iter"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// refAutoscaler is kube-controller-manager's autoscaler of a spec with one
// External metric, put as simply as can be: its lists get no shorter and have
// no limit. Where the clock misbehaves, it does what the package promises.
type refAutoscaler struct {
	settings calculator.Settings
	spec     *autoscaling.HorizontalPodAutoscalerSpec

	recommendations, added, removed []refEntry
	conditions                      []refCondition
	lastScale, started              time.Time
	desired                         int32
	// failing is since when the metric fails, while it has a fallback.
	failing *time.Time
}

type refEntry struct {
	at    time.Time
	value int32
	// stale entries give way to the next one. Forgotten ones do too, and are
	// seen by nobody.
	stale, forgotten bool
}

type refCondition struct {
	typ, status, reason string
	since               time.Time
}

func (a *refAutoscaler) clone() *refAutoscaler {
	c := *a
	c.recommendations = slices.Clone(a.recommendations)
	c.added, c.removed = slices.Clone(a.added), slices.Clone(a.removed)
	c.conditions = slices.Clone(a.conditions)
	return &c
}

func (a *refAutoscaler) set(now time.Time, typ, status, reason string) {
	for i := range a.conditions {
		if c := &a.conditions[i]; c.typ == typ {
			if c.status != status {
				c.since = now
			}
			c.status, c.reason = status, reason
			return
		}
	}
	a.conditions = append(a.conditions, refCondition{typ, status, reason, now})
}

func (a *refAutoscaler) has(typ, status string) bool {
	return slices.ContainsFunc(a.conditions, func(c refCondition) bool { return c.typ == typ && c.status == status })
}

func (a *refAutoscaler) windows() (up, down time.Duration) {
	b := a.spec.Behavior
	if b == nil {
		return a.settings.DownscaleStabilization, a.settings.DownscaleStabilization
	}
	down = a.settings.DownscaleStabilization.Truncate(time.Second)
	if s := b.ScaleDown.StabilizationWindowSeconds; s != nil {
		down = time.Duration(*s) * time.Second
	}
	return time.Duration(*b.ScaleUp.StabilizationWindowSeconds) * time.Second, down
}

func longestPeriod(r *behavior.ScalingRules) time.Duration {
	longest := time.Duration(0)
	for _, p := range r.Policies {
		longest = max(longest, time.Duration(p.PeriodSeconds)*time.Second)
	}
	return longest
}

// advance does what is promised about clocks and about what is too old.
func (a *refAutoscaler) advance(now time.Time) {
	up, down := a.windows()
	window, period := max(time.Hour, up, down), 30*time.Minute
	if b := a.spec.Behavior; b != nil {
		period = max(period, longestPeriod(b.ScaleUp), longestPeriod(b.ScaleDown))
	}
	for _, l := range []struct {
		entries []refEntry
		horizon time.Duration
	}{{a.recommendations, window}, {a.added, period}, {a.removed, period}} {
		for i := range l.entries {
			e := &l.entries[i]
			if e.at.After(now) {
				e.at = now
			}
			e.forgotten = e.forgotten || e.at.Before(now.Add(-l.horizon))
		}
	}
	if a.started.After(now) {
		a.started = now
	}
	if a.failing != nil && a.failing.After(now) {
		a.failing = &now
	}
	if a.settings.Cooldown != (behavior.Cooldown{}) && a.lastScale.After(now) {
		a.lastScale = now
	}
}

func put(entries []refEntry, e refEntry, old func(refEntry) bool) []refEntry {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].forgotten || old(entries[i]) {
			entries[i] = e
			return entries
		}
	}
	return append(entries, e)
}

// sync returns the size that is wanted, or ok false if none is known.
func (a *refAutoscaler) sync(now time.Time, current, proposal int32, failure, scaleFailure bool) (desired int32, ok bool) {
	if scaleFailure {
		a.set(now, "AbleToScale", "False", "FailedGetScale")
		return current, false
	}
	a.advance(now)
	a.set(now, "AbleToScale", "True", "SucceededGetScale")
	if len(a.recommendations) == 0 {
		a.recommendations = []refEntry{{at: now, value: current}}
		a.started = now
	}
	least, most := *a.spec.MinReplicas, a.spec.MaxReplicas
	fromZero := current == 0 && a.has("ScaledToZero", "True")
	switch {
	case current == 0 && !fromZero:
		a.set(now, "ScalingActive", "False", "ScalingDisabled")
		return 0, true
	case current > most:
		return most, true
	case current != 0 && current < least:
		return least, true
	}
	proposal, failure, active := a.fallback(now, current, proposal, failure)
	if failure {
		a.set(now, "ScalingActive", "False", "FailedGetExternalMetric")
	} else {
		a.set(now, "ScalingActive", "True", "ValidMetricFound")
	}
	switch {
	case active:
		a.set(now, "ExternalMetricFallbackActive", "True", "FallbackActive")
	case a.spec.Metrics[0].External.Fallback != nil, a.has("ExternalMetricFallbackActive", "True"), a.has("ExternalMetricFallbackActive", "False"):
		a.set(now, "ExternalMetricFallbackActive", "False", "NoFallbackActive")
	}
	if failure {
		return current, false
	}
	desired = a.bound(now, current, a.stabilize(now, current, proposal))
	if fromZero {
		desired = max(desired, least)
	}
	return a.cool(now, current, desired), true
}

// fallback returns what the metric asks for once it has failed for long enough.
func (a *refAutoscaler) fallback(now time.Time, current, proposal int32, failure bool) (replicas int32, fails, active bool) {
	f := a.spec.Metrics[0].External.Fallback
	switch {
	case f == nil || !failure:
		a.failing = nil
		return proposal, failure, false
	case a.failing == nil:
		a.failing = &now
	}
	if now.Before(a.failing.Add(time.Duration(*f.FailureDurationSeconds) * time.Second)) {
		return 0, true, false
	}
	return map[autoscaling.FallbackBehavior]int32{
		"": f.Replicas, "static": f.Replicas, "currentReplicas": current,
		"currentReplicasIfHigher": max(f.Replicas, current), "currentReplicasIfLower": min(f.Replicas, current),
	}[f.Behavior], false, true
}

func (a *refAutoscaler) stabilize(now time.Time, current, proposal int32) int32 {
	up, down := a.windows()
	stabilized, reason := proposal, "ScaleDownStabilized"
	lowest, highest := proposal, proposal
	for _, e := range a.recommendations {
		switch {
		case e.forgotten:
		case a.spec.Behavior == nil:
			if !e.at.Before(now.Add(-down)) {
				highest = max(highest, e.value)
			}
		default:
			if e.at.After(now.Add(-up)) {
				lowest = min(lowest, e.value)
			}
			if e.at.After(now.Add(-down)) {
				highest = max(highest, e.value)
			}
		}
	}
	hold := down
	if b := a.spec.Behavior; b == nil {
		stabilized = highest
	} else {
		stabilized = min(max(current, lowest), highest)
		if proposal >= current {
			reason = "ScaleUpStabilized"
		}
		hold = max(hold, longestPeriod(b.ScaleDown))
	}
	if a.settings.ColdStart == calculator.HoldScaleDown && now.Before(a.started.Add(hold)) {
		stabilized = max(stabilized, current)
	}
	a.recommendations = put(a.recommendations, refEntry{at: now, value: proposal}, func(e refEntry) bool {
		return e.at.Before(now.Add(-up)) && e.at.Before(now.Add(-down))
	})
	if stabilized == proposal {
		reason = "ReadyForNewScale"
	}
	a.set(now, "AbleToScale", "True", reason)
	return stabilized
}

func (a *refAutoscaler) bound(now time.Time, current, desired int32) int32 {
	bounded, reason := desired, "DesiredWithinRange"
	least, most := *a.spec.MinReplicas, a.spec.MaxReplicas
	switch b := a.spec.Behavior; {
	case b == nil:
		limit, why := most, "TooManyReplicas"
		if fast := max(2*current, 4); fast < most {
			limit, why = fast, "ScaleUpLimit"
		}
		if desired < least {
			bounded, reason = least, "TooFewReplicas"
		} else if desired > limit {
			bounded, reason = limit, why
		}
	case desired > current:
		limit, why := most, "TooManyReplicas"
		if fast := max(current, a.rate(now, current, b.ScaleUp, 1)); fast < most {
			limit, why = fast, "ScaleUpLimit"
		}
		if desired > limit {
			bounded, reason = limit, why
		}
	case desired < current:
		limit, why := least, "TooFewReplicas"
		if fast := min(current, a.rate(now, current, b.ScaleDown, -1)); fast > least {
			limit, why = fast, "ScaleDownLimit"
		}
		if desired < limit {
			bounded, reason = limit, why
		}
	}
	status := "False"
	if bounded != desired {
		status = "True"
	}
	a.set(now, "ScalingLimited", status, reason)
	return bounded
}

// rate returns the policies' limit; sign is that of the direction.
func (a *refAutoscaler) rate(now time.Time, current int32, r *behavior.ScalingRules, sign int32) int32 {
	if r.SelectPolicy == behavior.SelectDisabled {
		return current
	}
	within := func(entries []refEntry, p behavior.Policy) (sum int32) {
		for _, e := range entries {
			if !e.forgotten && e.at.After(now.Add(-time.Duration(p.PeriodSeconds)*time.Second)) {
				sum += e.value
			}
		}
		return sum
	}
	var limits []int32
	for _, p := range r.Policies {
		start := current - within(a.added, p) + within(a.removed, p)
		switch {
		case p.Type == behavior.PodsPolicy:
			limits = append(limits, start+sign*p.Value)
		case sign > 0:
			limits = append(limits, int32(math.Ceil(float64(start)*(1+float64(p.Value)/100))))
		default:
			limits = append(limits, int32(float64(start)*(1-float64(p.Value)/100)))
		}
	}
	if (r.SelectPolicy == behavior.SelectMin) == (sign > 0) {
		return slices.Min(limits)
	}
	return slices.Max(limits)
}

func (a *refAutoscaler) cool(now time.Time, current, desired int32) int32 {
	c := a.settings.Cooldown
	if c == (behavior.Cooldown{}) || a.lastScale.IsZero() {
		return desired
	}
	since := now.Sub(a.lastScale)
	noUp, noDown := c.Up > 0 && since <= c.Up, c.Down > 0 && since <= c.Down
	switch {
	case noUp && noDown:
		a.set(now, "AbleToScale", "False", "BackoffBoth")
	case noUp:
		a.set(now, "AbleToScale", "False", "BackoffUpscale")
	case noDown:
		a.set(now, "AbleToScale", "False", "BackoffDownscale")
	}
	if desired > current && noUp || desired < current && noDown {
		return current
	}
	return desired
}

// written records that the size was changed, or that it could not be.
func (a *refAutoscaler) written(now time.Time, current, desired int32, failed bool) {
	if failed {
		a.set(now, "AbleToScale", "False", "FailedUpdateScale")
		return
	}
	a.set(now, "AbleToScale", "True", "SucceededRescale")
	if b := a.spec.Behavior; b != nil {
		a.advance(now)
		list, period := &a.added, longestPeriod(b.ScaleUp)
		if desired < current {
			list, period = &a.removed, longestPeriod(b.ScaleDown)
		}
		for i := range *list {
			e := &(*list)[i]
			e.stale = e.stale || e.at.Before(now.Add(-period))
		}
		e := refEntry{at: now, value: max(desired-current, current-desired)}
		*list = put(*list, e, func(e refEntry) bool { return e.stale })
	}
	if current > 0 && desired == 0 {
		a.set(now, "ScaledToZero", "True", "ScaledToZero")
	} else {
		a.set(now, "ScaledToZero", "False", "NotScaledToZero")
	}
	a.lastScale, a.desired = now, desired
}

// machine runs the reference and, in two ways, a State: one as it is, and one
// that is encoded, decoded and cloned along the way.
type machine struct {
	ref         *refAutoscaler
	plain, kept calculator.State
	now         time.Time
	size        int32
}

// recode returns what an encoding of the state decodes to, which is the state.
func recode(t require.TestingT, s *calculator.State, binary bool) calculator.State {
	d := recoded(t, s, binary)
	require.True(t, s.Equal(&d), "%v", s)
	return d
}

// recoded is recode for a state with texts that its encodings change.
func recoded(t require.TestingT, s *calculator.State, binary bool) calculator.State {
	marshal, unmarshal := s.MarshalJSON, (*calculator.State).UnmarshalJSON
	if binary {
		marshal, unmarshal = s.MarshalBinary, (*calculator.State).UnmarshalBinary
	}
	data, err := marshal()
	require.NoError(t, err)
	again, err := marshal()
	require.NoError(t, err)
	require.Equal(t, data, again, "the same state gives the same bytes")
	var d calculator.State
	require.NoError(t, unmarshal(&d, data), "%q", data)
	return d
}

// fingerprint is all that an API client sees of a sync.
func fingerprint(t require.TestingT, d *calculator.Decision, st *calculator.State) string {
	status, err := d.Status(st).MarshalJSON()
	require.NoError(t, err)
	text := string(d.Outcome) + "\n" + string(status)
	if err := d.Err(); err != nil {
		text += "\n" + err.Error()
	}
	for _, e := range d.AppendEvents(nil) {
		text += "\n" + e.String()
	}
	return text
}

var (
	errMetric = errors.New("the metric is not to be had")
	errScale  = errors.New("the scale is not to be had")
	errWrite  = errors.New("the write failed")
)

// outcome is what the world answers.
type outcome struct {
	proposal                           int32
	metricFails, scaleFails, writeFail bool
}

func (m *machine) decide(t require.TestingT, o outcome) {
	obs := &calculator.Observation{
		Namespace:      "ns",
		SpecReplicas:   m.size,
		StatusReplicas: m.size,
		Readings:       []calculator.Reading{{Values: []metrics.Milli{metrics.Milli(o.proposal) * 1000}}},
	}
	if o.metricFails {
		obs.Readings[0] = calculator.Reading{Err: errMetric}
	}
	if o.scaleFails {
		obs.ScaleError = errScale
	}
	desired, ok := m.ref.sync(m.now, m.size, o.proposal, o.metricFails, o.scaleFails)
	rescale := ok && desired != m.size
	switch {
	case rescale:
		m.ref.written(m.now, m.size, desired, o.writeFail)
	case ok:
		m.ref.desired = desired
	}
	seen := make([]string, 2)
	for i, st := range []*calculator.State{&m.plain, &m.kept} {
		d := calculator.Decide(m.now, &m.ref.settings, m.ref.spec, obs, st)
		require.Equal(t, rescale, d.Rescale)
		if rescale {
			require.Equal(t, desired, d.DesiredReplicas)
		}
		if o.writeFail {
			st.Failed(m.now, &d, errWrite)
		} else {
			st.Applied(m.now, &d)
		}
		seen[i] = fingerprint(t, &d, st)
	}
	require.Equal(t, seen[0], seen[1])
	if rescale && !o.writeFail {
		m.size = desired
	}
}

// require compares the states with the reference.
func (m *machine) require(t require.TestingT) {
	require.True(t, m.plain.Equal(&m.kept))
	require.True(t, m.kept.Equal(&m.plain))
	for _, st := range []*calculator.State{&m.plain, &m.kept} {
		p := placesOf(t, st)
		requireEntries(t, m.ref.recommendations, st.Recommendations.All(), p.recommendations)
		requireEntries(t, m.ref.added, st.Events.Added(), p.added)
		requireEntries(t, m.ref.removed, st.Events.Removed(), p.removed)
		require.Len(t, st.Conditions, len(m.ref.conditions))
		for i, want := range m.ref.conditions {
			c := &st.Conditions[i]
			require.Equal(t, want, refCondition{string(c.Type), string(c.Status), c.Reason, c.LastTransitionTime})
		}
		require.Equal(t, m.ref.lastScale, st.LastScaleTime)
		require.Equal(t, m.ref.started, st.Started)
		require.Equal(t, m.ref.desired, st.DesiredReplicas)
		if m.ref.failing == nil {
			require.Empty(t, st.Failing)
		} else {
			require.Equal(t, []calculator.FailingMetric{{Metric: "external metric backlog(nil)", Since: *m.ref.failing}}, st.Failing)
		}
	}
}

func requireEntries(t require.TestingT, want []refEntry, got iter.Seq[stabilize.Entry], places int) {
	var entries []stabilize.Entry
	for _, e := range want {
		if !e.forgotten {
			entries = append(entries, stabilize.Entry{Time: e.at, Value: e.value, Stale: e.stale})
		}
	}
	require.Equal(t, entries, slices.Collect(got))
	require.Equal(t, len(want), places)
}

// machineSpecs are the specs that a run changes between.
func machineSpecs(t testing.TB) []*autoscaling.HorizontalPodAutoscalerSpec {
	var specs []*autoscaling.HorizontalPodAutoscalerSpec
	for _, text := range []string{
		`"minReplicas":1,"maxReplicas":20`,
		`"minReplicas":0,"maxReplicas":10`,
		`"minReplicas":3,"maxReplicas":20,"behavior":{}`,
		`"minReplicas":0,"maxReplicas":20,"behavior":{"scaleDown":{"stabilizationWindowSeconds":60}}`,
		`"minReplicas":1,"maxReplicas":100,"behavior":{"scaleUp":{"stabilizationWindowSeconds":120},"scaleDown":{"stabilizationWindowSeconds":3600}}`,
		`"minReplicas":1,"maxReplicas":20,"behavior":{
			"scaleUp":{"policies":[{"type":"Pods","value":3,"periodSeconds":60}]},
			"scaleDown":{"stabilizationWindowSeconds":0,"policies":[{"type":"Percent","value":30,"periodSeconds":1800}]}}`,
		`"minReplicas":1,"maxReplicas":50,"behavior":{
			"scaleUp":{"selectPolicy":"Min","policies":[{"type":"Pods","value":5,"periodSeconds":1800},{"type":"Percent","value":60,"periodSeconds":15}]},
			"scaleDown":{"stabilizationWindowSeconds":30,"selectPolicy":"Min","policies":[{"type":"Pods","value":2,"periodSeconds":120},{"type":"Percent","value":10,"periodSeconds":600}]}}`,
		`"minReplicas":1,"maxReplicas":20,"behavior":{"scaleUp":{"stabilizationWindowSeconds":1800},"scaleDown":{"stabilizationWindowSeconds":0,"selectPolicy":"Disabled"}}`,
	} {
		specs = append(specs, specOf(t, `{`+webRef+`,"metrics":[{"type":"External","external":{"metric":{"name":"backlog"},
			"target":{"type":"AverageValue","averageValue":"1"}}}],`+text+`}`))
	}
	for _, text := range []string{
		`{"replicas":5}`,
		`{"replicas":7,"failureDurationSeconds":180,"behavior":"static"}`,
		`{"replicas":5,"failureDurationSeconds":300,"behavior":"currentReplicas"}`,
		`{"replicas":5,"failureDurationSeconds":600,"behavior":"currentReplicasIfHigher"}`,
		`{"replicas":5,"failureDurationSeconds":3600,"behavior":"currentReplicasIfLower"}`,
	} {
		specs = append(specs, specOf(t, `{`+webRef+`,"minReplicas":0,"maxReplicas":10,"metrics":[{"type":"External","external":{"metric":{"name":"backlog"},
			"target":{"type":"AverageValue","averageValue":"1"},"fallback":`+text+`}}]}`))
	}
	return specs
}

func machineSettings() *rapid.Generator[calculator.Settings] {
	return rapid.Custom(func(t *rapid.T) calculator.Settings {
		return calculator.Settings{
			ZeroFlags:              true,
			DownscaleStabilization: rapid.SampledFrom([]time.Duration{0, 1, time.Minute, 5*time.Minute + time.Second/2, 2 * time.Hour}).Draw(t, "flag"),
			ColdStart:              rapid.SampledFrom([]calculator.ColdStart{calculator.RecommendCurrent, calculator.HoldScaleDown}).Draw(t, "cold start"),
			Cooldown: rapid.SampledFrom([]behavior.Cooldown{
				{}, {}, behavior.DefaultCooldown(), {Up: time.Minute}, {Down: time.Hour},
			}).Draw(t, "cooldown"),
		}
	})
}

func clockSteps() *rapid.Generator[time.Duration] {
	const year = 365 * 24 * time.Hour
	return rapid.OneOf(
		rapid.Just(15*time.Second),
		rapid.Map(rapid.IntRange(0, 40), func(n int) time.Duration { return time.Duration(n) * 15 * time.Second }),
		rapid.SampledFrom([]time.Duration{0, 1, -1, time.Second, -time.Second, -time.Hour, 31 * time.Minute, time.Hour + 1, 290 * year, -290 * year}),
	)
}

// A state answers as lists do that keep everything, whatever happens to the
// autoscaler, to its spec, to its clock and to the state itself.
func TestStateMachine(t *testing.T) {
	t.Parallel()
	specs := machineSpecs(t)
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{
			ref:  &refAutoscaler{settings: machineSettings().Draw(t, "settings"), spec: rapid.SampledFrom(specs).Draw(t, "spec")},
			now:  noon,
			size: rapid.Int32Range(0, 12).Draw(t, "size"),
		}
		var forks []*machine
		decide := func(t *rapid.T, m *machine, chance int) {
			o := outcome{proposal: rapid.Int32Range(0, 25).Draw(t, "proposal")}
			switch rapid.IntRange(0, chance).Draw(t, "failure") {
			case 1:
				o.metricFails = true
			case 2:
				o.scaleFails = true
			case 3:
				o.writeFail = true
			}
			m.decide(t, o)
			m.require(t)
		}
		t.Repeat(map[string]func(*rapid.T){
			"decide": func(t *rapid.T) {
				m.now = m.now.Add(clockSteps().Draw(t, "step"))
				decide(t, m, 20)
			},
			"decide regularly": func(t *rapid.T) {
				for range rapid.IntRange(1, 10).Draw(t, "times") {
					m.now = m.now.Add(15 * time.Second)
					decide(t, m, 0)
				}
			},
			"the metric fails for a while": func(t *rapid.T) {
				for range rapid.IntRange(1, 30).Draw(t, "times") {
					m.now = m.now.Add(15 * time.Second)
					m.decide(t, outcome{metricFails: true})
					m.require(t)
				}
			},
			"the metric, the scale or the write fails": func(t *rapid.T) { decide(t, m, 3) },
			"someone else sets the size":               func(t *rapid.T) { m.size = rapid.Int32Range(0, 25).Draw(t, "size") },
			"change the spec":                          func(t *rapid.T) { m.ref.spec = rapid.SampledFrom(specs).Draw(t, "spec") },
			"change the settings":                      func(t *rapid.T) { m.ref.settings = machineSettings().Draw(t, "settings") },
			"encode and decode":                        func(t *rapid.T) { m.kept = recode(t, &m.kept, rapid.Bool().Draw(t, "binary")) },
			"clone":                                    func(t *rapid.T) { m.kept = m.kept.Clone() },
			"fork": func(t *rapid.T) {
				if len(forks) < 4 {
					forks = append(forks, &machine{ref: m.ref.clone(), plain: m.plain.Clone(), kept: m.kept.Clone(), now: m.now, size: m.size})
				}
			},
			"go on with a fork": func(t *rapid.T) {
				if len(forks) == 0 {
					t.Skip("nothing to do")
				}
				i := rapid.IntRange(0, len(forks)-1).Draw(t, "fork")
				m, forks[i] = forks[i], m
			},
			"": func(t *rapid.T) {
				m.require(t)
				for _, f := range forks {
					f.require(t)
				}
			},
		})
	})
}
