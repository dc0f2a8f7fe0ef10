package podgroup

import (
	"strconv"
	"strings"
)

// Reason is why a pod is in its class.
type Reason uint8

// The reasons, in the order in which they are tested. Those from
// NoReadyCondition to NeverReady apply to cpu metrics only, the last two by
// [Options].
const (
	// Counted is the reason of all ready pods.
	Counted Reason = iota
	// BeingDeleted means ignored: the pod has a deletion timestamp.
	BeingDeleted
	// PhaseIsFailed means ignored: the pod has failed.
	PhaseIsFailed
	// PhaseIsPending means unready: the pod is pending.
	PhaseIsPending
	// NoSample means missing.
	NoSample
	// NoReadyCondition means unready: the pod has no Ready condition.
	NoReadyCondition
	// NoStartTime means unready: the pod has no start time.
	NoStartTime
	// NotReadyYet means unready: the pod is in its initialization period and
	// its Ready condition is False.
	NotReadyYet
	// SampleTooEarly means unready: the pod is in its initialization period and
	// the sample's window began before the Ready condition last changed.
	SampleTooEarly
	// NeverReady means unready: the Ready condition is False since before the
	// readiness delay passed.
	NeverReady
	// PhaseIsSucceeded means ignored, by Options.SucceededIgnored.
	PhaseIsSucceeded
	// NotOwned means ignored, by Options.OwnedOnly.
	NotOwned

	reasons = iota
)

const reasonWords words = "Reason|Counted|BeingDeleted|PhaseFailed|PhasePending|NoSample|" +
	"NoReadyCondition|NoStartTime|NotReadyYet|SampleTooEarly|NeverReady|PhaseSucceeded|NotOwned"

// Class returns the class of pods with that reason, and Ignored if r is not one
// of the reasons.
func (r Reason) Class() Class {
	switch r {
	case Counted:
		return Ready
	case PhaseIsPending, NoReadyCondition, NoStartTime, NotReadyYet, SampleTooEarly, NeverReady:
		return Unready
	case NoSample:
		return Missing
	}
	return Ignored
}

// String returns the reason as one word, such as "NoStartTime" or
// "PhasePending".
func (r Reason) String() string { return reasonWords.of(uint8(r)) }

// Text returns the reason for people, such as "no start time" or "phase
// pending".
func (r Reason) Text() string {
	var b strings.Builder
	for i, c := range []byte(r.String()) {
		if 'A' <= c && c <= 'Z' {
			if i > 0 {
				b.WriteByte(' ')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// MarshalText returns the text of String.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses the text of String. The error is a [*WordError].
func (r *Reason) UnmarshalText(text []byte) error { return reasonWords.unmarshal((*uint8)(r), text) }

// ReasonCounts is the number of pods of each reason, as in c[NoStartTime].
// Ready pods are not counted: c[Counted] is 0.
type ReasonCounts [reasons]int32

// Text returns the reasons of the pods of one class, the most frequent first,
// such as "3 no start time, 2 phase pending". A reason that is the only one has
// no number: "no start time". Without pods the text is empty.
func (c ReasonCounts) Text(class Class) string {
	c[Counted] = 0
	var list []string
	for {
		most := Counted
		for r, n := range c {
			if n > c[most] && Reason(r).Class() == class {
				most = Reason(r)
			}
		}
		if most == Counted {
			break
		}
		list = append(list, strconv.Itoa(int(c[most]))+" "+most.Text())
		c[most] = 0
	}
	if len(list) == 1 {
		_, list[0], _ = strings.Cut(list[0], " ")
	}
	return strings.Join(list, ", ")
}
