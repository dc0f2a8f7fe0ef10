package guarantee

import (
	"encoding/json"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Bound says how a number relates to what happens.
type Bound string

const (
	// Exactly: it is the number.
	Exactly Bound = "Exactly"
	// AtLeast: it is the number or more.
	AtLeast Bound = "AtLeast"
	// AtMost: it is the number or less.
	AtMost Bound = "AtMost"
)

// words returns the bound before a number, such as "at least ".
func (b Bound) words() string {
	switch b {
	case AtLeast:
		return "at least "
	case AtMost:
		return "at most "
	}
	return ""
}

// Time is how long something takes.
type Time struct {
	// Never reports that it never happens. Duration is then zero.
	Never bool
	// Duration is a whole number of sync periods.
	Duration time.Duration
	Bound    Bound
}

// String returns the time, such as "at least 1m30s" or "never".
func (t Time) String() string {
	if t.Never {
		return t.text()
	}
	return t.Bound.words() + t.text()
}

// text returns the time without its bound.
func (t Time) text() string {
	if t.Never {
		return "never"
	}
	return words.Span(t.Duration)
}

// noLess returns t, raised to o, which is known to be no longer. Either may be
// a time that was not computed to its end.
func (t Time) noLess(o Time) Time {
	switch {
	case t.Bound == Exactly:
	case o.Never:
		return o
	case !t.Never:
		t.Duration = max(t.Duration, o.Duration)
	}
	return t
}

// timeJSON is the JSON of a Time. One that never comes has no seconds.
type timeJSON struct {
	Bound   Bound    `json:"bound"`
	Never   bool     `json:"never,omitempty"`
	Seconds *float64 `json:"seconds,omitempty"`
}

// MarshalJSON returns {"bound":"Exactly","seconds":15} or
// {"bound":"Exactly","never":true}.
func (t Time) MarshalJSON() ([]byte, error) {
	j := timeJSON{Bound: t.Bound, Never: t.Never}
	if !t.Never {
		seconds := t.Duration.Seconds()
		j.Seconds = &seconds
	}
	return json.Marshal(j)
}
