package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/trial"
)

// options are the command line.
type options struct {
	*trial.Flags

	loadFile string
	hpaFiles []string
	sweeps   []sweep
	best     string
	atMost   *float64
	seeds    int
	jobs     int
	quiet    bool

	picture, tradeOff, rows string
	times, flaps            string
	around                  float64
}

func defaults() *options {
	return &options{
		Flags: trial.Defaults(),
		best:  "lost",
		seeds: 9,
		jobs:  runtime.GOMAXPROCS(0),
	}
}

const usage = `simulate tries HorizontalPodAutoscalers on a measured load.

Usage:
  simulate -load FILE [-hpa A.json] [-hpa B.json ...] [flags]
  simulate -times FILE.svg [-hpa A.json] [flags]
  simulate -flaps FILE.svg [-hpa A.json] [flags]

The first prints what each autoscaler would have cost and lost, side by side. The
others draw heat maps of one.

Load:
  -load FILE          a CSV file, or the JSON answer of a Prometheus range query, to which
                      the next three do not apply; - is standard input, and gzip is
                      unpacked
` + trial.LoadUsage + trial.SpanUsage + `
Autoscalers:
  -hpa FILE           a HorizontalPodAutoscaler, as kubectl get hpa NAME -o json
                      prints it; may be repeated (60% cpu, 2 to 100 replicas)
` + trial.ControllerUsage + `
Pods:
` + trial.PodUsage + `
Metrics:
` + trial.MetricUsage + `
Chance:
  Syncs and scrapes have random phases to the load, and pods take random times.
  -seeds N            how many seeds to run; figures are medians, with the lowest and
                      the highest (9)
` + trial.SeedUsage + `
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
	o.Define(f)
	f.StringVar(&o.loadFile, "load", "", "")
	f.Func("hpa", "", cli.List(&o.hpaFiles))
	f.Func("sweep", "", o.addSweep)
	f.Func("best", "", oneOf(&o.best, "lost", "above", "cost"))
	f.Func("at-most", "", optionalPercent(&o.atMost))
	f.Func("seeds", "", positiveInt(&o.seeds))
	f.Func("jobs", "", positiveInt(&o.jobs))
	f.BoolVar(&o.quiet, "quiet", false, "")
	f.Func("picture", "", picture(&o.picture))
	f.Func("trade-off", "", picture(&o.tradeOff))
	f.Func("times", "", picture(&o.times))
	f.Func("flaps", "", picture(&o.flaps))
	f.Func("around", "", cli.Positive(&o.around))
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
	case o.loadFile == "":
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
