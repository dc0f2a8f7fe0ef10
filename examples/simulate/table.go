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

	"github.com/purehpa/hpa/calculator/simulate"
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
	fmt.Fprintf(w, "\nA pod serves %s; a sync each %s; seed %d.\n", p.served(), span(p.sync), p.seed)
	if slices.ContainsFunc(p.runs, (*job).emptiesMemory) {
		fmt.Fprintln(w, "Memory in use falls to 0 with the load; -gauge memory:idle=AMOUNT keeps some.")
	}
	fmt.Fprintln(w)
}

// served is the load that a pod can serve, with its unit.
func (p *plan) served() string {
	return quantity(float64(p.capacity)/1000) + " " + cmp.Or(p.load.unit, "in the unit of the file")
}

// writeComparison prints the autoscalers beside each other.
func (p *plan) writeComparison(w io.Writer, results []*result) {
	p.writeHeader(w)
	first := results[0].summary
	rows := [][]string{{""}}
	for _, r := range results {
		rows[0] = append(rows[0], r.label)
	}
	row := func(name string, of func(s *simulate.Summary) string) {
		line := []string{name}
		for _, r := range results {
			line = append(line, of(&r.summary))
		}
		rows = append(rows, line)
	}
	row("pod-hours", func(s *simulate.Summary) string { return hours(s.PodHours) })
	if len(results) > 1 {
		row("  against the first", func(s *simulate.Summary) string { return change(s.PodHours, first.PodHours) })
	}
	row("load lost", func(s *simulate.Summary) string { return percent(s.UnservedShare) })
	row("  for", func(s *simulate.Summary) string { return span(s.TimeUnserved) })
	row("load above target", func(s *simulate.Summary) string { return percent(s.AboveTargetShare) })
	row("  for", func(s *simulate.Summary) string { return span(s.TimeAboveTarget) })
	row("recovery from a step, mean", func(s *simulate.Summary) string { return span(s.MeanRecovery) })
	row("  longest", func(s *simulate.Summary) string { return span(s.LongestRecovery) })
	row("rescales", func(s *simulate.Summary) string { return count(s.Rescales) })
	row("  reversals within 10 min", func(s *simulate.Summary) string { return count(s.Reversals) })
	row("size, lowest", func(s *simulate.Summary) string { return count(int(s.LowestReplicas)) })
	row("  highest", func(s *simulate.Summary) string { return count(int(s.HighestReplicas)) })
	row("syncs held by a window", func(s *simulate.Summary) string { return count(s.HeldByWindow) })
	row("  by a policy", func(s *simulate.Summary) string { return count(s.HeldByLimit) })
	row("  by minReplicas", func(s *simulate.Summary) string { return count(s.HeldByMin) })
	row("  by maxReplicas", func(s *simulate.Summary) string { return count(s.HeldByMax) })
	row("  by metrics that failed", func(s *simulate.Summary) string { return count(s.Blocked) })
	writeTable(w, rows, 1)
}

// order sorts the results, the best first. For each it finds the first one that
// beats it, -1 if there is none.
func (p *plan) order(results []*result) (sorted []*result, beaten map[*result]int) {
	sorted = slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b *result) int {
		lost := cmp.Compare(a.summary.Unserved, b.summary.Unserved)
		above := cmp.Compare(a.summary.AboveTarget, b.summary.AboveTarget)
		cost := cmp.Compare(a.summary.PodHours, b.summary.PodHours)
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
		beaten[a] = slices.IndexFunc(sorted, func(b *result) bool { return beats(&b.summary, &a.summary) })
	}
	return sorted, beaten
}

// beats reports whether a is better than b in cost or load lost, and not worse in
// the other.
func beats(a, b *simulate.Summary) bool {
	return a.PodHours <= b.PodHours && a.Unserved <= b.Unserved && (a.PodHours < b.PodHours || a.Unserved < b.Unserved)
}

// writeTradeOff prints the runs of a sweep, the best first.
func (p *plan) writeTradeOff(w io.Writer, results []*result) {
	p.writeHeader(w)
	sorted, beaten := p.order(results)
	head := []string{"", "pod-hours", "load lost", "for", "above target", "for", "rescales", "reversals", "size", "beaten by"}
	rows := [][]string{head}
	for i, r := range sorted {
		s := &r.summary
		by := "-"
		if b := beaten[r]; b >= 0 {
			by = "no. " + strconv.Itoa(b+1)
		}
		rows = append(rows, []string{
			fmt.Sprintf("%2d. %s", i+1, r.label), hours(s.PodHours), percent(s.UnservedShare), span(s.TimeUnserved),
			percent(s.AboveTargetShare), span(s.TimeAboveTarget), count(s.Rescales), count(s.Reversals),
			fmt.Sprintf("%d..%d", s.LowestReplicas, s.HighestReplicas), by,
		})
	}
	writeTable(w, rows, 1)
	p.writeAtMost(w, results)
}

// writeAtMost prints which runs lose at most -at-most.
func (p *plan) writeAtMost(w io.Writer, results []*result) {
	if p.atMost == nil {
		return
	}
	var names []string
	for _, r := range results {
		if 100*r.summary.UnservedShare <= *p.atMost {
			names = append(names, r.label)
		}
	}
	fmt.Fprintf(w, "\n%d of %d lose no more than %v%% of the load", len(names), len(results), *p.atMost)
	if len(names) > 0 {
		fmt.Fprintf(w, ": %s", strings.Join(names, ", "))
	}
	fmt.Fprintln(w, ".")
}

// writeTable aligns columns, the first ones to the left and the others to the right.
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

// change formats how much a differs from b.
func change(a, b float64) string {
	if a == b || b == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f%%", 100*(a-b)/b)
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
