package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// writeHeader prints what was simulated.
func (p *plan) writeHeader(w io.Writer) {
	fmt.Fprintf(w, "%s: %s to %s, %s %s", filepath.Base(p.load.file), p.reported.Format("2006-01-02 15:04"), p.end.Format("2006-01-02 15:04"),
		"a value each", span(p.series.step))
	held := 0
	for _, t := range p.series.missing {
		if !t.Before(p.reported) && t.Before(p.end) {
			held++
		}
	}
	if held > 0 {
		fmt.Fprintf(w, ", %d missing and held over", held)
	}
	served, sync := "A pod serves "+p.served(), "a sync each "+span(p.sync)
	for _, s := range p.sweeps {
		switch s.name {
		case "capacity":
			served = "Capacities as below"
		case "sync":
			sync = "syncs as below"
		}
	}
	fmt.Fprintf(w, "\n%s; %s; %s.\n", served, sync, p.seedNames())
	if p.seeds > 1 {
		fmt.Fprintln(w, "Figures are medians of the seeds, with the lowest and the highest where they differ.")
	}
	if slices.ContainsFunc(p.runs, (*job).emptiesMemory) {
		fmt.Fprintln(w, "Memory in use falls to 0 with the load; -gauge memory:idle=AMOUNT keeps some.")
	}
	fmt.Fprintln(w)
}

// seedNames are the seeds, for people.
func (p *plan) seedNames() string {
	if p.seeds == 1 {
		return fmt.Sprintf("seed %d", p.seed)
	}
	return fmt.Sprintf("seeds %d to %d", p.seed, p.seed+uint64(p.seeds-1))
}

// served is the load that a pod can serve, with its unit.
func (p *plan) served() string {
	return quantity(float64(p.capacity)/1000) + " " + cmp.Or(p.load.unit, "in the unit of the file")
}

// writeComparison prints the autoscalers beside each other.
func (p *plan) writeComparison(w io.Writer, results []*result) {
	p.writeHeader(w)
	first := results[0]
	rows := [][]string{{""}}
	add := func(name string, of func(r *result) (low, median, high string)) {
		line := []string{name}
		for _, r := range results {
			low, median, high := of(r)
			if line = append(line, median); p.seeds > 1 {
				line = append(line, strings.Trim(low+".."+high, "."))
			}
		}
		rows = append(rows, line)
	}
	for _, r := range results {
		if rows[0] = append(rows[0], r.label); p.seeds > 1 {
			rows[0] = append(rows[0], "range")
		}
	}
	addMeasure := func(m measure) {
		add(m.name, func(r *result) (low, median, high string) { return r.spread(m).texts(m.text) })
	}
	addMeasure(podHours)
	if len(results) > 1 {
		add("  against the first", func(r *result) (low, median, high string) {
			return spreadOf(p.seeds, func(i int) float64 {
				return change(r.summaries[i].PodHours, first.summaries[i].PodHours)
			}).texts(changeText)
		})
	}
	for _, f := range compared {
		addMeasure(f)
	}
	writeTable(w, rows, 1)
}

// order sorts the results by their medians, the best first. For each it finds
// the first one that beats it, or -1.
func (p *plan) order(results []*result) (sorted []*result, beaten map[*result]int) {
	sorted = slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b *result) int {
		lost := cmp.Compare(a.lost.median, b.lost.median)
		above := cmp.Compare(a.above.median, b.above.median)
		cost := cmp.Compare(a.cost.median, b.cost.median)
		switch p.best {
		case "cost":
			return cmp.Or(cost, lost, above)
		case "above":
			return cmp.Or(above, cost, lost)
		}
		return cmp.Or(lost, cost, above)
	})
	beaten = map[*result]int{}
	for _, a := range sorted {
		beaten[a] = slices.IndexFunc(sorted, func(b *result) bool { return b.beats(a) })
	}
	return sorted, beaten
}

