package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// requestFlags are what a pod requests.
type requestFlags []podgroup.ResourceRequest

func (r *requestFlags) set(s string) error {
	*r = nil
	for part := range strings.SplitSeq(s, ",") {
		name, value, ok := strings.Cut(part, "=")
		var m metrics.Milli
		if !ok || name == "" || amount(&m, value) != nil {
			return errors.New("not a list such as cpu=500m,memory=1Gi")
		}
		*r = append(*r, podgroup.ResourceRequest{Resource: name, Milli: m})
	}
	return nil
}

func (r requestFlags) of(resource string) metrics.Milli {
	for _, q := range r {
		if q.Resource == resource {
			return q.Milli
		}
	}
	return 0
}

// gaugeFlag is what is to be different for one metric.
type gaugeFlag struct {
	metric, container    string
	idle, busy, starting *metrics.Milli
	scrape, lag, window  *time.Duration
	missing, failing     *float64
}

var errGauge = errors.New("not like memory:idle=256Mi,busy=1Gi,lag=30s")

// appendGauge reads METRIC[/CONTAINER]:KEY=VALUE,...
func appendGauge(all *[]gaugeFlag, s string) error {
	name, list, ok := strings.Cut(s, ":")
	if !ok || name == "" {
		return errGauge
	}
	var g gaugeFlag
	g.metric, g.container, _ = strings.Cut(name, "/")
	for part := range strings.SplitSeq(list, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return errGauge
		}
		var err error
		amounts := map[string]**metrics.Milli{"idle": &g.idle, "busy": &g.busy, "starting": &g.starting}
		times := map[string]**time.Duration{"scrape": &g.scrape, "lag": &g.lag, "window": &g.window}
		fractions := map[string]**float64{"missing": &g.missing, "failing": &g.failing}
		switch {
		case amounts[key] != nil:
			*amounts[key] = new(metrics.Milli)
			err = amount(*amounts[key], value)
		case times[key] != nil:
			*times[key] = new(time.Duration)
			err = duration(*times[key])(value)
		case fractions[key] != nil:
			*fractions[key] = new(float64)
			err = fraction(*fractions[key])(value)
		default:
			err = errGauge
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	*all = append(*all, g)
	return nil
}

// gaugesFor returns the gauges of the spec's metrics, each once.
func (w *world) gaugesFor(spec *calculator.Spec, capacity metrics.Milli) []simulate.Gauge {
	var gauges []simulate.Gauge
	for i := range spec.Metrics {
		m := &spec.Metrics[i]
		g := simulate.Gauge{
			Period: w.scrape, Lag: w.lag, Window: w.window,
			MissingRate: w.missing, FailureRate: w.failing, LoadUnit: capacity,
		}
		switch {
		case m.Resource != nil:
			g.Metric, g.PerLoad = m.Resource.Name, w.busy(m.Resource.Name)
		case m.ContainerResource != nil:
			g.Metric, g.Container, g.PerLoad = m.ContainerResource.Name, m.ContainerResource.Container, w.busy(m.ContainerResource.Name)
		case m.Pods != nil:
			g.Metric, g.PerLoad = m.Pods.Metric.Name, capacity
		case m.Object != nil:
			g.Metric, g.PerLoad = m.Object.Metric.Name, capacity
		case m.External != nil:
			g.Metric, g.PerLoad = m.External.Metric.Name, capacity
		}
		for i := range w.gauges {
			w.gauges[i].apply(&g)
		}
		twice := false
		for i := range gauges {
			twice = twice || gauges[i].Metric == g.Metric && gauges[i].Container == g.Container
		}
		if !twice {
			gauges = append(gauges, g)
		}
	}
	return gauges
}

// busy is what a pod uses of a resource that can serve no more.
func (w *world) busy(resource string) metrics.Milli {
	return metrics.Milli(float64(w.requests.of(resource)) * w.usage / 100)
}

// apply changes the gauge if it is of the flag's metric.
func (f *gaugeFlag) apply(g *simulate.Gauge) {
	if g.Metric != f.metric || g.Container != f.container {
		return
	}
	busy := g.Idle + g.PerLoad
	if f.busy != nil {
		busy = *f.busy
	}
	if f.idle != nil {
		g.Idle = *f.idle
	}
	g.PerLoad = max(busy-g.Idle, 0)
	for _, v := range []struct{ from, to *metrics.Milli }{{f.starting, &g.Starting}} {
		if v.from != nil {
			*v.to = *v.from
		}
	}
	for _, v := range []struct{ from, to *time.Duration }{{f.scrape, &g.Period}, {f.lag, &g.Lag}, {f.window, &g.Window}} {
		if v.from != nil {
			*v.to = *v.from
		}
	}
	for _, v := range []struct{ from, to *float64 }{{f.missing, &g.MissingRate}, {f.failing, &g.FailureRate}} {
		if v.from != nil {
			*v.to = *v.from
		}
	}
}

// containers are those that the spec's metrics name, or one. The first one
// requests everything.
func (w *world) containers(spec *calculator.Spec) []podgroup.Container {
	var all []podgroup.Container
	for i := range spec.Metrics {
		m := spec.Metrics[i].ContainerResource
		if m == nil {
			continue
		}
		there := false
		for _, c := range all {
			there = there || c.Name == m.Container
		}
		if !there {
			all = append(all, podgroup.Container{Name: m.Container})
		}
	}
	if len(all) == 0 {
		all = append(all, podgroup.Container{Name: "app"})
	}
	for i := range all {
		for _, r := range w.requests {
			if i == 0 {
				all[i].Requests.Set(r.Resource, r.Milli)
			} else {
				all[i].Requests.Set(r.Resource, 0)
			}
		}
	}
	return all
}
