package proof

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/prove"
)

// Terminal returns w if it is a terminal, or else nil.
func Terminal(w io.Writer) io.Writer {
	file, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return w
}

// timer ends a search in time, and shows its progress. A promise with a search of
// its own has its share of the time that is left, so that others have theirs.
type timer struct {
	options     *Options
	began, last time.Time
	over        bool // the time has ended a search
	promise     int  // that is searched for, from 1
	until       time.Duration
}

// goOn reports whether the search goes on.
func (t *timer) goOn(p prove.Progress) bool {
	now := time.Now()
	took := now.Sub(t.began)
	if w := t.options.Progress; w != nil && now.Sub(t.last) >= 100*time.Millisecond {
		t.last = now
		fmt.Fprintf(w, "\r%s\x1b[K", t.line(p, took))
	}
	return t.allows(p, took)
}

// allows reports whether the search may go on after that time.
func (t *timer) allows(p prove.Progress, took time.Duration) bool {
	limit := t.options.limit
	if n := t.number(p.Claim); n > 0 {
		if n != t.promise {
			t.promise, t.until = n, took+(limit-took)/time.Duration(len(t.options.promises)-n+1)
		}
		limit = t.until
	}
	ended := took >= limit
	t.over = t.over || ended
	// The states of a constant load are beside those that the search counts.
	return !ended && p.States <= t.options.states
}

// line returns the progress in fewer than 80 columns.
func (t *timer) line(p prove.Progress, took time.Duration) string {
	of := ""
	if n := t.number(p.Claim); n > 0 {
		of = fmt.Sprintf(" for promise %d of %d", n, len(t.options.promises))
	}
	return fmt.Sprintf("%d states, %d syncs deep%s, %v of %s", p.States, p.Depth, of, took.Round(time.Second), span(t.options.limit))
}

// number returns the number of the promise with a claim, 0 if there is none.
func (t *timer) number(claim string) int {
	return 1 + slices.IndexFunc(t.options.promises, func(p promise) bool { return p.property().String() == claim })
}

// clear clears the line.
func (t *timer) clear() {
	if !t.last.IsZero() {
		fmt.Fprint(t.options.Progress, "\r\x1b[K")
	}
}
