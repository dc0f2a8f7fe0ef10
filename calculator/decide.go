package calculator

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// Decide makes the decision of one sync of kube-controller-manager's autoscaler
// at now, and records it in the state. It is reconcileAutoscaler of upstream's
// HorizontalController without the reading before and the writing after: if
// the decision says to rescale, the caller writes the size to the scale, and
// then calls State.Applied or State.Failed.
//
// The spec must have its defaults (SetDefaults) and be valid. Where it, or the
// observation, cannot be decided on, Decision.Err says so, naming the field,
// the size stays, and the state is as it was. A metric that failed is no such
// error: it is part of the decision, as it is in Kubernetes. Metrics are only
// looked at where they decide: not at a size of zero, nor outside of the bounds.
func Decide(now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) Decision {
	var d Decision
	DecideInto(&d, now, settings, spec, obs, st)
	return d
}

// DecideInto is Decide for callers that decide often: it uses the slices of d
// again, and once these are long enough it allocates nothing while conditions
// read as before.
func DecideInto(d *Decision, now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) {
	if d == nil {
		d = new(Decision)
	}
	before := d.Release
	d.reset(now, obs)
	sameRelease := settings != nil && settings.Release == before
	if settings != nil {
		d.Release, d.as, d.corrected = settings.Release, settings.Release.Differences(), settings.Corrections
	}
	if d.inputErr = usable(settings, spec, obs, st); d.inputErr != nil {
		return
	}
	d.resolve(spec, sameRelease)
	if d.inputErr = d.decidable(spec); d.inputErr != nil {
		d.Proposals = d.Proposals[:0]
		return
	}
	if obs.ScaleError != nil {
		d.scaleErr = foreignError{obs.ScaleError, obs.ScaleError.Error()}
		d.Proposals = d.Proposals[:0]
	} else {
		d.compute(settings, spec, obs, st)
		if d.inputErr != nil {
			return
		}
	}
	st.record(d, settings, spec.Behavior)
}

// reset empties the decision, and keeps its memory.
func (d *Decision) reset(now time.Time, obs *Observation) {
	proposals, policies, conditions, failing, text, group := d.Proposals[:0], d.Policies[:0], d.Conditions[:0], d.Failing[:0], d.text[:0], d.group
	*d = Decision{}
	d.Proposals, d.Policies, d.Conditions, d.Failing, d.text, d.group = proposals, policies, conditions, failing, text, group
	d.Now = now
	d.Choice.Metric, d.Choice.FirstFailed = -1, -1
	if obs != nil {
		d.Namespace = obs.Namespace
		d.CurrentReplicas, d.DesiredReplicas = obs.SpecReplicas, obs.SpecReplicas
	}
}

// resolve notes what the decision needs of the spec.
func (d *Decision) resolve(spec *autoscaling.HorizontalPodAutoscalerSpec, sameRelease bool) {
	d.ScaleTargetRef = spec.ScaleTargetRef
	bounds := spec.Bounds()
	d.MinReplicas, d.MaxReplicas = bounds.Min, bounds.Max
	n := len(spec.Metrics)
	if n > cap(d.Proposals) {
		d.Proposals = slices.Grow(d.Proposals, n)
	}
	d.Proposals = d.Proposals[:n]
	for i := range d.Proposals {
		p := &d.Proposals[i]
		p.reset(&spec.Metrics[i], d.as, sameRelease)
		d.hasFallback = d.hasFallback || p.Metric.HasFallback
	}
}

