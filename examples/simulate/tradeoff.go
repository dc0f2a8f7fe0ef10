package main

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawTradeOff draws cost against load lost of each run of a sweep, and a line
// along the runs that no other beats in both.
func (p *plan) drawTradeOff(results []*result) error {
	sorted, beaten := p.order(results)
	var front []*result
	for _, r := range sorted {
		if beaten[r] < 0 {
			front = append(front, r)
		}
	}
	slices.SortStableFunc(front, func(a, b *result) int {
		return cmp.Compare(a.cost.median, b.cost.median)
	})

	pl := newPanel()
	pl.X.Label.Text = "cost (pod-hours)"
	pl.Y.Label.Text = "load lost (%)"
	low, high := results[0].cost.low, 0.0
	for _, r := range results {
		low, high = min(low, r.cost.low), max(high, r.cost.high)
	}
	room := max((high-low)*0.08, high*0.001, 1e-9)
	pl.X.Min, pl.X.Max = max(low-room, 0), high+1.5*room
	pl.X.Tick.Marker = constantTicks(roundTicks(pl.X.Min, pl.X.Max, 7))
	s := scaleOf(results)
	if s.log {
		pl.Y.Label.Text += ", logarithmic"
	}
	pl.Y.Min, pl.Y.Max, pl.Y.Tick.Marker = s.low, s.high, s.ticks
	var marks []float64
	for _, t := range s.ticks {
		marks = append(marks, t.Value)
	}
	pl.Add(grid{marks}, cloud{plan: p, scale: s, results: results, front: front})

	var entries []entry
	for i := range p.hpas {
		sty := glyphOf(i)
		entries = append(entries, entry{p.hpas[i].name, func(c *draw.Canvas, x0, x1, y vg.Length) {
			c.DrawGlyphNoClip(sty, vg.Point{X: (x0 + x1) / 2, Y: y})
		}})
	}
	if p.seeds > 1 {
		entries = append(entries, lineEntry("lowest to highest of the seeds", whisker))
	}
	entries = append(entries, lineEntry("none is better in both", frontLine))
	var names []string
	for _, s := range p.sweeps {
		names = append(names, s.short())
	}
	entries = append(entries, entry{"labels: " + strings.Join(names, ", "), func(*draw.Canvas, vg.Length, vg.Length, vg.Length) {}})

	const titleHeight = 20
	w, page, err := canvas(p.tradeOff, pictureWidth, 400)
	if err != nil {
		return err
	}
	title := letters(12, ink)
	title.YAlign = draw.YTop
	page.FillText(title, vg.Point{X: page.Min.X, Y: page.Max.Y}, p.title()+"; "+p.seedNames())
	page = draw.Crop(page, 0, 0, 0, -titleHeight)
	page = draw.Crop(page, 0, 0, 0, -drawLegend(page, entries, true)-panelGap)
	pl.Draw(page)
	return save(w, p.tradeOff)
}

func glyphOf(i int) draw.GlyphStyle {
	s := palette[i%len(palette)]
	return draw.GlyphStyle{Color: s.color, Radius: 4, Shape: s.glyph}
}

var frontLine = draw.LineStyle{Color: color.NRGBA{0x77, 0x77, 0x77, 0xff}, Width: 0.9, Dashes: []vg.Length{3, 2}}

// whisker is the line from the lowest to the highest of the seeds.
var whisker = draw.LineStyle{Color: grey, Width: 0.7}

// scale is the axis of load lost. It is logarithmic if that differs by orders
// of magnitude. Zero then has its own place at the bottom.
type scale struct {
	log       bool
	zero      float64 // where zero is
	low, high float64
	ticks     plot.ConstantTicks
}

