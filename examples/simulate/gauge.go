package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// requestFlags are the requests of a pod.
type requestFlags []podgroup.ResourceRequest

func (r *requestFlags) set(s string) error {
	*r = nil
	for part := range strings.SplitSeq(s, ",") {
		name, value, ok := strings.Cut(part, "=")
		var m metrics.Milli
		if !ok || name == "" || amount(&m)(value) != nil {
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

// gaugeFlag changes the gauge of one metric.
type gaugeFlag struct {
	metric, container string
	// values are like idle=256Mi.
	values []string
}

var errGauge = errors.New("not like memory:idle=256Mi,busy=1Gi,lag=30s")

// appendGauge reads METRIC[/CONTAINER]:KEY=VALUE,...
func appendGauge(all *[]gaugeFlag, s string) error {
	name, list, ok := strings.Cut(s, ":")
	if !ok || name == "" {
		return errGauge
	}
	g := gaugeFlag{values: strings.Split(list, ",")}
	g.metric, g.container, _ = strings.Cut(name, "/")
	*all = append(*all, g)
	return g.apply(&simulate.Gauge{Metric: g.metric, Container: g.container})
}

// apply changes the gauge if it is of the flag's metric.
func (f *gaugeFlag) apply(g *simulate.Gauge) error {
	if g.Metric != f.metric || g.Container != f.container {
		return nil
	}
	busy := g.Idle + g.PerLoad
	keys := cli.NewFlagSet("")
	for key, to := range map[string]*metrics.Milli{"idle": &g.Idle, "busy": &busy, "starting": &g.Starting} {
		keys.Func(key, "", amount(to))
	}
	keys.Func("scrape", "", cli.Duration(&g.Period))
	keys.Func("lag", "", cli.Duration(&g.Lag))
	keys.Func("window", "", cli.Duration(&g.Window))
	keys.Func("missing", "", fraction(&g.MissingRate))
	keys.Func("failing", "", fraction(&g.FailureRate))
	for _, part := range f.values {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return errGauge
		}
		err := errGauge
		if keys.Lookup(key) != nil {
			err = keys.Set(key, value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	g.PerLoad = max(busy-g.Idle, 0)
	return nil
}

// gaugesFor returns the gauges of the spec's metrics, each once.
func (w *world) gaugesFor(spec *autoscaling.HorizontalPodAutoscalerSpec, capacity metrics.Milli) []simulate.Gauge {
	var gauges []simulate.Gauge
	for i := range spec.Metrics {
		m := spec.Metrics[i].Resolve()
		if slices.ContainsFunc(gauges, func(g simulate.Gauge) bool { return g.Metric == m.Name && g.Container == m.Container }) {
			continue
		}
		g := simulate.Gauge{
			Metric: m.Name, Container: m.Container, PerLoad: capacity, LoadUnit: capacity,
			Period: w.scrape, Lag: w.lag, Window: w.window, MissingRate: w.missing, FailureRate: w.failing,
		}
		if r := m.Resource(); r != "" {
			g.PerLoad = metrics.Milli(float64(w.requests.of(r)) * w.usage / 100)
		}
		for i := range w.gauges {
			_ = w.gauges[i].apply(&g) // appendGauge has checked it
		}
		gauges = append(gauges, g)
	}
	return gauges
}

// emptiesMemory reports whether pods without load use no memory, which real
// ones do.
func (j *job) emptiesMemory() bool {
	return slices.ContainsFunc(j.scenario.Workload.(simulate.Deployment).Gauges, func(g simulate.Gauge) bool {
		return g.Metric == "memory" && g.Idle == 0 && g.PerLoad > 0
	})
}

// containers returns those that the spec's metrics name, or one. The first one
// has all requests.
func (w *world) containers(spec *autoscaling.HorizontalPodAutoscalerSpec) []podgroup.Container {
	var all []podgroup.Container
	for i := range spec.Metrics {
		name := spec.Metrics[i].Resolve().Container
		if name != "" && !slices.ContainsFunc(all, func(c podgroup.Container) bool { return c.Name == name }) {
			all = append(all, podgroup.Container{Name: name})
		}
	}
	if len(all) == 0 {
		all = append(all, podgroup.Container{Name: "app"})
	}
	for i := range all {
		for _, r := range w.requests {
			if i > 0 {
				r.Milli = 0
			}
			all[i].Requests.Set(r.Resource, r.Milli)
		}
	}
	return all
}
