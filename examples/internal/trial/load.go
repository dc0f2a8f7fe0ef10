package trial

import (
	"bufio"
	"bytes"
	"compress/gzip"
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
	// means RFC 3339 or similar, or a number since 1970.
	TimeLayout string
	// Series is which series of a Prometheus answer to read: "sum" for the sum of
	// all, or labels such as job=web,code=200. Empty means the only one.
	Series string
	// Sort puts values in the order of time, and Dedupe takes the last value of a
	// time.
	Sort, Dedupe bool
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
                      time, without a zone in UTC; or seconds or milliseconds
                      since 1970)
  -series sum|LABELS  the sum of all series of a Prometheus answer, or the one with the
                      labels job=web,code=200
  -sort               put the values in the order of time
  -dedupe             take the last value of those that a time has
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
	fs.StringVar(&f.Series, "series", f.Series, "")
	fs.BoolVar(&f.Sort, "sort", f.Sort, "")
	fs.BoolVar(&f.Dedupe, "dedupe", f.Dedupe, "")
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
	// Unit is that of the values in a CSV file, if it has one.
	Unit string
}

// layouts are tried in this order on the first value.
var layouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02"}

// lastMilli is the last millisecond of the year 9999, since 1970. Years have four
// digits, and so differ by less than what a time.Time holds.
const lastMilli int64 = 253402300799_999

// parseTime reads a time in the layout. It is in UTC unless it has a zone.
func parseTime(s, layout string) (time.Time, error) {
	if layout == "unix" || layout == "unixmilli" {
		n, err := strconv.ParseFloat(s, 64)
		if layout == "unix" {
			n *= 1000
		}
		// To milliseconds, which a float64 holds exactly.
		if n = math.Round(n); err != nil || !(math.Abs(n) <= float64(lastMilli)) {
			return time.Time{}, errors.New("not a time")
		}
		return time.UnixMilli(int64(n)).UTC(), nil
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

// Decode reads CSV, or the JSON answer of a Prometheus range query; either may be
// compressed by gzip. The flags of columns and layouts are for CSV, and Series is for
// JSON. Errors begin with what follows the name of the file, such as ":5: ".
func (f *LoadFlags) Decode(r io.Reader) (*Series, error) {
	b := bufio.NewReader(r)
	start, err := b.Peek(2)
	if string(start) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf(": %w", err)
		}
		b = bufio.NewReader(unzipped)
	} else if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf(": %w", err)
	}
	if mark, _ := b.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = b.Discard(len(byteOrderMark)) // it is there
	}
	start, err = b.Peek(b.Size())
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf(": %w", err)
	}
	decode := f.decodeCSV
	if bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n"), []byte("{")) {
		decode = f.decodeAnswer
	}
	p, err := decode(b)
	if err != nil {
		return nil, err
	}
	ordered, err := p.order(f.Sort, f.Dedupe)
	if err != nil {
		return nil, err
	}
	s := &Series{Unit: p.unit, LoadSeries: make(simulate.LoadSeries, len(ordered))}
	for i := range ordered {
		s.LoadSeries[i] = ordered[i].LoadPoint
	}
	if err := s.check(func(i int) string { return p.place(ordered[i].at) }, f.MaxGap); err != nil {
		return nil, err
	}
	return s, nil
}

const byteOrderMark = "\ufeff"

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
