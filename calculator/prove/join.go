package prove

// join adds the edge, or its pieces to one that leads to the same, whatever the
// sync itself recommended.
func (v *walker) join(e *edge) {
	if !v.lazy || e.broken >= 0 {
		v.edges = append(v.edges, e)
		return
	}
	own := int(e.missed) // of the sets, that of the sync
	v.id = append(v.id[:0], e.troubles, e.timing, e.missed, byte(e.pick.age), byte(e.pick.low), byte(e.pick.high))
	for i, s := range e.sets {
		if i != own {
			v.id = append(v.id, byte(s), byte(s>>8))
		}
	}
	v.id = append(v.id, e.spot...)
	at, ok := v.same[string(v.id)]
	if !ok {
		v.same[string(v.id)] = len(v.edges)
		v.edges = append(v.edges, e)
		return
	}
	o := v.edges[at]
	o.pieces = append(o.pieces, e.pieces...)
	o.sets[own] = v.united(o.sets[own], e.sets[own])
}

// united returns the set of what is in one of two. No recommendation is as good
// as the lowest one.
func (v *walker) united(a, b sizes) sizes {
	if a == b {
		return a
	}
	var m members
	for _, s := range [...]sizes{a, b} {
		if s == 0 {
			m.add(v.bounds.Min)
		}
		m.union(&v.list[s].members)
	}
	return v.number(&m)
}
