package calctest

import (
	"errors"
	"time"

	"github.com/purehpa/hpa/calculator"
)

// Sync is one decision of a timeline.
type Sync struct {
	// Now is the time of the decision.
	Now time.Time
	// Phase is the index of the phase, and First tells that this is its first
	// sync.
	Phase int
	First bool
	// Size is the size before, After the size after the sync.
	Size, After int32
	// Observation is what was seen, and Decision what was decided, once it was
	// applied. Both are good until the next sync.
	Observation *calculator.Observation
	Decision    *calculator.Decision

	before calculator.State
	state  *calculator.State
}

var errWrite = errors.New("the object has been modified")

// Run decides on the timeline from sync to sync, writes what is decided, lets
// the pods follow, and shows each sync to see, until that returns false. The
// pods that a decision creates start from then on.
func (tl *Timeline) Run(see func(*Sync) bool, opts ...Option) error {
	if err := tl.Rules.problem(); err != nil {
		return err
	}
	configOf(opts).run(tl, see)
	return nil
}

// run is Run. A restart that fails is seen as one that lost the state.
func (c *config) run(tl *Timeline, see func(*Sync) bool) {
	w := newWorkload(tl)
	var st calculator.State
	if tl.Size == 0 && tl.ScaledToZero {
		st.Conditions = []calculator.Condition{{
			Type: calculator.ScaledToZero, Status: calculator.ConditionTrue, Reason: "ScaledToZero", LastTransitionTime: Start.Add(-time.Hour),
		}}
	}
	var d calculator.Decision
	s := Sync{Now: Start, After: tl.Size, Decision: &d, state: &st}
	for i := range tl.Phases {
		p := &tl.Phases[i]
		for n := range p.Syncs {
			s.Phase, s.First = i, n == 0
			if s.First {
				c.before(p, &s, w)
			}
			if !c.sync(tl, p, &s, w, see) {
				return
			}
			s.Now = s.Now.Add(tl.Rules.period())
		}
	}
}

// before lets happen what happens once in a phase.
func (c *config) before(p *Phase, s *Sync, w *workload) {
	for _, x := range p.Troubles {
		switch x.Kind {
		case Resized:
			s.After = x.N
			w.resize(x.N, s.Now.Add(-w.tl.Rules.period()))
		case Restarted:
			if c.restart(s.state) != nil {
				*s.state = calculator.State{}
			}
		}
	}
}

// sync makes one decision and writes it.
func (c *config) sync(tl *Timeline, p *Phase, s *Sync, w *workload, see func(*Sync) bool) bool {
	s.Size = s.After
	s.Observation = w.observe(s.Now, s.Size, p)
	if c.remember {
		s.before = s.state.Clone()
	}
	d := s.Decision
	c.decide(d, s.Now, &tl.Rules.Settings, tl.Rules.Spec, s.Observation, s.state)
	switch {
	case !d.Rescale:
	case p.has(WriteFails, 0):
		s.state.Failed(s.Now, d, errWrite)
	default:
		s.state.Applied(s.Now, d)
		s.After = d.DesiredReplicas
	}
	w.resize(s.After, s.Now)
	return see(s)
}
