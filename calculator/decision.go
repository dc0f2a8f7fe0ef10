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

// Zone is which part of the algorithm a sync takes, by the current size. Its
// values are names for machines, which stay as they are.
type Zone string

const (
	// NoZone: there is no decision, since the input was not valid or the scale
	// could not be read.
	NoZone Zone = ""
	// ZoneNormal: the metrics decide.
	ZoneNormal Zone = "normal"
	// ZoneDisabled: the size is zero, and the autoscaler did not scale it there.
	ZoneDisabled Zone = "disabled"
	// ZoneFromZero: the autoscaler scaled the target to zero, and the metrics
	// decide whether it comes back.
	ZoneFromZero Zone = "fromZero"
	// ZoneAboveMax: the size goes straight to the maximum.
	ZoneAboveMax Zone = "aboveMax"
	// ZoneBelowMin: the size goes straight to the minimum.
	ZoneBelowMin Zone = "belowMin"
)

// computes reports whether the zone computes metrics.
func (z Zone) computes() bool { return z == ZoneNormal || z == ZoneFromZero }

// RescaleReason is why the size changes. Its values are names for machines,
// which stay as they are; Decision.ReasonText is Kubernetes' text.
type RescaleReason string

const (
	// NoReason: no metric asked for the change; stabilization or a bound made
	// it. The event's reason is empty.
	NoReason RescaleReason = ""
	// AboveTarget: the chosen metric is above its target.
	AboveTarget RescaleReason = "aboveTarget"
	// BelowTarget: all metrics are below their targets.
	BelowTarget RescaleReason = "belowTarget"
	// AboveMaxReplicas: the size is above the maximum.
	AboveMaxReplicas RescaleReason = "aboveMaxReplicas"
	// BelowMinReplicas: the size is below the minimum.
	BelowMinReplicas RescaleReason = "belowMinReplicas"
)

// Outcome is what became of a decision. Its values are names for machines,
// which stay as they are.
type Outcome string

const (
	// OutcomeUnchanged: there was nothing to write.
	OutcomeUnchanged Outcome = ""
	// OutcomePending: the size is to be written.
	OutcomePending Outcome = "pending"
	// OutcomeWritten: State.Applied was called.
	OutcomeWritten Outcome = "written"
	// OutcomeNotWritten: State.Failed was called.
	OutcomeNotWritten Outcome = "notWritten"
)

