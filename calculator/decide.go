package calculator

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
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
// The spec must have its defaults (Spec.SetDefaults) and be valid. Where it, or
// the observation, cannot be decided on, Decision.Err says so, naming the
// field, and the state is as it was. A metric that failed is no such error: it
// is part of the decision, as it is in Kubernetes.
func Decide(now time.Time, settings *Settings, spec *Spec, obs *Observation, st *State) Decision {
	var d Decision
	DecideInto(&d, now, settings, spec, obs, st)
	return d
}

// DecideInto is Decide for callers that decide often: it uses the slices of d
// again, and once these are long enough it allocates nothing.
func DecideInto(d *Decision, now time.Time, settings *Settings, spec *Spec, obs *Observation, st *State) {
	proposals, policies, conditions := d.Metrics[:0], d.Policies[:0], d.Conditions[:0]
	*d = Decision{}
	d.Now, d.Metrics, d.Policies, d.Conditions = now, proposals, policies, conditions
	d.Choice.Metric, d.Choice.First = -1, -1
	if err := usable(settings, spec, obs, st); err != nil {
		d.inputErr = err
		return
	}
	d.spec, d.behavior, d.namespace = spec, spec.Behavior, obs.Namespace
	d.MinReplicas, d.MaxReplicas = minReplicas(spec), spec.MaxReplicas
	if obs.ScaleError != nil {
		d.failScale(obs.ScaleError, st)
		return
	}
	d.CurrentReplicas, d.DesiredReplicas = obs.SpecReplicas, obs.SpecReplicas
	d.canBeZero = d.MinReplicas == 0 && spec.readsElsewhere()
	zone := d.zone(st)
	if zone == Normal || zone == FromZero {
		if err := obs.readable(spec); err != nil {
			d.inputErr = err
			return
		}
	}
	d.Zone = zone
	st.advance(now, settings, spec)
	st.say(now, AbleToScale, ConditionTrue, "SucceededGetScale", "the HPA controller was able to get the target's current scale")
	if st.Recommendations.Start(now, d.CurrentReplicas) {
		st.Started, d.Started = wall(now), true
	}
	switch zone {
	case Disabled:
		st.say(now, ScalingActive, ConditionFalse, "ScalingDisabled", "scaling is disabled since the replica count of the target is zero")
	case AboveMax:
		d.rescale(d.MaxReplicas, AboveMaxReplicas)
	case BelowMin:
		d.rescale(d.MinReplicas, BelowMinReplicas)
	default:
		d.propose(settings, obs, st)
		if !d.blocked() {
			d.normalize(settings, st)
		}
	}
	d.findUntil()
	if !d.blocked() && d.Outcome == NothingToWrite {
		st.DesiredReplicas = d.CurrentReplicas
	}
	d.Conditions = append(d.Conditions, st.Conditions...)
}

// usable returns what makes a decision impossible, whatever its zone.
func usable(settings *Settings, spec *Spec, obs *Observation, st *State) error {
	switch {
	case settings == nil:
		return &InputError{Field: "settings", Problem: "nil"}
	case spec == nil:
		return &InputError{Field: "spec", Problem: "nil"}
	case obs == nil:
		return &InputError{Field: "observation", Problem: "nil"}
	case st == nil:
		return &InputError{Field: "state", Problem: "nil"}
	case obs.ScaleError == nil && obs.SpecReplicas < 0:
		return negative("observation.specReplicas", obs.SpecReplicas)
	case obs.ScaleError == nil && obs.StatusReplicas < 0:
		return negative("observation.statusReplicas", obs.StatusReplicas)
	}
	if spec.decidable() {
		return nil
	}
	return spec.undecidable()
}

func negative(field string, n int32) error {
	return &InputError{Field: field, Problem: fmt.Sprintf("%d is negative", n)}
}

// InputError is an argument that cannot be decided on.
type InputError struct {
	// Field is the argument's path.
	Field string
	// Problem is what is wrong with it.
	Problem string
}

// Error returns both.
func (e *InputError) Error() string { return "calculator: " + e.Field + ": " + e.Problem }

