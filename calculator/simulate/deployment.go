package simulate

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Deployment is a workload of pods that are all alike and share the load
// evenly: those that are ready, from the moment they are. What all of them
// together cannot serve is lost. The zero Deployment has pods that serve any
// load from the moment they are asked for, and no metric; see DefaultDeployment.
//
// A pod is Pending first, then starts, and then is ready and serves, until it
// crashes or is not needed any more. When there are too many, pods go that are
// Pending, then those that are not ready, then those that are; of each, the
// newest goes first.
//
// All arithmetic is in integers.
type Deployment struct {
	// Capacity is the load, in milli-units, that a ready pod serves at most;
	// zero sets no limit.
	Capacity metrics.Milli
	// Containers are what each pod consists of, with the requests that a
	// Utilization is measured by.
	Containers []podgroup.Container
	// Gauges are the metrics. A spec that has others cannot be tried.
	Gauges []Gauge

	// Pending is the time from a pod's creation until its containers run: to
	// schedule it, to pull images. nil is none.
	Pending Distribution
	// Startup is the time from there until it could be ready; nil is none.
	Startup Distribution
	// ProbePeriod is how often readiness is looked at, from when the containers
	// run on: the pod becomes ready with the first look after Startup. Zero
	// notices at once.
	ProbePeriod time.Duration

	// ScaleDelay is the time from a change of size until the pods follow. The
	// scale shows the size asked for at once.
	ScaleDelay time.Duration
	// Grace is how long a pod that has to go stays, without serving.
	Grace time.Duration

	// CrashAfter is the time from when a pod becomes ready until it crashes, at
	// least a millisecond; nil is never.
	CrashAfter Distribution
	// Restart is the time from a crash until the containers run again, and
	// Startup begins anew; nil is none.
	Restart Distribution

	// Rollouts are when all pods begin to be replaced by new ones, in ascending
	// order.
	Rollouts []time.Time
	// MaxSurge is how many pods there may be beyond the size during a rollout,
	// and MaxUnavailable how many of the size may be not ready. If both come to
	// zero, one may be unavailable, as in Kubernetes.
	MaxSurge, MaxUnavailable Extent
}

// Extent is a number of pods: Pods and Percent of the size, of which the
// fraction is rounded up for a surge, and off for what may be unavailable. None
// is negative.
type Extent struct {
	Pods, Percent int32
}

func (e Extent) of(size, round int) int {
	percent := (int64(size)*int64(e.Percent) + int64(round)) / 100
	return int(min(int64(e.Pods)+percent, MaxPods))
}

// MaxPods is the most pods that a Deployment has, the size of the largest
// cluster that Kubernetes supports. What is asked for beyond is not created.
const MaxPods = 150_000

// DefaultDeployment returns Kubernetes' defaults: readiness is looked at every
// 10 seconds, and rollouts have a surge of 25% with 25% unavailable. The rest is
// zero.
func DefaultDeployment() Deployment {
	return Deployment{
		ProbePeriod:    10 * time.Second,
		MaxSurge:       Extent{Percent: 25},
		MaxUnavailable: Extent{Percent: 25},
	}
}

func (w *Deployment) check() error {
	if w.Capacity < 0 {
		return inputErrorf("deployment.capacity", "%v is negative", w.Capacity)
	}
	for i := range w.Gauges {
		field := fmt.Sprintf("deployment.gauges[%d]", i)
		if err := w.Gauges[i].check(field); err != nil {
			return err
		}
		for j := range i {
			if a, b := &w.Gauges[i], &w.Gauges[j]; a.Metric == b.Metric && a.Container == b.Container {
				return inputErrorf(field+".metric", "%q has a gauge already", a.Metric)
			}
		}
	}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"probePeriod", w.ProbePeriod}, {"scaleDelay", w.ScaleDelay}, {"grace", w.Grace}} {
		if d.d < 0 {
			return inputErrorf("deployment."+d.name, "%v is negative", d.d)
		}
	}
	for _, d := range []struct {
		name string
		d    Distribution
	}{{"pending", w.Pending}, {"startup", w.Startup}, {"crashAfter", w.CrashAfter}, {"restart", w.Restart}} {
		if p := distributionProblem(d.d); p != "" {
			return inputErrorf("deployment."+d.name, "%s", p)
		}
	}
	for i := 1; i < len(w.Rollouts); i++ {
		if !w.Rollouts[i].After(w.Rollouts[i-1]) {
			return inputErrorf(fmt.Sprintf("deployment.rollouts[%d]", i), "%s is not after the one before it", w.Rollouts[i].Format(time.RFC3339Nano))
		}
	}
	for _, e := range []struct {
		name string
		e    Extent
	}{{"maxSurge", w.MaxSurge}, {"maxUnavailable", w.MaxUnavailable}} {
		if e.e.Pods < 0 || e.e.Percent < 0 {
			return inputErrorf("deployment."+e.name, "negative")
		}
	}
	return nil
}

