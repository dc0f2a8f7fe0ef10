package calculator

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// RescaleReason is why the size changes. Its values are names for machines,
// which stay as they are; Decision.ReasonText is Kubernetes' text.
type RescaleReason string

const (
	// NoReason: no metric asked for the change; stabilization or a bound made
	// it. The event's reason is empty.
	NoReason RescaleReason = ""
	// AboveTarget: the chosen metric is above its target.
	AboveTarget RescaleReason = "AboveTarget"
	// BelowTarget: all metrics are below their targets.
	BelowTarget RescaleReason = "BelowTarget"
	// AboveMaxReplicas: the size is above the maximum.
	AboveMaxReplicas RescaleReason = "AboveMaxReplicas"
	// BelowMinReplicas: the size is below the minimum.
	BelowMinReplicas RescaleReason = "BelowMinReplicas"
)

// Outcome is whether a decision was written. Its values are names for machines
// and do not change.
type Outcome string

const (
	// OutcomeUnchanged: there was nothing to write.
	OutcomeUnchanged Outcome = ""
	// OutcomePending: the size has yet to be written.
	OutcomePending Outcome = "Pending"
	// OutcomeWritten: State.Applied was called.
	OutcomeWritten Outcome = "Written"
	// OutcomeNotWritten: State.Failed was called.
	OutcomeNotWritten Outcome = "NotWritten"
)

// Decision is what one sync decides, and why: the size at each stage of the
// pipeline, and what bound it there.
//
// A Decision owns its data: later changes of the spec, the observation or the
// state do not affect it. Copies share their slices, and DecideInto reuses
// those of the Decision that it gets.
type Decision struct {
	// Now is the sync's clock.
	Now time.Time `json:"now"`
	// Namespace and ScaleTargetRef name the target in texts.
	Namespace      string                                  `json:"namespace,omitempty"`
	ScaleTargetRef autoscaling.CrossVersionObjectReference `json:"scaleTargetRef,omitzero"`
	// Release is the release that was decided as.
	Release release.Release `json:"release,omitzero"`
	// Quirks are those of the release that affected the decision: without one
	// of them, a metric, the zone, a condition or a text would differ. They
	// include those of the proposals. State.Applied may add one.
	Quirks release.Quirks `json:"quirks,omitzero"`
	// Corrections are those of the settings that affected a proposal or a size
	// outside of the bounds.
	Corrections correction.Set `json:"corrections,omitzero"`
	// CurrentReplicas is the size before, spec.replicas of the scale.
	CurrentReplicas int32 `json:"currentReplicas"`
	// DesiredReplicas is the size to write. It is CurrentReplicas unless
	// Rescale, also on an error.
	DesiredReplicas int32 `json:"desiredReplicas"`
	// Rescale reports whether to write DesiredReplicas to the scale and then
	// call State.Applied or State.Failed.
	Rescale bool `json:"rescale"`
	// Reason is why the size changes.
	Reason RescaleReason `json:"reason,omitempty"`
	// Outcome is whether it was written.
	Outcome Outcome `json:"outcome,omitempty"`

	// MinReplicas and MaxReplicas are the bounds that were in force.
	MinReplicas int32 `json:"minReplicas"`
	MaxReplicas int32 `json:"maxReplicas"`
	// Zone is which part of the algorithm was taken.
	Zone Zone `json:"zone,omitempty"`
	// Tolerance is the tolerance in force: how far a ratio may be from 1. It is
	// zero where the zone computes no metrics.
	Tolerance metrics.Tolerance `json:"-"`
	// Proposals are those of the metrics, in the spec's order; none where the
	// zone computes none.
	Proposals []Proposal `json:"-"`
	// Calibration is that of the observation; 0 where the zone computes no
	// metrics.
	Calibration float64 `json:"-"`
	// Failing are the metrics with a fallback that fail, and since when. The
	// state remembers them. Where no metric is computed, such as at a size of
	// zero that someone else set, the list is empty, and the state keeps its
	// own.
	Failing []FailingMetric `json:"-"`
	// ChooseBy is how one of them was chosen, from the settings.
	ChooseBy ChooseBy `json:"chooseBy,omitempty"`
	// Choice is which of them decides.
	Choice ChooseResult `json:"-"`
	// Started reports that there were no recommendations yet, so that the
	// current size was recorded as the first one.
	Started bool `json:"started"`
	// Windows are the stabilization windows in force.
	Windows stabilize.Windows `json:"-"`
	// Stabilization is what the windows made of the chosen proposal. The zero
	// Result where the zone computes none.
	Stabilization stabilize.Result `json:"stabilization,omitzero"`
	// ColdStart reports that it is the setting of that name that holds the size
	// there, and not a recommendation: Bound is the first sync.
	ColdStart bool `json:"coldStart"`
	// Limits is what policies and bounds made of that.
	Limits behavior.LimitResult `json:"limits,omitzero"`
	// Policies is what each policy of the direction of the change said; none
	// without a behavior.
	Policies []behavior.PolicyLimit `json:"policies,omitempty"`
	// RaisedToMin reports that a target at zero came back to the minimum, since
	// that was raised above zero.
	RaisedToMin bool `json:"raisedToMin"`
	// Cooldown is what the optional cooldown made of that.
	Cooldown behavior.CooldownResult `json:"cooldown,omitzero"`
	// Until is the earliest moment at which time alone changes a stage: a
	// recommendation leaves its window (Stabilization.Until), events leave the
	// policies' periods, so that the limit moves (Limits.Until), a cooldown
	// ends (Cooldown.Until), or a pod changes its class (Proposal.Until). It is
	// after Now, or the zero time.Time if time alone changes nothing.
	//
	// Deciding again before, with the state that the decision left and nothing
	// changed but the clock, gives the same size at every stage. At that moment
	// the stage's result changes. The decided size may stay the same, as
	// another recommendation, event or stage may hold it as well.
	//
	// For a decision that rescales, all this is about the size as it was: once
	// the new one is written, see the next decision.
	Until time.Time `json:"until,omitzero"`

	// Conditions are the status's conditions after the sync, those of
	// State.Conditions.
	Conditions []autoscaling.HorizontalPodAutoscalerCondition `json:"-"`

	facts
	scratch
}

