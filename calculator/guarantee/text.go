package guarantee

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/metrics"
)

// maxColumns is how many sizes a table for people shows.
const maxColumns = 9

// defaultPeriod is the period of Kubernetes' default policies for scaling up.
const defaultPeriod = 15 * time.Second

// String returns the guarantees in sentences and tables, for people.
func (g Guarantees) String() string { return string(g.AppendText(nil)) }

// AppendText appends what String returns.
func (g Guarantees) AppendText(dst []byte) []byte {
	ready := "by the next one"
	if g.Startup > 0 {
		ready = "after " + words.Span(g.Startup)
	}
	dst = fmt.Appendf(dst, "From %d to %s, a sync each %s, pods ready %s\n", g.MinReplicas, words.Count(g.MaxReplicas, "replica"), words.Span(g.SyncPeriod), ready)
	if g.LessIfLate {
		dst = fmt.Appendf(dst, "With syncs exactly %s apart; in a cluster they are a little late, and scaling down takes %[1]s less.\n", words.Span(g.SyncPeriod))
	}
	dst = g.appendTimes(dst)
	dst = g.appendGrowth(append(dst, "\nFastest load growth that scaling keeps up with\n  "...))
	dst = g.appendPeak(append(dst, "\nAfter a peak that outlasts the scaleDown periods\n  "...))
	dst = g.appendBands(append(dst, "\nLoad at which no sync asks for another size, in replicas\n"...))
	dst = g.Wave.append(append(dst, "\nSmallest wave that moves the size at each sync\n  "...))
	return g.Unreached.append(append(dst, "\nSizes that no load leads to\n  "...), &g)
}

// shown returns the sizes of the table, of many those that are spread evenly.
func (g *Guarantees) shown() []int32 {
	sizes := []int32{g.MinReplicas}
	for i := range g.Up.Table {
		if m := &g.Up.Table[i]; m.From == g.MinReplicas {
			sizes = append(sizes, m.To)
		}
	}
	for len(sizes) > maxColumns {
		var few []int32
		for i := 0; i < len(sizes)-1; i += 2 {
			few = append(few, sizes[i])
		}
		sizes = append(few, sizes[len(sizes)-1])
	}
	return sizes
}

// appendTimes appends the table of steady times and the longest ones.
func (g *Guarantees) appendTimes(dst []byte) []byte {
	if g.MinReplicas == g.MaxReplicas {
		return append(dst, "\nThe size never changes.\n"...)
	}
	times := map[[2]int32]string{}
	for _, moves := range []*Moves{&g.Up, &g.Down} {
		for _, m := range moves.Table {
			cell := m.Steady.String()
			if m.Steady.Bound == moves.Longest.Steady.Bound {
				cell = m.Steady.text() // the heading has the bound
			}
			times[[2]int32{m.From, m.To}] = cell
		}
	}
	dst = append(dst, "\nTime from size to size, after a steady load"...)
	if g.Up.Longest.Steady.Bound == AtLeast {
		dst = append(dst, ", up at least"...)
	}
	if g.Down.Longest.Steady.Bound == AtLeast {
		dst = append(dst, ", down at least"...)
	}
	dst = append(dst, '\n')
	sizes := g.shown()
	return append(dst, table(func(row func(cells ...string)) {
		head := []string{"from"}
		for _, to := range sizes {
			head = append(head, "to "+strconv.Itoa(int(to)))
		}
		row(head...)
		for _, from := range sizes {
			cells := []string{strconv.Itoa(int(from))}
			for _, to := range sizes {
				cells = append(cells, times[[2]int32{from, to}])
			}
			row(cells...)
		}
	})+g.longest()...)
}

// longest returns the longest times in sentences.
func (g *Guarantees) longest() string {
	var b strings.Builder
	for _, m := range []*Move{&g.Up.Longest, &g.Down.Longest} {
		fmt.Fprintf(&b, "  %d to %d: %s after a steady load; %s after the worst history, if each sync asks for it\n", m.From, m.To, m.Steady, m.Worst)
	}
	return b.String()
}

// table returns rows in columns aligned to the right.
func table(fill func(row func(cells ...string))) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fill(func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") })
	w.Flush()
	lines := strings.SplitAfter(b.String(), "\n")
	for i, line := range lines {
		if text, ok := strings.CutSuffix(line, "\n"); ok {
			lines[i] = strings.TrimRight(text, " ") + "\n"
		}
	}
	return strings.Join(lines, "")
}

// String returns the rate, such as "4.4 pods every 15s".
func (r Rate) String() string {
	if r.Value == 1 {
		return r.text(" pod")
	}
	return r.text(" pods")
}