// decidable reports whether the arithmetic can stand the spec. It is less than
// Validate asks for, and is asked before each decision.
func (s *Spec) decidable() bool {
	if s.MaxReplicas < 1 || len(s.Metrics) == 0 {
		return false
	}
	if m := minReplicas(s); m < 0 || m > s.MaxReplicas {
		return false
	}
	for i := range s.Metrics {
		m := &s.Metrics[i]
		t, ok := m.target()
		if ok && !t.Valid() {
			return false
		}
		// Kubernetes has an answer to an Object source with a target of
		// another type: a failure of the metric.
		if !ok && m.source() != objectSource {
			return false
		}
	}
	return s.Behavior == nil || s.Behavior.Problem() == nil
}

// undecidable returns all complaints about a spec that is not decidable.
func (s *Spec) undecidable() error {
	if err := s.Validate().Err(); err != nil {
		return err
	}
	if s.Behavior != nil {
		if err := s.Behavior.Problem(); err != nil {
			return err
		}
	}
	return &InputError{Field: "spec", Problem: "not valid"}
}

func minReplicas(s *Spec) int32 {
	if s.MinReplicas == nil {
		return 1
	}
	return *s.MinReplicas
}

// readsElsewhere reports whether there is a metric that does not need pods.
func (s *Spec) readsElsewhere() bool {
	for i := range s.Metrics {
		if t := s.Metrics[i].Type; t == ObjectMetricSourceType || t == ExternalMetricSourceType {
			return true
		}
	}
	return false
}

// readable returns what is wrong with the shape of the readings.
func (o *Observation) readable(spec *Spec) error {
	if o.SelectorError != nil {
		return nil
	}
	if len(o.Readings) != len(spec.Metrics) {
		return &InputError{
			Field:   "observation.readings",
			Problem: fmt.Sprintf("%d readings for %d metrics", len(o.Readings), len(spec.Metrics)),
		}
	}
	for i := range o.Readings {
		r := &o.Readings[i]
		if r.Err != nil {
			continue
		}
		if n := len(r.Samples); n != 0 && n != len(o.Pods) {
			return &InputError{
				Field:   fmt.Sprintf("observation.readings[%d].samples", i),
				Problem: fmt.Sprintf("%d samples for %d pods", n, len(o.Pods)),
			}
		}
		if n := len(r.Values); n != 1 && spec.Metrics[i].source() == objectSource {
			return &InputError{
				Field:   fmt.Sprintf("observation.readings[%d].values", i),
				Problem: fmt.Sprintf("%d values of one object", n),
			}
		}
	}
	return nil
}

// zone returns the part of the algorithm that the current size asks for.
func (d *Decision) zone(st *State) Zone {
	switch current := d.CurrentReplicas; {
	case current == 0:
		if st.scaledToZero() && (d.MinReplicas != 0 || d.spec.readsElsewhere()) {
			return FromZero
		}
		return Disabled
	case current > d.MaxReplicas:
		return AboveMax
	case current < d.MinReplicas:
		return BelowMin
	}
	return Normal
}

// failScale records that the scale could not be read.
func (d *Decision) failScale(err error, st *State) {
	d.scaleErr = err
	m := st.set(d.Now, AbleToScale, ConditionFalse, "FailedGetScale")
	*m = Message{
		form:    causeMessage,
		text:    "the HPA controller was unable to get the target's current scale: ",
		failure: Failure{Kind: MetricUnavailable, Cause: err},
	}
	d.Conditions = append(d.Conditions, st.Conditions...)
}

// rescale asks for the size, unless it is the current one.
func (d *Decision) rescale(replicas int32, why RescaleReason) {
	d.Reason = why
	if replicas == d.CurrentReplicas {
		return
	}
	d.DesiredReplicas, d.Rescale, d.Outcome = replicas, true, Pending
}

// blocked reports whether no size could be computed.
func (d *Decision) blocked() bool { return d.Choice.Blocked || d.selector != nil }