// reset makes p the empty proposal of the metric. The selector becomes p's own;
// one that reads as that of the proposal before is neither copied nor checked
// again by the same release.
func (p *Proposal) reset(spec *autoscaling.MetricSpec, as release.Differences, sameRelease bool) {
	selector := p.Metric.Selector
	var invalid *Failure
	if p.Failure.Kind == InvalidSelector {
		failure := p.Failure
		invalid = &failure
	}
	*p = Proposal{}
	spec.ResolveInto(&p.Metric)
	s := p.Metric.Selector
	switch {
	case s == nil:
	case p.Metric.Source == autoscaling.ExternalMetricSourceType && p.Metric.Target.Type() == metrics.NoTarget:
		// Without a target, Kubernetes does not get as far as the selector.
		p.Metric.Selector = nil
	case selector != nil && sameRelease && s.Equal(selector):
		p.Metric.Selector = selector
		if invalid != nil {
			p.Failure = *invalid
		}
	default:
		p.Metric.Selector = s.Clone()
		if err := s.ProblemAs(as); err != nil {
			p.Failure = failed(InvalidSelector, err)
		}
	}
}

// compute takes the stages of the zone. It changes nothing but the decision.
func (d *Decision) compute(settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) {
	b := spec.Behavior
	d.hasBehavior, d.longest, d.Windows = b != nil, b.LongestPeriods(), b.Windows(settings.DownscaleStabilization)
	elsewhere := spec.ScalesFromZero()
	d.canBeZero = d.MinReplicas == 0 && elsewhere
	d.Zone = d.zone(st, elsewhere, d.as)
	if d.as != 0 {
		d.contrastZone(st, elsewhere)
	}
	if !d.Zone.computes() || obs.SelectorError != nil {
		d.Proposals = d.Proposals[:0]
	} else if d.inputErr = d.computable(spec); d.inputErr == nil {
		d.inputErr = d.readable(obs)
	}
	if d.inputErr != nil {
		d.Zone, d.Proposals = NoZone, d.Proposals[:0]
		return
	}
	d.Started = st.Recommendations.IsEmpty()
	switch d.Zone {
	case ZoneDisabled:
	case ZoneAboveMax:
		d.enforce(d.MaxReplicas, AboveMaxReplicas, settings, b, st)
	case ZoneBelowMin:
		d.enforce(d.MinReplicas, BelowMinReplicas, settings, b, st)
	default:
		d.propose(settings, spec, obs, st)
		if !d.blocked() {
			d.normalize(settings, b, st)
		}
	}
	d.findUntil()
}

// enforce takes a size outside of the bounds to the bound: at once, or, by the
// correction of bounds, as a proposal.
func (d *Decision) enforce(bound int32, why RescaleReason, settings *Settings, b *behavior.Behavior, st *State) {
	if !d.corrected.Has(correction.Bounds) {
		d.rescale(bound, why)
		return
	}
	d.Corrections = d.Corrections.With(correction.Bounds)
	d.Choice.Replicas = bound
	d.normalize(settings, b, st)
	d.Reason = why
}

// zone returns the part of the algorithm that the current size asks for.
func (d *Decision) zone(st *State, elsewhere bool, as release.Differences) Zone {
	switch current := d.CurrentReplicas; {
	case current == 0 && as.Has(release.ZeroByMinReplicas) && d.MinReplicas == 0:
		return ZoneNormal
	case current == 0 && (as.Has(release.ZeroByMinReplicas) || as.Has(release.NoScaleToZero)):
		return ZoneDisabled
	case current == 0 && st.scaledToZero() && (d.MinReplicas != 0 || elsewhere):
		return ZoneFromZero
	case current == 0:
		return ZoneDisabled
	case current > d.MaxReplicas:
		return ZoneAboveMax
	case current < d.MinReplicas:
		return ZoneBelowMin
	}
	return ZoneNormal
}

// rescale asks for the size, unless it is the current one.
func (d *Decision) rescale(replicas int32, why RescaleReason) {
	d.Reason = why
	if replicas == d.CurrentReplicas {
		return
	}
	d.DesiredReplicas, d.Rescale, d.Outcome = replicas, true, OutcomePending
}

