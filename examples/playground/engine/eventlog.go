package engine

import (
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/describe"
)

// eventLog is the events of a run as the API server keeps them: equal ones are
// one event with a count.
type eventLog []describe.Event

func (l *eventLog) add(now time.Time, events []calculator.Event) {
next:
	for _, e := range events {
		for i := range *l {
			if old := &(*l)[i]; old.Event == e {
				old.Count++
				old.Last = now
				continue next
			}
		}
		*l = append(*l, describe.Event{Event: e, First: now, Last: now, Count: 1})
	}
}
