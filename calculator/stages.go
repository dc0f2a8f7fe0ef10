package calculator

import (
	"github.com/purehpa/hpa/calculator/stage"
)

// String returns the text of AppendText.
func (d Decision) String() string {
	text, _ := d.AppendText(nil)
	return string(text)
}

// AppendText appends the decision in sentences for people who know Kubernetes:
// first what becomes of the size, then one stage of the calculation a line, in
// order, each with the size after it and what bound it there. What belongs to
// the stage above it is indented. Every line ends with a newline. The error is
// nil.
//
// Amounts are Kubernetes quantities, times are RFC 3339 in UTC, and ratios have
// four digits, or as many more as it takes to see on which side of the
// tolerance they are. The same decision gives the same text; another release
// may word it differently, so machines are better served by Stages or
// MarshalJSON.
func (d Decision) AppendText(dst []byte) ([]byte, error) {
	for _, s := range d.Stages() {
		dst, _ = s.AppendText(dst)
	}
	return dst, nil
}

// Stages returns the explanation as data, stage by stage, in order. AppendText
// appends their texts. They share no memory with the decision.
func (d *Decision) Stages() []stage.Stage {
	e := explanation{d: d}
	e.result()
	if d.Zone == NoZone {
		return e.stages
	}
	e.size()
	e.selector()
	for i := range d.Proposals {
		e.metric(i)
	}
	e.choice()
	if d.normalized() {
		e.stabilization()
		e.policies()
		e.limits()
		e.minimum()
		e.cooldown()
	}
	e.next()
	e.err()
	return e.stages
}
