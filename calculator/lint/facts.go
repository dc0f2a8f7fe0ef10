package lint

import (
	"math"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// Facts are what [Lint] needs to know beyond the spec. Most callers
// should start from [DefaultFacts].
type Facts struct {
	// UsualReplicas is the size that is usually needed. More than maxReplicas
	// counts as maxReplicas.
	UsualReplicas int32
	// Peak is how long the shortest peak of load lasts that needs an answer.
	// Zero, or less than SyncPeriod, means that none does.
	Peak time.Duration
	// Pause is how long the shortest pause in load lasts in which pods should
	// go. Zero, or less than SyncPeriod, means that they may always stay.
	Pause time.Duration
	// Rise is how long the policies may take from minReplicas to maxReplicas.
	// Zero means any time.
	Rise time.Duration
	// Fall is how long the policies may take from maxReplicas to minReplicas.
	// Zero means any time.
	Fall time.Duration
	// SyncPeriod is the time from one decision to the next. Without one, and
	// with one above an hour, nothing that takes time is looked at.
	SyncPeriod time.Duration
	// Growth is the fraction by which the load may grow from one sync to the
	// next: 0.1 for 10 percent.
	Growth float64
	// MemoryKept is the fraction of its memory that a pod keeps once its load
	// is gone, 0 to 1.
	MemoryKept float64
	// IdleCPU is the cpu that a pod uses without load, in milli-units.
	IdleCPU metrics.Milli
	// IdleUtilization is how much of its requests a pod uses without load, in
	// whole percent.
	IdleUtilization int32
}

// DefaultFacts returns what is likely of an unknown service: it usually needs
// maxReplicas; peaks of 5 minutes need an answer, and pods should go in pauses
// of 30 minutes; the policies may take 15 minutes to maxReplicas, and 12 hours,
// a night, to minReplicas; the load grows by at most 10 percent within
// Kubernetes' sync period; pods give no memory back, and idle ones use 5m of
// cpu and 2 percent of their requests.
func DefaultFacts() Facts {
	return Facts{
		UsualReplicas:   math.MaxInt32,
		Peak:            5 * time.Minute,
		Pause:           30 * time.Minute,
		Rise:            15 * time.Minute,
		Fall:            12 * time.Hour,
		SyncPeriod:      calculator.SyncPeriod,
		Growth:          0.1,
		MemoryKept:      1,
		IdleCPU:         5,
		IdleUtilization: 2,
	}
}
