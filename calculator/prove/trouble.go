package prove

import (
	"fmt"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Trouble is something that happens besides load.
type Trouble struct {
	Kind TroubleKind
	// N is the number of pods that it happens to, the newest first. Other kinds
	// use it as they document. A negative N counts as 0.
	N int32
}

// TroubleKind is a kind of trouble.
type TroubleKind uint8

const (
	// NoTrouble: nothing happens.
	NoTrouble TroubleKind = iota
	// Resized: before the segment, something else sets the size to N.
	Resized
	// Restarted: before the segment, the controller restarts, with its state.
	Restarted
	// ScaleFails: the scale cannot be read.
	ScaleFails
	// SelectorFails: the scale's selector is missing (N is 0), malformed (1) or
	// ambiguous (2).
	SelectorFails
	// WriteFails: the size cannot be written.
	WriteFails
	// MetricFails: the API of metric N, its index in the spec, fails.
	MetricFails
	// MetricEmpty: the API of metric N, its index in the spec, returns no
	// samples. An External metric has no series and so the value 0; an Object
	// metric fails.
	MetricEmpty
	// MetricsLate: metrics are N syncs older than Setup.Lag makes them. Before
	// so many syncs, they are those of the first one.
	MetricsLate
	// PodsMute: N pods have no samples.
	PodsMute
	// PodsPending: N pods are Pending.
	PodsPending
	// PodsUnready: N pods are not ready, and never were.
	PodsUnready
	// PodsUnreported: N pods have no Ready condition.
	PodsUnreported
	// PodsUnseen: N pods have no start time.
	PodsUnseen
	// PodsDeleted: N more pods are being deleted.
	PodsDeleted
	// PodsFailed: N more pods have failed.
	PodsFailed
	// PodsSurplus: there are N more pods than the size, as in a rollout.
	PodsSurplus
	// PodsLacking: there are N fewer pods than the size, as under a quota.
	PodsLacking
	// PodsGone: there are samples of N pods that are no longer listed.
	PodsGone
	// PodsWithoutRequest: N pods have no requests.
	PodsWithoutRequest
	// RequestsZero: all pods request zero.
	RequestsZero
	// Surge: there are N percent more pods than the size, rounded up, as in a
	// rollout with that maxSurge. They are ready and carry load.
	Surge

	// LastTrouble is the last kind.
	LastTrouble = Surge
)

// String returns the kind in a few words.
func (k TroubleKind) String() string {
	switch k {
	case NoTrouble:
		return "no trouble"
	case Resized:
		return "resized by others"
	case Restarted:
		return "restarted"
	case ScaleFails:
		return "scale unreadable"
	case SelectorFails:
		return "selector at fault"
	case WriteFails:
		return "write fails"
	case MetricFails:
		return "metric fails"
	case MetricEmpty:
		return "metric empty"
	case MetricsLate:
		return "metrics late"
	case PodsMute:
		return "without sample"
	case PodsPending:
		return "pending"
	case PodsUnready:
		return "unready"
	case PodsUnreported:
		return "without readiness"
	case PodsUnseen:
		return "without start"
	case PodsDeleted:
		return "being deleted"
	case PodsFailed:
		return "failed"
	case PodsSurplus:
		return "surplus"
	case PodsLacking:
		return "lacking"
	case PodsGone:
		return "gone, but sampled"
	case PodsWithoutRequest:
		return "without request"
	case RequestsZero:
		return "requests are zero"
	case Surge:
		return "surge"
	}
	return fmt.Sprintf("TroubleKind(%d)", uint8(k))
}

// OfPods reports whether N counts pods.
func (k TroubleKind) OfPods() bool { return k >= PodsMute && k <= PodsWithoutRequest }

// OfMetric reports whether N is the index of a metric.
func (k TroubleKind) OfMetric() bool { return k == MetricFails || k == MetricEmpty }

// once reports whether the trouble happens before a segment, not throughout it.
func (k TroubleKind) once() bool { return k == Resized || k == Restarted }

// String returns the trouble in a few words, such as "2 pending" or "metric 1
// fails".
func (x Trouble) String() string {
	switch {
	case x.Kind.OfPods():
		return fmt.Sprintf("%d %s", x.N, x.Kind)
	case x.Kind == Resized:
		return fmt.Sprintf("resized to %d", x.N)
	case x.Kind == MetricFails:
		return fmt.Sprintf("metric %d fails", x.N+1)
	case x.Kind == MetricEmpty:
		return fmt.Sprintf("metric %d empty", x.N+1)
	case x.Kind == MetricsLate:
		return fmt.Sprintf("metrics late by %s", words.Count(int(x.N), "sync"))
	case x.Kind == Surge:
		return fmt.Sprintf("surge of %d%%", x.N)
	}
	return x.Kind.String()
}