// facts are what a decision says beside its fields, in texts and to a state.
type facts struct {
	// hasBehavior reports whether the spec has a behavior, and longestPeriods
	// are the longest periods of its policies.
	hasBehavior    bool
	longestPeriods behavior.Periods
	// quirks are all of the release, and corrections all of the settings.
	quirks      release.Quirks
	corrections correction.Set
	// canBeZero reports that scaling to zero is allowed and has a way back.
	canBeZero bool
	inputErr  error
	scaleErr  scaleFailure
	writeErr  foreignError
	selector  selectorFailure
}

// scratch is memory that the next decision uses again.
type scratch struct {
	// text is where texts are put together, to see whether they have changed.
	text []byte
	// group is of the observation's pods, while several metrics count them, and
	// nil before any did.
	group *podgroup.Group
}

// blocked reports whether no size could be computed.
func (d *Decision) blocked() bool { return d.Choice.Blocked || d.selector.failed }

// normalized reports whether there was a size to stabilize and limit.
func (d *Decision) normalized() bool {
	return (len(d.Proposals) > 0 || d.Corrections.Has(correction.Bounds)) && !d.blocked()
}

// scalesToZero reports whether the autoscaler itself scales the target to zero,
// so that it may bring it back.
func (d *Decision) scalesToZero() bool {
	return d.CurrentReplicas > 0 && d.DesiredReplicas == 0 && d.canBeZero
}

// proposal returns proposal i, or nil.
func (d *Decision) proposal(i int) *Proposal {
	if i < 0 || i >= len(d.Proposals) {
		return nil
	}
	return &d.Proposals[i]
}
