package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/purehpa/hpa/examples/internal/trial"
)

// writeHeader prints what was simulated.
func (p *plan) writeHeader(w io.Writer) {
	fmt.Fprintf(w, "%s: %s to %s, %s %s", p.loadName(), p.trial.Reported.Format("2006-01-02 15:04"), p.trial.End.Format("2006-01-02 15:04"),
		"a value each", trial.Span(p.series.Step))
	held := 0
	for _, t := range p.series.Missing {
		if !t.Before(p.trial.Reported) && t.Before(p.trial.End) {
			held++
		}
	}
	if held > 0 {
		fmt.Fprintf(w, ", %d missing and held over", held)
	}
	served, sync := "A pod serves "+p.served(), "a sync each "+trial.Span(p.Sync)
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
	if slices.ContainsFunc(p.runs, func(j *job) bool { return trial.EmptiesMemory(&j.scenario) }) {
		fmt.Fprintln(w, "Memory in use falls to 0 with the load; -gauge memory:idle=AMOUNT keeps some.")
	}
	fmt.Fprintln(w)
}

// seedNames are the seeds, for people.
func (p *plan) seedNames() string {
	if p.seeds == 1 {
		return fmt.Sprintf("seed %d", p.Seed)
	}
	return fmt.Sprintf("seeds %d to %d", p.Seed, p.Seed+uint64(p.seeds-1))
}

// served is the load that a pod can serve, with its unit.
func (p *plan) served() string {
	return trial.Quantity(float64(p.trial.Capacity)/1000) + " " + cmp.Or(p.Load.Unit, "in the unit of the file")
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
	addMeasure := func(m trial.Measure) {
		add(m.Name, func(r *result) (low, median, high string) { return r.spread(m).texts(m.Text) })
	}
	measures := trial.Measures()
	addMeasure(measures[0])
	if len(results) > 1 {
		add("  against the first", func(r *result) (low, median, high string) {
			return spreadOf(p.seeds, func(i int) float64 {
				return trial.Change(r.summaries[i].PodHours, first.summaries[i].PodHours)
			}).texts(trial.ChangeText)
		})
	}
	for _, m := range measures[1:] {
		addMeasure(m)
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
	swept := slices.DeleteFunc(trial.Measures(), func(m trial.Measure) bool { return m.Heading == "" })
	head := []string{""}
	for _, m := range swept {
		head = append(head, m.Heading)
	}
	rows := [][]string{append(head, "size", "beaten by")}
	for i, r := range sorted {
		medians, lows, highs := []string{fmt.Sprintf("%2d. %s", i+1, r.label)}, []string{"      lowest"}, []string{"      highest"}
		for _, m := range swept {
			low, median, high := r.spread(m).texts(m.Text)
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
