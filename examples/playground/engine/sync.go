package engine

import (
	"cmp"
	"fmt"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/describe"
	"github.com/purehpa/hpa/examples/internal/trial"
)

// sync answers why a sync decided as it did. It runs the simulation again, up
// to that sync.
func (q *Request) sync(r *Response, subjects []*subject, t *trial.Trial) error {
	of := q.Want.Sync
	if of == nil {
		return nil
	}
	if of.Autoscaler < 0 || of.Autoscaler >= len(subjects) {
		return fmt.Errorf("there is no autoscaler %d", of.Autoscaler)
	}
	s := subjects[of.Autoscaler]
	scenario, err := s.scenario(t)
	if err != nil {
		return err
	}
	log, now := eventLog{}, -1
	var events []calculator.Event
	for row, err := range scenario.Run(&s.autoscaler) {
		if err != nil {
			return err
		}
		events = row.Decision.AppendEvents(events[:0])
		log.add(row.Time, events)
		if now++; now < of.Sync {
			continue
		}
		d := row.Decision
		a := s.object
		a.Namespace, a.CreationTime = cmp.Or(a.Namespace, "default"), scenario.Start
		a.Name, a.Status = cmp.Or(a.Name, s.Name), d.Status(row.State)
		a.Spec = *s.autoscaler.Spec
		r.Sync = &Sync{
			SyncOf: *of, Time: row.Time, Text: d.String(), Stages: d.Stages(), Until: d.Until,
			Status: a.Status, Describe: describe.WithEvents(&a, row.Time, log),
		}
		for _, e := range events {
			r.Sync.Events = append(r.Sync.Events, Event{e.Type, e.Reason, e.Message})
		}
		return nil
	}
	return fmt.Errorf("there is no sync %d, of %d", of.Sync, now+1)
}
