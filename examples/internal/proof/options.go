// Package proof proves scaling rules for every load, for the commands of the
// examples. It has the flags, the search, and what is made from its result: a
// text, JSON and recordings.
package proof

import (
	"errors"
	"flag"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// Options are the flags of a proof.
type Options struct {
	// Sync is the sync period of the controller, and Startup how long a new pod
	// takes to be ready. Define does not define their flags, which other
	// commands share.
	Sync, Startup time.Duration
	// Progress is the terminal that shows the progress; nil shows none.
	Progress io.Writer

	dash      string // before the name of a flag
	jitter    time.Duration
	lag       time.Duration
	missed    int
	low, high float64
	limit     time.Duration
	states    int
	record    string
	promises  []promise
	factor    float64 // 0 if not given
	releases  bool    // -released-within is given
}

// promise is a property to prove.
type promise struct {
	// constant reports that it is about loads that stay the same.
	constant bool
	property func() prove.Property
}

// defaultStates take up to 5 GB.
const defaultStates = 3_000_000

// defaultFactor is that of -released-within.
const defaultFactor = 1.5

// New returns the defaults. The dash precedes the flags in errors: "-" or "--".
func New(dash string) *Options {
	return &Options{
		Sync: calculator.SyncPeriod, Startup: 30 * time.Second, dash: dash,
		limit: time.Minute, states: defaultStates,
	}
}

// Usage is the help for the flags that Define defines, for -sync and -startup.
const Usage = `Promises of -prove, each for every load; they may be repeated:
  -carried-within DURATION        a load that stays constant is carried within this
                                  time: within tolerance, or by maxReplicas
  -settled-within DURATION        a load that stays constant changes the size for no
                                  longer
  -released-within DURATION       a load that stays constant has no more pods than it
                                  needs, times the factor, after this time
  -released-factor FACTOR         the factor of -released-within (1.5)
  -never-below-last DURATION      no size falls below what a load of this time needs
  -removed-at-most PODS/DURATION  no more pods are removed within this time, as in 2/1m
  -added-at-most PODS/DURATION    no more pods are added within this time, as in 4/1m
Search of -prove:
  -load LOW..HIGH                 the loads, in replicas (0 to twice maxReplicas)
  -startup DURATION               how long a new pod takes to be ready (30s)
  -sync DURATION                  the sync period of the controller (15s)
  -lag DURATION                   how old metrics are (0s)
  -jitter DURATION                how much earlier or later a sync may come (0s)
  -missed N                       how many syncs in a row may be missed, up to 8 (0)
  -for DURATION                   how long to search (1m)
  -states N                       how many states to search (3000000, up to 5 GB)
  -record FILE                    write the course that breaks the promise as a
                                  recording; of several, the name gets the number
  -o text|json                    verdicts for people or for machines (text)
Without a promise, -prove prints the longest times of loads that stay constant.
`

// Define defines the flags, except those of Sync and Startup.
func (o *Options) Define(f *flag.FlagSet) {
	f.Func("carried-within", "Promise: a load that stays constant is carried within this `DURATION`: it is within tolerance, or the size is maxReplicas.",
		o.within(prove.CarriedWithin))
	f.Func("settled-within", "Promise: a load that stays constant changes the size for no longer than this `DURATION`.",
		o.within(prove.SettledWithin))
	f.Func("released-within", "Promise: a load that stays constant has no more pods than it needs, times the factor, after this `DURATION`.", func(s string) error {
		o.releases = true
		return o.within(func(d time.Duration) prove.Property { return prove.ReleasedWithin(d, o.released()) })(s)
	})
	f.Func("released-factor", "The `FACTOR` of released-within, from 1; 1.5 if not given.", o.setFactor)
	f.Func("never-below-last", "Promise: no size falls below what a load of this `DURATION` needs.", func(s string) error {
		var d time.Duration
		err := cli.Duration(&d)(s)
		o.promise(false, func() prove.Property { return prove.NeverBelow(d) })
		return err
	})
	f.Func("removed-at-most", "Promise: no more pods are removed within a time, `PODS/DURATION`, such as 2/1m.", o.atMost(prove.RemovedAtMost))
	f.Func("added-at-most", "Promise: no more pods are added within a time, `PODS/DURATION`, such as 4/1m.", o.atMost(prove.AddedAtMost))
	f.Func("load", "The loads, `LOW..HIGH`, in replicas; 0 to twice maxReplicas if not given.", o.setLoad)
	f.Func("lag", "How old metrics are, a `DURATION`; 0s if not given.", cli.Duration(&o.lag))
	f.Func("jitter", "How much earlier or later a sync may come, a `DURATION`; 0s if not given.", cli.Duration(&o.jitter))
	f.Func("missed", "How many syncs in a row may be missed, a `NUMBER` up to 8; 0 if not given.", number(&o.missed, 0, 8))
	f.Func("for", "How long to search, a `DURATION`; 1m if not given.", o.setFor)
	f.Func("states", "How many states to search, a `NUMBER`; 3000000 if not given, which take up to 5 GB.", number(&o.states, 1, math.MaxInt32))
	f.Func("record", "A `FILE` to write, as a recording, the course that breaks the promise to; it must not exist. With several promises, the name gets the number of each.", o.setRecord)
}

func (o *Options) promise(constant bool, property func() prove.Property) {
	o.promises = append(o.promises, promise{constant, property})
}

// within is a flag for a promise about loads that stay the same.
func (o *Options) within(of func(time.Duration) prove.Property) func(string) error {
	return func(s string) error {
		var d time.Duration
		err := cli.Duration(&d)(s)
		o.promise(true, func() prove.Property { return of(d) })
		return err
	}
}

// atMost is a flag for a promise about changes of size, such as 2/1m.
func (o *Options) atMost(of func(int32, time.Duration) prove.Property) func(string) error {
	return func(s string) error {
		var pods int32
		var d time.Duration
		digits, span, ok := strings.Cut(s, "/")
		if !ok || cli.Replicas(&pods)(digits) != nil || cli.Duration(&d)(span) != nil {
			return errors.New("not a number of pods and a time such as 2/1m")
		}
		o.promise(false, func() prove.Property { return of(pods, d) })
		return nil
	}
}

func (o *Options) released() float64 {
	if o.factor == 0 {
		return defaultFactor
	}
	return o.factor
}

func (o *Options) setFactor(s string) error {
	if err := cli.Fraction(&o.factor)(s); err != nil || o.factor < 1 || o.factor > maxReplicas {
		return errors.New("not a factor from 1 to 255 such as 1.5")
	}
	return nil
}

func (o *Options) setLoad(s string) error {
	low, high, _ := strings.Cut(s, "..")
	if cli.Fraction(&o.low)(low) != nil || cli.Positive(&o.high)(high) != nil || o.high < o.low || o.high > math.MaxInt32 {
		return errors.New("not loads such as 0..20, the second one above 0")
	}
	return nil
}

func (o *Options) setFor(s string) error {
	if err := cli.Duration(&o.limit)(s); err != nil || o.limit == 0 {
		return errors.New("not a positive duration such as 1m")
	}
	return nil
}

func (o *Options) setRecord(s string) error {
	if s == "" || s == "-" {
		return errors.New("not the name of a file")
	}
	o.record = s
	return nil
}

// number is a flag for a whole number.
func number(n *int, least, most int) func(string) error {
	return func(s string) error {
		v, err := strconv.Atoi(s)
		if err != nil || v < least || v > most {
			return errors.New("not a whole number from " + strconv.Itoa(least) + " to " + strconv.Itoa(most))
		}
		*n = v
		return nil
	}
}