// propose computes a proposal for each metric, and chooses.
func (d *Decision) propose(settings *Settings, obs *Observation, st *State) {
	if e := obs.SelectorError; e != nil {
		d.selector = e
		reason, message := e.condition()
		*st.set(d.Now, ScalingActive, ConditionFalse, reason) = message
		return
	}
	d.Tolerance = settings.tolerance(d.behavior)
	n := len(d.spec.Metrics)
	d.Metrics = slices.Grow(d.Metrics, n)[:n]
	for i := range d.Metrics {
		d.proposeFor(i, settings, obs)
	}
	d.Choice = Choose(d.CurrentReplicas, d.Metrics)
	if d.Choice.Blocked {
		first := d.Choice.First
		var m metricName
		d.spec.Metrics[first].name(d.namespace, &m)
		message := st.set(d.Now, ScalingActive, ConditionFalse, m.reason())
		*message = Message{form: failureMessage, metric: m, failure: d.Metrics[first].Failure}
		return
	}
	message := st.set(d.Now, ScalingActive, ConditionTrue, "ValidMetricFound")
	*message = Message{form: validMetricMessage}
	d.spec.Metrics[d.Choice.Metric].name(d.namespace, &message.metric)
}

// proposeFor computes the proposal of one metric.
func (d *Decision) proposeFor(i int, settings *Settings, obs *Observation) {
	spec, reading, p := &d.spec.Metrics[i], &obs.Readings[i], &d.Metrics[i]
	target, ok := spec.target()
	*p = Proposal{}
	p.Target = target
	if s := spec.selector(); s != nil {
		if err := s.Problem(); err != nil {
			p.Failure = Failure{Kind: InvalidSelector, Cause: err}
			return
		}
	}
	if !ok {
		p.Failure.Kind = NoTarget
		return
	}
	if reading.Err != nil {
		p.Failure = Failure{Kind: MetricUnavailable, Cause: reading.Err}
		return
	}
	switch source := spec.source(); source {
	case objectSource, externalSource:
		m := ValueMetric{
			Values:         reading.Values,
			SpecReplicas:   obs.SpecReplicas,
			StatusReplicas: obs.StatusReplicas,
			Pods:           obs.Pods,
			Tolerance:      d.Tolerance,
		}
		switch {
		case target.Type() == metrics.ValueTarget:
			m.value(target.Milli(), p)
		case source == externalSource:
			m.averageValue(target.Milli(), p)
			p.externalUsage(m.StatusReplicas)
		default:
			m.averageValue(target.Milli(), p)
			p.Usage = metrics.PerPod(p.Usage, m.StatusReplicas)
		}
	default:
		m := PodMetric{
			CurrentReplicas: obs.SpecReplicas,
			Pods:            obs.Pods,
			Group:           obs.Group,
			Samples:         reading.Samples,
			Strays:          reading.Strays,
			Tolerance:       d.Tolerance,
			Settings:        settings.Settings,
		}
		switch source {
		case resourceSource:
			m.Resource = spec.Resource.Name
		case containerResourceSource:
			m.Resource, m.Container = spec.ContainerResource.Name, spec.ContainerResource.Container
		}
		if target.Type() == metrics.UtilizationTarget {
			m.utilization(d.Now, target.Percent(), p)
		} else {
			m.averageValue(d.Now, target.Milli(), p)
		}
	}
}

// tolerance returns the tolerance of each direction: that of its rules, or else
// the settings'.
func (s *Settings) tolerance(b *behavior.Behavior) metrics.Tolerance {
	t := metrics.Symmetric(s.Tolerance)
	if b == nil {
		return t
	}
	if b.ScaleDown != nil && b.ScaleDown.Tolerance.IsSet() {
		t.Down = b.ScaleDown.Tolerance.Float64()
	}
	if b.ScaleUp != nil && b.ScaleUp.Tolerance.IsSet() {
		t.Up = b.ScaleUp.Tolerance.Float64()
	}
	return t
}

// windows returns the stabilization windows. Without a behavior both are the
// flag's; with one, the flag stands in for a window that scaleDown leaves out.
func (s *Settings) windows(b *behavior.Behavior) stabilize.Windows {
	if b == nil {
		return stabilize.Windows{Up: s.DownscaleStabilization, Down: s.DownscaleStabilization}
	}
	down := int32(min(max(s.DownscaleStabilization/time.Second, math.MinInt32), math.MaxInt32))
	if b.ScaleDown.StabilizationWindowSeconds != nil {
		down = *b.ScaleDown.StabilizationWindowSeconds
	}
	return stabilize.Windows{
		Up:   time.Duration(*b.ScaleUp.StabilizationWindowSeconds) * time.Second,
		Down: time.Duration(down) * time.Second,
	}
}

