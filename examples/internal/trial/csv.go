package trial

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// decodeCSV reads the columns that the flags name.
func (f *LoadFlags) decodeCSV(r io.Reader) (*Series, places, error) {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	c.TrimLeadingSpace = true
	header, err := c.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, errors.New(": empty")
	}
	if err != nil {
		return nil, nil, csvError(err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	timeColumn, err := column(header, f.TimeColumn, 0)
	if err != nil {
		return nil, nil, err
	}
	valueColumn, err := column(header, f.ValueColumn, 1)
	if err != nil {
		return nil, nil, err
	}
	if timeColumn == valueColumn {
		return nil, nil, fmt.Errorf(":1: column %q cannot be both times and values", header[timeColumn])
	}
	s, layout := &Series{}, f.TimeLayout
	var lines []int
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return s, func(i int) string { return ":" + strconv.Itoa(lines[i]) }, nil
		}
		if err != nil {
			return nil, nil, csvError(err)
		}
		line, _ := c.FieldPos(timeColumn)
		t, err := f.time(&layout, record[timeColumn])
		if err != nil {
			return nil, nil, fmt.Errorf(":%d: %w", line, err)
		}
		v, err := load(record[valueColumn])
		if err != nil {
			return nil, nil, fmt.Errorf(":%d: %w", line, err)
		}
		if err := s.add(t, v); err != nil {
			return nil, nil, fmt.Errorf(":%d: %w in the line before", line, err)
		}
		lines = append(lines, line)
	}
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
func (f *LoadFlags) time(layout *string, s string) (time.Time, error) {
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
