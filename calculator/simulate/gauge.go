package simulate

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/metrics"
)

// ErrUnavailable is the error of a metrics API that fails by a Gauge's
// FailureRate.
var ErrUnavailable = errors.New("simulate: the metrics API is unavailable")

// Gauge describes how a metric follows the load, and how late it gets to the
// autoscaler. It serves all metrics of the spec with its name and container.
//
// A Resource, ContainerResource or Pods metric is, for a ready pod,
//
//	Idle + PerLoad * load that the pod serves / LoadUnit
//
// and Starting for a running pod that is not ready. An Object or External
// metric is
//
//	Idle + PerLoad * whole load, served or not / LoadUnit
//
// It follows the load at once, down to Idle. Memory that a process does not
// return belongs to Idle.
//
// Samples and values are averages over the Window before the scrape. The window
// of a pod begins no earlier than its containers. A pod whose containers
// started after the scrape, or that is deleted, has no sample.
type Gauge struct {
	// Metric is the name of the resource or metric.
	Metric string
	// Container is the container of a ContainerResource metric, "" for all
	// others.
	Container string

	// Idle, PerLoad and Starting are in milli-units of the metric, not
	// negative.
	Idle, PerLoad, Starting metrics.Milli
	// LoadUnit is the load that PerLoad is for, in milli-units. Zero means
	// 1000, one unit. If it is the capacity of a pod, PerLoad is the metric of
	// a fully loaded pod.
	LoadUnit metrics.Milli

	// Target is what metrics of type Proposal with the gauge's name are held
	// against, since they have no target of their own: a Value or an
	// AverageValue. It takes no part in decisions, and only says which load is
	// above target. The zero Target leaves that unknown.
	Target metrics.Target

	// Period is the time between scrapes, which have a random phase. Zero means
	// a scrape at each sync.
	Period time.Duration
	// Lag is the time from a scrape until the autoscaler can read it.
	Lag time.Duration
	// Window is the length of the averages. Zero means the moment of the
	// scrape.
	Window time.Duration

	// MissingRate is the fraction of samples that are missing, 0 to 1.
	MissingRate float64
	// FailureRate is the fraction of syncs at which the metrics API fails, 0 to
	// 1.
	FailureRate float64
}

func (g *Gauge) check(path string) error {
	if g.Metric == "" {
		return field.Required(path+".metric", "")
	}
	for _, m := range []struct {
		name string
		m    metrics.Milli
	}{{".idle", g.Idle}, {".perLoad", g.PerLoad}, {".starting", g.Starting}, {".loadUnit", g.LoadUnit}} {
		if m.m < 0 {
			return negative(path+m.name, m.m)
		}
	}
	if t := g.Target; t.Type() != metrics.NoTarget && (t.Type() == metrics.UtilizationTarget || !t.Valid()) {
		return field.Invalid(path+".target", t.String(), "must be a positive Value or AverageValue")
	}
	for _, r := range []struct {
		name string
		r    float64
	}{{".missingRate", g.MissingRate}, {".failureRate", g.FailureRate}} {
		if !(r.r >= 0 && r.r <= 1) {
			return field.Invalid(path+r.name, r.r, "must be between 0 and 1")
		}
	}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{".period", g.Period}, {".lag", g.Lag}, {".window", g.Window}} {
		if d.d < 0 {
			return negative(path+d.name, d.d)
		}
		if d.d > margin/4 {
			return field.Invalid(path+d.name, d.d.String(), fmt.Sprintf("must not be longer than %v", margin/4))
		}
	}
	return nil
}

// lookback returns how far back a sync can see through the gauge.
func (g *Gauge) lookback() time.Duration { return g.Period + g.Lag + max(g.Window, 1) }

// shows returns the metric at a load.
func (g *Gauge) shows(load metrics.Milli) metrics.Milli {
	return addSat(g.Idle, scale(load, uint64(g.PerLoad), g.unit()))
}

func (g *Gauge) unit() uint64 {
	if g.LoadUnit == 0 {
		return 1000
	}
	return uint64(g.LoadUnit)
}

// carries returns the largest load at which the metric is not above most, -1 if
// it is above at no load.
func (g *Gauge) carries(most metrics.Milli) metrics.Milli {
	switch {
	case most < g.Idle:
		return -1
	case g.PerLoad == 0 || most == math.MaxInt64:
		return math.MaxInt64
	}
	// The next larger load is the first one a milli-unit above.
	return metrics.Milli(min(mulCeil(most-g.Idle+1, g.unit(), uint64(g.PerLoad))-1, math.MaxInt64))
}