// normalize takes the chosen proposal through stabilization, policies and
// bounds, and records it.
func (d *Decision) normalize(settings *Settings, st *State) {
	current, desired := d.CurrentReplicas, d.Choice.Replicas
	var why RescaleReason
	switch {
	case desired > current:
		why = AboveTarget
	case desired < current:
		why = BelowTarget
	}

	d.Windows = settings.windows(d.behavior)
	if d.behavior == nil {
		d.Stabilization = st.Recommendations.StabilizeDown(d.Now, desired, d.Windows.Down)
	} else {
		d.Stabilization = st.Recommendations.Stabilize(d.Now, current, desired, d.Windows)
	}
	d.holdColdStart(settings, st)
	st.Recommendations.Record(d.Now, desired, d.Windows)
	st.say(d.Now, AbleToScale, ConditionTrue, d.Stabilization.Reason.String(), d.Stabilization.Reason.Message())

	stabilized := d.Stabilization.Replicas
	if d.behavior == nil {
		d.Limits = behavior.LimitWithoutBehavior(current, stabilized, d.MinReplicas, d.MaxReplicas)
	} else {
		d.Limits, d.Policies = d.behavior.Limit(d.Now, current, stabilized, d.MinReplicas, d.MaxReplicas, &st.Events, d.Policies)
	}
	limited := ConditionFalse
	if d.Limits.Replicas != stabilized {
		limited = ConditionTrue
	}
	st.say(d.Now, ScalingLimited, limited, d.Limits.Reason.String(), d.Limits.Reason.Message())

	desired = d.Limits.Replicas
	if d.Zone == FromZero && desired < d.MinReplicas {
		desired, d.RaisedToMin = d.MinReplicas, true
		if why == NoReason {
			why = BelowMinReplicas
		}
	}
	if settings.Cooldown != (behavior.Cooldown{}) {
		d.Cooldown = settings.Cooldown.Apply(d.Now, st.LastScaleTime, current, desired)
		desired = d.Cooldown.Replicas
		if b := d.Cooldown.Backoff; b != behavior.NoBackoff {
			st.say(d.Now, AbleToScale, ConditionFalse, b.String(), b.Message())
		}
	}
	d.rescale(desired, why)
}

// findUntil finds the earliest moment at which the clock alone matters.
func (d *Decision) findUntil() {
	d.until(d.Stabilization.Until)
	d.until(d.Limits.Until)
	d.until(d.Cooldown.Until)
	for i := range d.Metrics {
		if at := d.Metrics[i].Until; at.IsSet() {
			d.until(at.Time())
		}
	}
}

func (d *Decision) until(t time.Time) {
	// A clock at the end of its range can leave no room for a later moment.
	if !t.IsZero() && t.After(d.Now) && (d.Until.IsZero() || t.Before(d.Until)) {
		d.Until = t
	}
}

// AppendVerdicts appends how each pod of the observation counts for metric i,
// and why, in their order. It appends nothing for a metric that does not look
// at the samples of pods, or that is not there.
func (d *Decision) AppendVerdicts(dst []podgroup.Verdict, i int, settings *Settings, obs *Observation) []podgroup.Verdict {
	if settings == nil || obs == nil || i < 0 || i >= len(d.Metrics) || i >= len(obs.Readings) {
		return dst
	}
	spec := &d.spec.Metrics[i]
	cpu := false
	switch spec.source() {
	case resourceSource:
		cpu = spec.Resource.Name == podgroup.CPU
	case containerResourceSource:
		cpu = spec.ContainerResource.Name == podgroup.CPU
	case podsSource:
	default:
		return dst
	}
	return podgroup.AppendVerdicts(dst, d.Now, obs.Pods, obs.Readings[i].Samples, cpu, settings.Settings)
}
