package proof

import (
	"fmt"
	"io"
	"os"
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

// timer ends a search in time, and shows its progress.
type timer struct {
	options     *Options
	began, last time.Time
	over        bool
}

// goOn reports whether the search goes on.
func (t *timer) goOn(p prove.Progress) bool {
	now := time.Now()
	took := now.Sub(t.began)
	t.over = took >= t.options.limit
	if w := t.options.Progress; w != nil && now.Sub(t.last) >= 100*time.Millisecond {
		t.last = now
		fmt.Fprintf(w, "\r%s\x1b[K", t.line(p, took))
	}
	// The states of a constant load are beside those that the search counts.
	return !t.over && p.States <= t.options.states
}

// line returns the progress in fewer than 80 columns.
func (t *timer) line(p prove.Progress, took time.Duration) string {
	of := ""
	for i := range t.options.promises {
		if t.options.promises[i].property().String() == p.Claim {
			of = fmt.Sprintf(" for promise %d of %d", i+1, len(t.options.promises))
			break
		}
	}
	return fmt.Sprintf("%d states, %d syncs deep%s, %v of %s", p.States, p.Depth, of, took.Round(time.Second), span(t.options.limit))
}

// clear clears the line.
func (t *timer) clear() {
	if !t.last.IsZero() {
		fmt.Fprint(t.options.Progress, "\r\x1b[K")
	}
}
