package simulate

import (
	"cmp"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// Row is one sync of a run and the span until the next one. It is a plain
// value, except for Decision and State.
type Row struct {
	// Time is when the sync was, Span the time until the next one or the end.
	Time time.Time
	Span time.Duration

	// CurrentReplicas is the size before the sync, DesiredReplicas the size
	// after.
	CurrentReplicas, DesiredReplicas int32
	// Proposed is the size that the metrics asked for, before stabilization and
	// limits. It is CurrentReplicas if no size was computed.
	Proposed int32
	// Stabilization is what the stabilization windows did to Proposed, Limit
	// what policies and bounds did after that. They are stabilize.NotStabilized
	// and behavior.DesiredWithinRange if no size was computed.
	Stabilization stabilize.Reason
	Limit         behavior.LimitReason
	// Failed counts the metrics that gave no proposal. Blocked reports whether
	// the size could not change because of them.
	Failed  int
	Blocked bool
	// Pods counts the pods that the sync saw, Ready those running and ready.
	Pods, Ready int

	// Performance is that of the workload over the span.
	Performance
	// EndLoad is the load at the end of the span, where Load is an average.
	EndLoad metrics.Milli

	// Decision is the whole decision, with its conditions and events. It is
	// valid until the next row.
	Decision *calculator.Decision
	// State is what the autoscaler remembers after the sync. It is valid until
	// the next row, and only to be read.
	State *calculator.State
}

// Rescaled reports whether the sync changed the size.
func (r *Row) Rescaled() bool { return r.DesiredReplicas != r.CurrentReplicas }

func rowOf(d *calculator.Decision, obs *calculator.Observation) Row {
	r := Row{
		Time:            d.Now,
		CurrentReplicas: d.CurrentReplicas,
		DesiredReplicas: d.DesiredReplicas,
		Proposed:        d.CurrentReplicas,
		Stabilization:   cmp.Or(d.Stabilization.Reason, stabilize.NotStabilized),
		Limit:           cmp.Or(d.Limits.Reason, behavior.DesiredWithinRange),
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
