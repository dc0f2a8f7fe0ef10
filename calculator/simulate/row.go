package simulate

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// Row is one sync of a simulation, and what followed until the next one. It is
// a value, to keep or not, but for Decision.
type Row struct {
	// Time is when the sync was, and Span how long it is until the next one, or
	// until the end.
	Time time.Time
	Span time.Duration

	// CurrentReplicas is the size before, DesiredReplicas the size after the
	// sync.
	CurrentReplicas, DesiredReplicas int32
	// Proposed is the size that the metrics asked for, before windows and
	// limits; CurrentReplicas where they were not asked or did not say.
	Proposed int32
	// Stabilization is what the stabilization windows did to that, Limit what
	// policies and bounds did then.
	Stabilization stabilize.Reason
	Limit         behavior.LimitReason
	// Failed counts the metrics that gave no proposal, and Blocked tells that
	// nothing could be scaled for that.
	Failed  int
	Blocked bool
	// Pods are the pods that the sync saw, and Ready those of them that ran and
	// were ready.
	Pods, Ready int

	// Service is how the workload fared over the span.
	Service

	// Decision is the whole decision, with its reasons, conditions and events. It
	// is good until the next row.
	Decision *calculator.Decision
}

// Rescaled reports whether the sync changed the size.
func (r *Row) Rescaled() bool { return r.DesiredReplicas != r.CurrentReplicas }

func rowOf(d *calculator.Decision, obs *calculator.Observation) Row {
	r := Row{
		Time:            d.Now,
		CurrentReplicas: d.CurrentReplicas,
		DesiredReplicas: d.DesiredReplicas,
		Proposed:        d.CurrentReplicas,
		Stabilization:   d.Stabilization.Reason,
		Limit:           d.Limits.Reason,
		Failed:          d.Choice.Invalid,
		Blocked:         d.Choice.Blocked,
		Pods:            len(obs.Pods),
		Ready:           podgroup.RunningAndReady(obs.Pods),
		Decision:        d,
	}
	if d.Choice.Metric >= 0 {
		r.Proposed = d.Choice.Replicas
	}
	return r
}
