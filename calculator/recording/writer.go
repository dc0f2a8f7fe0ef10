package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize/codec"
)

// Writer writes a recording.
type Writer struct {
	to        io.Writer
	err       error
	line      bytes.Buffer
	namespace string
	syncs     int
	time      time.Time
	// templates are those written so far, numbers theirs by their JSON.
	templates []template
	numbers   map[string]int
	// last is what the last line had, next what this one has.
	last, next seen
	// from is the index in the last line of each pod of this one, -1 for a new
	// pod.
	from []int
}

// seen is what the next line is compared with.
type seen struct {
	pods    []seenPod
	samples [][]metrics.Sample
}

// seenPod is a pod without its requests, and its template.
type seenPod struct {
	name                       string
	phase                      podgroup.Phase
	ready                      podgroup.Readiness
	deleted, foreign           bool
	startTime, readyTransition metrics.Instant
	template                   int
}

// NewWriter writes the header and returns a Writer. The error is a *field.Error
// or that of the io.Writer.
func NewWriter(to io.Writer, h Header) (*Writer, error) {
	w := &Writer{to: to, numbers: map[string]int{}}
	if err := h.marshal(&w.line); err != nil {
		return nil, err
	}
	w.namespace = h.Namespace
	if err := w.flush(); err != nil {
		return nil, err
	}
	return w, nil
}

// Write writes a sync in one call of the io.Writer and does not retain it. The
// error is a *field.Error if there is no observation, if its time is before
// that of the last one, if it has a negative size or a number that is infinite
// or not a number, or if the line would be longer than [MaxLine]; nothing is
// written then. An error of the io.Writer stays: the line may be cut, and
// nothing can follow it.
func (w *Writer) Write(sync replay.Sync) error {
	if w.err != nil {
		return w.err
	}
	if sync.Observation == nil {
		return field.Required("sync.observation", "")
	}
	if err := writable(sync.Observation); err != nil {
		return err
	}
	if w.syncs > 0 && sync.Time.Before(w.time) {
		return field.Invalid("sync.time", sync.Time.UTC().Format(time.RFC3339Nano), "must not be before the last one")
	}
	before := len(w.templates)
	if err := marshal(&w.line, syncLine, w.encode(&sync, before)); err != nil {
		w.forget(before)
		return err
	}
	w.syncs++
	w.time = sync.Time.Round(0)
	w.last, w.next = w.next, w.last
	return w.flush()
}

// flush writes the line.
func (w *Writer) flush() error {
	_, w.err = w.to.Write(w.line.Bytes())
	return w.err
}

// forget forgets the templates of a line that was not written.
func (w *Writer) forget(before int) {
	w.templates = w.templates[:before]
	for text, n := range w.numbers {
		if n >= before {
			delete(w.numbers, text)
		}
	}
}

// encode returns the line of a sync, and fills in w.next. There were so many
// templates before.
func (w *Writer) encode(sync *replay.Sync, templates int) *syncJSON {
	obs, now := sync.Observation, codec.Timestamp(sync.Time)
	j := &syncJSON{
		Sync: w.syncs + 1, Time: &now,
		SpecReplicas: obs.SpecReplicas, StatusReplicas: obs.StatusReplicas,
		Calibration: obs.Calibration, ScaleError: textOf(obs.ScaleError), SelectorError: obs.SelectorError, WriteError: textOf(sync.WriteErr),
	}
	if own := (*calculator.ScaleError)(nil); errors.As(obs.ScaleError, &own) && own != nil {
		j.ScaleReason, j.ScaleMessage = own.Reason, own.Message
	}
	if obs.Namespace != w.namespace {
		j.Namespace = &obs.Namespace
	}
	j.Pods = w.pods(obs.Pods)
	j.Templates = w.templates[templates:]
	at := metrics.At(sync.Time)
	w.next.samples = slices.Grow(w.next.samples[:0], len(obs.Readings))[:len(obs.Readings)]
	for i := range obs.Readings {
		j.Readings = append(j.Readings, w.reading(at, i, &obs.Readings[i]))
	}
	return j
}

// pods returns the pods in JSON, nil if they are those of the last line.
func (w *Writer) pods(pods []podgroup.Pod) []podJSON {
	w.link(pods)
	w.next.pods = w.next.pods[:0]
	list, same := []podJSON{}, kept(nil)
	flush := func() {
		if len(same) > 0 {
			list = append(list, podJSON{Keep: string(same.appendText(nil))})
			same = same[:0]
		}
	}
	for i := range pods {
		p := w.see(&pods[i], w.from[i])
		w.next.pods = append(w.next.pods, p)
		if j := w.from[i]; j >= 0 && p == w.last.pods[j] {
			same = same.add(j)
			continue
		}
		flush()
		list = append(list, written(&pods[i], p.template))
	}
	if len(list) == 0 && len(pods) == len(w.last.pods) && len(same) <= 1 {
		return nil
	}
	flush()
	return list
}

// link finds the pods in the last line by their names. Most follow each other
// as they did there.
func (w *Writer) link(pods []podgroup.Pod) {
	w.from = w.from[:0]
	var byName map[string]int
	next := 0
	for i := range pods {
		if next < len(w.last.pods) && w.last.pods[next].name == pods[i].Name && byName == nil {
			w.from = append(w.from, next)
			next++
			continue
		}
		if byName == nil {
			byName = make(map[string]int, len(w.last.pods)-next)
			for j := next; j < len(w.last.pods); j++ {
				byName[w.last.pods[j].name] = j
			}
		}
		j, ok := byName[pods[i].Name]
		if !ok {
			j = -1
		}
		delete(byName, pods[i].Name) // each once
		w.from = append(w.from, j)
	}
}

// see returns what is compared of a pod, which had that index in the last line.
func (w *Writer) see(p *podgroup.Pod, from int) seenPod {
	guess := len(w.templates) - 1
	if from >= 0 {
		guess = w.last.pods[from].template
	}
	return seenPod{p.Name, p.Phase, p.Ready, p.Deleted, p.Foreign, p.StartTime, p.ReadyTransition, w.template(p, guess)}
}

// template returns the number of what the pod requests, maybe a new one.
func (w *Writer) template(p *podgroup.Pod, guess int) int {
	if guess >= 0 && w.templates[guess].fits(p) {
		return guess
	}
	text, _ := json.Marshal(templateOf(p)) // of strings, numbers and lists
	n, ok := w.numbers[string(text)]
	if !ok {
		n = len(w.templates)
		w.numbers[string(text)] = n
		var own template // shares no memory with the pod
		_ = json.Unmarshal(text, &own)
		w.templates = append(w.templates, own)
	}
	return n
}

// reading returns reading i in JSON.
func (w *Writer) reading(at metrics.Instant, i int, r *calculator.Reading) readingJSON {
	var last []metrics.Sample
	if i < len(w.last.samples) {
		last = w.last.samples[i]
	}
	next := w.next.samples[i][:0]
	list := sampleWriter{at: at}
	for k, s := range r.Samples {
		if !s.Present {
			s = metrics.Sample{}
		}
		next = append(next, s)
		if k < len(w.from) && w.from[k] >= 0 && w.from[k] < len(last) && last[w.from[k]] == s {
			list.keep(w.from[k])
		} else {
			list.add(&s)
		}
	}
	w.next.samples[i] = next
	strays := sampleWriter{at: at}
	for k := range r.Strays {
		strays.add(&r.Strays[k])
	}
	return readingJSON{textOf(r.Err), r.WithoutContainer, list.finish(), strays.finish(), r.Values, proposedOf(r.Proposed)}
}
