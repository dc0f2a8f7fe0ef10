package stage

import (
	"fmt"
	"math"

	"github.com/purehpa/hpa/calculator/release"
)

// Result is what becomes of the size, and the headline of an explanation. Low
// and High of its stage are the size decided on.
type Result struct {
	// Release is the release that the decision follows; zero for the newest.
	Release release.Release `json:"release,omitzero"`
	// Outcome is what becomes of the size.
	Outcome Outcome `json:"outcome"`
	// Reason is why the size changes, a calculator.RescaleReason such as
	// "AboveTarget", and Why is the same in Kubernetes' words. Both are empty
	// if no metric asked for the change. If the reason is not known, Reason is
	// empty, and Why says so.
	Reason string `json:"reason,omitempty"`
	Why    string `json:"why,omitempty"`
	// Problem is the error of InvalidInput, NoScale and NotWritten.
	Problem string `json:"problem,omitempty"`
}

// Outcome is what becomes of the size.
type Outcome string

const (
	// NoDecision: nothing was decided.
	NoDecision Outcome = "NoDecision"
	// InvalidInput: the input is not valid.
	InvalidInput Outcome = "InvalidInput"
	// NoScale: the scale could not be read.
	NoScale Outcome = "NoScale"
	// NoSize: the size stays, because no size could be computed.
	NoSize Outcome = "NoSize"
	// Unchanged: the size stays.
	Unchanged Outcome = "Unchanged"
	// Pending: the size has yet to be written.
	Pending Outcome = "Pending"
	// Written: the size was written.
	Written Outcome = "Written"
	// NotWritten: writing the size failed.
	NotWritten Outcome = "NotWritten"
	// Unknown: the size depends on unknown recommendations or events.
	Unknown Outcome = "Unknown"
)

func (r *Result) appendTo(w *writer) {
	if !r.Release.IsZero() {
		w.say("as Kubernetes %s, ", r.Release)
	}
	switch r.Outcome {
	case NoDecision:
		w.say("there is no decision.")
	case InvalidInput:
		w.say("there is no decision: the input is not valid: %s.", plain(r.Problem))
	case NoScale:
		w.say("there is no decision: the scale could not be read: %s.", plain(r.Problem))
	case NoSize:
		w.say("the size stays at %s, because no size could be computed.", w.size())
	case Unchanged:
		w.say("the size stays at %s.", w.size())
	case Pending:
		w.say("the size should change from %d to %s: %s.", w.current, w.size(), r.why())
	case Written:
		w.say("the size was changed from %d to %s: %s.", w.current, w.size(), r.why())
	case NotWritten:
		w.say("the size should have changed from %d to %s (%s), but it could not be written: %s.", w.current, w.size(), r.why(), plain(r.Problem))
	case Unknown:
		w.say("the size will be %s; the status does not say more. It is %d now.", between(w), w.current)
	default:
		w.say("the size is %s.", w.size())
	}
}

// between is the size after a verb.
func between(w *writer) string {
	if w.low == w.high || w.high == math.MaxInt32 {
		return w.size()
	}
	return fmt.Sprintf("between %d and %s", w.low, replicas(w.high))
}

// why is the reason for the change.
func (r *Result) why() string {
	switch {
	case r.Why != "":
		return plain(r.Why)
	case r.Reason != "":
		return plain(r.Reason)
	}
	return "no metric asks for it, but stabilization or a bound does"
}
