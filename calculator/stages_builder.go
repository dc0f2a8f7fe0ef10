package calculator

import (
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/calculator/stage"
)

// explanation is a decision being explained.
type explanation struct {
	d      *Decision
	stages []stage.Stage
}

// add adds a stage with that size after it, and returns it to be filled in.
func (e *explanation) add(name string, size int32) *stage.Stage {
	e.stages = append(e.stages, stage.Stage{Name: name, Now: e.d.Now, Current: e.d.CurrentReplicas, Low: size, High: size})
	return &e.stages[len(e.stages)-1]
}

func (e *explanation) result() {
	d := e.d
	r := &stage.Result{Release: d.Release}
	e.add(stage.NameResult, d.DesiredReplicas).Result = r
	switch {
	case d.Zone == NoZone && d.inputErr != nil:
		r.Outcome, r.Problem = stage.InvalidInput, clip(d.inputErr.Error())
	case d.Zone == NoZone && d.scaleErr.err != nil:
		r.Outcome, r.Problem = stage.NoScale, clip(d.scaleErr.text)
	case d.Zone == NoZone:
		r.Outcome = stage.NoDecision
	case !d.Rescale && d.blocked():
		r.Outcome = stage.NoSize
	case !d.Rescale:
		r.Outcome = stage.Unchanged
	default:
		r.Outcome, r.Reason, r.Why = stage.Pending, string(d.Reason), d.ReasonText()
		switch d.Outcome {
		case OutcomeWritten:
			r.Outcome = stage.Written
		case OutcomeNotWritten:
			r.Outcome, r.Problem = stage.NotWritten, clip(d.writeErr.text)
		}
	}
}

func (e *explanation) size() {
	d := e.d
	s := e.add(stage.NameSize, d.CurrentReplicas)
	s.Size = &stage.Size{
		Zone:         string(d.Zone),
		MinReplicas:  d.MinReplicas,
		MaxReplicas:  d.MaxReplicas,
		ZeroByOthers: d.Zone == ZoneDisabled && !d.quirks.Has(release.NoScaleToZero) && !d.quirks.Has(release.ZeroByMinReplicas),
		Gradual:      d.Corrections.Has(correction.Bounds),
		Quirks:       stage.ListQuirks(d.Release, d.Quirks&release.Quirks(release.ZeroByMinReplicas|release.NoScaleToZero)),
		Corrections:  stage.ListCorrections(d.Corrections & correction.NewSet(correction.Bounds)),
	}
	if d.Zone.computes() {
		return
	}
	s.Bound = string(d.Zone)
	switch {
	case d.Zone == ZoneAboveMax && !s.Size.Gradual:
		s.Low, s.High = d.MaxReplicas, d.MaxReplicas
	case d.Zone == ZoneBelowMin && !s.Size.Gradual:
		s.Low, s.High = d.MinReplicas, d.MinReplicas
	}
}

func (e *explanation) selector() {
	if problem := &e.d.selector; problem.failed {
		s := e.add(stage.NameSelector, e.d.CurrentReplicas)
		s.Bound = problem.event()
		s.Selector = &stage.Selector{Problem: string(clip(problem.appendText(nil, e.d.quirks)))}
	}
}

// next says when time alone changes something. Once the size is written, the
// next sync starts from another one.
func (e *explanation) next() {
	if !e.d.Rescale {
		s := e.add(stage.NameNext, e.d.DesiredReplicas)
		s.Until, s.Next = e.d.Until, &stage.Next{}
	}
}

// err says what Kubernetes' sync returns.
func (e *explanation) err() {
	if e.d.Outcome == OutcomeNotWritten {
		return // the result says it
	}
	if text := e.d.errText(); text != "" {
		e.add(stage.NameError, e.d.DesiredReplicas).Error = &stage.Error{Message: text}
	}
}

// errText is the text of Err, cut, and "" if there is no error.
func (d *Decision) errText() string {
	if err := d.Err(); err != nil {
		return clip(err.Error())
	}
	return ""
}
