package prove

import (
	"errors"
	"fmt"
	"slices"
)

// counterexample returns the text of a course that breaks the property, "" if
// none does.
func (g *graph) counterexample(c *check) (string, error) {
	var l *lapse
	switch b := c.breach; {
	case b.how != "":
		l = &lapse{b.node, []input{b.input}, b.how}
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
	var inputs []input
	start := l.node
	for ; g.nodes[start].from >= 0; start = g.nodes[start].from {
		inputs = append(inputs, g.nodes[start].input)
	}
	slices.Reverse(inputs)
	inputs = append(inputs, l.inputs...)
	tl := &Timeline{Setup: g.setup, Size: int32(g.nodes[start].size), ScaledToZero: g.nodes[start].size == 0, Segments: g.course(inputs)}
	x := Counterexample{Timeline: tl, Claim: claim}
	at, same := start, true
	Runner{}.run(tl, func(s *Sync) bool {
		x.Add(s)
		if n := len(x.rows); n == len(inputs) {
			x.Broken = fmt.Sprintf("At %s, %s.", since(s.Now), l.how)
			d := *s.Decision
			x.Because = &d
		}
		if next := g.after(at, inputs[len(x.rows)-1]); next >= 0 {
			at = next
			same = same && int32(g.nodes[at].size) == s.After
		}
		return true
	})
	if !same {
		return "", errors.New("prove: the search and its timeline lead to other sizes:\n" + x.String())
	}
	return x.String(), nil
}

// course returns the inputs as segments. What happens once in a segment has one
// of its own.
func (g *graph) course(inputs []input) []Segment {
	var segments []Segment
	for n, in := range inputs {
		segment := *g.segment(in)
		once := slices.ContainsFunc(segment.Troubles, func(x Trouble) bool { return x.Kind.once() })
		if n > 0 && in == inputs[n-1] && !once {
			segments[len(segments)-1].Syncs++
			continue
		}
		segments = append(segments, segment)
	}
	return segments
}
