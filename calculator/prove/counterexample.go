package prove

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// Counterexample is a timeline up to the sync that breaks a claim. Its text is
// made on demand, as shrinking goes through thousands of them.
type Counterexample struct {
	// Timeline is what the syncs are of. The table has their loads and troubles
	// from it.
	Timeline *Timeline
	// Claim is what should hold, and Broken how it does not, each in a sentence.
	// The text goes without an empty one.
	Claim, Broken string
	// Because is the decision that broke the claim. Nil leaves its explanation
	// out.
	Because *calculator.Decision

	rows []row
}

// Add adds a sync to the table. Syncs of the timeline must be added in their
// order.
func (x *Counterexample) Add(s *Sync) { x.rows = append(x.rows, rowOf(s)) }

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
func (x *Counterexample) String() string {
	var b strings.Builder
	if x.Claim != "" {
		fmt.Fprintf(&b, "%s\n\n", x.Claim)
	}
	x.table(&b)
	if x.Broken != "" {
		fmt.Fprintf(&b, "\n%s\n", x.Broken)
	}
	if x.Because != nil {
		b.WriteString("\n")
		for line := range strings.Lines(x.Because.String()) {
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
func (x *Counterexample) shown() []bool {
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
func (x *Counterexample) table(b *strings.Builder) {
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
		segment := x.segment(r)
		notes := r.notes(segment)
		fmt.Fprintf(w, "%s\t%s\t%d of %d\t%d\t%s\t%s\t%d\t", words.Clock(r.at), words.Number(segment.Load),
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

// segment returns the segment of the row, an empty one if the timeline lacks it.
func (x *Counterexample) segment(r row) *Segment {
	if x.Timeline == nil || r.segment >= len(x.Timeline.Segments) {
		return &Segment{}
	}
	return &x.Timeline.Segments[r.segment]
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
