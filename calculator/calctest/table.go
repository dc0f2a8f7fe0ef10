package calctest

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// counterexample is a timeline up to the sync that broke an invariant. Its text
// is made on demand, as shrinking goes through thousands of them.
type counterexample struct {
	tl      *Timeline
	rows    []row
	claim   string
	broken  string
	because *calculator.Decision
}

// row is one sync.
type row struct {
	segment       int
	first         bool
	at            time.Duration
	ready, listed int
	size, after   int32
	asked, held   int32
	computed      bool
	zone          calculator.Zone
	window        stabilize.Reason
	limit         behavior.LimitReason
	blocked       bool
	outcome       calculator.Outcome
}

func rowOf(s *Sync) row {
	d := s.Decision
	r := row{
		segment:  s.Segment,
		first:    s.First,
		at:       s.Now.Sub(Start),
		ready:    podgroup.RunningAndReady(s.Observation.Pods),
		listed:   len(s.Observation.Pods),
		size:     s.Size,
		after:    s.After,
		asked:    d.Choice.Replicas,
		held:     d.Stabilization.Replicas,
		computed: len(d.Proposals) > 0 && !d.Choice.Blocked,
		zone:     d.Zone,
		window:   d.Stabilization.Reason,
		limit:    d.Limits.Reason,
		blocked:  d.Err() != nil,
		outcome:  d.Outcome,
	}
	return r
}

// String returns the claim, the table, how the claim is broken, and the
// decision.
func (x *counterexample) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", x.claim)
	x.table(&b)
	fmt.Fprintf(&b, "\n%s\n", x.broken)
	if x.because != nil {
		b.WriteString("\n")
		for line := range strings.Lines(x.because.String()) {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// headRows and tailRows are the rows of a long table that are shown.
const (
	headRows = 12
	tailRows = 24
)

// shown reports which rows to show: of those that differ from a neighbor, the
// first and the last ones.
func (x *counterexample) shown() []bool {
	shown := make([]bool, len(x.rows))
	var worth []int
	for i, r := range x.rows {
		if i == 0 || i == len(x.rows)-1 || !r.alike(x.rows[i-1]) || !r.alike(x.rows[i+1]) {
			worth = append(worth, i)
		}
	}
	for n, i := range worth {
		shown[i] = n < headRows || n >= len(worth)-tailRows
	}
	return shown
}

// table writes the rows that are shown and the number of the others.
func (x *counterexample) table(b *strings.Builder) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "time\tload\tpods ready\tsize\tmetrics ask\twindow holds\tsize after\t\n")
	shown := x.shown()
	skipped := 0
	for i, r := range x.rows {
		if !shown[i] {
			skipped++
			continue
		}
		if skipped > 0 {
			fmt.Fprintf(w, "...\t\t\t\t\t\t\t  %d more\n", skipped)
			skipped = 0
		}
		last := i == len(x.rows)-1
		asked, held := "-", "-"
		if r.computed {
			asked, held = fmt.Sprint(r.asked), fmt.Sprint(r.held)
		}
		notes := r.notes(&x.tl.Segments[r.segment])
		fmt.Fprintf(w, "%s\t%s\t%d of %d\t%d\t%s\t%s\t%d\t", clock(r.at), number(x.tl.Segments[r.segment].Load),
			r.ready, r.listed, r.size, asked, held, r.after)
		note := strings.Join(notes, ", ")
		if last {
			note = strings.TrimSpace("<<< " + note)
		}
		if note != "" {
			note = "  " + note
		}
		fmt.Fprintln(w, note)
	}
	w.Flush()
}

// alike reports whether the rows differ only in their times.
func (r row) alike(before row) bool {
	r.at, r.first = before.at, before.first
	return r == before
}

// notes returns the troubles and reasons of the row.
func (r row) notes(p *Segment) (notes []string) {
	for _, t := range p.Troubles {
		if r.first || !t.Kind.once() {
			notes = append(notes, t.String())
		}
	}
	for _, word := range []string{string(r.zone), string(r.window), string(r.limit)} {
		switch word {
		case "", string(calculator.ZoneNormal), string(stabilize.NotStabilized), string(behavior.DesiredWithinRange):
		default:
			notes = append(notes, word)
		}
	}
	if r.blocked {
		notes = append(notes, "error")
	}
	if r.outcome == calculator.OutcomeNotWritten {
		notes = append(notes, "not written")
	}
	return notes
}

// clock returns a time since Start as minutes and seconds.
func clock(d time.Duration) string {
	if d < 0 {
		return "-" + clock(-d)
	}
	s := int(d / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// since returns the time on the clock of the timeline.
func since(t time.Time) string { return clock(t.Sub(Start)) }
