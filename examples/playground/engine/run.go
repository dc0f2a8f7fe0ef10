package engine

import (
	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// run simulates the subject.
func (s *subject) run(scenario *simulate.Scenario, rows bool) (Run, error) {
	r := Run{Name: s.Name}
	if rows {
		n := int(scenario.Duration/scenario.SyncPeriod) + 2
		r.Rows = newRows(scenario.Start.UnixMilli(), n)
	}
	var ledger simulate.Ledger
	for row, err := range scenario.Run(&s.autoscaler) {
		if err != nil {
			return r, err
		}
		ledger.Add(&row)
		if rows {
			r.Rows.add(&row)
		}
	}
	sum := ledger.Summary()
	r.Summary = &sum
	return r, nil
}

func newRows(start int64, n int) *Rows {
	return &Rows{
		Start: start, Time: make([]int64, 0, n),
		Load: make([]float64, 0, n), Unserved: make([]float64, 0, n), Capacity: make([]float64, 0, n), Target: make([]float64, 0, n),
		Current: make([]int32, 0, n), Desired: make([]int32, 0, n), Proposed: make([]int32, 0, n),
		Pods: make([]int, 0, n), Ready: make([]int, 0, n), Held: make([]Held, 0, n),
	}
}

func (r *Rows) add(row *simulate.Row) {
	r.Time = append(r.Time, row.Time.UnixMilli()-r.Start)
	r.Load = append(r.Load, units(row.Load))
	r.Unserved = append(r.Unserved, units(row.Unserved))
	r.Capacity = append(r.Capacity, units(row.Capacity))
	r.Target = append(r.Target, units(row.TargetLoad))
	r.Current = append(r.Current, row.CurrentReplicas)
	r.Desired = append(r.Desired, row.DesiredReplicas)
	r.Proposed = append(r.Proposed, row.Proposed)
	r.Pods = append(r.Pods, row.Pods)
	r.Ready = append(r.Ready, row.Ready)
	r.Held = append(r.Held, held(row))
}

// units returns an amount in milli-units in whole ones.
func units(m metrics.Milli) float64 { return float64(m) / 1000 }

// held returns what held the size at a sync.
func held(row *simulate.Row) (h Held) {
	d := row.Decision
	if row.Stabilization != stabilize.NotStabilized {
		h |= ByWindow
	}
	switch row.Limit {
	case behavior.ScaleUpLimit, behavior.ScaleDownLimit:
		h |= ByPolicy
	case behavior.TooFewReplicas:
		h |= ByMin
	case behavior.TooManyReplicas:
		h |= ByMax
	}
	if row.Blocked {
		h |= ByMetrics
	}
	if i := d.Choice.Metric; !row.Blocked && i >= 0 && i < len(d.Proposals) && d.Proposals[i].Rule == calculator.WithinTolerance {
		h |= ByTolerance
	}
	if d.Cooldown.Backoff != behavior.NoBackoff {
		h |= ByCooldown
	}
	return h
}
