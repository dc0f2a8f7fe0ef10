package stage

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// writer is a stage being written, with what all kinds of stages share.
type writer struct {
	dst                []byte
	now                time.Time
	current, low, high int32
	bound              string
	until              time.Time
}

// say appends a formatted text.
func (w *writer) say(format string, args ...any) { w.dst = fmt.Appendf(w.dst, format, args...) }

// size is the size after the stage.
func (w *writer) size() string {
	switch {
	case w.low == w.high:
		return replicas(w.low)
	case w.high == math.MaxInt32:
		return "at least " + replicas(w.low)
	}
	return strconv.Itoa(int(w.low)) + " to " + replicas(w.high)
}

// moment is a time to come and how far away it is. One that lies a nanosecond
// after a round time is the end of a window that counts its last moment, too.
func (w *writer) moment(at time.Time) string {
	word := ""
	if at.Nanosecond()%1000 == 1 {
		word, at = "just after ", at.Add(-1)
	}
	left := at.Sub(w.now)
	if left <= 0 {
		return word + "now"
	}
	return word + rfc3339(at) + ", in " + words.Span(left)
}

// ago is a time that has passed and how long ago it was.
func (w *writer) ago(at time.Time) string {
	age := w.now.Sub(at)
	if age <= 0 {
		return "just now"
	}
	return words.Span(age) + " ago, at " + rfc3339(at)
}

// replicas is a number with its unit.
func replicas(n int32) string { return words.Count(n, "replica") }

// percent is a percentage.
func percent(n int32) string { return strconv.FormatInt(int64(n), 10) + "%" }

// rfc3339 is a time in RFC 3339.
func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// plain is OneLine for words of any type.
func plain[T ~string](s T) string { return OneLine(string(s)) }
