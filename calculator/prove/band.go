package prove

import (
	"context"
	"hash/maphash"
	"slices"
)

// stretch is a number of syncs of a constant load, after which it still is open.
type stretch struct {
	spot string
	sets []sizes
	// loads are those that lead here. began is the depth of the node that they
	// follow.
	loads span
	began int32
	// syncs is the number of syncs. The last ones of them do the same: one, and
	// so many waits. from is the stretch that these follow, or the node if syncs
	// is 0.
	syncs, waits int32
	from         int32
	pick         pick
	timing       uint8
	told         uint32 // of sight
	size, asks   int32
	// mark is that of the state, bits those of the sets.
	mark, bits uint64
	// parts are the stretches that it was made of, by index, if there were
	// several. Each has other loads, and its own course.
	parts []int32
	older int32 // of the same key in a bucket, -1 for none
}

// stretches are in blocks, so that more of them move none. Bands use them again.
type stretches struct {
	blocks [][]stretch
	n      int32
}

// block is the number of stretches in one.
const block = 1 << 12

func (a *stretches) at(i int32) *stretch { return &a.blocks[i/block][i%block] }

func (a *stretches) add(s stretch) {
	if int(a.n/block) == len(a.blocks) {
		a.blocks = append(a.blocks, make([]stretch, block))
	}
	a.n++
	*a.at(a.n - 1) = s
}

// band finds the courses of the constant loads of a span.
type band struct {
	*graph
	until  until
	number int
	loads  span
	// opens are the loads that each size leaves open.
	opens *[256]span
	// all are the stretches that were found, and due those that were not
	// followed yet, by their number of syncs.
	all *stretches
	due map[int32]*bucket
	// wanted are numbers of syncs, and best the courses that matter.
	wanted map[int32]bool
	best   courses
	hash   maphash.Seed
}

// bucket are the stretches of a number of syncs, by index, and the last of each
// key, which names the one before.
type bucket struct {
	all   []int32
	heads map[bucketKey]int32
}

// bucketKey is what stretches have in common of which one may cover another: the
// place, and of the sets their number and the last sync's.
type bucketKey struct {
	spot  string
	last  sizes
	count int
}

// run finds the courses that begin at the nodes of a depth, -1 for all, and have
// fewer syncs than end.
func (b *band) run(ctx context.Context, v *walker, depth, end int32, report func(more int, syncs int32) error) error {
	list := b.sets.list()
	for id := range b.nodes {
		n := &b.nodes[id]
		if loads := b.opens[n.size()].and(b.loads); !n.idle && b.some(loads) && (depth < 0 || n.depth == depth) {
			b.add(list, stretch{spot: n.spot, sets: n.sets, loads: loads, began: n.depth, from: int32(id), size: n.size()})
		}
	}
	most := int32(0)
	for n := range b.wanted {
		most = max(most, n)
	}
	known := int32(0)
	for syncs := int32(0); len(b.due) > 0 && syncs < end && !(b.best.never && syncs > most); syncs++ {
		due := b.due[syncs]
		if due == nil {
			continue
		}
		if int(b.all.n) > b.max {
			return errGaveUp
		}
		if err := report(int(b.all.n-known), syncs); err != nil {
			return err
		}
		known = b.all.n
		delete(b.due, syncs)
		for _, i := range due.all {
			if err := ctx.Err(); err != nil {
				return err
			}
			s := b.all.at(i)
			if err := v.follow(s.spot, s.sets, s.loads, func(e *edge) { b.follow(v.list, i, e) }); err != nil {
				return err
			}
		}
		for _, i := range due.all { // these are no longer needed
			b.all.at(i).spot, b.all.at(i).sets = "", nil
		}
	}
	return nil
}

// next returns what an edge of a stretch with an index leads to.
func (s *stretch) next(at int32, e *edge) stretch {
	return stretch{
		spot: e.spot, sets: e.sets, loads: e.own, began: s.began,
		syncs: s.syncs + 1, from: at, pick: e.pick, timing: e.timing, told: e.told, size: e.after, asks: e.pieces[0].asks,
	}
}

// follow adds what an edge of a stretch leads to.
func (b *band) follow(list []*entry, from int32, e *edge) {
	before := b.all.at(from)
	s := before.next(from, e)
	s.loads = s.loads.and(b.opens[s.size])
	moved := s.size != before.size
	if b.until.kind == settled && moved {
		b.lasts(&s)
		b.note(&s, s.syncs)
	}
	if s.loads.empty() {
		return
	}
	alike := !moved && s.spot == before.spot
	if alike && s.loads == before.loads && slices.Equal(s.sets, before.sets) {
		if b.until.kind != settled {
			b.repeat(s)
		}
		return
	}
	if alike && len(b.timings) == 1 {
		s.waits = b.wait(list, before, &s)
		s.syncs += s.waits
		for n := range b.wanted {
			if b.until.kind != settled && s.syncs-s.waits <= n && n < s.syncs {
				b.note(&s, n)
			}
		}
	}
	b.add(list, s)
}

// wait returns for how many more syncs the same follows: as long as the
// recommendation counts that is the highest at the least, and holds the size.
// It leaves the sets as they are then.
func (b *band) wait(list []*entry, before, s *stretch) int32 {
	if len(s.sets) == 0 || s.pick.age != 0 || s.pick.high != b.most {
		return 0
	}
	lowest, at := int32(-1), 0
	for i, set := range before.sets {
		if set != 0 && list[set].low > lowest {
			lowest, at = list[set].low, i
		}
	}
	now := s.sets[0]
	if lowest < 0 || now != 0 && list[now].low > lowest {
		return 0
	}
	n := b.downs - (at + 2) // it was at+1 syncs ago before, and is one more now
	if n <= 0 {
		return 0
	}
	s.sets = b.pruned(list, slices.Concat(slices.Repeat([]sizes{now}, n), s.sets))
	return int32(n)
}

