package prove

import (
	"cmp"
	"errors"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// Sync is one decision of a timeline.
type Sync struct {
	// Now is the time of the decision.
	Now time.Time
	// Segment is the index of the segment. First reports whether this is its first
	// sync.
	Segment int
	First   bool
	// Size is the size before the sync, After the size after it.
	Size, After int32
	// Observation is what the sync saw. Decision is what it decided, after
	// State.Applied or State.Failed. Both are valid until the next sync.
	Observation *calculator.Observation
	Decision    *calculator.Decision

	// Before is the state before the decision, if Runner.KeepBefore is set.
	// State is the state after the sync, also valid until the next sync. It must
	// not be changed.
	Before calculator.State
	State  *calculator.State
}

// ErrWrite is the error of a write that fails, ErrMetric that of a metrics API
// that fails.
var (
	ErrWrite  = errors.New("the object has been modified")
	ErrMetric = errors.New("the metrics API is down")
)

// Run decides on each sync of the timeline, writes the size, creates or deletes
// pods, and calls see, until see returns false. The error is that of a Setup
// that is not valid.
func (tl *Timeline) Run(see func(*Sync) bool) error { return Runner{}.Run(tl, see) }

// Run is [Timeline.Run] with this decision and restart.
func (r Runner) Run(tl *Timeline, see func(*Sync) bool) error {
	if err := tl.Setup.Validate(); err != nil {
		return err
	}
	r.run(tl, see)
	return nil
}

// run is Run for a valid setup.
func (r Runner) run(tl *Timeline, see func(*Sync) bool) {
	if r.Decide == nil {
		r.Decide = calculator.DecideInto
	}
	if r.Restart == nil {
		r.Restart = Restart
	}
	w := newWorkload(tl)
	var st calculator.State
	if tl.Size == 0 && tl.ScaledToZero {
		st.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{
			Type: autoscaling.ScaledToZero, Status: autoscaling.ConditionTrue, Reason: "ScaledToZero", LastTransitionTime: Start.Add(-time.Hour),
		}}
	}
	var d calculator.Decision
	s := Sync{Now: Start, After: tl.Size, Decision: &d, State: &st}
	for i := range tl.Segments {
		p := &tl.Segments[i]
		for n := range p.Syncs {
			if i+n > 0 {
				s.Now = s.Now.Add(cmp.Or(p.Wait, tl.Setup.Period()))
			}
			s.Segment, s.First = i, n == 0
			if s.First {
				r.before(p, &s, w)
			}
			if !r.sync(tl, p, &s, w, see) {
				return
			}
		}
	}
}

// before makes the troubles happen that happen once in a segment.
func (r *Runner) before(p *Segment, s *Sync, w *workload) {
	for _, x := range p.Troubles {
		switch x.Kind {
		case Resized:
			s.After = x.N
			w.resize(x.N, s.Now.Add(-w.tl.Setup.Period()))
		case Restarted:
			if r.Restart(s.State) != nil {
				*s.State = calculator.State{}
			}
		}
	}
}

// sync makes one decision and writes the size.
func (r *Runner) sync(tl *Timeline, p *Segment, s *Sync, w *workload, see func(*Sync) bool) bool {
	s.Size = s.After
	s.Observation = w.observe(s.Now, s.Size, p)
	if r.KeepBefore {
		s.Before = s.State.Clone()
	}
	r.Decide(s.Decision, s.Now, &tl.Setup.Settings, tl.Setup.Spec, s.Observation, s.State)
	s.After = p.write(s.State, s.Decision, s.Now, s.Size)
	w.resize(s.After, s.Now)
	return see(s)
}

// write writes the size that was decided, and returns the one there is then.
func (p *Segment) write(st *calculator.State, d *calculator.Decision, now time.Time, size int32) int32 {
	switch {
	case !d.Rescale:
		return size
	case p.has(WriteFails, 0):
		st.Failed(now, d, ErrWrite)
		return size
	}
	st.Applied(now, d)
	return d.DesiredReplicas
}
