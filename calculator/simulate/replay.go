package simulate

import (
	"fmt"
	"iter"
	"time"

	"github.com/purehpa/hpa/calculator"
)

// Sync is one sync of a recording: what the autoscaler saw.
type Sync struct {
	// Time is when it was.
	Time time.Time
	// Observation is what it saw, with a reading for each metric that it asked
	// for, in the order of the spec.
	Observation *calculator.Observation
	// WriteErr is why the size could not be written; nil if it could, or did
	// not have to be.
	WriteErr error
}

// Answers are what several autoscalers say to the same sync.
type Answers struct {
	// Sync is the sync.
	Sync Sync
	// Decisions are one for each autoscaler, in their order. They are good until
	// the next Answers.
	Decisions []calculator.Decision
}

// Size returns the size after the sync if the ith autoscaler had been in charge
// of it: the size decided, if it could be written.
func (a *Answers) Size(i int) int32 {
	d := &a.Decisions[i]
	if d.Outcome == calculator.NotWritten {
		return d.CurrentReplicas
	}
	return d.DesiredReplicas
}

// Differ reports whether any autoscaler says another size than the first one.
func (a *Answers) Differ() bool {
	for i := range a.Decisions {
		if a.Size(i) != a.Size(0) {
			return true
		}
	}
	return false
}

// Replay asks autoscalers in an open loop what they would have said to each sync
// of a recording. Each keeps a history of its own, into which its decisions go
// as if they had been written, unless the recording says that writing failed;
// but nothing that they decide changes what comes next. So an autoscaler that
// wants another size than the one recorded wants it anew with each sync, and its
// policies take all of these for changes that were made. What would have become
// of a decision is what Scenario.Run answers.
//
// The autoscalers must have the same metrics in the same order, with whichever
// targets. An error is the recording's, an *InputError, or what
// calculator.Decision.Err says of arguments; it is yielded once and ends the
// replay.
func Replay(syncs iter.Seq2[Sync, error], autoscalers ...*Autoscaler) iter.Seq2[*Answers, error] {
	return func(yield func(*Answers, error) bool) {
		if syncs == nil {
			yield(nil, inputErrorf("syncs", "nil"))
			return
		}
		states := make([]calculator.State, len(autoscalers))
		for i, a := range autoscalers {
			switch {
			case a == nil:
				yield(nil, inputErrorf(fmt.Sprintf("autoscalers[%d]", i), "nil"))
				return
			case a.Spec == nil:
				yield(nil, inputErrorf(fmt.Sprintf("autoscalers[%d].spec", i), "nil"))
				return
			}
			states[i] = a.State.Clone()
		}
		answers := Answers{Decisions: make([]calculator.Decision, len(autoscalers))}
		n := 0
		for sync, err := range syncs {
			if err != nil {
				yield(nil, err)
				return
			}
			if sync.Observation == nil {
				yield(nil, inputErrorf(fmt.Sprintf("syncs[%d].observation", n), "nil"))
				return
			}
			answers.Sync = sync
			for i, a := range autoscalers {
				d := &answers.Decisions[i]
				calculator.DecideInto(d, sync.Time, &a.Settings, a.Spec, sync.Observation, &states[i])
				if d.Zone == calculator.NoZone && sync.Observation.ScaleError == nil {
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

// Difference is how the answers of an autoscaler differ from those of the first
// one.
type Difference struct {
	// Syncs counts all syncs, Higher those to which the autoscaler said a larger
	// size, and Lower those to which it said a smaller one.
	Syncs, Higher, Lower int
	// MostHigher and MostLower are the largest differences in either direction,
	// in replicas, neither negative.
	MostHigher, MostLower int64
	// First and Last are when it first and last said another size; the zero
	// time.Time if it never did.
	First, Last time.Time
}

// Differences tells for each autoscaler of a replay how its sizes differ from
// those of the first one, which itself comes first. The error is the replay's,
// and the differences are of what came before it.
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