func (r Rate) text(unit string) string {
	return number(r.Value) + unit + " every " + words.Span(r.Every)
}

func (g *Guarantees) appendGrowth(dst []byte) []byte {
	gr := &g.Growth
	if gr.None {
		return append(dst, "none: no load scales up\n"...)
	}
	var rates []string
	if gr.Percent != (Rate{}) {
		rates = append(rates, gr.Percent.text("%"))
	}
	if gr.Pods != (Rate{}) {
		rates = append(rates, gr.Pods.String())
	}
	if gr.AtOnce > 0 {
		rates = append(rates, "to "+words.Count(gr.AtOnce, "pod")+" at once")
	}
	join := ", or "
	if gr.Select == behavior.SelectMin {
		join = ", and no more than "
	}
	dst = fmt.Appendf(dst, "%s%s; the size is %s behind\n", gr.Bound.words(), strings.Join(rates, join), gr.Behind)
	if gr.AtOnce > 0 {
		every := max((defaultPeriod+g.SyncPeriod-1)/g.SyncPeriod, 1) * g.SyncPeriod
		dst = fmt.Appendf(dst, "  (there is no behavior; with behavior: {} the policies are 100%% or 4 pods every %s)\n", words.Span(every))
	}
	return dst
}

func (g *Guarantees) appendPeak(dst []byte) []byte {
	p := &g.Peak
	if p.Gone.Never {
		if p.Held.Never {
			return append(dst, "no pod is ever removed\n"...)
		}
		return fmt.Appendf(dst, "the first pod is removed after %s, the last one never\n", p.Held)
	}
	return fmt.Appendf(dst, "the first pod is removed after %s, the last one after %s; it costs %s%s pod-hours per pod\n",
		p.Held, p.Gone, p.Bound.words(), number(p.PodHours))
}

// number returns a load or a cost, to four digits and a thousandth.
func number(f float64) string {
	if f > 0 && f < 0.0005 {
		return "above 0"
	}
	decimals := 3
	for least := 10.0; f >= least && decimals > 0; least *= 10 {
		decimals--
	}
	text := strconv.FormatFloat(f, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func (g *Guarantees) appendBands(dst []byte) []byte {
	shown := map[int32]bool{}
	for _, size := range g.shown() {
		shown[size] = true
	}
	return append(dst, table(func(row func(cells ...string)) {
		row("size", "load from", "to below", "reads from", "to")
		for i := range g.Bands {
			b := &g.Bands[i]
			if !shown[b.Size] {
				continue
			}
			size, unit := strconv.Itoa(int(b.Size)), ""
			if len(g.Bands) > 0 && g.Bands[len(g.Bands)-1].Metric > 0 {
				size = fmt.Sprintf("metric %d, %d", b.Metric+1, b.Size)
			}
			if b.Target.Type() == metrics.UtilizationTarget {
				unit = "%"
			}
			reading := func(m metrics.Milli) string {
				if unit != "" {
					return strconv.FormatInt(int64(m), 10) + unit
				}
				return m.String()
			}
			high, most := "any", "any"
			if b.HighLoad < math.MaxFloat64 {
				high, most = number(b.HighLoad), reading(b.High)
			}
			row(size, number(b.LowLoad), high, reading(b.Low), most)
		}
	})...)
}

func (w *Wave) append(dst []byte) []byte {
	switch {
	case !w.None:
		if w.From == 0 {
			return fmt.Appendf(dst, "any load that comes and goes: from size 0 to %d and back\n", w.To)
		}
		if w.Bound == AtMost {
			dst = append(dst, "no larger than "...)
		}
		return fmt.Appendf(dst, "load that alternates between just below %s and %s replicas: from size %d to %d and back\n", number(w.Low), number(w.High), w.From, w.To)
	case w.Bound == AtLeast:
		return append(dst, "none was found\n"...)
	}
	return append(dst, "none: the size is held longer than a sync\n"...)
}

func (u *Unreached) append(dst []byte, g *Guarantees) []byte {
	if len(u.Sizes) == 0 {
		dst = append(dst, "none"...)
	}
	for i, r := range u.Sizes {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendInt(dst, int64(r.First), 10)
		if r.Last > r.First {
			dst = fmt.Appendf(dst, " to %d", r.Last)
		}
	}
	switch {
	case u.UpTo < g.MaxReplicas:
		dst = fmt.Appendf(dst, "; sizes above %d were not looked at", u.UpTo)
	case u.Bound == AtLeast:
		dst = append(dst, "; the history decides whether there are more"...)
	}
	return append(dst, '\n')
}
