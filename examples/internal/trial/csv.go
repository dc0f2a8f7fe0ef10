package trial

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// table is a file of columns.
type table struct {
	*csv.Reader
	// above are the lines before the first row.
	above int
	// decimalComma reports whether numbers are like 1,5.
	decimalComma bool
}

// newTable finds what divides the columns: a tab, a semicolon or a comma.
func (f *LoadFlags) newTable(b *bufio.Reader) (*table, error) {
	t := new(table)
	line, comma := firstLine(b), ','
	// Excel's hint, which Grafana writes, too.
	if hint, ok := bytes.CutPrefix(line, []byte("sep=")); ok && len(hint) == 1 {
		if _, err := b.ReadSlice('\n'); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf(": %w", err)
		}
		t.above, comma = 1, rune(hint[0])
	} else {
		comma = f.divider(string(line))
	}
	t.decimalComma = comma == ';'
	t.Reader = csv.NewReader(b)
	t.Comma, t.ReuseRecord, t.TrimLeadingSpace = comma, true, comma != '\t'
	return t, nil
}

// firstLine returns the first line, or the begin of a long one.
func firstLine(b *bufio.Reader) []byte {
	start, _ := b.Peek(b.Size()) // an error comes again
	line, _, _ := bytes.Cut(start, []byte("\n"))
	return bytes.TrimRight(line, "\r")
}

func (f *LoadFlags) divider(line string) rune {
	first, _, semicolon := strings.Cut(line, ";")
	layout := f.TimeLayout
	_, err := f.time(&layout, strings.Trim(first, ` "`))
	switch {
	case strings.Contains(line, "\t"):
		return '\t'
	case semicolon && (err == nil || !strings.Contains(line, ",")): // 12:00;1,5
		return ';'
	}
	return ','
}

// row returns the next row, and the number of the line that the column is on.
func (t *table) row(column int) (record []string, line int, err error) {
	record, err = t.Read()
	if p := (*csv.ParseError)(nil); errors.As(err, &p) {
		return nil, 0, fmt.Errorf(":%d: %w", t.above+p.Line, p.Err)
	}
	if err != nil {
		if !errors.Is(err, io.EOF) {
			err = fmt.Errorf(": %w", err)
		}
		return nil, 0, err
	}
	line, _ = t.FieldPos(min(column, len(record)-1))
	return record, t.above + line, nil
}

// decodeCSV reads the columns that the flags name. The first row is a header, unless
// it begins with a time.
func (f *LoadFlags) decodeCSV(b *bufio.Reader) (*points, error) {
	t, err := f.newTable(b)
	if err != nil {
		return nil, err
	}
	record, line, err := t.row(0)
	if errors.Is(err, io.EOF) {
		return nil, errors.New(": empty")
	}
	if err != nil {
		return nil, err
	}
	p := &points{before: "the line before", place: func(at int) string { return ":" + strconv.Itoa(at) }}
	in := columns{flags: f, layout: f.TimeLayout, values: amounts{decimalComma: t.decimalComma}, value: 1}
	if header := slices.Clone(record); in.isData(header) {
		if err := in.read(p, record, line); err != nil {
			return nil, err
		}
	} else if in.time, in.value, err = f.columns(header, line); err != nil {
		return nil, err
	}
	for {
		record, line, err := t.row(in.time)
		if errors.Is(err, io.EOF) {
			p.unit = in.values.unit
			return p, nil
		}
		if err == nil {
			err = in.read(p, record, line)
		}
		if err != nil {
			return nil, err
		}
	}
}

// columns returns the columns of times and of values.
func (f *LoadFlags) columns(header []string, line int) (times, values int, err error) {
	if times, err = column(header, line, f.TimeColumn, 0); err != nil {
		return 0, 0, err
	}
	if values, err = column(header, line, f.ValueColumn, 1); err != nil {
		return 0, 0, err
	}
	if times == values {
		return 0, 0, fmt.Errorf(":%d: column %q cannot be both times and values", line, header[times])
	}
	return times, values, nil
}

// column returns the index of the named column, or def without a name.
func column(header []string, line int, name string, def int) (int, error) {
	if name == "" {
		if def >= len(header) {
			return 0, fmt.Errorf(":%d: only %d column; times and values were expected", line, len(header))
		}
		return def, nil
	}
	i := slices.Index(header, name)
	if i < 0 {
		return 0, fmt.Errorf(":%d: no column %q; there are %s", line, name, strings.Join(header, ", "))
	}
	return i, nil
}

// columns reads rows.
type columns struct {
	flags       *LoadFlags
	time, value int
	layout      string
	values      amounts
}

// isData reports whether the first row has a time, and no names.
func (c *columns) isData(row []string) bool {
	if c.flags.TimeColumn != "" || c.flags.ValueColumn != "" || len(row) < 2 {
		return false
	}
	layout := c.layout
	_, err := c.flags.time(&layout, row[0])
	return err == nil
}

// read adds the value of a row, if it has one.
func (c *columns) read(p *points, row []string, line int) error {
	t, err := c.flags.time(&c.layout, row[c.time])
	if err != nil {
		return fmt.Errorf(":%d: %w", line, err)
	}
	v, there, err := c.values.read(row[c.value])
	if err != nil {
		return fmt.Errorf(":%d: %w", line, err)
	}
	if there {
		p.add(t, v, line)
	}
	return nil
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
	for _, l := range append(slices.Clip(layouts), epoch(s)) {
		if t, err := parseTime(s, l); err == nil && l != "" {
			*layout = l
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time; see -time-column and -time-layout", s)
}

// epoch returns the layout of a number since 1970: seconds from 1973 to the year 5138,
// milliseconds from 1973 on. Smaller numbers rather are values.
func epoch(s string) string {
	switch n, err := strconv.ParseFloat(s, 64); {
	case err != nil || n < 1e8:
		return ""
	case n < 1e11:
		return "unix"
	}
	return "unixmilli"
}
