package proof

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// AppendText appends what was searched, and the verdicts or the longest times.
func (p *Proof) AppendText(dst []byte) []byte {
	dst = p.appendSearch(dst)
	for i := range p.answers {
		if a := &p.answers[i]; a.verdict != nil {
			dst = p.appendVerdict(dst, a)
		}
	}
	if p.result.Timed {
		dst = p.appendWorst(dst)
	}
	return dst
}

// appendSearch appends what was searched, and how far.
func (p *Proof) appendSearch(dst []byte) []byte {
	dst = p.appendBounds(dst)
	r := p.result
	dst = cli.Appendf(dst, "\nSearched: %s, up to %s deep", count(r.States, "state"), count(r.Depth, "sync"))
	if p.ended() == "" {
		return append(dst, ", which are all\n"...)
	}
	return cli.Appendf(dst, "; ended by %s%s\n", p.options.dash, p.ended())
}

// appendBounds appends what may happen.
func (p *Proof) appendBounds(dst []byte) []byte {
	o, bounds := p.options, p.setup.Spec.Bounds()
	high := o.high
	if high == 0 {
		high = 2 * float64(bounds.Max)
	}
	dst = cli.Appendf(dst, "From %d to %d replicas, every load from %s to %s, a sync each %s, pods ready after %s",
		bounds.Min, bounds.Max, load(o.low), load(high), span(o.Sync), span(o.Startup))
	if o.lag > 0 {
		dst = cli.Appendf(dst, ", metrics %s old", span(o.lag))
	}
	if o.jitter > 0 {
		dst = cli.Appendf(dst, ", syncs up to %s early or late", span(o.jitter))
	}
	if o.missed > 0 {
		dst = cli.Appendf(dst, ", up to %s missed in a row", count(o.missed, "sync"))
	}
	return dst
}

// ended returns the flag that ended the search, or "".
func (p *Proof) ended() string {
	undecided := func(v prove.Verdict) bool { return v.Outcome == prove.Undecided }
	switch {
	case p.result.Complete && (len(p.result.Verdicts) > 0 || p.result.Timed) && !slices.ContainsFunc(p.result.Verdicts, undecided):
		return ""
	case p.overtime:
		return "for " + span(p.options.limit)
	}
	return "states " + strconv.Itoa(p.options.states)
}

func (p *Proof) appendVerdict(dst []byte, a *answer) []byte {
	v := a.verdict
	switch v.Outcome {
	case prove.Broken:
		dst = cli.Appendf(dst, "\n%s. Broken: %s", a.name, cli.Text(v.Counterexample.String()))
		return a.appendFile(dst)
	case prove.Undecided:
		dst = cli.Appendf(dst, "\n%s. Not decided: %s\n\n", a.name, v.Claim)
		if a.promise.constant {
			return append(dst, "Loads that stay constant are tried from all states; the search ended before.\n"...)
		}
		return cli.Appendf(dst, "No course of load breaks it in %s, up to %s deep.\n", count(v.States, "state"), count(v.Depth, "sync"))
	}
	return cli.Appendf(dst, "\n%s. Proved: %s\n", a.name, v.Claim)
}

// appendWorst appends the longest times, and then the course of each.
func (p *Proof) appendWorst(dst []byte) []byte {
	dst = append(dst, "\nThe longest time of a load that stays constant, until\n"...)
	all := p.worst()
	for i := range all {
		dst = cli.Appendf(dst, "  %s: %s\n", all[i].until, all[i].of.String())
	}
	for i := range all {
		if x := all[i].of.Course; x != nil {
			dst = cli.Appendf(dst, "\n%s", cli.Text(x.String()))
			dst = p.answers[i].appendFile(dst)
		}
	}
	return dst
}

func (a *answer) appendFile(dst []byte) []byte {
	if a.file == "" {
		return dst
	}
	return cli.Appendf(dst, "\nRecorded in %s\n", a.file)
}

// span returns a duration without zeros at its end, such as 1m30s.
func span(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func load(l float64) string { return strconv.FormatFloat(l, 'f', -1, 64) }

func count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}