// distributionProblem returns what is wrong with one of this package's
// distributions, "" if nothing is.
func distributionProblem(d Distribution) string {
	switch d := d.(type) {
	case Fixed:
		if d < 0 {
			return time.Duration(d).String() + " is negative"
		}
	case Uniform:
		if d.Min < 0 || d.Max < d.Min {
			return fmt.Sprintf("from %v to %v is no range of durations", d.Min, d.Max)
		}
	case Exponential:
		if d.Mean < 0 {
			return fmt.Sprintf("a mean of %v is negative", d.Mean)
		}
	case Quantiles:
		return d.problem()
	case Times:
		if d.Factor < 0 {
			return fmt.Sprintf("a factor of %d is negative", d.Factor)
		}
		return distributionProblem(d.Of)
	}
	return ""
}

// Plant returns the deployment with its first pods ready.
func (w Deployment) Plant(b *Begin) (Plant, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	p := &pods{
		Deployment: w,
		seed:       b.Seed,
		start:      metrics.At(b.Time),
		now:        metrics.At(b.Time),
		limitsOf:   -1,
		template:   podgroup.Pod{Containers: w.Containers},
	}
	p.template.Resolve()
	for i := range b.Spec.Metrics {
		m, err := newMeter(fmt.Sprintf("spec.metrics[%d]", i), &b.Spec.Metrics[i], w.Gauges, &p.template, toleranceUp(b.Settings.Tolerance, b.Spec.Behavior))
		if err != nil {
			return nil, err
		}
		p.meters = append(p.meters, m)
		p.lookback = max(p.lookback, m.lookback())
	}
	load, _ := b.Load.At(b.Time)
	load = max(load, 0)
	p.asked = b.Replicas
	if p.asked == 0 {
		p.asked = p.fit(load, minReplicas(b.Spec.MinReplicas), b.Spec.MaxReplicas)
	}
	p.wanted = int(min(p.asked, MaxPods))
	// The first pods have run for longer than any window reaches.
	p.now = p.start.Add(-margin)
	p.create(p.wanted)
	for i := range p.pods {
		p.run(i)
		p.serve(i)
	}
	p.past.add(p.now, p.share(load), load)
	p.now = p.start
	for len(p.Rollouts) > 0 && metrics.At(p.Rollouts[0]) < p.start {
		p.Rollouts = p.Rollouts[1:]
	}
	for i := range p.pods {
		p.pods[i].next = p.crash(i)
	}
	p.settle()
	return p, nil
}

func minReplicas(n *int32) int32 {
	if n == nil {
		return 1
	}
	return max(*n, 1)
}

// toleranceUp is the fraction by which a ratio may be above 1.
func toleranceUp(flag float64, b *behavior.Behavior) float64 {
	if b != nil && b.ScaleUp != nil && b.ScaleUp.Tolerance.IsSet() {
		return b.ScaleUp.Tolerance.Float64()
	}
	return flag
}

// fit returns the smallest size within the bounds that can serve the load with
// no metric above target.
func (p *pods) fit(load metrics.Milli, least, most int32) int32 {
	most = min(max(most, least), MaxPods)
	for least < most {
		middle := least + (most-least)/2
		if n := int(middle); p.holds(n) >= load && p.capacity(n) >= load {
			most = middle
		} else {
			least = middle + 1
		}
	}
	return least
}
