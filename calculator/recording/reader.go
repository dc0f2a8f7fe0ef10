package recording

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize/codec"
)

// Reader reads a recording.
type Reader struct {
	from      *bufio.Reader
	header    Header
	line      []byte
	fields    codec.Fields
	syncs     int
	err       error
	templates []template
	obs       calculator.Observation
	last      time.Time
	pods      elements[podgroup.Pod]
	samples   elements[metrics.Sample]
	readings  []buffers
	// steps counts readings that were looked at, for tests.
	steps int
}

// buffers are the memory of a reading.
type buffers struct{ samples, strays []metrics.Sample }

// NewReader reads the header and returns a Reader. The error is an [*Error].
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{from: bufio.NewReader(from)}
	if err := r.readHeader(); err != nil {
		return nil, &Error{1, err}
	}
	return r, nil
}

func (r *Reader) readHeader() (err error) {
	if r.line, err = readLine(r.from, r.line); err == io.EOF {
		return fmt.Errorf("empty: %w", io.ErrUnexpectedEOF)
	}
	if err == nil {
		r.header, err = unmarshalHeader(r.line)
	}
	return err
}

// Header returns the header. It shares memory with the Reader's.
func (r *Reader) Header() Header { return r.header }

// Syncs yields the syncs. What it yields is valid until the next iteration, and
// only to be read. A second loop goes on where the first one stopped. An error,
// which is an [*Error], is the last that it yields.
func (r *Reader) Syncs() iter.Seq2[replay.Sync, error] {
	return func(yield func(replay.Sync, error) bool) {
		for {
			sync, err := r.next()
			if err == io.EOF || !yield(sync, err) || err != nil {
				return
			}
		}
	}
}

// next returns the next sync. Its error stays.
func (r *Reader) next() (replay.Sync, error) {
	if r.err != nil {
		return replay.Sync{}, r.err
	}
	sync, err := r.read()
	switch {
	case err == io.EOF:
		r.err = err
	case err != nil:
		r.err = &Error{r.syncs + 2, err}
	default:
		r.syncs++
	}
	return sync, r.err
}

func (r *Reader) read() (sync replay.Sync, err error) {
	if r.line, err = readLine(r.from, r.line); err != nil {
		return sync, err
	}
	var j syncJSON
	if err := r.fields.UnmarshalStrict(syncLine, r.line, &j); err != nil {
		return sync, err
	}
	switch {
	case j.Sync != r.syncs+1:
		return sync, errorAt("sync", "%d instead of %d: the line is not the next of its recording", j.Sync, r.syncs+1)
	case j.Time == nil:
		return sync, errorAt("time", "missing")
	case r.syncs > 0 && time.Time(*j.Time).Before(r.last):
		return sync, errorAt("time", "%s is before %s, the time of the sync before", time.Time(*j.Time).Format(time.RFC3339Nano), r.last.Format(time.RFC3339Nano))
	case j.SpecReplicas < 0:
		return sync, errorAt("specReplicas", "%d is negative", j.SpecReplicas)
	case j.StatusReplicas < 0:
		return sync, errorAt("statusReplicas", "%d is negative", j.StatusReplicas)
	}
	r.last = time.Time(*j.Time)
	if err := r.observe(&j); err != nil {
		return sync, err
	}
	return replay.Sync{Time: time.Time(*j.Time), Observation: &r.obs, WriteErr: errorOf(j.WriteError)}, nil
}

// observe makes r.obs the observation of the line.
func (r *Reader) observe(j *syncJSON) error {
	pods, readings := r.obs.Pods, r.obs.Readings[:0]
	r.obs = calculator.Observation{
		Namespace:      r.header.Namespace,
		SpecReplicas:   j.SpecReplicas,
		StatusReplicas: j.StatusReplicas,
		Calibration:    j.Calibration,
		ScaleError:     errorOf(j.ScaleError),
		SelectorError:  j.SelectorError,
		Pods:           pods,
	}
	if j.ScaleReason != "" || j.ScaleMessage != "" {
		r.obs.ScaleError = &calculator.ScaleError{Reason: j.ScaleReason, Message: j.ScaleMessage, Err: r.obs.ScaleError}
	}
	if j.Namespace != nil {
		r.obs.Namespace = *j.Namespace
	}
	if r.templates == nil {
		r.templates = j.Templates // for most recordings, these are all
	} else {
		r.templates = append(r.templates, j.Templates...)
	}
	if j.Pods != nil {
		if err := r.list(j.Pods); err != nil {
			return codec.Within(syncLine, "pods", err)
		}
	}
	return r.answers(j, readings)
}

// list makes the pods of the observation those of the line.
func (r *Reader) list(list []podJSON) (err error) {
	r.pods.start(r.obs.Pods)
	for i := range list {
		p := &list[i]
		switch {
		case p.Keep != "" && *p != podJSON{Keep: p.Keep}:
			err = errorAt("keep", "beside other fields")
		case p.Keep != "":
			err = r.pods.take(p.Keep)
		case p.Template == nil || *p.Template < 0 || *p.Template >= len(r.templates):
			err = errorAt("template", "missing, or not one of the %d so far", len(r.templates))
		default:
			if !r.pods.moved {
				r.pods.grow(len(list) - i)
			}
			r.pods.add(p.pod(&r.templates[*p.Template]))
		}
		if err != nil {
			return err
		}
	}
	err = r.pods.end()
	r.obs.Pods = r.pods.list
	return err
}

// answers makes the readings of the observation those of the line.
func (r *Reader) answers(j *syncJSON, readings []calculator.Reading) error {
	at := metrics.At(time.Time(*j.Time))
	was, n := len(r.readings), len(j.Readings)
	r.readings = slices.Grow(r.readings, max(n-was, 0))[:n]
	readings = slices.Grow(readings, n)
	for i := range r.readings {
		r.steps++
		if i >= was { // the line before had fewer
			r.readings[i].samples = r.readings[i].samples[:0]
		}
		reading, err := r.answer(at, &j.Readings[i], &r.readings[i])
		if err != nil {
			return err
		}
		readings = append(readings, reading)
	}
	r.obs.Readings = readings
	return nil
}

// answer returns a reading, in the memory of that reading of the line before.
func (r *Reader) answer(at metrics.Instant, j *readingJSON, b *buffers) (calculator.Reading, error) {
	reading := calculator.Reading{Err: errorOf(j.Error), WithoutContainer: j.WithoutContainer, Values: j.Values, Proposed: j.Proposed.proposed()}
	b.strays = b.strays[:0] // they are all written
	for _, part := range []struct {
		name   string
		text   []byte
		memory *[]metrics.Sample
		list   *[]metrics.Sample
	}{{"samples", j.Samples, &b.samples, &reading.Samples}, {"strays", j.Strays, &b.strays, &reading.Strays}} {
		if part.text == nil {
			*part.memory = (*part.memory)[:0]
			continue
		}
		r.samples.start(*part.memory)
		in := sampleReader{at: at, to: &r.samples}
		if err := in.read(part.text); err != nil {
			return reading, codec.Within(syncLine, "readings."+part.name, err)
		}
		*part.memory, *part.list = r.samples.list, r.samples.list
	}
	return reading, nil
}