// propose computes a proposal for each metric, and chooses.
func (d *Decision) propose(settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) {
	if e := obs.SelectorError; e != nil {
		d.selector = selectorFailure{*e, true}
		return
	}
	d.Tolerance, d.Calibration = settings.tolerance(spec.Behavior, d.as), obs.Calibration
	prepares := len(d.Proposals) > 1 && obs.Group == nil && d.countsTwice()
	if prepares {
		d.prepare(obs.Pods)
	}
	for i := range d.Proposals {
		p := &d.Proposals[i]
		d.proposeFor(p, &obs.Readings[i], settings, obs)
		if d.as != 0 || d.corrected != 0 {
			d.contrast(p, &obs.Readings[i], settings, spec.Behavior, obs)
		}
	}
	if prepares {
		d.prepare(nil) // lets go of the pods
	}
	if d.hasFallback {
		d.fallBack(spec, st)
	}
	d.Choosing = settings.Choosing
	d.Choice.choose(d.Choosing, d.CurrentReplicas, d.Proposals)
}

// countsTwice reports whether several metrics count the pods, so that preparing them
// pays.
func (d *Decision) countsTwice() bool {
	n := 0
	for i := range d.Proposals {
		if d.Proposals[i].Metric.OfPods() {
			n++
		}
	}
	return n > 1
}

func (d *Decision) prepare(pods []podgroup.Pod) {
	if d.group == nil {
		d.group = new(podgroup.Group)
	}
	d.group.Prepare(pods)
}

// proposeFor computes the proposal of one metric, unless it has failed already.
func (d *Decision) proposeFor(p *Proposal, reading *Reading, settings *Settings, obs *Observation) {
	target := p.Metric.Target
	switch {
	case d.as.Has(release.NoContainerMetrics) && p.Metric.Source == autoscaling.ContainerResourceMetricSourceType:
		p.Failure = Failure{Kind: SourceDisabled}
	case p.Failed():
	case target.Type() == metrics.NoTarget && p.Metric.Source != autoscaling.ProposalMetricSourceType:
		p.Failure = noTarget(p.Metric.Source)
	case reading.Err != nil:
		p.Failure = unavailable(reading.Err)
	case reading.Proposed != nil:
		p.adopt(reading.Proposed, d.Tolerance, sizing{d.CurrentReplicas, obs.Calibration, d.corrected})
	case p.Metric.Source == autoscaling.ProposalMetricSourceType:
		p.Failure.Kind = NotProposed
	case d.as.Has(release.ContainerRequired) && reading.WithoutContainer != "":
		p.Failure = Failure{Kind: MetricUnavailable, Message: withoutContainer(&p.Metric, d.Namespace, reading.WithoutContainer)}
	case p.Metric.OfPods():
		var m PodMetric // not a literal, which would be built elsewhere and copied
		m.Resource, m.Container = p.Metric.Resource(), p.Metric.Container
		m.CurrentReplicas, m.Calibration = d.CurrentReplicas, obs.Calibration
		m.Pods, m.Group = obs.Pods, obs.Group
		if m.Group == nil {
			m.Group = d.group
		}
		m.Samples, m.Strays = reading.Samples, reading.Strays
		m.Tolerance, m.ReadinessSettings = d.Tolerance, settings.ReadinessSettings
		m.Differences, m.Corrections = d.as, d.corrected
		if target.Type() == metrics.UtilizationTarget {
			m.utilization(d.Now, target.Percent(), p)
		} else {
			m.averageValue(d.Now, target.Milli(), p)
		}
	default:
		m := ValueMetric{
			Values:          reading.Values,
			CurrentReplicas: d.CurrentReplicas,
			StatusReplicas:  obs.StatusReplicas,
			Pods:            obs.Pods,
			Calibration:     obs.Calibration,
			Tolerance:       d.Tolerance,
			Differences:     d.as,
			Corrections:     d.corrected,
		}
		switch {
		case target.Type() == metrics.ValueTarget:
			m.value(target.Milli(), p)
		case p.Metric.Source == autoscaling.ExternalMetricSourceType:
			m.averageValue(target.Milli(), p)
			m.externalUsage(p)
		default:
			m.averageValue(target.Milli(), p)
			p.Usage = metrics.PerPod(p.Usage, m.StatusReplicas)
		}
	}
}

