package calctest

import "fmt"

// Trouble is something that happens besides load.
type Trouble struct {
	Kind TroubleKind
	// N is how many pods it happens to, the newest first, or, for other kinds,
	// the size, the metric's index, or which of several it is.
	N int32
}

// TroubleKind is a kind of trouble.
type TroubleKind uint8

const (
	// NoTrouble: nothing happens.
	NoTrouble TroubleKind = iota
	// Resized: before the phase, somebody else sets the size to N.
	Resized
	// Restarted: before the phase, the controller restarts, with its state.
	Restarted
	// ScaleFails: the scale cannot be read.
	ScaleFails
	// SelectorFails: something is wrong with the scale's selector: the
	// calculator.SelectorReason N.
	SelectorFails
	// WriteFails: no size can be written.
	WriteFails
	// MetricFails: the API of metric N answers with an error.
	MetricFails
	// MetricEmpty: the API of metric N answers without any sample; an Object
	// metric fails, and an External one has no series, which counts as none at all.
	MetricEmpty
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
	// PodsDeleted: besides the others, N pods are being deleted.
	PodsDeleted
	// PodsFailed: besides the others, N pods have failed.
	PodsFailed
	// PodsSurplus: there are N pods more than the size, as in a rollout.
	PodsSurplus
	// PodsLacking: there are N pods less than the size, as under a quota.
	PodsLacking
	// PodsGone: there are samples of N pods that are not listed any more.
	PodsGone
	// PodsWithoutRequest: N pods request nothing.
	PodsWithoutRequest
	// RequestsZero: all pods request zero.
	RequestsZero

	lastTrouble = RequestsZero
)

// String tells the kind in a few words.
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
	}
	return fmt.Sprintf("TroubleKind(%d)", uint8(k))
}

// ofPods tells whether the trouble's number counts pods.
func (k TroubleKind) ofPods() bool { return k >= PodsMute && k <= PodsWithoutRequest }

// once tells whether the trouble happens before a phase, and not throughout it.
func (k TroubleKind) once() bool { return k == Resized || k == Restarted }

// String tells the trouble in a few words: "2 pending" or "metric 1 fails".
func (x Trouble) String() string {
	switch {
	case x.Kind.ofPods():
		return fmt.Sprintf("%d %s", x.N, x.Kind)
	case x.Kind == Resized:
		return fmt.Sprintf("resized to %d", x.N)
	case x.Kind == MetricFails:
		return fmt.Sprintf("metric %d fails", x.N+1)
	case x.Kind == MetricEmpty:
		return fmt.Sprintf("metric %d empty", x.N+1)
	}
	return x.Kind.String()
}
