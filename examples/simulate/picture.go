package main

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	// The formats of pictures.
	_ "gonum.org/v1/plot/vg/vgpdf"
	_ "gonum.org/v1/plot/vg/vgsvg"

	"github.com/purehpa/hpa/examples/internal/trial"
)

// draw draws the pictures that were asked for.
func (p *plan) draw(results []*result) error {
	if p.picture != "" {
		if err := p.drawRuns(results); err != nil {
			return err
		}
	}
	if p.tradeOff != "" {
		return p.drawTradeOff(results)
	}
	return nil
}

const (
	pictureWidth vg.Length = 720
	loadHeight   vg.Length = 190
	sizeHeight   vg.Length = 180
	timeHeight   vg.Length = 42
	panelGap     vg.Length = 10
	pageMargin   vg.Length = 10
)

// canvas returns a white canvas in the format of the file's extension, and the
// page within its margins.
func canvas(file string, width, height vg.Length) (vg.CanvasWriterTo, draw.Canvas, error) {
	var w vg.CanvasWriterTo
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
	if format == "png" {
		w = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(144))}
	} else {
		var err error
		if w, err = draw.NewFormattedCanvas(width, height, format); err != nil {
			return nil, draw.Canvas{}, err
		}
	}
	page := draw.New(w)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	return w, draw.Crop(page, pageMargin, -pageMargin, pageMargin, -pageMargin), nil
}

// save writes the canvas; its error is a *writeError. SVG gets fallback fonts
// of the same widths as gonum's.
func save(w vg.CanvasWriterTo, file string) error {
	var out bytes.Buffer
	if _, err := w.WriteTo(&out); err != nil {
		return &writeError{err}
	}
	data := out.Bytes()
	if strings.EqualFold(filepath.Ext(file), ".svg") {
		data = bytes.ReplaceAll(data, []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return &writeError{err}
	}
	return nil
}

// drawRuns draws the runs over time: load and capacities on top, and below them
// the sizes of each run and what held them.
func (p *plan) drawRuns(results []*result) error {
	top := p.loadPanel(results)
	panels := []*plot.Plot{top}
	heights := []vg.Length{loadHeight}
	for i, r := range results {
		panels, heights = append(panels, p.sizePanel(r, i)), append(heights, sizeHeight)
	}
	last := panels[len(panels)-1]
	last.X.Tick.Marker = ticksOfTime(9, true)
	last.X.Label.Text = "time, as the file has it, in " + p.trial.Reported.Format("2006")
	if p.trial.End.Year() != p.trial.Reported.Year() {
		last.X.Label.Text += " and " + p.trial.End.Format("2006")
	}
	if b := results[0].bins; b.width > p.Sync {
		last.X.Label.Text += "; lines: the last sync of each " + trial.Span(b.width) + ", bands: the lowest to the highest"
	}
	heights[len(heights)-1] += timeHeight

	legend := p.legend(results)
	title := letters(12, ink)
	title.YAlign = draw.YTop
	const titleHeight = 20
	blank := draw.NewCanvas(&nothing{}, pictureWidth-2*pageMargin, 1000)
	height := 2*pageMargin + titleHeight + drawLegend(blank, legend, false)
	for _, h := range heights {
		height += panelGap + h
	}
	w, page, err := canvas(p.picture, pictureWidth, height)
	if err != nil {
		return err
	}
	page.FillText(title, vg.Point{X: page.Min.X, Y: page.Max.Y}, fmt.Sprintf("%s; seed %d", p.title(), p.Seed))
	page = draw.Crop(page, 0, 0, 0, -titleHeight)
	page = draw.Crop(page, 0, 0, 0, -drawLegend(page, legend, true))

	// All panels have their data between the same margins.
	var left, right vg.Length
	var places []draw.Canvas
	for i := range panels {
		page = draw.Crop(page, 0, 0, 0, -panelGap)
		place := draw.Crop(page, 0, 0, page.Max.Y-page.Min.Y-heights[i], 0)
		page = draw.Crop(page, 0, 0, 0, -heights[i])
		places = append(places, place)
		data := panels[i].DataCanvas(place)
		left, right = max(left, data.Min.X-place.Min.X), max(right, place.Max.X-data.Max.X)
	}
	for i, place := range places {
		data := panels[i].DataCanvas(place)
		place = draw.Crop(place, left-(data.Min.X-place.Min.X), -(right - (place.Max.X - data.Max.X)), 0, 0)
		panels[i].Draw(place)
	}
	return save(w, p.picture)
}

// nothing is a canvas to measure on.
type nothing struct{ vg.Canvas }

// title is the title of the pictures.
func (p *plan) title() string {
	name := strings.TrimSuffix(filepath.Base(p.loadFile), filepath.Ext(p.loadFile))
	return fmt.Sprintf("%s, %s to %s; a pod serves %s", name, p.trial.Reported.Format("2 Jan 2006 15:04"), p.trial.End.Format("2 Jan 2006 15:04"), p.served())
}

// lineOf returns the line of the ith run.
func lineOf(i int, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: palette[i].color, Width: width, Dashes: palette[i].dashes}
}

