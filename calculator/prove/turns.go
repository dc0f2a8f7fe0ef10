package prove

import (
	"fmt"
	"slices"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// turning looks for a course within a band of loads with too many turns,
// breadth first. Its places are a node, the direction of the last change and
// the number of turns so far.
type turning struct {
	*graph
	band  []input
	turns int
	from  map[turn]came
}

type turn struct {
	node, turns int32
	way         int8 // 1 is up, -1 is down, 0 none yet
}

type came struct {
	from  turn
	input input
	start bool
}

// find returns a shortest course with one turn too many, or nil.
func (b *turning) find() *lapse {
	b.from = map[turn]came{}
	var places []turn
	started := 0
	for depth := int32(0); len(places) > 0 || started < b.reached; depth++ {
		for ; started < b.reached && b.nodes[started].depth == depth; started++ {
			p := turn{node: int32(started)}
			b.from[p] = came{start: true}
			places = append(places, p)
		}
		var next []turn
		for _, p := range places {
			for _, in := range b.band {
				if b.slots[b.nodes[p.node].size][in.level] < 0 {
					continue
				}
				q := b.step(p, in)
				if int(q.turns) > b.turns {
					l := b.lapse(p, in)
					l.how = fmt.Sprintf("the size turns for the %s time, from %d to %d", words.Ordinal(int(q.turns)), b.nodes[p.node].size, b.nodes[q.node].size)
					return l
				}
				if _, known := b.from[q]; !known {
					b.from[q] = came{p, in, false}
					next = append(next, q)
				}
			}
		}
		places = next
	}
	return nil
}

func (b *turning) step(p turn, in input) turn {
	q := p
	q.node = b.after(p.node, in)
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
func (b *turning) lapse(p turn, in input) *lapse {
	inputs := []input{in}
	for c := b.from[p]; !c.start; c = b.from[p] {
		inputs = append(inputs, c.input)
		p = c.from
	}
	slices.Reverse(inputs)
	return &lapse{node: p.node, inputs: inputs}
}
