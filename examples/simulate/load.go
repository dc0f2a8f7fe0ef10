package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
)

// loadFlags are the flags of the load.
type loadFlags struct {
	file, timeColumn, valueColumn, timeLayout, unit string
	maxGap                                          time.Duration
	slope                                           bool
}

// series is a load as read.
type series struct {
	simulate.LoadSeries
	// step is the usual time between values. The last value holds for a step,
	// until end.
	step time.Duration
	end  time.Time
	// missing are the times of missing values.
	missing []time.Time
}

// layouts are tried in this order on the first value.
var layouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02"}

// parseTime reads a time in the layout. It is in UTC unless it has a zone.
func parseTime(s, layout string) (time.Time, error) {
	if layout == "unix" || layout == "unixmilli" {
		n, err := strconv.ParseInt(s, 10, 64)
		if layout == "unix" {
			return time.Unix(n, 0).UTC(), err
		}
		return time.UnixMilli(n).UTC(), err
	}
	t, err := time.Parse(layout, s)
	return t.UTC(), err
}

// moment is a flag for a time, in the layout of the file or a known one.
func (f *loadFlags) moment(t *time.Time) func(string) error {
	return func(s string) error {
		for _, layout := range append([]string{f.timeLayout}, layouts...) {
			if v, err := parseTime(s, layout); err == nil && layout != "" {
				*t = v
				return nil
			}
		}
		return errors.New("not a time such as 2014-11-02 or 2014-11-02 01:30")
	}
}

// read reads the file.
func (f *loadFlags) read() (*series, error) {
	file, err := os.Open(f.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s, err := f.decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s%w", f.file, err)
	}
	return s, nil
}

// decode reads CSV. Its errors begin with what follows the file's name.
func (f *loadFlags) decode(r io.Reader) (*series, error) {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	c.TrimLeadingSpace = true
	header, err := c.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New(": empty")
	}
	if err != nil {
		return nil, csvError(err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	timeColumn, err := column(header, f.timeColumn, 0)
	if err != nil {
		return nil, err
	}
	valueColumn, err := column(header, f.valueColumn, 1)
	if err != nil {
		return nil, err
	}
	if timeColumn == valueColumn {
		return nil, fmt.Errorf(":1: column %q cannot be both times and values", header[timeColumn])
	}
	s, layout := &series{}, f.timeLayout
	var lines []int
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvError(err)
		}
		line, _ := c.FieldPos(timeColumn)
		t, err := f.time(&layout, record[timeColumn])
		if err != nil {
			return nil, fmt.Errorf(":%d: %w", line, err)
		}
		v, err := load(record[valueColumn])
		if err != nil {
			return nil, fmt.Errorf(":%d: %w", line, err)
		}
		if n := len(s.LoadSeries); n > 0 && !t.After(s.LoadSeries[n-1].Time) {
			return nil, fmt.Errorf(":%d: %s is not after %s in the line before", line, clock(t), clock(s.LoadSeries[n-1].Time))
		}
		s.LoadSeries, lines = append(s.LoadSeries, simulate.LoadPoint{Time: t, Load: v}), append(lines, line)
	}
	if len(s.LoadSeries) < 2 {
		return nil, fmt.Errorf(": %d values; at least two are needed", len(s.LoadSeries))
	}
	return s, s.check(lines, f.maxGap)
}

func csvError(err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf(":%d: %w", p.Line, p.Err)
	}
	return fmt.Errorf(": %w", err)
}

// column returns the index of the named column, or def without a name.
func column(header []string, name string, def int) (int, error) {
	if name == "" {
		if def >= len(header) {
			return 0, fmt.Errorf(":1: only %d column; times and values were expected", len(header))
		}
		return def, nil
	}
	i := slices.Index(header, name)
	if i < 0 {
		return 0, fmt.Errorf(":1: no column %q; there are %s", name, strings.Join(header, ", "))
	}
	return i, nil
}

// time reads a time. The first one sets the layout.
func (f *loadFlags) time(layout *string, s string) (time.Time, error) {
	if *layout != "" {
		t, err := parseTime(s, *layout)
		if err != nil {
			return t, fmt.Errorf("%q is not a time like %s", s, *layout)
		}
		return t, nil
	}
	for _, l := range layouts {
		if t, err := parseTime(s, l); err == nil {
			*layout = l
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time; see -time-column and -time-layout", s)
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

// check finds the usual step and the missing values.
func (s *series) check(lines []int, maxGap time.Duration) error {
	steps := make([]time.Duration, len(s.LoadSeries)-1)
	for i := range steps {
		steps[i] = s.LoadSeries[i+1].Time.Sub(s.LoadSeries[i].Time)
	}
	sorted := slices.Clone(steps)
	slices.Sort(sorted)
	s.step = sorted[len(sorted)/2]
	if maxGap == 0 {
		maxGap = 2 * s.step
	}
	for i, gap := range steps {
		if gap > maxGap {
			return fmt.Errorf(":%d: no value for %v before %s; -max-gap %v would hold the one before",
				lines[i+1], gap, clock(s.LoadSeries[i+1].Time), gap)
		}
		for late := s.step; late <= gap-s.step/2 && len(s.missing) < maxMissing; late += s.step {
			s.missing = append(s.missing, s.LoadSeries[i].Time.Add(late))
		}
	}
	s.end = s.LoadSeries[len(s.LoadSeries)-1].Time.Add(s.step)
	return nil
}

// highest returns the highest value.
func (s *series) highest() (m metrics.Milli) {
	for _, p := range s.LoadSeries {
		m = max(m, p.Load)
	}
	return m
}
