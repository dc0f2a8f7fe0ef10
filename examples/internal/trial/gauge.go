package trial

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

// Gauge changes the gauge of one metric, as the flag -gauge says.
type Gauge struct {
	metric, container string
	// values are like idle=256Mi.
	values []string
}

var errGauge = errors.New("not like memory:idle=256Mi,busy=1Gi,lag=30s")

// gauge is a flag for METRIC[/CONTAINER]:KEY=VALUE,... that may be repeated.
func gauge(all *[]Gauge) func(string) error {
	return func(s string) error {
		name, list, ok := strings.Cut(s, ":")
		if !ok || name == "" {
			return errGauge
		}
		g := Gauge{values: strings.Split(list, ",")}
		g.metric, g.container, _ = strings.Cut(name, "/")
		*all = append(slices.Clip(*all), g) // copies of a World share the others
		return g.apply(&simulate.Gauge{Metric: g.metric, Container: g.container})
	}
}

// apply changes the gauge if it is of the same metric.
func (f *Gauge) apply(g *simulate.Gauge) error {
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
	keys.Func("missing", "", share(&g.MissingRate))
	keys.Func("failing", "", share(&g.FailureRate))
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

// gauges returns the gauges of the spec's metrics, each once.
func (w *World) gauges(spec *autoscaling.HorizontalPodAutoscalerSpec, capacity metrics.Milli) []simulate.Gauge {
	var gauges []simulate.Gauge
	for i := range spec.Metrics {
		m := spec.Metrics[i].Resolve()
		if slices.ContainsFunc(gauges, func(g simulate.Gauge) bool { return g.Metric == m.Name && g.Container == m.Container }) {
			continue
		}
		g := simulate.Gauge{
			Metric: m.Name, Container: m.Container, PerLoad: capacity, LoadUnit: capacity,
			Period: w.Scrape, Lag: w.Lag, Window: w.Window, MissingRate: w.Missing, FailureRate: w.Failing,
		}
		if r := m.Resource(); r != "" {
			g.PerLoad = metrics.Milli(float64(w.request(r)) * w.Usage / 100)
		}
		for i := range w.Gauges {
			_ = w.Gauges[i].apply(&g) // the flag has checked it
		}
		gauges = append(gauges, g)
	}
	return gauges
}

// request returns the request of the resource.
func (w *World) request(resource string) metrics.Milli {
	for _, r := range w.Requests {
		if r.Resource == resource {
			return r.Milli
		}
	}
	return 0
}

// EmptiesMemory reports whether the pods of the scenario use no memory without
// load. Real pods do use some.
func EmptiesMemory(s *simulate.Scenario) bool {
	d, _ := s.Workload.(simulate.Deployment)
	return slices.ContainsFunc(d.Gauges, func(g simulate.Gauge) bool {
		return g.Metric == "memory" && g.Idle == 0 && g.PerLoad > 0
	})
}

// containers returns those that the spec's metrics name, or one. The first one
// has all requests.
func (w *World) containers(spec *autoscaling.HorizontalPodAutoscalerSpec) []podgroup.Container {
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
		for _, r := range w.Requests {
			if i > 0 {
				r.Milli = 0
			}
			all[i].Requests.Set(r.Resource, r.Milli)
		}
	}
	return all
}
