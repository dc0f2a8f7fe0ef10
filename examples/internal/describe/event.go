package describe

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
)

// Event is an event of the autoscaler, as the API server keeps it: one for all
// that say the same.
type Event struct {
	calculator.Event
	// First and Last are when the event was first and last seen, in whole
	// seconds as in the API; fractions are dropped. The zero time.Time means
	// not known.
	First, Last time.Time
	// Count is how often the event was seen; below 2 means once, at First.
	Count int
}

// component is where the events are from.
const component = "horizontal-pod-autoscaler"

// events prints the events, the one last seen at the end.
func (p *page) events(now time.Time, events []Event) {
	if len(events) == 0 {
		p.printf("Events:\t<none>\n")
		return
	}
	// Unstable, as kubectl's own: among more than 12 events, those of the same
	// second may change places, in the same way.
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b Event) int { return inSeconds(a.Last).Compare(inSeconds(b.Last)) })
	p.printf("Events:\n")
	p.row("Type", "Reason", "Age", "From", "Message")
	p.row("----", "------", "----", "----", "-------")
	for i := range events {
		e := &events[i]
		p.row(e.Type, e.Reason, e.age(now), component, strings.TrimSpace(e.Message))
	}
}

// age returns "10s", or "10s (x3 over 5m)" for an event seen more than once.
func (e *Event) age(now time.Time) string {
	first := since(now, e.First)
	if e.Count > 1 {
		return since(now, e.Last) + " (x" + strconv.Itoa(e.Count) + " over " + first + ")"
	}
	return first
}

func since(now, t time.Time) string {
	if t = inSeconds(t); t.IsZero() {
		return unknown
	}
	return age(now.Sub(t))
}

func inSeconds(t time.Time) time.Time { return t.Truncate(time.Second) }
