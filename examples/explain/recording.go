package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/podgroup"
)

// moment says which sync of a recording to explain: that number, from 1, or the
// last one until then. The zero moment is the last one.
type moment struct {
	sync int
	time time.Time
}

func (m *moment) set(s string) error {
	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		*m = moment{sync: n}
		return nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.IsZero() {
		return errors.New("not the number of a sync, such as 12, nor a time in RFC 3339")
	}
	*m = moment{time: t}
	return nil
}

// recorded explains a sync of the recording. It notes that the recording was
// cut.
func (o *options) recorded(note func(error)) (out []byte, err error) {
	n, of, cut, err := o.find()
	if err != nil {
		return nil, err
	}
	err = o.read(func(r *recording.Reader) error {
		p, i := newRerun(r.Header()), 0
		for sync, err := range r.Syncs() {
			if err != nil {
				return err
			}
			if i++; i < n {
				p.pass(&sync)
				continue
			}
			out, err = p.explain(&sync, fmt.Sprintf("sync %d of %d", n, of), o.output)
			return err
		}
		return nil
	})
	if err == nil && cut != nil {
		note(cut)
	}
	return out, err
}

// read opens the recording. Errors name the file.
func (o *options) read(f func(*recording.Reader) error) error {
	file, err := os.Open(o.recording)
	if err != nil {
		return unreadable(o.recording, err)
	}
	defer file.Close()
	r, err := recording.NewReader(file)
	if err == nil {
		err = f(r)
	}
	if err != nil {
		return unreadable(o.recording, err)
	}
	return nil
}

// find returns the number of the sync to explain, and how many there are, and
// the error of a recording that was cut after them.
func (o *options) find() (n, of int, cut, err error) {
	first := time.Time{}
	err = o.read(func(r *recording.Reader) error {
		for sync, err := range r.Syncs() {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				cut = unreadable(o.recording, err)
				return nil
			}
			if err != nil {
				return err
			}
			if of++; of == 1 {
				first = sync.Time
			}
			if o.at.time.IsZero() || !sync.Time.After(o.at.time) {
				n = of
			}
		}
		return nil
	})
	switch {
	case err != nil:
	case of == 0:
		err = fmt.Errorf("%s: no syncs", o.recording)
	case o.at.sync > of:
		err = fmt.Errorf("%s: there is no sync %d, of %d", o.recording, o.at.sync, of)
	case o.at.sync > 0:
		n = o.at.sync
	case n == 0:
		err = fmt.Errorf("%s: the first sync is at %s", o.recording, first.Format(time.RFC3339Nano))
	}
	return n, of, cut, err
}

// rerun is an autoscaler in the course of its recording.
type rerun struct {
	// autoscaler is as it was recorded. remembered reports that its state is
	// all that the controller remembers. If not, past.state has what was
	// recorded.
	autoscaler calculator.Autoscaler
	remembered bool
	past       history
	in         input
	// synced reports that the status is that after a sync of the recording. In
	// a recording, the spec does not change.
	synced bool
	// last is the range of the sync before, whose outcome the next size tells.
	last *calculator.Range
}

func newRerun(h recording.Header) *rerun {
	p := &rerun{autoscaler: h.Autoscaler(), remembered: h.State != nil || len(h.Status.Conditions) == 0}
	p.in.cluster.Autoscaler = kubejson.HorizontalPodAutoscaler{Namespace: h.Namespace, Name: h.Name, Generation: h.Generation, Spec: *h.Spec, Status: h.Status}
	return p
}

// decide returns what the sync can decide.
func (p *rerun) decide(sync *replay.Sync) calculator.Range {
	a := &p.in.cluster.Autoscaler
	if !p.remembered {
		k := p.past.known(a)
		if p.synced {
			generation := int64(1)
			k.Generation, k.Status.ObservedGeneration = generation, &generation
		}
		return k.Decide(sync.Time, p.autoscaler.Settings, &a.Spec, sync.Observation)
	}
	d := p.autoscaler.Decide(sync.Time, sync.Observation)
	return calculator.Range{Low: d, High: d}
}

// pass takes what the sync adds to the past.
func (p *rerun) pass(sync *replay.Sync) {
	p.settle(sync.Observation)
	r := p.decide(sync)
	if p.remembered {
		written(sync, &r.High, &p.autoscaler.State)
		return
	}
	if sync.Observation.ScaleError != nil {
		return // the controller forgets it
	}
	a := &p.in.cluster.Autoscaler
	calculator.Decide(sync.Time, p.autoscaler.Settings, &a.Spec, sync.Observation, p.past.begin(sync.Time, a))
	if sync.WriteErr == nil {
		p.last = &r
		return
	}
	// What could not be written was another size.
	r.Failed(sync.Time, sync.WriteErr)
	low, high := r.Statuses()
	a.Status, p.synced = high, true
	if !r.High.Rescale {
		a.Status = low
	}
}

// written takes the outcome of a decision into the state.
func written(sync *replay.Sync, d *calculator.Decision, state *calculator.State) {
	if sync.WriteErr != nil {
		state.Failed(sync.Time, d, sync.WriteErr)
	} else {
		state.Applied(sync.Time, d)
	}
}

// settle finds out by the size that the next sync sees what became of the last
// one, of which not all was known. A size outside of the range is someone
// else's. What the controller wrote before is not known then, and what is known
// begins anew.
func (p *rerun) settle(next *calculator.Observation) {
	r := p.last
	if r == nil || next.ScaleError != nil {
		return
	}
	p.last = nil
	r.Applied(r.High.Now)
	low, high := r.Statuses()
	a, size := &p.in.cluster.Autoscaler, next.SpecReplicas
	a.Status, p.synced = high, true
	switch {
	case size >= r.Low.DesiredReplicas && size <= r.High.DesiredReplicas:
		// If both decide on this size, high tells of more that a limit held back.
		if size == r.Low.DesiredReplicas && size < r.High.DesiredReplicas {
			a.Status = low
		}
		p.past.state.Events.Record(r.High.Now, r.High.CurrentReplicas, size, a.Spec.Behavior)
	case r.Low.Rescale || r.High.Rescale:
		a.Status.LastScaleTime = r.High.Now
		p.past.state = calculator.State{}
	}
}

// explain returns the explanation of the sync, which the title names.
func (p *rerun) explain(sync *replay.Sync, title, output string) ([]byte, error) {
	p.settle(sync.Observation)
	obs := *sync.Observation
	if obs.Pods == nil {
		obs.Pods = []podgroup.Pod{} // they were asked for
	}
	r := p.decide(&replay.Sync{Time: sync.Time, Observation: &obs})
	if err := r.Err(); errors.As(err, new(*field.Error)) {
		return nil, err
	}
	e := explanation{in: &p.in, title: title, settings: p.autoscaler.Settings, obs: &obs, r: &r, stages: r.Stages()}
	low, high := p.statuses(sync, &r)
	e.low, e.high = &low, &high
	return e.print(output)
}

// statuses returns those after the outcome of the decision.
func (p *rerun) statuses(sync *replay.Sync, r *calculator.Range) (low, high autoscaling.HorizontalPodAutoscalerStatus) {
	if p.remembered {
		written(sync, &r.High, &p.autoscaler.State)
		r.Low = r.High
		status := r.High.Status(&p.autoscaler.State)
		return status, status
	}
	if sync.WriteErr == nil {
		r.Applied(sync.Time)
	} else {
		r.Failed(sync.Time, sync.WriteErr)
	}
	return r.Statuses()
}
