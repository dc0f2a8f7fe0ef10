package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/stage"
)

// extras are what answers have beside the size.
type extras struct{ stages, state bool }

// answer is the line that answers a sync.
type answer struct {
	// Sync is the number of the sync in its recording.
	Sync int `json:"sync"`
	// Size is the size to write.
	Size int32 `json:"size"`
	// Until is when the size changes although nothing but the time does.
	Until *time.Time `json:"until,omitempty"`
	// Error is what Kubernetes returns from the sync. The size may be computed all the
	// same.
	Error  string            `json:"error,omitempty"`
	Stages []stage.Stage     `json:"stages,omitempty"`
	State  *calculator.State `json:"state,omitempty"`
}

// answerAll answers all lines. It waits for a line only when all answers before it
// are written.
func answerAll(in *bufio.Reader, out *bufio.Writer, with extras) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	var s *session
	var line []byte
	for n := 1; ; n++ {
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return nil // whoever flushes last sees it again
			}
		}
		var err error
		if line, err = readLine(in, line); err == io.EOF {
			return nil
		}
		if err == nil {
			var a *answer
			if s, a, err = s.take(line, with); a != nil && err == nil {
				err = enc.Encode(a)
			}
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// session is an autoscaler that is decided on.
type session struct {
	reader *recording.Reader
	line   bytes.Reader // what reader reads
	a      calculator.Autoscaler
	d      calculator.Decision
	syncs  int
	// pending is whether the size of d is not yet known to be written.
	pending bool
}

var (
	errNoHeader = errors.New(`a recording begins with its header: {"recording":1,"spec":{…}}`)
	errNoAnswer = errors.New("failed: there is no answer whose size could not be written")
)

// take takes a line: a header, which begins a session, a failure, or a sync, which
// has an answer.
func (s *session) take(line []byte, with extras) (*session, *answer, error) {
	switch key := firstKey(line); {
	case key == "recording":
		s, err := begin(line)
		return s, nil, err
	case s == nil:
		return nil, nil, errNoHeader
	case key == "failed":
		return s, nil, s.failed(line)
	}
	a, err := s.sync(line, with)
	return s, a, err
}

// firstKey returns the first key of an object, if it is written plainly.
func firstKey(line []byte) string {
	rest, object := bytes.CutPrefix(bytes.TrimLeft(line, " \t\r"), []byte("{"))
	rest, quoted := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r"), []byte(`"`))
	key, _, closed := bytes.Cut(rest, []byte(`"`))
	if !object || !quoted || !closed {
		return ""
	}
	return string(key)
}

// begin begins a session. The spec gets its defaults, and is validated.
func begin(header []byte) (s *session, err error) {
	s = new(session)
	s.line.Reset(header)
	if s.reader, err = recording.NewReader(&s.line); err != nil {
		return nil, cause(err)
	}
	s.a = s.reader.Header().Autoscaler()
	return s, s.a.Spec.ApplyAdmission(s.a.Settings.Release).Err()
}

// cause is an error without the line, which it counts from the header.
func cause(err error) error {
	if e := (*recording.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// failed records that the size of the last answer could not be written.
func (s *session) failed(line []byte) error {
	var j struct{ Failed string }
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return err
	}
	if !s.pending {
		return errNoAnswer
	}
	s.pending = false
	s.a.Failed(s.d.Now, &s.d, errors.New(j.Failed))
	return nil
}

// sync decides. Another sync shows that the size before it was written.
func (s *session) sync(line []byte, with extras) (*answer, error) {
	if s.pending {
		s.pending = false
		s.a.Applied(s.d.Now, &s.d)
	}
	s.line.Reset(line)
	for sync, err := range s.reader.Syncs() {
		if err != nil {
			return nil, cause(err)
		}
		s.syncs++
		s.a.DecideInto(&s.d, sync.Time, sync.Observation)
		s.pending = sync.WriteErr == nil
		if !s.pending {
			s.a.Failed(sync.Time, &s.d, sync.WriteErr)
		}
		return s.answer(with), nil
	}
	return nil, io.ErrUnexpectedEOF // there is a line
}

func (s *session) answer(with extras) *answer {
	a := &answer{Sync: s.syncs, Size: s.d.DesiredReplicas}
	if !s.d.Until.IsZero() {
		until := s.d.Until.UTC()
		a.Until = &until
	}
	if err := s.d.Err(); err != nil {
		a.Error = err.Error()
	}
	if with.stages {
		a.Stages = s.d.Stages()
	}
	if with.state {
		after := s.a.State.Clone()
		if s.pending {
			done := s.d
			done.Conditions = nil // those of s.d stay as they are
			after.Applied(s.d.Now, &done)
		}
		a.State = &after
	}
	return a
}

// readLine returns the next line with its end, in dst.
func readLine(in *bufio.Reader, dst []byte) ([]byte, error) {
	dst = dst[:0]
	for {
		part, err := in.ReadSlice('\n')
		dst = append(dst, part...)
		switch {
		case len(dst) > recording.MaxLine:
			return dst, fmt.Errorf("longer than %d bytes", recording.MaxLine)
		case err == io.EOF && len(dst) > 0:
			return dst, nil
		case err != bufio.ErrBufferFull:
			return dst, err
		}
	}
}
