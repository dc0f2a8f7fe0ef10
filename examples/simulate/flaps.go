package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/trial"
	"github.com/purehpa/hpa/metrics"
)

// flapPeriods are the periods of the waves, and flapShares by how much of its
// mean the load goes up and down.
var flapPeriods = []time.Duration{
	time.Minute, 90 * time.Second, 2 * time.Minute, 3 * time.Minute, 4 * time.Minute, 5 * time.Minute, 6 * time.Minute, 8 * time.Minute,
	10 * time.Minute, 12 * time.Minute, 15 * time.Minute, 20 * time.Minute, 30 * time.Minute, 45 * time.Minute, time.Hour, 90 * time.Minute,
}

const (
	flapShares    = 24
	flapShareStep = 1.25 // percent
	flapWarmUp    = 30 * time.Minute
	flapReported  = 3 * time.Hour
)

// flapping is how often the size turns, from up to down or from down to up,
// under waves of load.
type flapping struct {
	mean metrics.Milli
	// turns are per hour, by period and share.
	turns [][]float64
}

// flapping simulates each wave.
func (m *maps) flapping(ctx context.Context) (*flapping, error) {
	capacity := metrics.Milli(1000)
	if m.Capacity > 0 {
		capacity = metrics.Milli(m.Capacity * 1000)
	}
	around := m.around
	if around == 0 {
		around = 0.3 * float64(m.spec.MaxReplicas)
	}
	f := &flapping{mean: metrics.Milli(around * float64(capacity)), turns: make([][]float64, len(flapPeriods))}
	if !(around*float64(capacity) <= 1e15) || f.mean <= 0 {
		return nil, fmt.Errorf("-around %v: not a load that can be simulated", around)
	}
	for i := range f.turns {
		f.turns[i] = make([]float64, flapShares)
	}
	cells := len(flapPeriods) * flapShares
	failures := make([]error, cells)
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(m.jobs, cells) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range next {
				period, share := i/flapShares, i%flapShares
				f.turns[period][share], failures[i] = m.turns(ctx, capacity, f.mean, flapPeriods[period], flapShare(share))
			}
		}()
	}
	for i := range cells {
		next <- i
	}
	close(next)
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f, errors.Join(failures...)
}

// flapShare returns by how many percent the load goes up and down.
func flapShare(i int) float64 { return flapShareStep * float64(i+1) }

// wave returns a load that begins at its mean and alternates, or goes up and
// down in straight lines.
func (m *maps) wave(start time.Time, lasts time.Duration, mean metrics.Milli, period time.Duration, percent float64) simulate.Load {
	by := metrics.Milli(float64(mean) * percent / 100)
	series := simulate.LoadSeries{{Time: start, Load: mean}}
	for at, up := period/4, true; at < lasts+period; at, up = at+period/2, !up {
		load := mean - by
		if up {
			load = mean + by
		}
		series = append(series, simulate.LoadPoint{Time: start.Add(at), Load: load})
	}
	if m.Load.Slope {
		return simulate.Interpolated{Series: series, Step: m.Sync}
	}
	return series
}

// turns simulates a wave and returns the turns per hour.
func (m *maps) turns(ctx context.Context, capacity, mean metrics.Milli, period time.Duration, percent float64) (float64, error) {
	if ctx.Err() != nil {
		return 0, nil
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	lasts := flapWarmUp + flapReported
	s := simulate.Scenario{
		Start: start, Duration: lasts, SyncPeriod: m.Sync, Replicas: m.Replicas, Seed: m.Seed,
		Load:     m.wave(start, lasts, mean, period, percent),
		Workload: m.Deployment(m.spec, capacity, start, start.Add(lasts)),
	}
	var seen turnCount
	before := 0 // turns of the warm-up
	for row, err := range s.Run(&calculator.Autoscaler{Settings: &m.Settings, Spec: m.spec}) {
		if err != nil {
			return 0, fmt.Errorf("%s: %w", m.name, err)
		}
		seen.add(row.DesiredReplicas - row.CurrentReplicas)
		if row.Time.Sub(start) < flapWarmUp {
			before = seen.turns
		}
	}
	return float64(seen.turns-before) / flapReported.Hours(), nil
}

// turnCount counts the turns of a size.
type turnCount struct {
	turns int
	last  int32 // change that was not zero
}

// add takes note of a change of size, or of none.
func (c *turnCount) add(by int32) {
	if by == 0 {
		return
	}
	if c.last != 0 && (by > 0) != (c.last > 0) {
		c.turns++
	}
	c.last = by
}

// write says which wave makes the size turn most often.
func (f *flapping) write(w io.Writer, name string) {
	period, share := 0, 0
	for i := range f.turns {
		for j := range f.turns[i] {
			if f.turns[i][j] > f.turns[period][share] {
				period, share = i, j
			}
		}
	}
	if f.turns[period][share] == 0 {
		fmt.Fprintf(w, "%s: no wave makes the size turn\n", name)
		return
	}
	fmt.Fprintf(w, "%s: a wave of ±%s%% each %s makes the size turn most often, %s times an hour\n",
		name, trial.Quantity(flapShare(share)), trial.Span(flapPeriods[period]), trial.Quantity(f.turns[period][share]))
}

// heat returns the heat map.
func (f *flapping) heat(m *maps) *heat {
	shape := "jumps"
	if m.Load.Slope {
		shape = "straight lines"
	}
	h := &heat{
		title:  fmt.Sprintf("%s: turns of the size in an hour, under waves of load in %s; seed %d", m.name, shape, m.Seed),
		x:      axis{label: "amplitude of the wave (± % of its mean)"},
		y:      axis{label: "period of the wave"},
		values: f.turns,
		steps:  []float64{0, 1, 2, 4, 8, 16, 32}, text: func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) },
		beyond: "more than 32",
	}
	for i := range flapShares {
		h.x.names = append(h.x.names, figure(flapShare(i)))
	}
	for _, p := range flapPeriods {
		h.y.names = append(h.y.names, trial.Span(p))
	}
	return h
}
