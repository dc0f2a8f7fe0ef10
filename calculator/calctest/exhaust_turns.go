package calctest

import (
	"fmt"
	"slices"
)

// turning looks for a course within a band of loads with too many turns, breadth
// first. Its places are a node, the direction of the last change and the number of
// turns so far.
type turning struct {
	*graph
	band  []int
	turns int
	from  map[turn]came
}

type turn struct {
	node, turns int32
	way         int8 // 1 is up, -1 is down, 0 none yet
}

type came struct {
	from  turn
	input uint16
	start bool
}

// find returns a shortest course with one turn too many, nil if there is none.
func (b *turning) find() *lapse {
	b.from = map[turn]came{}
	var places []turn
	started := 0
	for depth := int32(0); len(places) > 0 || started < len(b.nodes); depth++ {
		for ; started < len(b.nodes) && b.nodes[started].depth == depth; started++ {
			p := turn{node: int32(started)}
			b.from[p] = came{start: true}
			places = append(places, p)
		}
		var next []turn
		for _, p := range places {
			for _, i := range b.band {
				q := b.step(p, i)
				if int(q.turns) > b.turns {
					l := b.lapse(p, i)
					l.how = fmt.Sprintf("the size turns for the %s time, from %d to %d", ordinal(int(q.turns)), b.nodes[p.node].size, b.nodes[q.node].size)
					return l
				}
				if _, known := b.from[q]; !known {
					b.from[q] = came{p, uint16(i), false}
					next = append(next, q)
				}
			}
		}
		places = next
	}
	return nil
}

func (b *turning) step(p turn, i int) turn {
	q := p
	q.node = b.after(p.node, i)
	way := int8(0)
	switch before, after := b.nodes[p.node].size, b.nodes[q.node].size; {
	case after > before:
		way = 1
	case after < before:
		way = -1
	}
	if way != 0 {
		if p.way == -way {
			q.turns++
		}
		q.way = way
	}
	return q
}

// lapse returns the course to p and its next input.
func (b *turning) lapse(p turn, i int) *lapse {
	inputs := []int{i}
	for c := b.from[p]; !c.start; c = b.from[p] {
		inputs = append(inputs, int(c.input))
		p = c.from
	}
	slices.Reverse(inputs)
	return &lapse{node: p.node, inputs: inputs}
}
