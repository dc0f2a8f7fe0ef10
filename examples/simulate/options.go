package main

import (
	"errors"
	"flag"
	"fmt"
	"runtime"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// options are the command line.
type options struct {
	load     loadFlags
	from, to time.Time
	warmUp   time.Duration

	hpaFiles []string
	sweeps   []sweep
	best     string
	atMost   *float64
	seed     uint64
	seeds    int
	jobs     int
	quiet    bool

	picture, tradeOff, rows string
	times, flaps            string
	around                  float64

	world
}

// world is what a sweep can vary besides the spec.
type world struct {
	sync       time.Duration
	replicas   int32
	capacity   float64
	usage      float64
	requests   requestFlags
	gauges     []gaugeFlag
	scrape     time.Duration
	lag        time.Duration
	window     time.Duration
	missing    float64
	failing    float64
	pending    simulate.Distribution
	startup    simulate.Distribution
	probe      time.Duration
	delay      time.Duration
	grace      time.Duration
	crashAfter simulate.Distribution
	restart    simulate.Distribution
	rollouts   time.Duration
	surge      simulate.Extent
	unavail    simulate.Extent
	settings   calculator.Settings
}

func defaults() *options {
	d := simulate.DefaultDeployment()
	return &options{
		warmUp: time.Hour,
		best:   "lost",
		seed:   1,
		seeds:  9,
		jobs:   runtime.GOMAXPROCS(0),
		world: world{
			sync:     calculator.SyncPeriod,
			usage:    100,
			requests: requestFlags{{Resource: "cpu", Milli: 1000}, {Resource: "memory", Milli: 1 << 30 * 1000}},
			scrape:   15 * time.Second,
			lag:      5 * time.Second,
			window:   15 * time.Second,
			startup:  simulate.Fixed(30 * time.Second),
			probe:    d.ProbePeriod,
			restart:  simulate.Fixed(10 * time.Second),
			surge:    d.MaxSurge,
			unavail:  d.MaxUnavailable,
			settings: calculator.DefaultSettings(),
		},
	}
}

const usage = `simulate tries HorizontalPodAutoscalers on a measured load.

Usage:
  simulate -load FILE.csv [-hpa A.json] [-hpa B.json ...] [flags]
  simulate -times FILE.svg [-hpa A.json] [flags]
  simulate -flaps FILE.svg [-hpa A.json] [flags]

The first prints what each autoscaler would have cost and lost, side by side. The
others draw heat maps of one.

Load:
  -load FILE          a CSV file with a header
  -time-column NAME   the column of times (the first one)
  -value-column NAME  the column of values (the second one)
  -time-layout LAYOUT the layout of times, as in Go; or unix, unixmilli (RFC 3339,
                      or "2006-01-02 15:04:05" with or without the seconds or the
                      time; without a zone it is UTC)
  -unit TEXT          what the values and -capacity count ("requests / 5 min")
  -max-gap DURATION   the longest time for which a value holds if the next ones are
                      missing (twice the usual step)
  -slope              straight lines between the values instead of steps
  -from, -to TIME     the time to report on (all)
  -warm-up DURATION   how long to simulate before -from (1h)

Autoscalers:
  -hpa FILE           a HorizontalPodAutoscaler, as kubectl get hpa NAME -o json
                      prints it; may be repeated (60% cpu, 2 to 100 replicas)
` + cli.SettingsUsage + `  -sync DURATION      the sync period (15s)

Pods:
  -capacity N         the load that a pod can serve, in the values of the file; more
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
  -surge N|N%, -unavailable N|N%   of a rollout (25%)
A TIME is a duration (30s), a range (20s..1m), measured quantiles
(p50:20s/p90:45s/p99:2m), exp: and a mean (exp:12h), or none.

Metrics:
  A Resource metric follows the load as -usage says, at once and down to 0. Memory
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

Chance:
  Syncs and scrapes have random phases to the load, and pods take random times.
  -seeds N            how many seeds to run; figures are medians, with the lowest and
                      the highest (9)
  -seed N             the first seed (1)

Output:
  -picture FILE       load, capacity and sizes over time, with the first seed: .svg,
                      .png or .pdf
  -rows FILE          the rows of all seeds, as CSV
  -sweep NAME=V1,V2,...  tries all values and prints cost against load lost; NAME is a
                      flag of the pods, the metrics or the controller without its -,
                      or a field of the spec: scaleDown.stabilizationWindowSeconds,
                      metrics[0].resource.target.averageUtilization; may be repeated
  -best lost|above|cost  what to sort the runs of a sweep by first (lost)
  -at-most PERCENT    list the values that lose at most this much of the load with
                      any seed
  -trade-off FILE     pod-hours against load lost: .svg, .png or .pdf
  -times FILE         a heat map of the time from size to size: .svg, .png or .pdf
  -flaps FILE         a heat map of how often the size turns under a wave of load, by
                      the wave's amplitude and period: .svg, .png or .pdf
  -around LOAD        the mean of the wave, in pods at their capacity (0.3 of
                      maxReplicas); it jumps, or goes in straight lines with -slope
-times goes with one -hpa, the flags of kube-controller-manager and -sync, and -flaps
also with the flags of pods and metrics, -slope and -seed, both without a -load.
  -jobs N             how many simulations run at once (one per processor)
  -quiet              no progress, even on a terminal

The exit status is 0 for success, 1 if the output cannot be written, 2 for input that
cannot be simulated, and 130 after an interrupt.
`

// parse reads the command line.
func parse(args []string) (*options, error) {
	o := defaults()
	f := cli.NewFlagSet("simulate")
	o.world.define(f)
	l := &o.load
	f.StringVar(&l.file, "load", "", "")
	f.StringVar(&l.timeColumn, "time-column", "", "")
	f.StringVar(&l.valueColumn, "value-column", "", "")
	f.StringVar(&l.timeLayout, "time-layout", "", "")
	f.StringVar(&l.unit, "unit", l.unit, "")
	f.Func("max-gap", "", positiveDuration(&l.maxGap))
	f.BoolVar(&l.slope, "slope", false, "")
	f.Func("from", "", l.moment(&o.from))
	f.Func("to", "", l.moment(&o.to))
	f.Func("warm-up", "", cli.Duration(&o.warmUp))
	f.Func("hpa", "", cli.List(&o.hpaFiles))
	f.Func("sweep", "", o.addSweep)
	f.Func("best", "", oneOf(&o.best, "lost", "above", "cost"))
	f.Func("at-most", "", optionalPercent(&o.atMost))
	f.Uint64Var(&o.seed, "seed", o.seed, "")
	f.Func("seeds", "", positiveInt(&o.seeds))
	f.Func("jobs", "", positiveInt(&o.jobs))
	f.BoolVar(&o.quiet, "quiet", false, "")
	f.Func("picture", "", picture(&o.picture))
	f.Func("trade-off", "", picture(&o.tradeOff))
	f.Func("times", "", picture(&o.times))
	f.Func("flaps", "", picture(&o.flaps))
	f.Func("around", "", positive(&o.around))
	f.StringVar(&o.rows, "rows", "", "")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("%q is no flag", f.Arg(0))
	case o.mapsAsked():
		return o, o.mapsProblem(f)
	case o.around != 0:
		return nil, errors.New("-around needs -flaps")
	case o.load.file == "":
		return nil, errors.New("-load is missing")
	case len(o.sweeps) == 0 && o.tradeOff != "":
		return nil, errors.New("-trade-off needs a -sweep")
	case len(o.sweeps) == 0 && o.atMost != nil:
		return nil, errors.New("-at-most needs a -sweep")
	case len(o.sweeps) > 0 && (o.picture != "" || o.rows != ""):
		return nil, errors.New("-picture and -rows are for single runs, not for a -sweep")
	}
	return o, nil
}