var (
	loadLine     = draw.LineStyle{Color: ink, Width: 1.2}
	proposedLine = draw.LineStyle{Color: grey, Width: 0.9}
)

func (p *plan) legend(results []*result) []entry {
	entries := []entry{lineEntry("load", loadLine)}
	for i, r := range results {
		entries = append(entries, lineEntry("capacity and size, "+r.label, lineOf(i, 1.6)))
	}
	return append(entries,
		lineEntry("size asked for by metrics", proposedLine),
		shadedEntry("held", ink),
		shadedEntry("load lost: the darker, the longer", loss),
	)
}

// shadedEntry shows some shades of a color.
func shadedEntry(name string, of color.NRGBA) entry {
	return entry{name, func(c *draw.Canvas, x0, x1, y vg.Length) {
		for shade := 2; shade <= shades; shade += 2 {
			left := x0 + (x1-x0)*vg.Length(shade-2)/shades
			fillBox(c, left, left+(x1-x0)*2/shades, y-3, y+3, shaded(of, shade))
		}
	}}
}

// timeAxis sets the time axis, without labels.
func (p *plan) timeAxis(pl *plot.Plot) {
	pl.X.Min, pl.X.Max = float64(p.trial.Reported.Unix()), float64(p.trial.End.Unix())
	pl.X.Tick.Marker = ticksOfTime(9, false)
}

// loadPanel shows the load and the capacity of each run.
func (p *plan) loadPanel(results []*result) *plot.Plot {
	pl := newPanel()
	p.timeAxis(pl)
	pl.Y.Label.Text = "load"
	if p.Load.Unit != "" {
		pl.Y.Label.Text += " (" + p.Load.Unit + ")"
	}
	high := 0.0
	for _, r := range results {
		for i := range r.bins.cells {
			high = max(high, r.bins.cells[i].load.high, r.bins.cells[i].capacity.high)
		}
	}
	pl.Y.Min, pl.Y.Max = 0, max(high*1.04, 1e-9)
	marks := roundTicks(0, pl.Y.Max, 6)
	pl.Y.Tick.Marker = constantTicks(marks)
	pl.Add(grid{marks})
	pl.Add(band{results[0].bins, func(c *cell) extremes { return c.load }, color.NRGBA{0x22, 0x22, 0x22, 0x30}})
	for i := len(results) - 1; i >= 0; i-- {
		pl.Add(stairs{results[i].bins, func(c *cell) extremes { return c.capacity }, lineOf(i, 1.4)})
	}
	pl.Add(stairs{results[0].bins, func(c *cell) extremes { return c.load }, loadLine})
	return pl
}

// sizePanel shows the sizes of a run. What held them is below zero.
func (p *plan) sizePanel(r *result, index int) *plot.Plot {
	pl := newPanel()
	p.timeAxis(pl)
	pl.Y.Label.Text = "size of " + r.label + " (pods)"
	high := 1.0
	for i := range r.bins.cells {
		high = max(high, r.bins.cells[i].size.high, r.bins.cells[i].proposed.high)
	}
	high *= 1.05
	// The strips take a third of the height.
	strip := high / 2 / (float64(len(holds)) + 0.5)
	pl.Y.Min, pl.Y.Max = -strip*(float64(len(holds))+0.5), high
	marks := roundTicks(0, high, 5)
	ticks := constantTicks(marks)
	for i := range holds {
		ticks = append(ticks, plot.Tick{Value: -strip * (float64(i) + 1), Label: holds[i].name})
	}
	pl.Y.Tick.Marker = ticks
	pl.Add(grid{marks})
	pl.Add(strips{r.bins, strip})
	pl.Add(band{r.bins, func(c *cell) extremes { return c.size }, translucent(palette[index].color)})
	pl.Add(stairs{r.bins, func(c *cell) extremes { return c.proposed }, proposedLine})
	pl.Add(stairs{r.bins, func(c *cell) extremes { return c.size }, draw.LineStyle{Color: palette[index].color, Width: 1.6}})
	return pl
}

func translucent(c color.Color) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = 0x40
	return n
}

func constantTicks(values []float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, v := range values {
		ticks = append(ticks, plot.Tick{Value: v, Label: figure(v)})
	}
	return ticks
}
