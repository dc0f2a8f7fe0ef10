package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/trial"
)

// plan is the simulations to run.
type plan struct {
	*options
	series   *trial.Series
	trial    *trial.Trial
	hpas     []hpa
	settings []setting
	runs     []*job
	progress *progress
}

// job is one simulation.
type job struct {
	// autoscaler is the index of the -hpa, setting that of the swept values.
	label               string
	autoscaler, setting int
	scenario            simulate.Scenario
	rules               calculator.Autoscaler
}

// result is the outcome of a job.
type result struct {
	*job
	// summaries has one summary for each seed.
	summaries         []simulate.Summary
	cost, lost, above spread
	// bins are of the first seed.
	bins *bins
}

// plan reads the files and checks everything that can be checked before a run.
func (o *options) plan() (*plan, error) {
	p := &plan{options: o}
	var err error
	if p.series, err = o.readLoad(); err != nil {
		return nil, err
	}
	if p.hpas, err = readHPAs(o.hpaFiles); err != nil {
		return nil, err
	}
	if o.picture != "" && len(p.hpas) > len(palette) {
		return nil, fmt.Errorf("a picture has room for %d autoscalers, not %d", len(palette), len(p.hpas))
	}
	if p.trial, err = o.Trial(p.series); err != nil {
		return nil, err
	}
	if p.settings, err = settings(o.sweeps); err != nil {
		return nil, err
	}
	if p.seeds > maxRuns/(len(p.settings)*len(p.hpas)) {
		return nil, fmt.Errorf("more than %d runs", maxRuns)
	}
	for i := range p.settings {
		for j := range p.hpas {
			r, err := p.job(i, j)
			if err != nil {
				return nil, err
			}
			p.runs = append(p.runs, r)
		}
	}
	return p, nil
}

// readLoad reads the load.
func (o *options) readLoad() (*trial.Series, error) {
	file := os.Stdin
	if o.loadFile != "-" {
		var err error
		if file, err = os.Open(o.loadFile); err != nil {
			return nil, err
		}
		defer file.Close()
	}
	s, err := o.Load.Decode(file)
	switch {
	case err != nil && o.loadFile == "-":
		return nil, fmt.Errorf("%s%w", o.loadName(), err)
	case err != nil:
		return nil, fmt.Errorf("%s%w", o.loadFile, err)
	}
	o.Load.Unit = cmp.Or(o.Load.Unit, s.Unit)
	return s, nil
}

// loadName is the load's file, for people.
func (o *options) loadName() string {
	if o.loadFile == "-" {
		return "standard input"
	}
	return filepath.Base(o.loadFile)
}

// job returns the simulation of one setting and one autoscaler.
func (p *plan) job(setting, autoscaler int) (*job, error) {
	w, h, err := p.settings[setting].apply(p.sweeps, p.World, p.hpas[autoscaler])
	if err != nil {
		return nil, err
	}
	spec, err := h.rules(w.Settings.Release)
	if err != nil {
		return nil, err
	}
	j := &job{label: h.name, autoscaler: autoscaler, setting: setting}
	if s := p.settings[setting]; len(s) > 0 {
		j.label = s.label(p.sweeps)
		if len(p.hpas) > 1 {
			j.label = h.name + " " + j.label
		}
	}
	j.rules = calculator.Autoscaler{Settings: &w.Settings, Spec: spec}
	if j.scenario, err = p.trial.Scenario(&w, spec); err != nil {
		return nil, err
	}
	// Its first sync shows whether it can be simulated, before others take
	// time.
	for _, err := range j.scenario.Run(&j.rules) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", j.label, err)
		}
		break
	}
	return j, nil
}

// rows returns the number of rows of all runs.
func (p *plan) rows() int64 {
	var n int64
	for _, j := range p.runs {
		n += int64((j.scenario.Duration + j.scenario.SyncPeriod - 1) / j.scenario.SyncPeriod)
	}
	return n * int64(p.seeds)
}

// run makes all runs, several at once. The results are in order, and do not
// depend on how many run at once.
func (p *plan) run(ctx context.Context) ([]*result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var log *rowLog
	runs := len(p.runs) * p.seeds
	workers := min(p.jobs, runs)
	if p.options.rows != "" {
		file, err := os.Create(p.options.rows)
		if err != nil {
			return nil, &writeError{err}
		}
		defer file.Close()
		// One by one, for the order of the rows.
		log, workers = newRowLog(file), 1
	}
	results, failures := make([]*result, len(p.runs)), make([]error, runs)
	for i, j := range p.runs {
		results[i] = &result{job: j, summaries: make([]simulate.Summary, p.seeds)}
		if p.picture != "" {
			results[i].bins = newBins(p.trial.Reported, p.trial.End, j.scenario.SyncPeriod)
		}
	}
	next := make(chan int)
	var wait sync.WaitGroup
	for range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range next {
				if failures[i] = p.simulate(ctx, results[i/p.seeds], i%p.seeds, log); failures[i] != nil {
					cancel()
				}
			}
		}()
	}
feed:
	for i := range runs {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wait.Wait()
	for i, err := range failures {
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, fmt.Errorf("%s: %w", p.runs[i/p.seeds].label, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if log != nil {
		if err := log.close(); err != nil {
			return nil, &writeError{err}
		}
	}
	for _, r := range results {
		r.cost, r.lost, r.above = r.spread(trial.PodHours), r.spread(trial.LoadLost), r.spread(trial.AboveTarget)
	}
	return results, nil
}

// writeError is an error of the output.
type writeError struct{ error }

// reportEvery is how many rows pass between updates of the progress.
const reportEvery = 4096

// simulate runs the job of r with the ith seed.
func (p *plan) simulate(ctx context.Context, r *result, i int, log *rowLog) error {
	scenario := r.scenario
	scenario.Seed += uint64(i)
	var ledger simulate.Ledger
	n := 0
	for row, err := range scenario.Run(&r.rules) {
		if err != nil {
			return err
		}
		if n++; n == reportEvery {
			p.progress.add(reportEvery)
			n = 0
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if row.Time.Before(p.trial.Reported) {
			continue
		}
		ledger.Add(&row)
		if r.bins != nil && i == 0 {
			r.bins.add(&row)
		}
		if log != nil {
			log.add(r.label, scenario.Seed, &row)
		}
	}
	p.progress.add(int64(n))
	r.summaries[i] = ledger.Summary()
	return nil
}
