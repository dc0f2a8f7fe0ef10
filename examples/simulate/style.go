package main

import (
	"image/color"
	"math"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purehpa/hpa/examples/internal/trial"
)

// palette is Okabe's and Ito's, which is safe for colour blindness. Each colour
// has its own dashes.
var palette = []struct {
	color  color.Color
	dashes []vg.Length
	glyph  draw.GlyphDrawer
}{
	{color.NRGBA{0x00, 0x72, 0xb2, 0xff}, nil, draw.CircleGlyph{}},
	{color.NRGBA{0xd5, 0x5e, 0x00, 0xff}, []vg.Length{6, 2}, draw.PyramidGlyph{}},
	{color.NRGBA{0x00, 0x9e, 0x73, 0xff}, []vg.Length{2, 2}, draw.BoxGlyph{}},
	{color.NRGBA{0xcc, 0x79, 0xa7, 0xff}, []vg.Length{8, 2, 2, 2}, draw.TriangleGlyph{}},
	{color.NRGBA{0xe6, 0x9f, 0x00, 0xff}, []vg.Length{4, 4}, draw.RingGlyph{}},
	{color.NRGBA{0x56, 0xb4, 0xe9, 0xff}, []vg.Length{1, 2}, draw.SquareGlyph{}},
}

var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	grey  = color.NRGBA{0x77, 0x77, 0x77, 0xff}
	faint = color.NRGBA{0xe4, 0xe4, 0xe4, 0xff}
	loss  = color.NRGBA{0xa0, 0x00, 0x30, 0xff}
)

// letters returns the text style of a size in points.
func letters(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		Handler: plot.DefaultTextHandler,
	}
}

// newPanel returns an empty plot.
func newPanel() *plot.Plot {
	p := plot.New()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = letters(10, ink).Font
		a.Label.TextStyle.Color = ink
		a.Tick.Label.Font = letters(9, ink).Font
		a.Tick.Label.Color = ink
		a.LineStyle.Color, a.Tick.LineStyle.Color = grey, grey
		a.Padding = 0
	}
	p.Y.Label.Padding, p.X.Label.Padding = 4, 3
	return p
}

// timeTicks are the steps between ticks of time.
var timeTicks = []time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour, 14 * 24 * time.Hour, 28 * 24 * time.Hour,
}

// ticksOfTime returns at most so many ticks, at round times. The date is below
// the time where it changes.
func ticksOfTime(most int, labels bool) plot.TickerFunc {
	return func(low, high float64) []plot.Tick {
		span := time.Duration((high - low) * float64(time.Second))
		step := timeTicks[len(timeTicks)-1]
		for _, s := range timeTicks {
			if span/s < time.Duration(most) {
				step = s
				break
			}
		}
		for span/step >= time.Duration(most) {
			step *= 2
		}
		first := time.Unix(int64(low), 0).UTC()
		t := first.Truncate(24 * time.Hour)
		if step >= 7*24*time.Hour {
			t = first.Truncate(7 * 24 * time.Hour) // Mondays
		}
		var ticks []plot.Tick
		date := ""
		for ; float64(t.Unix()) <= high; t = t.Add(step) {
			if float64(t.Unix()) < low {
				continue
			}
			label := ""
			switch day := t.Format("Mon 2 Jan"); {
			case !labels:
			case step >= 24*time.Hour:
				label = t.Format("2 Jan")
			default:
				label = t.Format("15:04") + "\n"
				if day != date {
					label += day
				}
				date = day
			}
			if labels && label == "" {
				label = " "
			}
			ticks = append(ticks, plot.Tick{Value: float64(t.Unix()), Label: label})
		}
		return ticks
	}
}

// roundTicks returns about n round numbers from low to high.
func roundTicks(low, high float64, n int) []float64 {
	if !(high > low) {
		return []float64{low}
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/float64(n))))
	for _, f := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*f) <= float64(n) {
			step *= f
			break
		}
	}
	var ticks []float64
	for i := math.Ceil(low/step - 1e-9); i*step <= high*(1+1e-9); i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

// figure formats a number on an axis.
func figure(v float64) string {
	if math.Abs(v) < 1e-12 {
		return "0"
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if len(s) > 12 {
		s = strconv.FormatFloat(v, 'g', 3, 64)
	}
	whole, fraction, ok := strings.Cut(s, ".")
	if ok && !strings.ContainsAny(s, "e-") {
		return trial.Thousands(whole) + "." + fraction
	}
	if strings.ContainsAny(s, "e-") {
		return s
	}
	return trial.Thousands(whole)
}

// entry is an item of a legend.
type entry struct {
	name string
	draw func(c *draw.Canvas, x0, x1, y vg.Length)
}

// lineEntry shows a line.
func lineEntry(name string, sty draw.LineStyle) entry {
	return entry{name, func(c *draw.Canvas, x0, x1, y vg.Length) { c.StrokeLine2(sty, x0, y, x1, y) }}
}

const (
	legendLine  vg.Length = 14
	legendGlyph vg.Length = 24
)

// drawLegend draws a legend at the top left corner of c and returns its height.
func drawLegend(c draw.Canvas, entries []entry, visible bool) vg.Length {
	sty := letters(10, ink)
	sty.YAlign = draw.YCenter
	x, y := c.Min.X, c.Max.Y-legendLine/2
	for _, e := range entries {
		// Fallback fonts can be wider.
		width := legendGlyph + 4 + sty.Width(e.name)*1.15 + 10
		if x > c.Min.X && x+width > c.Max.X+10 {
			x, y = c.Min.X, y-legendLine
		}
		if visible {
			e.draw(&c, x, x+legendGlyph, y)
			c.FillText(sty, vg.Point{X: x + legendGlyph + 4, Y: y}, e.name)
		}
		x += width
	}
	return c.Max.Y - y + legendLine/2
}