// lasts notes that a stretch still is open, or ends with a change of size.
func (b *band) lasts(s *stretch) {
	if c := &b.best; s.syncs > c.last || s.syncs == c.last && s.began < c.longest.began {
		c.last, c.longest = s.syncs, b.course(*s)
	}
}

// note notes that a stretch is so after a number of syncs.
func (b *band) note(s *stretch, n int32) {
	if was, ok := b.best.found[n]; !ok || s.began < was.began {
		found := *s
		found.waits -= s.syncs - n
		found.syncs = n
		b.best.found[n] = b.course(found)
	}
}

// course returns the course to a stretch.
func (b *band) course(s stretch) course {
	c := course{stretch: s, in: b.graph, band: b.number}
	c.sets = slices.Clone(s.sets)
	for s.syncs > 0 {
		c.all = append(c.all, s)
		s = b.part(*b.all.at(s.from), &c.loads)
	}
	c.node = s.from
	return c
}

// part returns the part of a stretch whose course has some of the loads, and
// leaves these.
func (b *band) part(s stretch, loads *span) stretch {
	for _, p := range s.parts {
		if l := b.all.at(p).loads.and(*loads); !l.empty() {
			*loads = l
			return *b.all.at(p)
		}
	}
	return s
}

// repeat notes a course that goes on forever.
func (b *band) repeat(s stretch) {
	if !b.best.never {
		b.best.never, b.best.again = true, b.course(s)
	}
}

// add adds a stretch, unless one with as many syncs can do all that it can.
func (b *band) add(list []*entry, s stretch) {
	due := b.due[s.syncs]
	if due == nil {
		due = &bucket{heads: map[bucketKey]int32{}}
		b.due[s.syncs] = due
	}
	key := bucketKey{spot: s.spot, count: len(s.sets)}
	if len(s.sets) > 0 {
		key.last = s.sets[0]
	}
	head, ok := due.heads[key]
	if !ok {
		head = -1
	}
	s.bits = b.sets.mark(list, s.sets)
	same := int32(-1)
	for k := head; k >= 0; k = b.all.at(k).older {
		o := b.all.at(k)
		if o.loads.low <= s.loads.low && s.loads.high <= o.loads.high && s.bits&^o.bits == 0 && b.covers(list, o.sets, s.sets) {
			return
		}
		if o.bits == s.bits && o.loads.touches(s.loads) && slices.Equal(o.sets, s.sets) {
			same = k
		}
	}
	s.sets = slices.Clone(s.sets) // the edge may lose them
	s.mark = b.marked(&s)
	if budget := mostAncestors; s.syncs > 0 {
		still, again := b.came(&s, s.from, s.loads, b.until.kind != settled, &budget)
		if !again.empty() {
			s.loads = again
			b.repeat(s)
			return
		}
		if still == s.loads.width() {
			return
		}
	}
	if b.until.kind != settled {
		b.lasts(&s)
		if b.wanted[s.syncs] {
			b.note(&s, s.syncs)
		}
	}
	if same >= 0 && s.syncs > 0 {
		b.unite(same, s)
		return
	}
	due.heads[key], s.older = b.all.n, head
	due.all = append(due.all, b.all.n)
	b.all.add(s)
}

// mostAncestors is how many stretches before one are compared with it.
const mostAncestors = 1000

// came looks for the state of a stretch among those before. It returns loads that
// come back to it again and again, without end: with a change of size in between,
// if that has to settle. If there are none, it returns how many loads come back
// to it without one. Each load has one course, as parts have no loads in common.
func (b *band) came(s *stretch, at int32, loads span, counts bool, budget *int) (still int64, again span) {
	parts := b.all.at(at).parts
	if parts == nil {
		parts = []int32{at}
	}
	for _, p := range parts {
		o := b.all.at(p)
		some := o.loads.and(loads)
		if some.empty() {
			continue
		}
		if *budget--; *budget < 0 {
			break
		}
		switch counts := counts || o.size != s.size; {
		case o.mark != s.mark && o.syncs > 0:
			more, again := b.came(s, o.from, some, counts, budget)
			if !again.empty() {
				return 0, again
			}
			still += more
		case o.mark != s.mark:
		case counts:
			return 0, some
		default:
			still += some.width()
		}
	}
	return still, noLoads
}

// unite lets a stretch have the loads of another one that ends in the same
// state, as far as it has not.
func (b *band) unite(at int32, s stretch) {
	s.spot, s.sets = "", nil
	o := b.all.at(at)
	if o.parts == nil {
		alone := *o
		alone.spot, alone.sets = "", nil
		o.parts = []int32{b.all.n}
		b.all.add(alone)
	}
	add := func(loads span) {
		if !loads.empty() {
			o := b.all.at(at)
			s.loads = loads
			o.parts = append(o.parts, b.all.n)
			b.all.add(s)
		}
	}
	had, loads := b.all.at(at).loads, s.loads
	add(span{loads.low, min(loads.high, had.low-1)})
	add(span{max(loads.low, had.high+1), loads.high})
	b.all.at(at).loads = span{min(had.low, loads.low), max(had.high, loads.high)}
}

// touches reports whether no load is between two spans.
func (s span) touches(o span) bool { return s.low <= o.high+1 && o.low <= s.high+1 }

// marked returns a mark that stretches in the same state have in common.
func (b *band) marked(s *stretch) uint64 {
	id := []byte(s.spot)
	for _, n := range s.sets {
		id = append(id, byte(n), byte(n>>8))
	}
	return maphash.Bytes(b.hash, id)
}
