package main

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// grid draws faint lines at values of y.
type grid struct{ at []float64 }

func (g grid) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, v := range g.at {
		c.StrokeLine2(draw.LineStyle{Color: faint, Width: 0.6}, c.Min.X, y(v), c.Max.X, y(v))
	}
}

// stairs draws the last value of each bin. A mean would be a size that no sync
// had.
type stairs struct {
	bins *bins
	of   func(*cell) extremes
	sty  draw.LineStyle
}

func (s stairs) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var line []vg.Point
	flush := func() {
		if len(line) > 0 {
			c.StrokeLines(s.sty, line)
			line = nil
		}
	}
	for i := range s.bins.cells {
		cell := &s.bins.cells[i]
		if cell.rows == 0 {
			flush()
			continue
		}
		at := y(s.of(cell).last)
		if n := len(line); n > 1 && line[n-1].Y == at {
			line[n-1].X = x(s.bins.at(i + 1))
			continue
		}
		line = append(line, vg.Point{X: x(s.bins.at(i)), Y: at}, vg.Point{X: x(s.bins.at(i + 1)), Y: at})
	}
	flush()
}

// band fills from the lowest to the highest value of each bin, where they
// differ.
type band struct {
	bins  *bins
	of    func(*cell) extremes
	color color.Color
}

func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var low, high []vg.Point
	flush := func() {
		if len(low) > 0 {
			for i := len(high) - 1; i >= 0; i-- {
				low = append(low, high[i])
			}
			c.FillPolygon(b.color, low)
			low, high = nil, nil
		}
	}
	for i := range b.bins.cells {
		cell := &b.bins.cells[i]
		e := b.of(cell)
		if cell.rows == 0 || e.low == e.high {
			flush()
			continue
		}
		x0, x1 := x(b.bins.at(i)), x(b.bins.at(i+1))
		low = append(low, vg.Point{X: x0, Y: y(e.low)}, vg.Point{X: x1, Y: y(e.low)})
		high = append(high, vg.Point{X: x0, Y: y(e.high)}, vg.Point{X: x1, Y: y(e.high)})
	}
	flush()
}

// shades is how many shades a strip has.
const shades = 8

// shade returns the shade of a hold: the share of the column's time, up to the
// next shade, so that the shortest is seen.
func (c *cell) shade(hold int) int {
	if c.span <= 0 {
		return 0
	}
	return int((c.held[hold]*shades + c.span - 1) / c.span)
}

// shaded returns a shade of the color on white. It is opaque, since boxes may
// overlap.
func shaded(c color.NRGBA, shade int) color.Color {
	part := func(v uint8) uint8 { return uint8(255 - (255-int(v))*shade/shades) }
	return color.NRGBA{part(c.R), part(c.G), part(c.B), 0xff}
}

// strips shades the times of each kind of hold, in strips below zero.
type strips struct {
	bins   *bins
	height float64
}

func (s strips) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: grey, Width: 0.6}, c.Min.X, y(0), c.Max.X, y(0))
	for k := range holds {
		top, bottom := y(-s.height*(float64(k)+0.65)), y(-s.height*(float64(k)+1.35))
		c.StrokeLine2(draw.LineStyle{Color: faint, Width: 0.6}, c.Min.X, (top+bottom)/2, c.Max.X, (top+bottom)/2)
		fill := ink
		if k == len(holds)-1 {
			fill = loss
		}
		// Neighbours of a shade become one box. No box is too thin to see.
		for i := 0; i < len(s.bins.cells); i++ {
			first, shade := i, s.bins.cells[i].shade(k)
			if shade == 0 {
				continue
			}
			for i+1 < len(s.bins.cells) && s.bins.cells[i+1].shade(k) == shade {
				i++
			}
			x0, x1 := x(s.bins.at(first)), x(s.bins.at(i+1))
			fillBox(&c, x0, min(max(x1, x0+0.8), c.Max.X), bottom, top, shaded(fill, shade))
		}
	}
}

func fillBox(c *draw.Canvas, x0, x1, y0, y1 vg.Length, fill color.Color) {
	c.FillPolygon(fill, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}
