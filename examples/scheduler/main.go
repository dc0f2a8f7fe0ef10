// Command scheduler runs a queue of jobs on workers within one process, and
// scales the workers with the load. It shows the library without anything else:
// the number of jobs makes a proposal, and a [behavior.Scaler] turns proposals
// into sizes. Time is simulated: five hours of April 2014 pass in no time.
//
//	go run ./examples/scheduler
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/stabilize"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scheduler:", err)
		os.Exit(1)
	}
}

// step is how often workers look for jobs, decide how often their number is
// decided on, and report how often a line is printed.
const (
	step   = time.Second
	decide = 15 * time.Second
	report = 15 * time.Minute
)

// A quiet Saturday with a rush at five.
var (
	opens  = time.Date(2014, 4, 12, 15, 0, 0, 0, time.UTC)
	closes = time.Date(2014, 4, 12, 20, 0, 0, 0, time.UTC)
)

// period is what happened between two reports. The syncs at which a window, a
// policy and a bound decided are held, paced and bound.
type period struct {
	arrived, held, paced, bound int
	low, high                   int32
}

// run simulates the hours and prints what happened.
func run(out io.Writer) error {
	jobs, err := arrivals()
	if err != nil {
		return err
	}
	sizer, p := newSizer(), &pool{startup: 20 * time.Second}
	p.resize(opens.Add(-time.Minute), bounds.Min)
	total, next := len(jobs), period{low: bounds.Min, high: bounds.Min}
	before := p.done
	fmt.Fprintln(out, " until  arrived  done  waiting  workers  started  stopped  held  paced  at a bound  longest wait")
	now := opens
	for ; now.Before(closes) || p.jobs() > 0; now = now.Add(step) {
		for len(jobs) > 0 && !jobs[0].arrived.After(now) {
			p.submit(jobs[0])
			jobs = jobs[1:]
			next.arrived++
		}
		p.work(now, step)
		if now.Sub(opens)%decide == 0 {
			workers := p.staying()
			s := sizer.size(now, workers, p.jobs())
			if s.Err != nil {
				return s.Err
			}
			p.resize(now, s.Replicas)
			sizer.Applied(now, workers, s.Replicas)
			next.count(s)
		}
		if end := now.Add(step); end.Sub(opens)%report == 0 {
			next.print(out, end, p, before)
			before, next = p.done, period{low: p.staying(), high: p.staying()}
			p.done.longest = 0
		}
	}
	fmt.Fprintf(out, "\n%d of %d jobs done by %s, after %s of waiting each on average.\n",
		p.done.jobs, total, now.Format("15:04:05"), (p.done.waited / time.Duration(max(p.done.jobs, 1))).Round(100*time.Millisecond))
	fmt.Fprintf(out, "%.1f hours of work were paid for, %.1f would have been with %d workers throughout.\n",
		p.done.paid.Hours(), now.Sub(opens).Hours()*float64(p.done.most), p.done.most)
	return nil
}

// count counts a sync.
func (n *period) count(s behavior.Step) {
	n.low, n.high = min(n.low, s.Replicas), max(n.high, s.Replicas)
	if s.Stabilization.Reason != stabilize.NotStabilized {
		n.held++
	}
	switch s.Limits.Reason {
	case behavior.ScaleUpLimit, behavior.ScaleDownLimit:
		n.paced++
	case behavior.TooFewReplicas, behavior.TooManyReplicas:
		n.bound++
	}
}

func (n *period) print(out io.Writer, end time.Time, p *pool, before done) {
	fmt.Fprintf(out, " %s  %7d  %4d  %7d  %2d to %2d  %7d  %7d  %4d  %5d  %10d  %12s\n",
		end.Format("15:04"), n.arrived, p.done.jobs-before.jobs, len(p.waiting), n.low, n.high,
		p.done.started-before.started, p.done.stopped-before.stopped, n.held, n.paced, n.bound, p.done.longest.Round(time.Second))
}
