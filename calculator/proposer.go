package calculator

import "time"

// Proposer is an algorithm of the caller's that proposes sizes. It may have a
// memory of its own. An [Autoscaler] calls it before each decision, and so do
// packages replay, simulate and prove, each run with a clone of its own. One
// without a memory can be a [ProposerFunc].
type Proposer interface {
	// Propose puts proposals into the readings of what a sync at now observes.
	// It replaces elements of obs.Readings, changes nothing else, and keeps
	// nothing of the observation.
	Propose(now time.Time, obs *Observation)
	// Clone returns a copy that shares no memory.
	Clone() Proposer
}

// ProposerFunc is a function used as a Proposer. It has no memory, so that its
// clones are equal.
type ProposerFunc func(now time.Time, obs *Observation)

// Propose calls f.
func (f ProposerFunc) Propose(now time.Time, obs *Observation) { f(now, obs) }

// Clone returns f.
func (f ProposerFunc) Clone() Proposer { return f }
