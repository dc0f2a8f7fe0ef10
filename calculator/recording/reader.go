package recording

import (
	"bufio"
	"fmt"
	"io"
	"iter"
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
	syncs     int
	err       error
	templates []template
	obs       calculator.Observation
	// spare is the memory of the pods of the line before.
	spare    []podgroup.Pod
	pods     before[podgroup.Pod]
	samples  before[metrics.Sample]
	readings []buffers
}

// buffers are the memory of a reading.
type buffers struct {
	samples, spare, strays []metrics.Sample
}

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
	if err := codec.UnmarshalStrict(syncLine, r.line, &j); err != nil {
		return sync, err
	}
	switch {
	case j.Sync != r.syncs+1:
		return sync, errorAt("sync", "%d instead of %d: the line is not the next of its recording", j.Sync, r.syncs+1)
	case j.Time == nil:
		return sync, errorAt("time", "missing")
	}
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
	r.templates = append(r.templates, j.Templates...)
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
	next := r.spare[:0]
	for i := range list {
		p := &list[i]
		switch {
		case p.Keep != "" && *p != podJSON{Keep: p.Keep}:
			err = errorAt("keep", "beside other fields")
		case p.Keep != "":
			next, err = r.pods.take(next, p.Keep)
		case p.Template == nil || *p.Template < 0 || *p.Template >= len(r.templates):
			err = errorAt("template", "missing, or not one of the %d so far", len(r.templates))
		default:
			next = append(next, p.pod(&r.templates[*p.Template]))
		}
		if err != nil {
			return err
		}
	}
	r.spare, r.obs.Pods = r.obs.Pods, next
	return nil
}

// answers makes the readings of the observation those of the line.
func (r *Reader) answers(j *syncJSON, readings []calculator.Reading) error {
	at := metrics.At(time.Time(*j.Time))
	for len(r.readings) < len(j.Readings) {
		r.readings = append(r.readings, buffers{})
	}
	for i := range r.readings {
		if i >= len(j.Readings) {
			r.readings[i].samples = r.readings[i].samples[:0]
			continue
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
	samples, strays := b.spare[:0], b.strays[:0]
	r.samples.start(b.samples)
	if j.Samples != nil {
		in := sampleReader{at: at, before: &r.samples}
		var err error
		if samples, err = in.appendSamples(samples, j.Samples); err != nil {
			return reading, codec.Within(syncLine, "readings.samples", err)
		}
		reading.Samples = samples
	}
	b.samples, b.spare = samples, b.samples
	if j.Strays != nil {
		in := sampleReader{at: at, before: new(before[metrics.Sample])}
		var err error
		if strays, err = in.appendSamples(strays, j.Strays); err != nil {
			return reading, codec.Within(syncLine, "readings.strays", err)
		}
		reading.Strays = strays
	}
	b.strays = strays
	return reading, nil
}
