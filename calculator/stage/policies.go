package stage

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/words"
)

// Policies is how far the policies of one direction let the size go: to Low and
// High of its stage.
type Policies struct {
	// Direction is the direction of the change.
	Direction Direction `json:"direction"`
	// Select is how the policy that counts was selected, and Selected its
	// number, from 1; 0 if none was. With behavior.SelectDisabled, the
	// direction is forbidden.
	Select   behavior.SelectPolicy `json:"select"`
	Selected int                   `json:"selected"`
	// EventsUnknown is the moment up to which scale events are not known. It is
	// the zero time.Time if all events that may count are known.
	EventsUnknown time.Time `json:"eventsUnknown,omitzero"`
	// List are the policies, in their order.
	List []Policy `json:"list,omitempty"`
}

// Policy is how far a policy lets the size go. Start and Limit are sizes, and
// so never negative.
type Policy struct {
	behavior.PolicyLimit
	// Unknown reports whether unknown events may count. What the policy allows
	// is not known then.
	Unknown bool `json:"unknown,omitempty"`
}

// MarshalJSON returns the fields, with times in years that RFC 3339 has.
func (p Policies) MarshalJSON() ([]byte, error) {
	type plain Policies
	p.EventsUnknown = words.JSONTime(p.EventsUnknown)
	return json.Marshal(plain(p))
}

// MarshalJSON returns the fields, with times in years that RFC 3339 has.
func (p Policy) MarshalJSON() ([]byte, error) {
	type plain Policy
	p.Until = words.JSONTime(p.Until)
	return json.Marshal(plain(p))
}

func (p *Policies) appendTo(w *writer) {
	way := p.Direction.word()
	switch {
	case !p.EventsUnknown.IsZero():
		w.say("the scale events up to %s, are not known.", w.ago(p.EventsUnknown))
	case p.Select == behavior.SelectDisabled:
		w.say("%s, because selectPolicy Disabled forbids scaling %s.", w.size(), way)
		return
	default:
		w.say("%s to %s", way, w.size())
		if w.low == w.current && w.high == w.current {
			w.say(", unchanged")
		}
		p.appendSelected(w)
	}
	for i := range p.List {
		p.List[i].appendTo(w, i+1, way)
	}
}

// appendSelected says which policy counts.
func (p *Policies) appendSelected(w *writer) {
	far := "most"
	if p.Select == behavior.SelectMin {
		far = "least"
	}
	if len(p.List) > 1 && p.Selected > 0 {
		w.say(", by policy %d, which allows the %s (selectPolicy %s).", p.Selected, far, plain(p.Select))
	} else {
		w.say(", by the only policy.")
	}
}

func (p *Policy) appendTo(w *writer, number int, way string) {
	period := words.Span(time.Duration(p.PeriodSeconds) * time.Second)
	w.say("\n  Policy %d: %s %s in %s: ", number, p.amount(), way, period)
	if p.Unknown {
		w.say("some of them may still count.")
		return
	}
	w.say("from %d at the start of the period to %d.", p.Start, p.Limit)
	if p.Added != 0 || p.Removed != 0 {
		w.say(" Since then: %s.", p.events())
	}
	if !p.Until.IsZero() {
		w.say(" The first of these events counts until %s.", w.moment(p.Until))
	}
}

// amount is how much the policy allows.
func (p *Policy) amount() string {
	if p.Type == behavior.PercentPolicy {
		return percent(p.Value)
	}
	return words.Count(p.Value, "pod")
}

// events says what was added and removed.
func (p *Policy) events() string {
	var parts []string
	if p.Added != 0 {
		parts = append(parts, words.Count(int(p.Added), "pod")+" added")
	}
	if p.Removed != 0 {
		parts = append(parts, words.Count(int(p.Removed), "pod")+" removed")
	}
	return strings.Join(parts, " and ")
}
