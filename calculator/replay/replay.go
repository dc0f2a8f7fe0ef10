package replay

import (
	"fmt"
	"iter"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
)

// Sync is one sync of a recording.
type Sync struct {
	// Time is when the sync was.
	Time time.Time
	// Observation is what the sync saw. Its readings are in the order of the
	// metrics in the spec.
	Observation *calculator.Observation
	// WriteErr is why the size could not be written; nil if it was, or did not
	// change.
	WriteErr error
}

// Answers are the decisions of several autoscalers on the same sync. They are
// valid until the next iteration of Run.
type Answers struct {
	Sync Sync
	// Decisions has one decision for each autoscaler, in their order.
	Decisions []calculator.Decision
}

// Size returns the size after the sync if autoscaler i had been in charge.
func (a *Answers) Size(i int) int32 {
	d := &a.Decisions[i]
	if d.Outcome == calculator.OutcomeNotWritten {
		return d.CurrentReplicas
	}
	return d.DesiredReplicas
}

// Differ reports whether any size differs from that of the first autoscaler.
func (a *Answers) Differ() bool {
	for i := range a.Decisions {
		if a.Size(i) != a.Size(0) {
			return true
		}
	}
	return false
}

// Run decides on each sync of a recording, in an open loop. Each autoscaler is
// only read: its clone decides. Its decisions count as written, unless the
// recording has a WriteErr, but they do not change the syncs that follow. An
// autoscaler that wants another size than the recorded one wants it again at
// each sync, and its policies count each time as a change. Use
// simulate.Scenario to see what a decision leads to.
//
// The autoscalers must have the same metrics in the same order; targets may
// differ. An error ends the replay: that of the recording, a *field.Error, or
// calculator.Decision.Err of a sync that cannot be decided on.
func Run(syncs iter.Seq2[Sync, error], autoscalers ...*calculator.Autoscaler) iter.Seq2[*Answers, error] {
	return func(yield func(*Answers, error) bool) {
		r, err := begin(syncs, autoscalers)
		if err != nil {
			yield(nil, err)
			return
		}
		for sync, err := range syncs {
			if err == nil {
				err = r.decide(sync)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&r.answers, nil) {
				return
			}
		}
	}
}

// run is a replay: the autoscalers, and their decisions on the last of n syncs.
type run struct {
	autoscalers []calculator.Autoscaler
	answers     Answers
	n           int
}

// begin returns a run after checking the arguments.
func begin(syncs iter.Seq2[Sync, error], autoscalers []*calculator.Autoscaler) (*run, error) {
	if syncs == nil {
		return nil, field.Required("syncs", "")
	}
	r := &run{answers: Answers{Decisions: make([]calculator.Decision, len(autoscalers))}}
	for i, a := range autoscalers {
		path := fmt.Sprintf("autoscalers[%d]", i)
		switch {
		case a == nil:
			return nil, field.Required(path, "")
		case a.Spec == nil:
			return nil, field.Required(path+".spec", "")
		}
		r.autoscalers = append(r.autoscalers, a.Clone())
	}
	return r, nil
}

// decide makes the decisions on the next sync.
func (r *run) decide(sync Sync) error {
	if sync.Observation == nil {
		return field.Required(fmt.Sprintf("syncs[%d].observation", r.n), "")
	}
	r.answers.Sync = sync
	for i := range r.autoscalers {
		a, d := &r.autoscalers[i], &r.answers.Decisions[i]
		a.DecideInto(d, sync.Time, sync.Observation)
		// A sync that cannot read the scale still counts.
		if d.Zone == calculator.NoZone && sync.Observation.ScaleError == nil {
			return fmt.Errorf("syncs[%d]: autoscalers[%d]: %w", r.n, i, d.Err())
		}
		if sync.WriteErr != nil {
			a.Failed(sync.Time, d, sync.WriteErr)
		} else {
			a.Applied(sync.Time, d)
		}
	}
	r.n++
	return nil
}
