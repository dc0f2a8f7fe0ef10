package recording

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// sampleWriter writes a list of samples of a sync at that time.
type sampleWriter struct {
	at   metrics.Instant
	list []byte
	// last is the last sample that was written.
	last metrics.Sample
	// same are those that follow and are as before.
	same kept
}

// keep adds the sample with the index in the line before.
func (w *sampleWriter) keep(i int) { w.same = w.same.add(i) }

// add adds the sample.
func (w *sampleWriter) add(s *metrics.Sample) {
	w.flush()
	w.comma()
	switch {
	case !s.Present:
		w.list = append(w.list, "null"...)
		return
	case s.Time == w.last.Time && s.Window == w.last.Window:
		w.list = strconv.AppendInt(w.list, int64(s.Value), 10)
		return
	}
	w.list = strconv.AppendInt(append(w.list, '['), int64(s.Value), 10)
	if w.list = append(w.list, ','); s.Time.IsSet() {
		// It wraps around, and back again in age.
		w.list = appendSeconds(w.list, time.Duration(w.at-s.Time))
	} else {
		w.list = append(w.list, "null"...)
	}
	if s.Window != w.last.Window {
		w.list = appendSeconds(append(w.list, ','), s.Window)
	}
	w.list = append(w.list, ']')
	w.last = *s
}

// flush writes those that are as before.
func (w *sampleWriter) flush() {
	if len(w.same) == 0 {
		return
	}
	w.comma()
	w.list = append(w.same.appendText(append(w.list, '"')), '"')
	w.same = w.same[:0]
}

func (w *sampleWriter) comma() {
	if len(w.list) > 0 {
		w.list = append(w.list, ',')
	} else {
		w.list = append(w.list, '[')
	}
}

// finish returns the list, nil if it is empty.
func (w *sampleWriter) finish() []byte {
	if w.flush(); len(w.list) == 0 {
		return nil
	}
	return append(w.list, ']')
}

// appendSeconds appends a duration in seconds, with as many decimals as it
// takes.
func appendSeconds(dst []byte, d time.Duration) []byte {
	u := uint64(d)
	if d < 0 {
		dst, u = append(dst, '-'), -u
	}
	dst = strconv.AppendUint(dst, u/uint64(time.Second), 10)
	if ns := u % uint64(time.Second); ns != 0 {
		dst = bytes.TrimRight(fmt.Appendf(dst, ".%09d", ns), "0")
	}
	return dst
}

// parseSeconds is the opposite.
func parseSeconds(text []byte) (time.Duration, error) {
	d, err := time.ParseDuration(string(text) + "s")
	if err != nil {
		return 0, errorAt("", "%.40s is not a number of seconds", text)
	}
	return d, nil
}

// sampleReader reads a list of samples of a sync at that time.
type sampleReader struct {
	at   metrics.Instant
	to   *elements[metrics.Sample]
	last metrics.Sample
}

// read reads those in a list, which is valid JSON.
func (r *sampleReader) read(list []byte) (err error) {
	if list[0] != '[' {
		return errorAt("", "%.40s is not a list", list)
	}
	for rest := list[1 : len(list)-1]; ; {
		var e []byte
		if e, rest = element(rest); len(e) == 0 {
			return r.to.end()
		}
		if e[0] == '"' {
			err = r.to.take(string(e[1 : len(e)-1]))
		} else {
			if !r.to.moved {
				r.to.grow(bytes.Count(rest, []byte(",")) + 1)
			}
			var s metrics.Sample
			s, err = r.sample(e)
			r.to.add(s)
		}
		if err != nil {
			return err
		}
	}
}

// element returns the first element of those between the brackets of a valid
// list, and the others. It ends too early for one that is not of a list of
// samples.
func element(text []byte) (first, rest []byte) {
	const space = " \t\r\n,"
	text = bytes.TrimLeft(text, space)
	if len(text) == 0 {
		return nil, nil
	}
	end := bytes.IndexByte(text, ',')
	switch text[0] {
	case '"':
		end = 2 + bytes.IndexByte(text[1:], '"')
	case '[':
		end = 1 + bytes.IndexByte(text, ']')
	}
	if end < 0 {
		end = len(text)
	}
	return bytes.TrimRight(text[:end], space), text[end:]
}

// sample parses a sample.
func (r *sampleReader) sample(text []byte) (s metrics.Sample, err error) {
	if string(text) == "null" {
		return s, nil
	}
	value, age, window := text, []byte(nil), []byte(nil)
	if text[0] == '[' {
		value, age, _ = bytes.Cut(text[1:len(text)-1], []byte(","))
		age, window, _ = bytes.Cut(age, []byte(","))
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
	if err != nil {
		return s, errorAt("", "%.40s is not a sample", text)
	}
	if r.last.Time, err = r.time(bytes.TrimSpace(age)); err != nil {
		return s, err
	}
	if window = bytes.TrimSpace(window); len(window) > 0 {
		if r.last.Window, err = parseSeconds(window); err != nil {
			return s, err
		}
	}
	s = r.last
	s.Value, s.Present = metrics.Milli(n), true
	return s, nil
}

// time returns the time of a sample of that age, that of the last one if there
// is none.
func (r *sampleReader) time(age []byte) (metrics.Instant, error) {
	switch string(age) {
	case "":
		return r.last.Time, nil
	case "null":
		return 0, nil
	}
	d, err := parseSeconds(age)
	return r.at - metrics.Instant(d), err
}
