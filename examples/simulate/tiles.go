package main

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ramp has the colours of a heat map from low to high, ever darker, so that
// they are told apart without colour, too.
var ramp = []color.NRGBA{
	{0xff, 0xff, 0xe5, 0xff}, {0xff, 0xe3, 0x91, 0xff}, {0xfe, 0xb2, 0x4c, 0xff}, {0xe8, 0x6a, 0x2a, 0xff},
	{0xb0, 0x30, 0x40, 0xff}, {0x6a, 0x1a, 0x5a, 0xff}, {0x1e, 0x0c, 0x3a, 0xff},
}

// shade returns the ith of n colours.
func shade(i, n int) color.Color {
	if n < 2 {
		return ramp[0]
	}
	place := float64(i*(len(ramp)-1)) / float64(n-1)
	low := min(int(place), len(ramp)-2)
	part := place - float64(low)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + part*(float64(b)-float64(a)))) }
	a, b := ramp[low], ramp[low+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

func at(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: y} }

// legend has the colours that the map shows, and those between them.
func (h *heat) legend() []entry {
	first, last := len(h.steps), 0
	for _, row := range h.values {
		for _, v := range row {
			if !math.IsNaN(v) {
				first, last = min(first, h.step(v)), max(last, h.step(v))
			}
		}
	}
	var entries []entry
	for i := first; i <= last; i++ {
		name := h.beyond
		switch {
		case i == len(h.steps):
		case h.steps[i] == 0:
			name = "none"
		default:
			name = "up to " + h.text(h.steps[i])
		}
		fill := shade(i, len(h.steps)+1)
		entries = append(entries, entry{name, func(c *draw.Canvas, x0, x1, y vg.Length) {
			fillBox(c, x0+8, x1, y-5, y+5, grey)
			fillBox(c, x0+8.5, x1-0.5, y-4.5, y+4.5, fill)
		}})
	}
	return entries
}

// ticks returns the names in the middle of some cells, the first and the last
// one among them.
func (a axis) ticks() plot.ConstantTicks {
	var ticks plot.ConstantTicks
	n := len(a.names)
	shown := min(n, mapNames)
	for k := range shown {
		i := k * (n - 1) / max(shown-1, 1)
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5, Label: a.names[i]})
	}
	return ticks
}

// tiles draws the cells of a heat map.
type tiles struct{ *heat }

func (t tiles) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for row, values := range t.values {
		// Neighbours of one colour become one box.
		for i := 0; i < len(values); i++ {
			if math.IsNaN(values[i]) {
				continue
			}
			first, step := i, t.step(values[i])
			for i+1 < len(values) && !math.IsNaN(values[i+1]) && t.step(values[i+1]) == step {
				i++
			}
			// Up under the next row, or a line would shine through.
			top := min(y(float64(row+1))+0.4, c.Max.Y)
			fillBox(&c, x(float64(first)), x(float64(i+1)), y(float64(row)), top, shade(step, len(t.steps)+1))
		}
	}
}
