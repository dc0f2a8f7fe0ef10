package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/simulate"
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
	jobs     int
	quiet    bool

	picture, tradeOff, rows string

	world
}

// world is what a sweep can vary beside the autoscaler's spec.
type world struct {
	seed       uint64
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
		load:   loadFlags{unit: "load"},
		warmUp: time.Hour,
		best:   "lost",
		jobs:   runtime.GOMAXPROCS(0),
		world: world{
			seed:     1,
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

const usage = `simulate rehearses HorizontalPodAutoscalers on a load that was measured.

Usage:
  simulate -load FILE.csv [-hpa A.json] [-hpa B.json ...] [flags]

It prints what each autoscaler would have cost and lost, beside each other.

The load:
  -load FILE          a CSV file with a line of column names
  -time-column NAME   its column of times (the first one)
  -value-column NAME  its column of values (the second one)
  -time-layout LAYOUT how times are written, as Go has it; or unix, unixmilli
                      (RFC 3339, or "2006-01-02 15:04:05" with or without the
                      seconds or the clock; times without a zone are UTC)
  -unit TEXT          what the values count ("requests / 5 min"), for pictures
  -max-gap DURATION   the longest time without a value, in which the one before
                      holds (twice the usual step)
  -slope              straight lines between the values, rather than stairs
  -from, -to TIME     the time to report, as the file has times; it is simulated
                      from -warm-up before (all)
  -warm-up DURATION   (1h)

The autoscalers:
  -hpa FILE           a HorizontalPodAutoscaler, as kubectl get hpa NAME -o json
                      prints it; may be repeated (60% cpu, 2 to 100 replicas)
  -horizontal-pod-autoscaler-tolerance FRACTION (0.1)
  -horizontal-pod-autoscaler-downscale-stabilization DURATION (5m)
  -horizontal-pod-autoscaler-cpu-initialization-period DURATION (5m)
  -horizontal-pod-autoscaler-initial-readiness-delay DURATION (30s)
  -sync DURATION      the sync period (15s)

The pods:
  -capacity N         the load that a pod can serve, in the file's values (as many
                      as make 40 pods of the highest value); more is lost
  -usage PERCENT      the cpu that a pod uses then, in percent of its requests (100)
  -requests LIST      what a pod requests (cpu=1,memory=1Gi)
  -replicas N         the size at the start (the one that fits the load)
  -pending TIME       the time from a pod's creation until it runs (0s)
  -startup TIME       the time from there until it could be ready (30s)
  -probe DURATION     how often readiness is looked at (10s)
  -delay DURATION     the time from a change of size until pods follow (0s)
  -grace DURATION     the time that a pod takes to go (0s)
  -crash-after TIME   the time from being ready to a crash (none)
  -restart TIME       the time from a crash until it runs again (10s)
  -rollouts DURATION  how often all pods are replaced (0s, never)
  -surge N|N%, -unavailable N|N%   of a rollout (25%)
  -seed N             what all random numbers come from (1)
A TIME is a duration (30s), a range (20s..1m), measured quantiles
(p50:20s/p90:45s/p99:2m), or exp: and a mean (exp:12h), or none.

The metrics:
  A Resource metric follows the load as -usage says; a Pods, Object or External
  metric is the load itself.
  -scrape, -lag, -window DURATION  how often a metric is scraped, how long it takes
                      until it can be seen, and what it averages over (15s, 5s, 15s)
  -missing, -failing FRACTION      of the samples of pods that are missing, and of
                      the answers that are errors (0)
  -gauge METRIC:LIST  for one metric (METRIC/CONTAINER for a container's), some of
                      idle=AMOUNT,busy=AMOUNT,starting=AMOUNT,scrape=DURATION,
                      lag=DURATION,window=DURATION,missing=FRACTION,failing=FRACTION
                      where busy is what a pod shows that serves its capacity, and
                      for Object and External metrics what all show of as much load

What it makes:
  -picture FILE       load, capacity and sizes over time: .svg, .png or .pdf
  -rows FILE          all rows, as CSV
  -sweep NAME=V1,V2,...  tries all values, and prints cost against shortage; NAME is a
                      flag of the pods, the metrics or the controller without its -,
                      or a field of the spec: scaleDown.stabilizationWindowSeconds,
                      metrics[0].resource.target.averageUtilization; may be repeated
  -best lost|above|cost  what the best of them is judged by first (lost)
  -at-most PERCENT    say which values lose no more than this much of the load
  -trade-off FILE     pod-hours against load lost: .svg, .png or .pdf
  -jobs N             how many simulations to run at once (one for each processor)
  -quiet              no progress, even on a terminal

The exit status is 0 if all went well, 2 for input that cannot be simulated, 1 if
the output cannot be written, and 130 after an interrupt.
`

// parse reads the command line.
func parse(args []string) (*options, error) {
	o := defaults()
	f := newFlagSet()
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
	f.Func("warm-up", "", duration(&o.warmUp))
	f.Func("hpa", "", appendTo(&o.hpaFiles))
	f.Func("sweep", "", func(s string) error { return o.addSweep(s) })
	f.Func("best", "", oneOf(&o.best, "lost", "above", "cost"))
	f.Func("at-most", "", optionalPercent(&o.atMost))
	f.Func("jobs", "", func(s string) error { return positiveInt(&o.jobs, s) })
	f.BoolVar(&o.quiet, "quiet", false, "")
	f.Func("picture", "", picture(&o.picture))
	f.Func("trade-off", "", picture(&o.tradeOff))
	f.StringVar(&o.rows, "rows", "", "")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("%q is no flag", f.Arg(0))
	case o.load.file == "":
		return nil, errors.New("-load is missing")
	case len(o.sweeps) == 0 && o.tradeOff != "":
		return nil, errors.New("-trade-off needs a -sweep")
	case len(o.sweeps) == 0 && o.atMost != nil:
		return nil, errors.New("-at-most needs a -sweep")
	case len(o.sweeps) > 0 && (o.picture != "" || o.rows != ""):
		return nil, errors.New("-picture and -rows show single runs, not a -sweep")
	}
	return o, nil
}

func newFlagSet() *flag.FlagSet {
	f := flag.NewFlagSet("simulate", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// define defines the flags that a sweep can set, too.
func (w *world) define(f *flag.FlagSet) {
	f.Uint64Var(&w.seed, "seed", w.seed, "")
	f.Func("sync", "", positiveDuration(&w.sync))
	f.Func("replicas", "", replicas(&w.replicas))
	f.Func("capacity", "", positive(&w.capacity))
	f.Func("usage", "", positive(&w.usage))
	f.Func("requests", "", w.requests.set)
	f.Func("gauge", "", func(s string) error { return appendGauge(&w.gauges, s) })
	f.Func("scrape", "", duration(&w.scrape))
	f.Func("lag", "", duration(&w.lag))
	f.Func("window", "", duration(&w.window))
	f.Func("missing", "", fraction(&w.missing))
	f.Func("failing", "", fraction(&w.failing))
	f.Func("pending", "", distribution(&w.pending))
	f.Func("startup", "", distribution(&w.startup))
	f.Func("probe", "", duration(&w.probe))
	f.Func("delay", "", duration(&w.delay))
	f.Func("grace", "", duration(&w.grace))
	f.Func("crash-after", "", distribution(&w.crashAfter))
	f.Func("restart", "", distribution(&w.restart))
	f.Func("rollouts", "", duration(&w.rollouts))
	f.Func("surge", "", extent(&w.surge))
	f.Func("unavailable", "", extent(&w.unavail))
	f.Func("horizontal-pod-autoscaler-tolerance", "", number(&w.settings.Tolerance))
	f.Func("horizontal-pod-autoscaler-downscale-stabilization", "", duration(&w.settings.DownscaleStabilization))
	f.Func("horizontal-pod-autoscaler-cpu-initialization-period", "", duration(&w.settings.CPUInitializationPeriod))
	f.Func("horizontal-pod-autoscaler-initial-readiness-delay", "", duration(&w.settings.InitialReadinessDelay))
}
