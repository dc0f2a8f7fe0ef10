package trial

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
)

// LoadFlags are the flags of a load.
type LoadFlags struct {
	// TimeColumn and ValueColumn name columns. Empty means the first and the
	// second one.
	TimeColumn, ValueColumn string
	// TimeLayout is the layout of times, as in Go, or unix, or unixmilli. Empty
	// means RFC 3339 or similar.
	TimeLayout string
	// Unit is what the values count, for people.
	Unit string
	// MaxGap is the longest time for which a value holds if the next ones are
	// missing. Zero means twice the usual step.
	MaxGap time.Duration
	// Slope makes straight lines between the values instead of steps.
	Slope bool
}

// LoadUsage is the help for the flags of a load.
const LoadUsage = `  -time-column NAME   the column of times (the first one)
  -value-column NAME  the column of values (the second one)
  -time-layout LAYOUT the layout of times, as in Go; or unix, unixmilli (RFC 3339,
                      or "2006-01-02 15:04:05" with or without the seconds or the
                      time; without a zone it is UTC)
  -unit TEXT          what the values and -capacity count ("requests / 5 min")
  -max-gap DURATION   the longest time for which a value holds if the next ones are
                      missing (twice the usual step)
  -slope              straight lines between the values instead of steps
`

// define defines the flags of a load.
func (f *LoadFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&f.TimeColumn, "time-column", f.TimeColumn, "")
	fs.StringVar(&f.ValueColumn, "value-column", f.ValueColumn, "")
	fs.StringVar(&f.TimeLayout, "time-layout", f.TimeLayout, "")
	fs.StringVar(&f.Unit, "unit", f.Unit, "")
	fs.Func("max-gap", "", positiveDuration(&f.MaxGap))
	fs.BoolVar(&f.Slope, "slope", f.Slope, "")
}

// Series is a load as read, of at least two values.
type Series struct {
	simulate.LoadSeries
	// Step is the usual time between values. The last value holds for a step,
	// until End.
	Step time.Duration
	End  time.Time
	// Missing are the times of missing values.
	Missing []time.Time
}

// layouts are tried in this order on the first value.
var layouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02"}

// lastMilli is the last millisecond of the year 9999, since 1970. Years have four
// digits, and so differ by less than what a time.Time holds.
const lastMilli int64 = 253402300799_999

// parseTime reads a time in the layout. It is in UTC unless it has a zone.
func parseTime(s, layout string) (time.Time, error) {
	if layout == "unix" || layout == "unixmilli" {
		n, err := strconv.ParseInt(s, 10, 64)
		last := lastMilli
		if layout == "unix" {
			last /= 1000
		}
		if err != nil || n < -last || n > last {
			return time.Time{}, errors.New("not a time")
		}
		return time.UnixMilli(n * (lastMilli / last)).UTC(), nil
	}
	t, err := time.Parse(layout, s)
	return t.UTC(), err
}

// moment is a flag for a time, in the layout of the file or a known one.
func (f *LoadFlags) moment(t *time.Time) func(string) error {
	return func(s string) error {
		for _, layout := range append([]string{f.TimeLayout}, layouts...) {
			if v, err := parseTime(s, layout); err == nil && layout != "" {
				*t = v
				return nil
			}
		}
		return errors.New("not a time such as 2014-11-02 or 2014-11-02 01:30")
	}
}

// Decode reads CSV with a header, or the JSON answer of a Prometheus range query
// for a single series. The flags of columns and layouts are for CSV. Errors begin
// with what follows the name of the file, such as ":5: ".
func (f *LoadFlags) Decode(r io.Reader) (*Series, error) {
	b := bufio.NewReader(r)
	start, err := b.Peek(b.Size())
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf(": %w", err)
	}
	decode := f.decodeCSV
	if bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n"), []byte("{")) {
		decode = decodeAnswer
	}
	s, place, err := decode(b)
	if err != nil {
		return nil, err
	}
	if err := s.check(place, f.MaxGap); err != nil {
		return nil, err
	}
	return s, nil
}

// add adds a value.
func (s *Series) add(t time.Time, v metrics.Milli) error {
	if n := len(s.LoadSeries); n > 0 && !t.After(s.LoadSeries[n-1].Time) {
		return fmt.Errorf("%s is not after %s", clock(t), clock(s.LoadSeries[n-1].Time))
	}
	s.LoadSeries = append(s.LoadSeries, simulate.LoadPoint{Time: t, Load: v})
	return nil
}

// load reads a value.
func load(s string) (metrics.Milli, error) {
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(v):
		return 0, fmt.Errorf("%q is not a number", s)
	case v < 0:
		return 0, fmt.Errorf("%s is negative", s)
	case v > 1e15:
		return 0, fmt.Errorf("%s is too large", s)
	}
	return metrics.Milli(math.Round(v * 1000)), nil
}

func clock(t time.Time) string { return t.Format("2006-01-02 15:04:05") }

// maxMissing bounds the missing values, which may all be in one gap.
const maxMissing = 1_000_000

// places names the place of the ith value, as errors begin with it.
type places func(i int) string

// check finds the usual step and the missing values.
func (s *Series) check(place places, maxGap time.Duration) error {
	if len(s.LoadSeries) < 2 {
		return fmt.Errorf(": %d values; at least two are needed", len(s.LoadSeries))
	}
	steps := make([]time.Duration, len(s.LoadSeries)-1)
	for i := range steps {
		steps[i] = s.LoadSeries[i+1].Time.Sub(s.LoadSeries[i].Time)
	}
	sorted := slices.Clone(steps)
	slices.Sort(sorted)
	s.Step = sorted[len(sorted)/2]
	if maxGap == 0 {
		maxGap = 2 * s.Step
	}
	for i, gap := range steps {
		if gap > maxGap {
			return fmt.Errorf("%s: no value for %v before %s; -max-gap %v would hold the one before",
				place(i+1), gap, clock(s.LoadSeries[i+1].Time), gap)
		}
		for late := s.Step; late <= gap-s.Step/2 && len(s.Missing) < maxMissing; late += s.Step {
			s.Missing = append(s.Missing, s.LoadSeries[i].Time.Add(late))
		}
	}
	s.End = s.LoadSeries[len(s.LoadSeries)-1].Time.Add(s.Step)
	return nil
}

// Highest returns the highest value, in milli-units.
func (s *Series) Highest() (m metrics.Milli) {
	for _, p := range s.LoadSeries {
		m = max(m, p.Load)
	}
	return m
}
