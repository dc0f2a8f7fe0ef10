package simulate

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Deployment is a workload of identical pods. Its ready pods share the load
// evenly, and load beyond their capacity is lost. The pods of the zero
// Deployment serve any load as soon as they are created, and have no metrics.
// Most callers should start from DefaultDeployment.
//
// A pod is Pending, then starts, then is ready and serves until it crashes or
// is deleted. Scaling down deletes Pending pods first, then unready ones, then
// ready ones, and of each the newest first.
type Deployment struct {
	// Capacity is the largest load that a ready pod serves, in milli-units.
	// Zero means no limit. A pod at its capacity must exceed what is tolerated
	// of a target, or the autoscaler would never scale up.
	Capacity metrics.Milli
	// Containers are the containers of each pod. A Utilization is a percentage
	// of their requests.
	Containers []podgroup.Container
	// Gauges are the metrics, at least those of the spec.
	Gauges []Gauge

	// Pending is the time from a pod's creation until its containers run, for
	// scheduling and image pulls. Nil means 0. The pod's status.startTime is
	// its creation: a kubelet sets it before it pulls images. That is too early
	// for pods that have to wait for a node.
	Pending Distribution
	// Startup is the time from then until the pod could be ready. Nil means 0.
	Startup Distribution
	// ProbePeriod is the period of the readiness probe, counted from the start
	// of the containers. A pod becomes ready at the first probe after Startup.
	// Zero means at once.
	ProbePeriod time.Duration

	// ScaleDelay is the time from a change of spec.replicas until pods are
	// created or deleted.
	ScaleDelay time.Duration
	// Grace is how long a deleted pod is still listed. It does not serve.
	Grace time.Duration

	// CrashAfter is the time from ready to a crash, at least a second. Nil
	// means never.
	CrashAfter Distribution
	// Restart is the time from a crash until the containers run again. Startup
	// follows. Nil means 0.
	Restart Distribution

	// Rollouts are the times at which rollouts begin, in ascending order. A
	// rollout replaces all pods.
	Rollouts []time.Time
	// MaxSurge is how many pods beyond the size a rollout may create, the
	// percentage rounded up. MaxUnavailable is how many of the size may be
	// unready, the percentage rounded down. If both come to 0, one pod may be
	// unavailable, as in Kubernetes.
	MaxSurge, MaxUnavailable Extent
}

// Extent is a number of pods: Pods plus Percent of the size. Neither may be
// negative.
type Extent struct {
	Pods, Percent int32
}

func (e Extent) of(size, round int) int {
	percent := (int64(size)*int64(e.Percent) + int64(round)) / 100
	return int(min(int64(e.Pods)+percent, MaxPods))
}

// MaxPods is the largest number of pods that a Deployment creates, the limit of
// a cluster that Kubernetes supports.
const MaxPods = 150_000

// DefaultDeployment returns Kubernetes' defaults: a readiness probe every 10
// seconds, and rollouts with a surge of 25% and 25% unavailable. The rest is
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
		return negative("deployment.capacity", w.Capacity)
	}
	for i := range w.Gauges {
		path := fmt.Sprintf("deployment.gauges[%d]", i)
		if err := w.Gauges[i].check(path); err != nil {
			return err
		}
		for j := range i {
			if a, b := &w.Gauges[i], &w.Gauges[j]; a.Metric == b.Metric && a.Container == b.Container {
				return field.Invalid(path+".metric", a.Metric, "has a gauge already")
			}
		}
	}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"probePeriod", w.ProbePeriod}, {"scaleDelay", w.ScaleDelay}, {"grace", w.Grace}} {
		if d.d < 0 {
			return negative("deployment."+d.name, d.d)
		}
	}
	for _, d := range []struct {
		name string
		d    Distribution
	}{{"pending", w.Pending}, {"startup", w.Startup}, {"crashAfter", w.CrashAfter}, {"restart", w.Restart}} {
		if err := checkDistribution("deployment."+d.name, d.d); err != nil {
			return err
		}
	}
	for i := 1; i < len(w.Rollouts); i++ {
		if !w.Rollouts[i].After(w.Rollouts[i-1]) {
			return field.Invalid(fmt.Sprintf("deployment.rollouts[%d]", i), w.Rollouts[i], "must be after the one before it")
		}
	}
	for _, e := range []struct {
		name string
		n    int32
	}{
		{"maxSurge.pods", w.MaxSurge.Pods}, {"maxSurge.percent", w.MaxSurge.Percent},
		{"maxUnavailable.pods", w.MaxUnavailable.Pods}, {"maxUnavailable.percent", w.MaxUnavailable.Percent},
	} {
		if e.n < 0 {
			return field.Invalid("deployment."+e.name, e.n, mustNotBeNegative)
		}
	}
	return nil
}