// normalize takes the chosen proposal through stabilization, policies, bounds
// and cooldown.
func (d *Decision) normalize(settings *Settings, b *behavior.Behavior, st *State) {
	current, desired := d.CurrentReplicas, d.Choice.Replicas
	var why RescaleReason
	switch {
	case desired > current:
		why = AboveTarget
	case desired < current:
		why = BelowTarget
	}

	recommendations, started := &st.Recommendations, st.Started
	if d.Started {
		// The current size counts as the first recommendation.
		var first stabilize.History
		first.Start(d.Now, current)
		recommendations, started = &first, d.Now
	}
	b.StabilizeInto(&d.Stabilization, d.Now, behavior.Change{Current: current, Desired: desired}, d.Windows, recommendations)
	d.holdColdStart(settings, started)

	stabilized := d.Stabilization.Replicas
	d.Policies = b.LimitInto(&d.Limits, d.Now, behavior.Change{Current: current, Desired: stabilized},
		behavior.Bounds{Min: d.MinReplicas, Max: d.MaxReplicas}, &st.Events, d.Policies)

	desired = d.Limits.Replicas
	if d.Zone == ZoneFromZero && desired < d.MinReplicas {
		desired, d.RaisedToMin = d.MinReplicas, true
		if why == NoReason {
			why = BelowMinReplicas
		}
	}
	if settings.Cooldown != (behavior.Cooldown{}) {
		d.Cooldown = settings.Cooldown.Apply(d.Now, st.LastScaleTime, current, desired)
		desired = d.Cooldown.Replicas
	}
	d.rescale(desired, why)
}

// holdColdStart applies the setting to the stabilized size of an autoscaler that
// began to record at started.
func (d *Decision) holdColdStart(settings *Settings, started time.Time) {
	if settings.ColdStart != HoldScaleDown || started.IsZero() {
		return
	}
	if started.After(d.Now) {
		started = d.Now
	}
	before := d.Stabilization
	d.Stabilization.HoldDown(d.Now, d.CurrentReplicas, started, max(d.Windows.Down, d.longest.Down))
	d.ColdStart = d.Stabilization != before
}

// findUntil finds the earliest moment at which the clock alone matters.
func (d *Decision) findUntil() {
	d.until(&d.Stabilization.Until)
	d.until(&d.Limits.Until)
	d.until(&d.Cooldown.Until)
	for i := range d.Proposals {
		d.until(&d.Proposals[i].Until)
	}
}

// until is so small that it is inlined: mostly there is no such moment.
func (d *Decision) until(t *time.Time) {
	if !t.IsZero() {
		d.sooner(*t)
	}
}

func (d *Decision) sooner(t time.Time) {
	// A clock at the end of its range can leave no room for a later moment.
	if t.After(d.Now) && (d.Until.IsZero() || t.Before(d.Until)) {
		d.Until = t
	}
}

// AppendVerdicts appends how each pod of the observation counts for metric i,
// and why, in their order. It appends nothing for a metric that does not look
// at the samples of pods, or that is not there.
func (d *Decision) AppendVerdicts(dst []podgroup.Verdict, i int, settings *Settings, obs *Observation) []podgroup.Verdict {
	p := d.proposal(i)
	if settings == nil || obs == nil || p == nil || i >= len(obs.Readings) || !p.Metric.OfPods() {
		return dst
	}
	q := podgroup.Query{
		Resource:          p.Metric.Resource(),
		ReadinessSettings: settings.ReadinessSettings,
		Rules:             podRules(d.as, d.corrected),
	}
	return podgroup.AppendVerdicts(dst, d.Now, obs.Pods, obs.Readings[i].Samples, &q)
}