func scaleOf(results []*result) scale {
	least, most, zeros := math.Inf(1), 0.0, false
	for _, r := range results {
		for _, v := range []float64{100 * r.lost.low, 100 * r.lost.median, 100 * r.lost.high} {
			most = max(most, v)
			if v > 0 {
				least = min(least, v)
			} else {
				zeros = true
			}
		}
	}
	if most == 0 {
		most = 1
	}
	if most/least < 100 {
		s := scale{high: most * 1.12}
		s.ticks = constantTicks(roundTicks(0, s.high, 7))
		return s
	}
	s := scale{log: true, low: math.Floor(math.Log10(least)), high: math.Log10(most) + 0.3}
	for e := s.low; e <= s.high; e++ {
		s.ticks = append(s.ticks, plot.Tick{Value: e, Label: figure(math.Pow(10, e))})
	}
	if zeros {
		s.zero = s.low - 0.7
		s.low = s.zero
		s.ticks = append(s.ticks, plot.Tick{Value: s.zero, Label: "0"})
	}
	s.low -= 0.1
	return s
}

// of returns the place of a share.
func (s *scale) of(share float64) float64 {
	v := 100 * share
	switch {
	case !s.log:
		return v
	case v <= 0:
		return s.zero
	}
	return math.Log10(v)
}

// cloud draws the runs as points, with labels where there is room.
type cloud struct {
	plan    *plan
	scale   scale
	results []*result
	front   []*result
}

func (l cloud) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(r *result) vg.Point { return vg.Point{X: x(r.cost.median), Y: y(l.scale.of(r.lost.median))} }
	for _, r := range l.results {
		m := at(r)
		c.StrokeLine2(whisker, x(r.cost.low), m.Y, x(r.cost.high), m.Y)
		c.StrokeLine2(whisker, m.X, y(l.scale.of(r.lost.low)), m.X, y(l.scale.of(r.lost.high)))
	}
	var line []vg.Point
	for _, r := range l.front {
		if n := len(line); n > 0 {
			line = append(line, vg.Point{X: at(r).X, Y: line[n-1].Y})
		}
		line = append(line, at(r))
	}
	c.StrokeLines(frontLine, line)
	for _, r := range l.results {
		c.DrawGlyphNoClip(glyphOf(r.autoscaler), at(r))
	}
	// The front gets its labels first. Labels overlap neither points nor the
	// line.
	var taken []vg.Rectangle
	for _, r := range l.results {
		taken = append(taken, around(at(r), 4, 4))
	}
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		taken = append(taken, vg.Rectangle{
			Min: vg.Point{X: min(a.X, b.X) - 0.5, Y: min(a.Y, b.Y) - 0.5},
			Max: vg.Point{X: max(a.X, b.X) + 0.5, Y: max(a.Y, b.Y) + 0.5},
		})
	}
	sty := letters(9, ink)
	sty.YAlign = draw.YCenter
	named := map[*result]bool{}
	for _, r := range append(slices.Clone(l.front), l.results...) {
		if named[r] {
			continue
		}
		named[r] = true
		name := strings.Join(l.plan.settings[r.setting], ", ")
		width, height := sty.Width(name), sty.Height(name)
		for _, d := range []vg.Point{{X: 7, Y: 7}, {X: 7, Y: 0}, {X: 7, Y: -8}, {X: -7 - width, Y: 7}, {X: -7 - width, Y: 0}, {X: -7 - width, Y: -8}, {X: -width / 2, Y: 11}, {X: -width / 2, Y: -12}} {
			from := at(r).Add(d)
			box := vg.Rectangle{Min: vg.Point{X: from.X - 1, Y: from.Y - height/2}, Max: vg.Point{X: from.X + width + 1, Y: from.Y + height/2}}
			if !within(box, c.Rectangle) || slices.ContainsFunc(taken, func(t vg.Rectangle) bool { return overlap(t, box) }) {
				continue
			}
			taken = append(taken, box)
			c.FillText(sty, from, name)
			break
		}
	}
}

func around(p vg.Point, dx, dy vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: p.X - dx, Y: p.Y - dy}, Max: vg.Point{X: p.X + dx, Y: p.Y + dy}}
}

func within(a, b vg.Rectangle) bool {
	return a.Min.X >= b.Min.X && a.Max.X <= b.Max.X && a.Min.Y >= b.Min.Y && a.Max.Y <= b.Max.Y
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