// Decision is what one sync decides, and why: the size at each stage of the
// pipeline, and what bound it there.
//
// A Decision is a value that owns what it says: nothing that happens to the spec,
// the observation or the state changes it. Copies share their slices, and
// DecideInto uses those of the Decision that it is handed again.
type Decision struct {
	// Now is the sync's clock.
	Now time.Time `json:"now"`
	// Namespace and ScaleTargetRef are what texts call the target.
	Namespace      string                                  `json:"namespace,omitempty"`
	ScaleTargetRef autoscaling.CrossVersionObjectReference `json:"scaleTargetRef,omitzero"`
	// Release is the release that was decided as.
	Release release.Release `json:"release,omitzero"`
	// Differences are those of the release that mattered: without each, a metric,
	// the zone, a condition or a text would have been another. Those in the
	// proposals are among them. State.Applied may add one.
	Differences release.Differences `json:"differences,omitzero"`
	// Corrections are those of the settings that mattered, to a proposal or to a size
	// outside of the bounds.
	Corrections correction.Set `json:"corrections,omitzero"`
	// CurrentReplicas is the size before, spec.replicas of the scale.
	CurrentReplicas int32 `json:"currentReplicas"`
	// DesiredReplicas is the size to be. It is CurrentReplicas unless Rescale,
	// on an error too.
	DesiredReplicas int32 `json:"desiredReplicas"`
	// Rescale reports that DesiredReplicas is to be written to the scale, and
	// State.Applied or State.Failed to be called then.
	Rescale bool `json:"rescale"`
	// Reason is why the size changes.
	Reason RescaleReason `json:"reason,omitempty"`
	// Outcome is what became of it.
	Outcome Outcome `json:"outcome,omitempty"`

	// MinReplicas and MaxReplicas are the bounds that were in force.
	MinReplicas int32 `json:"minReplicas"`
	MaxReplicas int32 `json:"maxReplicas"`
	// Zone is which part of the algorithm was taken.
	Zone Zone `json:"zone,omitempty"`
	// Tolerance is how far a ratio may be from 1, as it was in force. The zero
	// Tolerance where the zone computes no metrics.
	Tolerance metrics.Tolerance `json:"-"`
	// Proposals are those of the metrics, in the spec's order; none where the
	// zone computes none.
	Proposals []Proposal `json:"-"`
	// Calibration is that of the observation; 0 where the zone computes no metrics.
	Calibration float64 `json:"-"`
	// Failing are the metrics with a fallback that fail, and since when. The state
	// remembers them. Where no metric is computed, such as at a size of zero that
	// somebody else set, there are none, and the state keeps those that it had.
	Failing []FailingMetric `json:"-"`
	// Choosing is how one of them was chosen, as the settings say.
	Choosing Choosing `json:"choosing,omitempty"`
	// Choice is which of them decides.
	Choice Choice `json:"-"`
	// Started reports that there were no recommendations yet, so that the current
	// size was recorded as the first one.
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
	Limits behavior.Limited `json:"limits,omitzero"`
	// Policies is what each policy of the direction of the change said; none
	// without a behavior.
	Policies []behavior.PolicyLimit `json:"policies,omitempty"`
	// RaisedToMin reports that a target at zero came back to the minimum, since
	// that was raised above zero.
	RaisedToMin bool `json:"raisedToMin"`
	// Cooldown is what the optional cooldown made of that.
	Cooldown behavior.Cooled `json:"cooldown,omitzero"`
	// Until is the earliest moment at which time alone changes a stage: a
	// recommendation leaves its window (Stabilization.Until), events leave the
	// policies' periods, so that the limit moves (Limits.Until), a cooldown ends
	// (Cooldown.Until), or a pod counts otherwise (Proposal.Until). It is after
	// Now, and the zero time.Time if there is none.
	//
	// Deciding again before, with the state that the decision left and nothing
	// changed but the clock, gives the same size at every stage. At the moment
	// itself, that stage says something else. The size decided need not differ,
	// as the next recommendation, event or stage may hold it as well.
	//
	// For a decision that rescales, all this is about the size as it was: once
	// the new one is written, see the next decision.
	Until time.Time `json:"until,omitzero"`

	// Conditions are the status's conditions after the sync, those of
	// State.Conditions.
	Conditions []autoscaling.HorizontalPodAutoscalerCondition `json:"-"`

	// hasBehavior reports whether the spec has a behavior, and longest is its
	// longest periods.
	hasBehavior bool
	// as is all that the release does otherwise, corrected all corrections.
	as        release.Differences
	corrected correction.Set
	longest   behavior.Periods
	// hasFallback reports whether a metric has a fallback.
	hasFallback bool
	// canBeZero reports that scaling to zero is allowed and has a way back.
	canBeZero bool
	inputErr  error
	scaleErr  foreignError
	writeErr  foreignError
	selector  selectorFailure
	// text is where texts are put together, to see whether they have changed.
	text []byte
	// group is of the observation's pods, while several metrics count them, and nil
	// before any did.
	group *podgroup.Group
}

// foreignError is an error of the caller's, with the text that it had.
type foreignError struct {
	err  error
	text string
}

// selectorFailure is a SelectorError, if there is one.
type selectorFailure struct {
	SelectorError
	failed bool
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

// proposal returns proposal i, nil if there is none.
func (d *Decision) proposal(i int) *Proposal {
	if i < 0 || i >= len(d.Proposals) {
		return nil
	}
	return &d.Proposals[i]
}
