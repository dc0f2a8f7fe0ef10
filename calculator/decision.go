package calculator

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// Observation is what one sync sees of the world.
type Observation struct {
	// Namespace is where the autoscaler and its target are. It takes part in
	// texts alone.
	Namespace string
	// SpecReplicas is spec.replicas of the scale: the current size.
	SpecReplicas int32
	// StatusReplicas is status.replicas of the scale: the pods there are.
	StatusReplicas int32
	// Pods are those that the scale's selector lists.
	Pods []podgroup.Pod
	// Group was prepared from Pods, by a caller that decides on the same pods
	// more than once; nil otherwise.
	Group *podgroup.Group
	// Readings are what the metrics APIs answered, one for each metric of the
	// spec, in its order. Where no metric is computed, they are not looked at,
	// and may be left out.
	Readings []Reading
	// ScaleError is why the scale could not be read; nil if it was. Nothing
	// else is looked at then.
	ScaleError error
	// SelectorError is what is wrong with the scale's selector; nil if
	// nothing is. No metric is computed then.
	SelectorError *SelectorError
}

// Reading is what a metrics API answered for one metric. The zero Reading is
// an answer without a sample or value.
type Reading struct {
	// Err is why there is no answer. Nothing else is looked at then.
	Err error
	// Samples, for Resource, ContainerResource and Pods sources, belong to the
	// observation's pods by index; see podgroup.Aligner. There are as many as
	// pods, or none at all.
	Samples []metrics.Sample
	// Strays are samples of pods that are not listed, for the same sources.
	Strays []metrics.Sample
	// Values, in milli-units, are the one value of an Object source, or the
	// series of an External source, of which there may be none.
	Values []metrics.Milli
}

// SelectorError is what is wrong with the selector of a scale. Kubernetes checks
// it before it computes any metric.
type SelectorError struct {
	// Reason says what is wrong.
	Reason SelectorReason
	// Selector is the selector, of an AmbiguousSelector.
	Selector string
	// Others are the autoscalers that share the pods, of an AmbiguousSelector,
	// as they are to appear in texts.
	Others string
	// Err is what parsing said, of an InvalidSelector.
	Err error
}

// SelectorReason is what is wrong with a selector.
type SelectorReason uint8

const (
	// SelectorRequired: there is none.
	SelectorRequired SelectorReason = iota
	// SelectorInvalid: it cannot be parsed.
	SelectorInvalid
	// SelectorAmbiguous: another autoscaler has some of its pods.
	SelectorAmbiguous
)

// String returns Kubernetes' word for the reason, as the event has it.
func (r SelectorReason) String() string {
	switch r {
	case SelectorRequired:
		return "SelectorRequired"
	case SelectorInvalid:
		return "InvalidSelector"
	case SelectorAmbiguous:
		return "AmbiguousSelector"
	}
	return fmt.Sprintf("SelectorReason(%d)", uint8(r))
}

