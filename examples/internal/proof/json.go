package proof

import (
	"encoding/json"

	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/podgroup"
)

// proofJSON is a Proof for machines. The names stay.
type proofJSON struct {
	// Complete reports that all states were searched. If not, EndedBy is "for"
	// or "states".
	Complete  bool          `json:"complete"`
	EndedBy   string        `json:"endedBy,omitempty"`
	States    int           `json:"states"`
	Decisions int           `json:"decisions"`
	Depth     int           `json:"depth"`
	Worst     *worstJSON    `json:"worst,omitempty"`
	Promises  []promiseJSON `json:"promises"`
}

// worstJSON has the longest times.
type worstJSON struct {
	ScaledUp        timeJSON `json:"scaledUp"`
	WithinTolerance timeJSON `json:"withinTolerance"`
	ScaledDown      timeJSON `json:"scaledDown"`
	Settled         timeJSON `json:"settled"`
}

// timeJSON is a prove.Worst. Of one that never happens, there are no seconds.
type timeJSON struct {
	Never           bool        `json:"never"`
	Seconds         *float64    `json:"seconds,omitempty"`
	Load            float64     `json:"load"`
	CurrentReplicas int32       `json:"currentReplicas"`
	Course          *courseJSON `json:"course,omitempty"`
}

// promiseJSON is a prove.Verdict.
type promiseJSON struct {
	Claim          string        `json:"claim"`
	Outcome        prove.Outcome `json:"outcome"`
	States         int           `json:"states"`
	Depth          int           `json:"depth"`
	Counterexample *courseJSON   `json:"counterexample,omitempty"`
}

// courseJSON is a prove.Counterexample.
type courseJSON struct {
	Broken    string     `json:"broken,omitempty"`
	Recording string     `json:"recording,omitempty"`
	Syncs     []syncJSON `json:"syncs"`
}

// syncJSON is a prove.Sync. ProposedReplicas is left out if no size could be
// computed.
type syncJSON struct {
	AtSeconds        float64 `json:"atSeconds"`
	Load             float64 `json:"load"`
	Pods             int     `json:"pods"`
	ReadyPods        int     `json:"readyPods"`
	CurrentReplicas  int32   `json:"currentReplicas"`
	ProposedReplicas *int32  `json:"proposedReplicas,omitempty"`
	DesiredReplicas  int32   `json:"desiredReplicas"`
}

// MarshalJSON returns the proof for machines.
func (p *Proof) MarshalJSON() ([]byte, error) {
	r := p.result
	j := proofJSON{Complete: r.Complete, States: r.States, Decisions: r.Transitions, Depth: r.Depth, Promises: []promiseJSON{}}
	switch {
	case p.ended() == "":
	case p.overtime:
		j.EndedBy = "for"
	default:
		j.EndedBy = "states"
	}
	if r.Timed {
		j.Worst = &worstJSON{p.timeOf(&r.WorstUp), p.timeOf(&r.WorstTolerated), p.timeOf(&r.WorstDown), p.timeOf(&r.WorstSettle)}
	}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		j.Promises = append(j.Promises, promiseJSON{v.Claim, v.Outcome, v.States, v.Depth, p.courseOf(v.Counterexample)})
	}
	return json.Marshal(j)
}

func (p *Proof) timeOf(w *prove.Worst) timeJSON {
	t := timeJSON{Never: w.Never, Load: w.Load, CurrentReplicas: w.Size, Course: p.courseOf(w.Course)}
	if !w.Never {
		seconds := w.Time.Seconds()
		t.Seconds = &seconds
	}
	return t
}

// courseOf returns the syncs of a course, nil if there is none.
func (p *Proof) courseOf(x *prove.Counterexample) *courseJSON {
	if x == nil {
		return nil
	}
	c := &courseJSON{Broken: x.Broken, Syncs: []syncJSON{}}
	for i := range p.answers {
		if p.answers[i].course == x {
			c.Recording = p.answers[i].file
		}
	}
	_ = x.Timeline.Run(func(s *prove.Sync) bool { // the search ran it
		c.Syncs = append(c.Syncs, syncOf(x.Timeline, s))
		return true
	})
	return c
}

func syncOf(tl *prove.Timeline, s *prove.Sync) syncJSON {
	j := syncJSON{
		AtSeconds: s.Now.Sub(prove.Start).Seconds(), Load: tl.Segments[s.Segment].Load,
		Pods: len(s.Observation.Pods), ReadyPods: podgroup.RunningAndReady(s.Observation.Pods),
		CurrentReplicas: s.Size, DesiredReplicas: s.After,
	}
	if d := s.Decision; len(d.Proposals) > 0 && !d.Choice.Blocked {
		proposed := d.Choice.Replicas
		j.ProposedReplicas = &proposed
	}
	return j
}
