package proof

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// The exit statuses besides those of package cli.
const (
	Broken    = 1 // a promise is broken
	Undecided = 3 // the search ended before all promises were decided
)

// maxReplicas is the most replicas that can be searched.
const maxReplicas = 255

// Proof is what a search found out about an autoscaler.
type Proof struct {
	options    *Options
	autoscaler *kubejson.HorizontalPodAutoscaler
	setup      *prove.Setup
	result     *prove.Result
	// overtime reports that the time ended the search.
	overtime bool
	answers  []answer
}

// answer is a promise, or a longest time, with a course that shows it.
type answer struct {
	// name is the number of the promise, or what takes the time.
	name    string
	promise *promise
	verdict *prove.Verdict
	worst   *prove.Worst
	course  *prove.Counterexample
	// file is the recording of the course, or empty.
	file string
}

// Prove searches for loads under which the autoscaler breaks a promise, and
// records them. Its errors name the flag or field that is not valid, or are
// *fs.PathErrors of recordings that cannot be written.
func (o *Options) Prove(ctx context.Context, settings calculator.Settings, a *kubejson.HorizontalPodAutoscaler) (*Proof, error) {
	p := &Proof{options: o, autoscaler: a, setup: prove.NewSetup(&a.Spec)}
	p.setup.Settings, p.setup.SyncPeriod, p.setup.Startup, p.setup.Lag = settings, o.Sync, o.Startup, o.lag
	if err := p.problem(); err != nil {
		return nil, err
	}
	var properties []prove.Property
	for i := range o.promises {
		properties = append(properties, o.promises[i].property())
	}
	t := &timer{options: o, began: time.Now()}
	search := prove.Search{
		Low: o.low, High: o.high, Jitter: o.jitter, Missed: o.missed,
		MaxStates: o.states, Progress: t.goOn, Untimed: len(properties) > 0,
	}
	result, err := search.Run(ctx, p.setup, properties...)
	t.clear()
	if err != nil {
		return nil, o.named(err)
	}
	p.result, p.overtime = result, t.over
	p.answer()
	return p, p.recordAll()
}

// problem returns why there can be no search.
func (p *Proof) problem() error {
	o := p.options
	switch most := p.setup.Spec.MaxReplicas; {
	case most > maxReplicas:
		return fmt.Errorf("spec.maxReplicas: %d is too many to search, at most %d; try a copy with fewer, its policies of Pods scaled down alike", most, maxReplicas)
	case o.factor != 0 && !o.releases:
		return fmt.Errorf("%sreleased-factor goes with %sreleased-within", o.dash, o.dash)
	}
	return p.recordable()
}

// named returns the error with the names of flags.
func (o *Options) named(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	text := strings.TrimPrefix(strings.ReplaceAll(err.Error(), "prove: ", ""), "the search cannot go on: ")
	return errors.New(strings.NewReplacer(
		"Setup.SyncPeriod", o.dash+"sync", "SyncPeriod", o.dash+"sync",
		"Setup.Startup", o.dash+"startup", "Setup.Lag", o.dash+"lag", "late metrics", o.dash+"lag",
		"Search.Jitter", o.dash+"jitter", "Search.Missed", o.dash+"missed",
		"Search.Low", o.dash+"load", "Search.High", o.dash+"load",
		"CarriedWithin", o.dash+"carried-within", "SettledWithin", o.dash+"settled-within", "ReleasedWithin", o.dash+"released-within",
		"NeverBelow", o.dash+"never-below-last", "RemovedAtMost", o.dash+"removed-at-most", "AddedAtMost", o.dash+"added-at-most",
	).Replace(text))
}

// answer collects the answers: one for each promise or, without promises, the
// longest times.
func (p *Proof) answer() {
	r := p.result
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		p.answers = append(p.answers, answer{name: fmt.Sprint(i + 1), promise: &p.options.promises[i], verdict: v, course: v.Counterexample})
	}
	if len(r.Verdicts) > 0 || !r.Timed {
		return
	}
	for _, w := range p.worst() {
		p.answers = append(p.answers, answer{name: w.name, worst: w.of, course: w.of.Course})
	}
}

type worst struct {
	name, until string
	of          *prove.Worst
}

// worst are the longest times.
func (p *Proof) worst() []worst {
	r := p.result
	return []worst{
		{"scaled-up", "the size is at least what the load needs", &r.WorstUp},
		{"within-tolerance", "the load is within the scaleUp tolerance, or the size is maxReplicas", &r.WorstTolerated},
		{"scaled-down", "the size is at most what the load needs", &r.WorstDown},
		{"settled", "the size no longer changes", &r.WorstSettle},
	}
}

// Status returns the exit status.
func (p *Proof) Status() int {
	status := cli.OK
	if len(p.result.Verdicts) == 0 && !p.result.Timed {
		status = Undecided
	}
	for i := range p.result.Verdicts {
		switch p.result.Verdicts[i].Outcome {
		case prove.Broken:
			return Broken
		case prove.Undecided:
			status = Undecided
		}
	}
	return status
}
