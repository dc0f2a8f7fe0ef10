package calculator

import (
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
)

// Decide makes the decision of one sync of kube-controller-manager's autoscaler
// at now, and records it in the state. It is reconcileAutoscaler of upstream's
// HorizontalController without the reading before and the writing after: if
// the decision says to rescale, the caller writes the size to the scale, and
// then calls State.Applied or State.Failed.
//
// The spec must have its defaults (SetDefaults) and be valid. If the spec or
// the observation is invalid, Decision.Err names the field, the size stays, and
// the state is as it was. A failed metric is not such an error: it is part of
// the decision, as it is in Kubernetes. Metrics are read only where they
// decide: not at a size of zero, nor outside of the bounds.
//
// Nil settings mean [DefaultSettings]. Settings whose flags are all zero are an
// error, too, unless Settings.ZeroFlags is set.
func Decide(now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) Decision {
	var d Decision
	DecideInto(&d, now, settings, spec, obs, st)
	return d
}

// NeedsReadings reports whether a decision on the observation computes metrics,
// so that its Pods and Readings matter. Ask before reading them; of the
// observation, only the sizes and errors count. Nothing is computed at a size
// of zero, unless the autoscaler itself scaled the target there, nor outside of
// the bounds, nor where the scale or its selector has an error. A nil argument
// or a negative size, which [Decide] refuses, needs no readings either.
func NeedsReadings(settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) bool {
	set, err := settings.OrDefault()
	if err != nil || usable(&set, spec, obs, st) != nil || obs.ScaleError != nil || obs.SelectorError != nil {
		return false
	}
	bounds := spec.Bounds()
	d := Decision{CurrentReplicas: obs.SpecReplicas, MinReplicas: bounds.Min, MaxReplicas: bounds.Max}
	s := sync{spec: spec, st: st, d: &d}
	return s.zone(set.Release.Quirks()).computes()
}

// DecideInto is like Decide but reuses the slices of d. Once they are long
// enough, it allocates nothing unless the text of a condition changes.
func DecideInto(d *Decision, now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) {
	if d == nil {
		d = new(Decision)
	}
	before := d.Release
	d.reset(now, obs)
	set, err := settings.OrDefault()
	settings = &set
	d.Release, d.quirks, d.corrections = settings.Release, settings.Release.Quirks(), settings.Corrections
	if d.inputErr = err; err == nil {
		d.inputErr = usable(settings, spec, obs, st)
	}
	if d.inputErr != nil {
		return
	}
	var s sync // a literal would be built on the side and copied
	s.settings, s.spec, s.obs, s.st, s.d = settings, spec, obs, st, d
	s.decideBy(d.quirks, d.corrections)
	s.resolve(settings.Release == before)
	if d.inputErr = s.decidable(); d.inputErr != nil {
		d.Proposals = d.Proposals[:0]
		return
	}
	if obs.ScaleError != nil {
		d.scaleErr = newScaleFailure(obs.ScaleError)
		d.Proposals = d.Proposals[:0]
	} else {
		s.compute()
		if d.inputErr != nil {
			return
		}
	}
	st.record(&s)
}

// reset empties the decision, and keeps its memory.
func (d *Decision) reset(now time.Time, obs *Observation) {
	proposals, policies, conditions, failing, scratch := d.Proposals[:0], d.Policies[:0], d.Conditions[:0], d.Failing[:0], d.scratch
	*d = Decision{}
	d.Proposals, d.Policies, d.Conditions, d.Failing, d.scratch = proposals, policies, conditions, failing, scratch
	d.Now = now
	d.Choice.Metric, d.Choice.FirstFailed = -1, -1
	if obs != nil {
		d.Namespace = obs.Namespace
		d.CurrentReplicas, d.DesiredReplicas = obs.SpecReplicas, obs.SpecReplicas
	}
}

// compute takes the stages of the zone. It changes nothing but the decision.
func (s *sync) compute() {
	d, b := s.d, s.spec.Behavior
	d.hasBehavior, d.longestPeriods, d.Windows = b != nil, b.LongestPeriods(), b.Windows(s.settings.DownscaleStabilization)
	d.canBeZero = canBeZero(d.MinReplicas, s.spec)
	d.Zone = s.zone(s.quirks)
	if s.quirks != 0 {
		s.findZoneQuirks()
	}
	if !d.Zone.computes() || s.obs.SelectorError != nil {
		d.Proposals = d.Proposals[:0]
	} else if d.inputErr = s.computable(); d.inputErr == nil {
		d.inputErr = s.readable()
	}
	if d.inputErr != nil {
		d.Zone, d.Proposals = NoZone, d.Proposals[:0]
		return
	}
	d.Started = s.st.Recommendations.IsEmpty()
	switch d.Zone {
	case ZoneDisabled:
	case ZoneAboveMax:
		s.enforce(d.MaxReplicas, AboveMaxReplicas)
	case ZoneBelowMin:
		s.enforce(d.MinReplicas, BelowMinReplicas)
	default:
		s.propose()
		if !d.blocked() {
			s.normalize()
		}
	}
	d.findUntil()
}

// enforce takes a size outside of the bounds to the bound: at once, or, by the
// correction of bounds, as a proposal.
func (s *sync) enforce(bound int32, why RescaleReason) {
	d := s.d
	if !s.corrections.Has(correction.Bounds) {
		d.rescale(bound, why)
		return
	}
	d.Corrections = d.Corrections.With(correction.Bounds)
	d.Choice.Replicas = bound
	s.normalize()
	d.Reason = why
}

// propose computes a proposal for each metric, and chooses.
func (s *sync) propose() {
	d, obs := s.d, s.obs
	if e := obs.SelectorError; e != nil {
		d.selector = selectorFailure{*e, true}
		return
	}
	d.Tolerance, d.Calibration = s.tolerance, obs.Calibration
	prepares := len(d.Proposals) > 1 && obs.Group == nil && s.countsTwice()
	if prepares {
		s.prepare(obs.Pods)
	}
	for i := range d.Proposals {
		p := &d.Proposals[i]
		s.proposeFor(p, &obs.Readings[i])
		if s.quirks != 0 || s.corrections != 0 {
			s.findQuirks(p, &obs.Readings[i])
		}
	}
	if prepares {
		s.prepare(nil) // lets go of the pods
	}
	if s.hasFallback {
		s.fallBack()
	}
	d.ChooseBy = s.settings.ChooseBy
	d.Choice.choose(d.ChooseBy, d.CurrentReplicas, d.Proposals)
}
