package engine

// Rows are the syncs of a run, a list for each column. Loads are in the unit of
// the load's file.
type Rows struct {
	// Start is the time of the first sync in milliseconds since 1970, Time that
	// of each sync in milliseconds after it.
	Start int64   `json:"start"`
	Time  []int64 `json:"time"`
	// Load, Unserved, Capacity and Target are averages until the next sync: the
	// load, the part that was lost, what the ready pods could serve, and what
	// they can serve within the tolerance of the targets.
	Load     []float64 `json:"load"`
	Unserved []float64 `json:"unserved"`
	Capacity []float64 `json:"capacity"`
	Target   []float64 `json:"target"`
	// Current and Desired are the size before and after the sync. Proposed is
	// what the metrics asked for.
	Current  []int32 `json:"current"`
	Desired  []int32 `json:"desired"`
	Proposed []int32 `json:"proposed"`
	// Pods counts the pods that the sync saw, Ready those running and ready.
	Pods  []int `json:"pods"`
	Ready []int `json:"ready"`
	// Held says what held the size: a byte for each sync, in base64.
	Held []Held `json:"held"`
}

// Held is what held the size at a sync, a set of bits.
type Held uint8

const (
	// ByWindow: a stabilization window changed the size.
	ByWindow Held = 1 << iota
	// ByPolicy: a policy did, or the limit of a spec without behavior.
	ByPolicy
	// ByMin and ByMax: minReplicas or maxReplicas did.
	ByMin
	ByMax
	// ByMetrics: the size could not change, or not fall, because metrics were
	// missing.
	ByMetrics
	// ByTolerance: the usage ratio was within the tolerance.
	ByTolerance
	// ByCooldown: the cooldown of a Threshold did.
	ByCooldown
)