// MarshalText returns the word of String.
func (r SelectorReason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (r *SelectorReason) UnmarshalText(text []byte) error {
	return parseWord(r, "calculator.SelectorReason", text, SelectorReason.String)
}

// Error returns Kubernetes' text.
func (e *SelectorError) Error() string {
	switch e.Reason {
	case SelectorInvalid:
		return fmt.Sprintf("couldn't convert selector into a corresponding internal selector object: %v", e.Err)
	case SelectorAmbiguous:
		return fmt.Sprintf("pods by selector %v are controlled by more than one HPA (e.g. %v)", e.Selector, e.Others)
	}
	return "selector is required"
}

// Unwrap returns what parsing said.
func (e *SelectorError) Unwrap() error { return e.Err }

// event is the reason of the event.
func (e *SelectorError) event() string {
	switch e.Reason {
	case SelectorInvalid:
		return "InvalidSelector"
	case SelectorAmbiguous:
		return "AmbiguousSelector"
	}
	return "SelectorRequired"
}

// condition is the reason and the message of the condition ScalingActive.
func (e *SelectorError) condition() (reason string, message Message) {
	if e.Reason == SelectorRequired {
		return "InvalidSelector", Text("the HPA target's scale is missing a selector")
	}
	return e.event(), Text(e.Error())
}

// Zone is which part of the algorithm a sync takes, by the current size.
type Zone uint8

const (
	// NoZone: there is no decision, for the input was not valid or the scale
	// could not be read.
	NoZone Zone = iota
	// Normal: the metrics decide.
	Normal
	// Disabled: the size is zero, and not the autoscaler's doing.
	Disabled
	// FromZero: the autoscaler took the target to zero, and the metrics decide
	// whether it comes back.
	FromZero
	// AboveMax: the size goes straight to the maximum.
	AboveMax
	// BelowMin: the size goes straight to the minimum.
	BelowMin
)

// String returns the zone in a few words for people.
func (z Zone) String() string {
	switch z {
	case NoZone:
		return "none"
	case Normal:
		return "normal"
	case Disabled:
		return "disabled at zero"
	case FromZero:
		return "scaled to zero"
	case AboveMax:
		return "above the maximum"
	case BelowMin:
		return "below the minimum"
	}
	return fmt.Sprintf("Zone(%d)", uint8(z))
}

// identifier returns the value's name for machines, which stays as it is.
func (z Zone) identifier() string {
	switch z {
	case NoZone:
		return "none"
	case Normal:
		return "normal"
	case Disabled:
		return "disabled"
	case FromZero:
		return "fromZero"
	case AboveMax:
		return "aboveMax"
	case BelowMin:
		return "belowMin"
	}
	return z.String()
}

// MarshalText returns the value's name for machines, such as "normal".
func (z Zone) MarshalText() ([]byte, error) { return []byte(z.identifier()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (z *Zone) UnmarshalText(text []byte) error {
	return parseWord(z, "calculator.Zone", text, Zone.identifier)
}

// RescaleReason is why the size changes, as the event says.
type RescaleReason uint8

const (
	// NoReason: no metric asked for the change; stabilization or a bound made
	// it. The event's reason is empty.
	NoReason RescaleReason = iota
	// AboveTarget: the chosen metric is above its target.
	AboveTarget
	// BelowTarget: all metrics are below their targets.
	BelowTarget
	// AboveMaxReplicas: the size is above the maximum.
	AboveMaxReplicas
	// BelowMinReplicas: the size is below the minimum.
	BelowMinReplicas
)

// String returns the reason in a few words for people; Decision.ReasonText is
// Kubernetes' text.
func (r RescaleReason) String() string {
	switch r {
	case NoReason:
		return "none"
	case AboveTarget:
		return "above target"
	case BelowTarget:
		return "below target"
	case AboveMaxReplicas:
		return "above the maximum"
	case BelowMinReplicas:
		return "below the minimum"
	}
	return fmt.Sprintf("RescaleReason(%d)", uint8(r))
}

// identifier returns the value's name for machines, which stays as it is.
func (r RescaleReason) identifier() string {
	switch r {
	case NoReason:
		return "none"
	case AboveTarget:
		return "aboveTarget"
	case BelowTarget:
		return "belowTarget"
	case AboveMaxReplicas:
		return "aboveMaxReplicas"
	case BelowMinReplicas:
		return "belowMinReplicas"
	}
	return r.String()
}

// MarshalText returns the value's name for machines, such as "aboveTarget".
func (r RescaleReason) MarshalText() ([]byte, error) { return []byte(r.identifier()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (r *RescaleReason) UnmarshalText(text []byte) error {
	return parseWord(r, "calculator.RescaleReason", text, RescaleReason.identifier)
}

// Outcome is what became of a decision.
type Outcome uint8

const (
	// NothingToWrite: the size stays.
	NothingToWrite Outcome = iota
	// Pending: the size is to be written.
	Pending
	// Written: State.Applied was called.
	Written
	// NotWritten: State.Failed was called.
	NotWritten
)

// String returns the outcome in a few words for people.
func (o Outcome) String() string {
	switch o {
	case NothingToWrite:
		return "nothing to write"
	case Pending:
		return "pending"
	case Written:
		return "written"
	case NotWritten:
		return "not written"
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// identifier returns the value's name for machines, which stays as it is.
func (o Outcome) identifier() string {
	switch o {
	case NothingToWrite:
		return "nothingToWrite"
	case Pending:
		return "pending"
	case Written:
		return "written"
	case NotWritten:
		return "notWritten"
	}
	return o.String()
}

// MarshalText returns the value's name for machines, such as "pending".
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.identifier()), nil }

// UnmarshalText reads what MarshalText writes. The error is a *metrics.WordError.
func (o *Outcome) UnmarshalText(text []byte) error {
	return parseWord(o, "calculator.Outcome", text, Outcome.identifier)
}

// Decision is what one sync decides, and why: the size at each stage of the
// pipeline, and what bound it there.
//
// It refers to the spec and to strings of the observation for its texts, so
// these are to be asked for before either is changed. Its slices are used again
// by a DecideInto with the same Decision.
type Decision struct {
	// Now is the sync's clock.
	Now time.Time
	// CurrentReplicas is the size before, spec.replicas of the scale.
	CurrentReplicas int32
	// DesiredReplicas is the size to be; it is CurrentReplicas unless Rescale.
	DesiredReplicas int32
	// Rescale tells that DesiredReplicas is to be written to the scale, and
	// State.Applied or State.Failed to be called then.
	Rescale bool
	// Reason is why the size changes.
	Reason RescaleReason
	// Outcome is what became of it.
	Outcome Outcome

	// MinReplicas and MaxReplicas are the bounds that were in force.
	MinReplicas, MaxReplicas int32
	// Zone is which part of the algorithm was taken.
	Zone Zone
	// Tolerance is how far a ratio may be from 1, as it was in force. The zero
	// Tolerance where the zone computes no metrics.
	Tolerance metrics.Tolerance
	// Metrics are the proposals, one for each metric of the spec, in its
	// order; none where the zone computes none.
	Metrics []Proposal
	// Choice is which of them decides.
	Choice Choice
	// Started tells that there were no recommendations yet, so that the current
	// size was recorded as the first one.
	Started bool
	// Windows are the stabilization windows that were in force.
	Windows stabilize.Windows
	// Stabilization is what the windows made of the chosen proposal. The zero
	// Result where the zone computes none.
	Stabilization stabilize.Result
	// ColdStart tells that it is the setting of that name that holds the size
	// there, and not a recommendation: Bound is the first sync.
	ColdStart bool
	// Limits is what policies and bounds made of that.
	Limits behavior.Limited
	// Policies is what each policy of the direction of the change said; none
	// without a behavior.
	Policies []behavior.PolicyLimit
	// RaisedToMin tells that a target at zero came back to the minimum, since
	// that was raised above zero.
	RaisedToMin bool
	// Cooldown is what the optional cooldown made of that.
	Cooldown behavior.Cooled
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
	// the new one is written, the next decision tells.
	Until time.Time

	// Conditions are the status's conditions after the sync, those of
	// State.Conditions.
	Conditions []Condition

	spec      *Spec
	behavior  *behavior.Behavior
	namespace string
	// canBeZero tells that scaling to zero is allowed and has a way back.
	canBeZero bool
	inputErr  error
	scaleErr  error
	selector  *SelectorError
	writeErr  error
}

func (d *Decision) pending() bool { return d.Outcome == Pending }

func (d *Decision) scalesToZero() bool {
	return d.CurrentReplicas > 0 && d.DesiredReplicas == 0 && d.canBeZero
}
