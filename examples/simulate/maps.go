package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/vg/draw"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/trial"
)

// maps are heat maps of one autoscaler, which need no measured load.
type maps struct {
	*options
	hpa
	spec *autoscaling.HorizontalPodAutoscalerSpec
}

// mapsAsked reports whether the options ask for heat maps.
func (o *options) mapsAsked() bool { return o.times != "" || o.flaps != "" }

// mapsProblem returns what is wrong with the flags for heat maps.
func (o *options) mapsProblem(given *flag.FlagSet) (err error) {
	pods := cli.NewFlagSet("flaps")
	new(trial.World).Define(pods)
	given.Visit(func(f *flag.Flag) {
		switch {
		case strings.HasPrefix(f.Name, "horizontal-") || slices.Contains([]string{"times", "flaps", "hpa", "release", "sync", "jobs", "quiet"}, f.Name):
		case pods.Lookup(f.Name) == nil && !slices.Contains([]string{"around", "slope", "seed"}, f.Name):
			err = fmt.Errorf("-%s does not go with -times and -flaps", f.Name)
		case o.flaps == "":
			err = fmt.Errorf("-%s needs -flaps", f.Name)
		}
	})
	if err == nil && len(o.hpaFiles) > 1 {
		err = errors.New("-times and -flaps are for one -hpa")
	}
	return err
}

// newMaps reads the autoscaler.
func (o *options) newMaps() (*maps, error) {
	hpas, err := readHPAs(o.hpaFiles)
	if err != nil {
		return nil, err
	}
	m := &maps{options: o, hpa: hpas[0]}
	m.spec, err = m.rules(o.Settings.Release)
	return m, err
}

// drawMaps draws the heat maps, and says in short what they show.
func (o *options) drawMaps(ctx context.Context, stdout io.Writer) error {
	m, err := o.newMaps()
	if err != nil {
		return err
	}
	if m.times != "" {
		if err := m.drawTimes(stdout); err != nil {
			return err
		}
	}
	if m.flaps == "" {
		return nil
	}
	f, err := m.flapping(ctx)
	if err != nil {
		return err
	}
	f.write(stdout, m.name)
	return f.heat(m).draw(m.flaps)
}

// mostSizes is how many sizes a heat map of times has, at most.
const mostSizes = 50

// mapSizes returns the sizes of a heat map, the bounds among them.
func mapSizes(low, high int32) []int32 {
	n := min(int64(high)-int64(low)+1, mostSizes)
	sizes := []int32{low}
	for i := int64(1); i < n; i++ {
		sizes = append(sizes, low+int32(int64(high-low)*i/(n-1)))
	}
	return sizes
}

// drawTimes draws the time from size to size, after a steady load.
func (m *maps) drawTimes(stdout io.Writer) error {
	b := m.spec.Bounds()
	sizes := mapSizes(b.Min, b.Max)
	up, down, err := guarantee.Table(&m.Settings, m.spec, m.Sync, 0, sizes)
	if err != nil {
		return err
	}
	index := map[int32]int{}
	h := heat{
		title: fmt.Sprintf("%s: time from size to size, after a steady load, with a sync each %s", m.name, trial.Span(m.Sync)),
		x:     axis{label: "to (replicas)"}, y: axis{label: "from (replicas)"},
		steps: []float64{15, 30, 60, 120, 300, 600, 1800, 3600, 3 * 3600}, text: func(s float64) string { return trial.Span(time.Duration(s) * time.Second) },
		beyond: "never",
	}
	for i, n := range sizes {
		index[n] = i
		h.x.names, h.y.names = append(h.x.names, trial.Count(int(n))), append(h.y.names, trial.Count(int(n)))
	}
	h.values = make([][]float64, len(sizes))
	for i := range h.values {
		h.values[i] = make([]float64, len(sizes))
		h.values[i][i] = math.NaN()
	}
	for _, move := range append(up, down...) {
		seconds := move.Steady.Duration.Seconds()
		if move.Steady.Never {
			seconds = math.Inf(1)
		}
		h.values[index[move.From]][index[move.To]] = seconds
	}
	if len(sizes) > 1 {
		last := len(sizes) - 1
		fmt.Fprintf(stdout, "%s: from %d to %d in %s, and back in %s\n", m.name, b.Min, b.Max, h.name(h.values[0][last]), h.name(h.values[last][0]))
	}
	return h.draw(m.times)
}

// name returns the value in words.
func (h *heat) name(v float64) string {
	if math.IsInf(v, 1) {
		return h.beyond
	}
	return h.text(v)
}

// heat is a heat map. Cells are of one width and one height.
type heat struct {
	title string
	x, y  axis
	// values are by row, from the bottom up, and column. NaN is an empty cell.
	values [][]float64
	// steps are the upper ends of the colours, inclusive. The last colour is
	// for what is beyond them all, and text says what a value is.
	steps  []float64
	text   func(float64) string
	beyond string
}

// axis is an axis of a heat map, with the name of each of its cells.
type axis struct {
	label string
	names []string
}

// step returns the index of the colour.
func (h *heat) step(v float64) int {
	for i, end := range h.steps {
		if v <= end {
			return i
		}
	}
	return len(h.steps)
}

const (
	mapHeight = 460
	// mapNames is how many cells of an axis have their names beside them.
	mapNames = 16
)

// draw draws the heat map into the file.
func (h *heat) draw(file string) error {
	const titleHeight = 20
	w, page, err := canvas(file, pictureWidth, mapHeight)
	if err != nil {
		return err
	}
	title := letters(12, ink)
	title.YAlign = draw.YTop
	page.FillText(title, at(page.Min.X, page.Max.Y), h.title)
	page = draw.Crop(page, 0, 0, 0, -titleHeight)
	page = draw.Crop(page, 0, 0, 0, -drawLegend(page, h.legend(), true)-panelGap)
	pl := newPanel()
	pl.X.Label.Text, pl.Y.Label.Text = h.x.label, h.y.label
	pl.X.Min, pl.X.Max, pl.X.Tick.Marker = 0, float64(len(h.x.names)), h.x.ticks()
	pl.Y.Min, pl.Y.Max, pl.Y.Tick.Marker = 0, float64(len(h.y.names)), h.y.ticks()
	pl.Add(tiles{h})
	pl.Draw(page)
	return save(w, file)
}
