package trial

import (
	"flag"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// World is what is around the autoscaler: the controller, the pods and the
// metrics. Its flags may be set again on a copy, as a sweep does.
type World struct {
	// Sync is the sync period.
	Sync time.Duration
	// Replicas is the size at the start. Zero means what the load needs.
	Replicas int32
	// Capacity is the load that a pod can serve, in the values of the load. Zero
	// means 1/40 of the highest value.
	Capacity float64
	// Usage is the usage of a pod at its capacity, in percent of its requests.
	Usage float64
	// Requests are the requests of a pod.
	Requests []podgroup.ResourceRequest
	// Gauges change the gauges of single metrics.
	Gauges []Gauge
	// Scrape, Lag and Window are the Period, Lag and Window of each gauge,
	// Missing and Failing its MissingRate and FailureRate. See [simulate.Gauge].
	Scrape, Lag, Window time.Duration
	Missing, Failing    float64
	// The others are fields of a [simulate.Deployment].
	Pending, Startup    simulate.Distribution
	Probe, Delay, Grace time.Duration
	CrashAfter, Restart simulate.Distribution
	// RolloutPeriod is the time between rollouts. Zero means none.
	RolloutPeriod      time.Duration
	Surge, Unavailable simulate.Extent
	// Settings are those of the controller.
	Settings calculator.Settings
}

// defaultWorld returns the world without flags.
func defaultWorld() World {
	d := simulate.DefaultDeployment()
	return World{
		Sync:        calculator.SyncPeriod,
		Usage:       100,
		Requests:    []podgroup.ResourceRequest{{Resource: "cpu", Milli: 1000}, {Resource: "memory", Milli: 1 << 30 * 1000}},
		Scrape:      15 * time.Second,
		Lag:         5 * time.Second,
		Window:      15 * time.Second,
		Startup:     simulate.Fixed(30 * time.Second),
		Probe:       d.ProbePeriod,
		Restart:     simulate.Fixed(10 * time.Second),
		Surge:       d.MaxSurge,
		Unavailable: d.MaxUnavailable,
		Settings:    calculator.DefaultSettings(),
	}
}

// ControllerUsage is the help for the flags of the controller.
const ControllerUsage = cli.SettingsUsage + `  -sync DURATION      the sync period (15s)
`

// PodUsage is the help for the flags of pods.
const PodUsage = `  -capacity N         the load that a pod can serve, in the values of the file; more
                      is lost (1/40 of the highest value)
  -usage PERCENT      the usage of a pod at its capacity, in percent of its requests
                      (100)
  -requests LIST      the requests of a pod (cpu=1,memory=1Gi)
  -replicas N         the size at the start (what the load needs)
  -pending TIME       from the creation of a pod until it runs (0s)
  -startup TIME       from then until it could be ready (30s)
  -probe DURATION     the period of the readiness probe (10s)
  -delay DURATION     from a change of size until pods are created or deleted (0s)
  -grace DURATION     how long a deleted pod is still listed (0s)
  -crash-after TIME   from ready to a crash (none)
  -restart TIME       from a crash until the pod runs again (10s)
  -rollouts DURATION  how often all pods are replaced (0s, never)
  -rollout DURATION   a rollout this long after the start of the report; may be
                      repeated
  -surge N|N%, -unavailable N|N%   of a rollout (25%)
A TIME is a duration (30s), a range (20s..1m), measured quantiles
(p50:20s/p90:45s/p99:2m), exp: and a mean (exp:12h), or none.
`

// MetricUsage is the help for the flags of metrics.
const MetricUsage = `  A Resource metric follows the load as -usage says, at once and down to 0. Memory
  that stays in use needs -gauge memory:idle=AMOUNT. A Pods, Object or External
  metric is the load itself.
  -scrape DURATION    the time between scrapes (15s)
  -lag DURATION       from a scrape until the autoscaler can read it (5s)
  -window DURATION    the time over which a metric is averaged (15s)
  -missing FRACTION   the fraction of pods' samples that are missing (0)
  -failing FRACTION   the fraction of syncs at which a metrics API fails (0)
  -gauge METRIC:LIST  for one metric (METRIC/CONTAINER for that of a container), some
                      of idle=AMOUNT,busy=AMOUNT,starting=AMOUNT,scrape=DURATION,
                      lag=DURATION,window=DURATION,missing=FRACTION,failing=FRACTION;
                      busy is the metric of a pod at its capacity, and for Object and
                      External metrics the total reported at that load
`

// Define defines the flags of the world, with its fields as their defaults.
func (w *World) Define(fs *flag.FlagSet) {
	fs.Func("sync", "", positiveDuration(&w.Sync))
	fs.Func("replicas", "", cli.Replicas(&w.Replicas))
	fs.Func("capacity", "", cli.Positive(&w.Capacity))
	fs.Func("usage", "", cli.Positive(&w.Usage))
	fs.Func("requests", "", requests(&w.Requests))
	fs.Func("gauge", "", gauge(&w.Gauges))
	fs.Func("scrape", "", cli.Duration(&w.Scrape))
	fs.Func("lag", "", cli.Duration(&w.Lag))
	fs.Func("window", "", cli.Duration(&w.Window))
	fs.Func("missing", "", share(&w.Missing))
	fs.Func("failing", "", share(&w.Failing))
	fs.Func("pending", "", distribution(&w.Pending))
	fs.Func("startup", "", distribution(&w.Startup))
	fs.Func("probe", "", cli.Duration(&w.Probe))
	fs.Func("delay", "", cli.Duration(&w.Delay))
	fs.Func("grace", "", cli.Duration(&w.Grace))
	fs.Func("crash-after", "", distribution(&w.CrashAfter))
	fs.Func("restart", "", distribution(&w.Restart))
	fs.Func("rollouts", "", cli.Duration(&w.RolloutPeriod))
	fs.Func("surge", "", extent(&w.Surge))
	fs.Func("unavailable", "", extent(&w.Unavailable))
	cli.Settings(fs, &w.Settings)
}

// Deployment returns the workload from begin until end, of pods that serve the
// capacity, in milli-units, and have the metrics of the spec.
func (w *World) Deployment(spec *autoscaling.HorizontalPodAutoscalerSpec, capacity metrics.Milli, begin, end time.Time) simulate.Deployment {
	d := simulate.Deployment{
		Capacity:       capacity,
		Containers:     w.containers(spec),
		Gauges:         w.gauges(spec, capacity),
		Pending:        w.Pending,
		Startup:        w.Startup,
		ProbePeriod:    w.Probe,
		ScaleDelay:     w.Delay,
		Grace:          w.Grace,
		CrashAfter:     w.CrashAfter,
		Restart:        w.Restart,
		MaxSurge:       w.Surge,
		MaxUnavailable: w.Unavailable,
	}
	if w.RolloutPeriod > 0 {
		for t := begin.Add(w.RolloutPeriod); t.Before(end); t = t.Add(w.RolloutPeriod) {
			d.Rollouts = append(d.Rollouts, t)
		}
	}
	return d
}