// define defines the flags that a sweep can set.
func (w *world) define(f *flag.FlagSet) {
	f.Func("sync", "", positiveDuration(&w.sync))
	f.Func("replicas", "", cli.Replicas(&w.replicas))
	f.Func("capacity", "", positive(&w.capacity))
	f.Func("usage", "", positive(&w.usage))
	f.Func("requests", "", w.requests.set)
	f.Func("gauge", "", func(s string) error { return appendGauge(&w.gauges, s) })
	f.Func("scrape", "", cli.Duration(&w.scrape))
	f.Func("lag", "", cli.Duration(&w.lag))
	f.Func("window", "", cli.Duration(&w.window))
	f.Func("missing", "", fraction(&w.missing))
	f.Func("failing", "", fraction(&w.failing))
	f.Func("pending", "", distribution(&w.pending))
	f.Func("startup", "", distribution(&w.startup))
	f.Func("probe", "", cli.Duration(&w.probe))
	f.Func("delay", "", cli.Duration(&w.delay))
	f.Func("grace", "", cli.Duration(&w.grace))
	f.Func("crash-after", "", distribution(&w.crashAfter))
	f.Func("restart", "", distribution(&w.restart))
	f.Func("rollouts", "", cli.Duration(&w.rollouts))
	f.Func("surge", "", extent(&w.surge))
	f.Func("unavailable", "", extent(&w.unavail))
	cli.Settings(f, &w.settings)
}
