package simulate

import (
	"fmt"
	"iter"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
)

// RecordedSync is one sync of a recording.
type RecordedSync struct {
	// Time is when the sync was.
	Time time.Time
	// Observation is what the sync saw. Its readings are in the order of the
	// metrics in the spec.
	Observation *calculator.Observation
	// WriteErr is why the size could not be written; nil if it was, or did not
	// change.
	WriteErr error
}

// Answers are the decisions of several autoscalers on the same sync. They are valid
// until the next Answers of the replay.
type Answers struct {
	Sync RecordedSync
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

// Replay decides on each sync of a recording, in an open loop. Each autoscaler has
// its own state. Its decisions count as written, unless the recording has a
// WriteErr, but they do not change the syncs that follow. An autoscaler that wants
// another size than the recorded one wants it again at each sync, and its policies
// count each time as a change. Use Scenario.Run to see what a decision leads to.
//
// The autoscalers must have the same metrics in the same order; targets may differ.
// An error ends the replay: that of the recording, a *field.Error, or
// calculator.Decision.Err of a sync that cannot be decided on.
func Replay(syncs iter.Seq2[RecordedSync, error], autoscalers ...*Autoscaler) iter.Seq2[*Answers, error] {
	return func(yield func(*Answers, error) bool) {
		if syncs == nil {
			yield(nil, field.Required("syncs", ""))
			return
		}
		states := make([]calculator.State, len(autoscalers))
		proposers := make([]calculator.Proposer, len(autoscalers))
		var readings []calculator.Reading
		for i, a := range autoscalers {
			if err := a.check(fmt.Sprintf("autoscalers[%d]", i)); err != nil {
				yield(nil, err)
				return
			}
			states[i], proposers[i] = a.State.Clone(), a.proposer()
		}
		answers := Answers{Decisions: make([]calculator.Decision, len(autoscalers))}
		n := 0
		for sync, err := range syncs {
			if err != nil {
				yield(nil, err)
				return
			}
			if sync.Observation == nil {
				yield(nil, field.Required(fmt.Sprintf("syncs[%d].observation", n), ""))
				return
			}
			answers.Sync = sync
			for i, a := range autoscalers {
				d, obs := &answers.Decisions[i], *sync.Observation
				readings = propose(proposers[i], sync.Time, &obs, readings)
				calculator.DecideInto(d, sync.Time, &a.Settings, a.Spec, &obs, &states[i])
				if d.Zone == calculator.NoZone && obs.ScaleError == nil {
					yield(nil, fmt.Errorf("syncs[%d]: autoscalers[%d]: %w", n, i, d.Err()))
					return
				}
				if sync.WriteErr != nil {
					states[i].Failed(sync.Time, d, sync.WriteErr)
				} else {
					states[i].Applied(sync.Time, d)
				}
			}
			if !yield(&answers, nil) {
				return
			}
			n++
		}
	}
}

// Difference is how the sizes of an autoscaler differ from those of the first one.
type Difference struct {
	// Syncs counts all syncs, Higher those with a larger size, Lower those with a
	// smaller one.
	Syncs, Higher, Lower int
	// MostHigher and MostLower are the largest differences, in replicas, not
	// negative.
	MostHigher, MostLower int64
	// First and Last are when the sizes first and last differed; the zero
	// time.Time if they never did.
	First, Last time.Time
}

// Differences returns for each autoscaler of a replay how its sizes differ from
// those of the first one, itself included. On an error, which is that of the
// replay, the differences are those before it.
func Differences(replay iter.Seq2[*Answers, error]) ([]Difference, error) {
	var all []Difference
	for a, err := range replay {
		if err != nil {
			return all, err
		}
		if all == nil {
			all = make([]Difference, len(a.Decisions))
		}
		for i := range all {
			all[i].add(a.Sync.Time, int64(a.Size(i))-int64(a.Size(0)))
		}
	}
	return all, nil
}

func (d *Difference) add(now time.Time, by int64) {
	d.Syncs++
	switch {
	case by == 0:
		return
	case by > 0:
		d.Higher++
		d.MostHigher = max(d.MostHigher, by)
	default:
		d.Lower++
		d.MostLower = max(d.MostLower, -by)
	}
	if d.First.IsZero() {
		d.First = now
	}
	d.Last = now
}