// beats reports whether the medians of r are better than those of s in cost or
// load lost, and not worse in the other.
func (r *result) beats(s *result) bool {
	return r.cost.median <= s.cost.median && r.lost.median <= s.lost.median &&
		(r.cost.median < s.cost.median || r.lost.median < s.lost.median)
}

// writeTradeOff prints the runs of a sweep, the best first.
func (p *plan) writeTradeOff(w io.Writer, results []*result) {
	p.writeHeader(w)
	sorted, beaten := p.order(results)
	head := []string{""}
	for _, f := range swept {
		head = append(head, f.heading)
	}
	rows := [][]string{append(head, "size", "beaten by")}
	for i, r := range sorted {
		medians, lows, highs := []string{fmt.Sprintf("%2d. %s", i+1, r.label)}, []string{"      lowest"}, []string{"      highest"}
		for _, f := range swept {
			low, median, high := r.spread(f).texts(f.text)
			lows, medians, highs = append(lows, low), append(medians, median), append(highs, high)
		}
		by := "-"
		if b := beaten[r]; b >= 0 {
			by = "no. " + strconv.Itoa(b+1)
		}
		if rows = append(rows, append(medians, r.size(), by)); p.seeds > 1 {
			rows = append(rows, append(lows, "", ""), append(highs, "", ""))
		}
	}
	writeTable(w, rows, 1)
	p.writeAtMost(w, results)
}

// writeAtMost prints which runs lose at most -at-most, whatever the seed.
func (p *plan) writeAtMost(w io.Writer, results []*result) {
	if p.atMost == nil {
		return
	}
	var names []string
	for _, r := range results {
		if 100*r.lost.high <= *p.atMost {
			names = append(names, r.label)
		}
	}
	fmt.Fprintf(w, "\n%d of %d lose no more than %v%% of the load", len(names), len(results), *p.atMost)
	if p.seeds > 1 {
		fmt.Fprint(w, " with any seed")
	}
	if len(names) > 0 {
		fmt.Fprintf(w, ": %s", strings.Join(names, ", "))
	}
	fmt.Fprintln(w, ".")
}

// writeTable aligns columns, the first ones to the left and the others to the
// right.
func writeTable(w io.Writer, rows [][]string, left int) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if i < left {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// span formats a duration, rounded.
func span(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%.1f d", d.Hours()/24)
	case d >= time.Hour:
		d = d.Round(time.Minute)
		return fmt.Sprintf("%d h %02d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		d = d.Round(time.Second)
		if d%time.Minute == 0 {
			return fmt.Sprintf("%d min", d/time.Minute)
		}
		return fmt.Sprintf("%d min %02d s", d/time.Minute, d%time.Minute/time.Second)
	case d == 0:
		return "0"
	}
	return fmt.Sprintf("%v s", math.Round(d.Seconds()*10)/10)
}

// percent formats a share, with three significant digits below 0.1%.
func percent(share float64) string {
	p := 100 * share
	switch {
	case p == 0:
		return "0"
	case p < 0.0001:
		return "<0.0001%"
	case p < 0.1:
		return fmt.Sprintf("%.4f%%", p)
	}
	return fmt.Sprintf("%.2f%%", p)
}

// change returns how much a differs from b, as a share of b.
func change(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return (a - b) / b
}

func changeText(share float64) string {
	if share == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f%%", 100*share)
}

func hours(h float64) string {
	whole, tenth, _ := strings.Cut(strconv.FormatFloat(h, 'f', 1, 64), ".")
	return thousands(whole) + "." + tenth
}

func count(n int) string { return thousands(strconv.Itoa(n)) }

func quantity(f float64) string {
	whole, rest, fraction := strings.Cut(strconv.FormatFloat(f, 'f', -1, 64), ".")
	if fraction {
		return thousands(whole) + "." + rest
	}
	return thousands(whole)
}

// thousands puts commas between groups of three digits.
func thousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
