package calctest

import (
	"errors"
	"fmt"
	"slices"
)

// counterexample returns the text of a course that breaks the property, "" if none
// does.
func (g *graph) counterexample(c *check) (string, error) {
	var l *lapse
	switch b := c.breach; {
	case b.how != "":
		l = &lapse{b.node, []int{int(b.input)}, b.how}
	case c.all != nil && g.complete:
		l = c.all(g)
	}
	if l == nil {
		return "", nil
	}
	return g.replay(c.claim, l)
}

// replay runs the course as a timeline, which must lead to the same sizes.
func (g *graph) replay(claim string, l *lapse) (string, error) {
	inputs := slices.Clone(l.inputs)
	start := l.node
	for ; g.nodes[start].from >= 0; start = g.nodes[start].from {
		inputs = append([]int{int(g.nodes[start].input)}, inputs...)
	}
	tl := &Timeline{Setup: g.setup, Size: int32(g.nodes[start].size), ScaledToZero: g.nodes[start].size == 0}
	for n, i := range inputs {
		if n > 0 && i == inputs[n-1] {
			tl.Stages[len(tl.Stages)-1].Syncs++
			continue
		}
		tl.Stages = append(tl.Stages, g.inputs[i].stage)
	}
	x := counterexample{tl: tl, claim: claim}
	at, same := start, true
	configOf(nil).run(tl, func(s *Sync) bool {
		x.rows = append(x.rows, rowOf(s))
		if n := len(x.rows); n == len(inputs) {
			x.broken = fmt.Sprintf("At %s, %s.", since(s.Now), l.how)
			d := *s.Decision
			x.because = &d
		}
		same = same && int32(g.nodes[at].size) == s.Size
		if n := int(at) * len(g.inputs); n < len(g.next) {
			at = g.after(at, inputs[len(x.rows)-1])
			same = same && int32(g.nodes[at].size) == s.After
		}
		return true
	})
	if !same {
		return "", errors.New("calctest: the search and its timeline lead to other sizes:\n" + x.String())
	}
	return x.String(), nil
}
