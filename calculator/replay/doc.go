// Package replay decides again on syncs that were recorded, with the same rules
// or with others.
//
//	recorded := r.Header().Autoscaler() // of a recording.Reader
//	other := recorded.Clone()
//	other.Spec.MaxReplicas = 50
//	for answers, err := range replay.Run(r.Syncs(), &recorded, &other) {
//		…
//	}
//
// A [Sync] is a time and what the autoscaler saw then. Package recording keeps
// syncs in a file. [Run] yields the [Answers] of several autoscalers to each
// sync, and [Differences] adds up where their sizes differ.
//
// A replay is an open loop: a decision does not change what the next syncs see.
// In the closed loop of package simulate, it does.
//
// Syncs and autoscalers are only read. Goroutines may replay the same ones at
// once.
package replay
