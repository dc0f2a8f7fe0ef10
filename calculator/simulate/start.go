package simulate

import (
	"fmt"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Plant returns the running deployment. Its first pods are ready.
func (w Deployment) Plant(c *RunConfig) (Plant, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	p := &pods{
		Deployment: w,
		seed:       c.Seed,
		now:        metrics.At(c.Start),
		limitsOf:   -1,
		template:   podgroup.Pod{Containers: w.Containers},
	}
	p.template.Resolve()
	tolerance := c.Settings.ToleranceOf(c.Spec.Behavior)
	for i := range c.Spec.Metrics {
		m, err := newMeter(fmt.Sprintf("spec.metrics[%d]", i), c.Spec.Metrics[i].Resolve(), w.Gauges, &p.template, tolerance)
		if err != nil {
			return nil, err
		}
		phase := NewRand(c.Seed, drawScrape, uint64(m.index))
		m.first = p.now.Add(time.Duration(phase.Below(uint64(m.Period))))
		p.meters = append(p.meters, m)
		p.lookback = max(p.lookback, m.lookback())
	}
	if err := p.reach(c.Spec); err != nil {
		return nil, err
	}
	load, _ := c.Load.At(c.Start)
	load = max(load, 0)
	p.asked = c.Replicas
	if p.asked == 0 {
		p.asked = p.fit(load, c.Spec.Bounds())
	}
	p.wanted = int(min(p.asked, MaxPods))
	// The first pods have run for longer than any window reaches.
	start := p.now
	p.now = start.Add(-margin)
	p.create(p.wanted)
	for i := range p.pods {
		p.run(i)
		p.serve(i)
	}
	p.past.add(p.now, p.share(load), load)
	p.now = start
	for len(p.Rollouts) > 0 && metrics.At(p.Rollouts[0]) < start {
		p.Rollouts = p.Rollouts[1:]
	}
	for i := range p.pods {
		p.pods[i].next = p.crash(i)
	}
	p.settle()
	return p, nil
}

// reach returns the error of the first target if no metric can exceed its own.
func (p *pods) reach(spec *autoscaling.HorizontalPodAutoscalerSpec) error {
	exceeds := func(m meter) bool { return m.exceeds(p.Capacity) }
	if p.Capacity == 0 || len(p.meters) == 0 || slices.ContainsFunc(p.meters, exceeds) {
		return nil
	}
	m := &p.meters[0]
	return field.Invalid("spec.metrics[0]", spec.Metrics[0].Resolve().Target.String(),
		fmt.Sprintf("is never exceeded: a pod at its capacity has %v, and up to %v is tolerated", m.shows(p.Capacity), m.most))
}

// fit returns the smallest size within the bounds, at least 1, that can serve
// the load with no metric above target.
func (p *pods) fit(load metrics.Milli, b behavior.Bounds) int32 {
	least := max(b.Min, 1)
	most := min(max(b.Max, least), MaxPods)
	for least < most {
		middle := least + (most-least)/2
		if p.holds(int(middle)) >= load {
			most = middle
		} else {
			least = middle + 1
		}
	}
	return least
}
