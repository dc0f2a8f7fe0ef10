package prove

import (
	"context"
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// stretch is a number of syncs of a constant load, after which it still is open.
type stretch struct {
	spot string
	sets []sizes
	// loads are those that lead here. seed is the depth of the node that they
	// began at.
	loads span
	seed  int32
	// syncs is the number of syncs, and from the stretch that the last of them
	// follow, or the node for none. They do the same, and waits is how many
	// there are besides the first one.
	syncs, waits int32
	from         int32
	pick         pick
	timing       uint8
	size, asks   int32
	mark         uint64
	// parts are the stretches that it was made of, by index, if their loads are
	// more than its own course leads here.
	parts []int32
	next  int32 // of the same key in a bucket, -1 for none
}

// courses are the courses of constant loads until something.
type courses struct {
	*graph
	until until
	all   []stretch
	// wanted are numbers of syncs, and found has for each of them a course that
	// is open then. For settled, it has for each number a course that ends with
	// a change of size.
	wanted map[int32]bool
	found  map[int32]stretch
	// last is the most syncs after which something is open, or changes. Never
	// reports that some courses go on forever, and again is one that repeats
	// itself.
	last  int32
	never bool
	again stretch
	seed  maphash.Seed
	due   map[int32]*bucket
	opens [256]span
	spots map[string]string // one of each
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

// courses returns the courses of constant loads, and those of the wanted numbers
// of syncs. They begin at the nodes of a depth, -1 for all, and have fewer syncs
// than end.
func (g *graph) courses(ctx context.Context, u until, wanted map[int32]bool, depth, end int32) (*courses, error) {
	c := &courses{graph: g, until: u, seed: maphash.MakeSeed(), wanted: wanted, found: map[int32]stretch{}, due: map[int32]*bucket{}, spots: map[string]string{}, last: -1}
	for size := range c.opens {
		c.opens[size] = g.open(u, int32(size))
	}
	list := g.sets.list()
	for id := range g.nodes {
		n := &g.nodes[id]
		if o := c.opens[n.size()]; !n.idle && !o.empty() && g.some(o) {
			if depth < 0 || n.depth == depth {
				c.add(list, stretch{spot: n.spot, sets: n.sets, loads: o, seed: n.depth, from: int32(id), size: n.size()})
			}
		}
	}
	walkers := make([]*walker, runtime.GOMAXPROCS(0))
	for i := range walkers {
		walkers[i] = newWalker(g.world, g.known, nil)
	}
	most := int32(0)
	for n := range wanted {
		most = max(most, n)
	}
	for syncs := int32(0); len(c.due) > 0 && syncs < end; syncs++ {
		b := c.due[syncs]
		if b == nil {
			continue
		}
		if g.progress != nil && !g.progress(g.states()+len(c.all), int(syncs)) {
			return nil, errGaveUp
		}
		if len(c.all) > g.max {
			return nil, errGaveUp
		}
		delete(c.due, syncs)
		if err := c.visit(ctx, walkers, b.all); err != nil {
			return nil, err
		}
		if c.never && syncs >= most {
			break
		}
		if c.until.kind == settled || c.last > syncs { // these are no longer needed
			for _, i := range b.all {
				c.all[i].spot, c.all[i].sets = "", nil
			}
		}
	}
	return c, nil
}

// some reports whether the search has a load of the span.
func (w *world) some(s span) bool {
	return w.levels == nil || slices.ContainsFunc(w.levels, s.has)
}

// visit adds the stretches that follow these.
func (c *courses) visit(ctx context.Context, walkers []*walker, ids []int32) error {
	for part := range slices.Chunk(ids, chunk) {
		found, err := c.expand(ctx, walkers, part)
		if err != nil {
			return err
		}
		list := c.sets.list()
		for i, edges := range found {
			for _, e := range edges {
				c.follow(list, part[i], e)
			}
		}
	}
	return nil
}

// follow adds what an edge of a stretch leads to.
func (c *courses) follow(list []*entry, from int32, e *edge) {
	before := &c.all[from]
	s := stretch{
		spot: c.spot(e.spot), sets: e.sets, loads: e.pieces[0].span.and(c.opens[e.after]), seed: before.seed,
		syncs: before.syncs + 1, from: from, pick: e.pick, timing: e.timing, size: e.after, asks: e.pieces[0].asks,
	}
	moved := s.size != before.size
	if c.until.kind == settled && moved {
		c.last = max(c.last, s.syncs)
		if o, ok := c.found[s.syncs]; !ok || s.seed < o.seed {
			c.found[s.syncs] = s
		}
	}
	if s.loads.empty() {
		return
	}
	if !moved && s.spot == before.spot {
		if s.loads == before.loads && slices.Equal(s.sets, before.sets) {
			if c.until.kind != settled {
				c.repeat(s)
			}
			return
		}
	}
	if !moved && s.spot == before.spot && len(c.timings) == 1 {
		s.waits = c.wait(list, before, &s)
		s.syncs += s.waits
		for n := range c.wanted {
			if c.until.kind != settled && s.syncs-s.waits <= n && n < s.syncs {
				c.note(n, s)
			}
		}
	}
	c.add(list, s)
}

// spot returns the bytes as a string that all share.
func (c *courses) spot(b []byte) string {
	s, ok := c.spots[string(b)]
	if !ok {
		s = string(b)
		c.spots[s] = s
	}
	return s
}

// wait returns for how many more syncs the same follows: as long as the
// recommendation counts that is the highest at the least, and holds the size.
// It leaves the sets as they are then.
func (c *courses) wait(list []*entry, before, s *stretch) int32 {
	if len(s.sets) == 0 || s.pick.age != 0 || s.pick.high != c.most {
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
	n := c.downs - (at + 2) // it was at+1 syncs ago before, and is one more now
	if n <= 0 {
		return 0
	}
	s.sets = c.pruned(list, slices.Concat(slices.Repeat([]sizes{now}, n), s.sets))
	return int32(n)
}

// note keeps a course of a wanted number of syncs.
func (c *courses) note(n int32, s stretch) {
	s.waits -= s.syncs - n
	s.syncs = n
	if o, ok := c.found[n]; !ok || s.seed < o.seed {
		c.found[n] = s
	}
}

// repeat notes a course that goes on forever.
func (c *courses) repeat(s stretch) {
	if !c.never {
		c.never, c.again = true, s
	}
}

// add adds a stretch, unless one with as many syncs can do all that it can.
func (c *courses) add(list []*entry, s stretch) {
	b := c.due[s.syncs]
	if b == nil {
		b = &bucket{heads: map[bucketKey]int32{}}
		c.due[s.syncs] = b
	}
	key := bucketKey{spot: s.spot, count: len(s.sets)}
	if len(s.sets) > 0 {
		key.last = s.sets[0]
	}
	head, ok := b.heads[key]
	if !ok {
		head = -1
	}
	same := int32(-1)
	for k := head; k >= 0; k = c.all[k].next {
		o := &c.all[k]
		if o.loads.low <= s.loads.low && s.loads.high <= o.loads.high && c.covers(list, o.sets, s.sets) {
			return
		}
		if o.loads.touches(s.loads) && slices.Equal(o.sets, s.sets) {
			same = k
		}
	}
	s.mark = c.marked(&s)
	if budget := mostAncestors; s.syncs > 0 {
		still, again := c.came(&s, s.from, s.loads, c.until.kind != settled, &budget)
		if !again.empty() {
			s.loads = again
			c.repeat(s)
			return
		}
		if still == s.loads.width() {
			return
		}
	}
	if c.until.kind != settled {
		c.last = max(c.last, s.syncs)
		if c.wanted[s.syncs] {
			c.note(s.syncs, s)
		}
	}
	if same >= 0 && s.syncs > 0 {
		c.unite(same, s)
		return
	}
	b.heads[key], s.next = int32(len(c.all)), head
	b.all = append(b.all, int32(len(c.all)))
	c.all = append(c.all, s)
}

// mostAncestors is how many stretches before one are compared with it.
const mostAncestors = 1000

// came looks for the state of a stretch among those before. It returns loads that
// come back to it again and again, without end: with a change of size in between,
// if that has to settle. If there are none, it returns how many loads come back
// to it without one. Each load has one course, as parts have no loads in common.
func (c *courses) came(s *stretch, at int32, loads span, counts bool, budget *int) (still int64, again span) {
	parts := c.all[at].parts
	if parts == nil {
		parts = []int32{at}
	}
	for _, p := range parts {
		o := &c.all[p]
		some := o.loads.and(loads)
		if some.empty() {
			continue
		}
		if *budget--; *budget < 0 {
			break
		}
		switch counts := counts || o.size != s.size; {
		case o.mark != s.mark && o.syncs > 0:
			more, again := c.came(s, o.from, some, counts, budget)
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
func (c *courses) unite(at int32, s stretch) {
	s.spot, s.sets = "", nil
	o := &c.all[at]
	if o.parts == nil {
		alone := *o
		alone.spot, alone.sets = "", nil
		o.parts = []int32{int32(len(c.all))}
		c.all = append(c.all, alone)
	}
	add := func(loads span) {
		if !loads.empty() {
			o := &c.all[at]
			s.loads = loads
			o.parts = append(o.parts, int32(len(c.all)))
			c.all = append(c.all, s)
		}
	}
	had, loads := c.all[at].loads, s.loads
	add(span{loads.low, min(loads.high, had.low-1)})
	add(span{max(loads.low, had.high+1), loads.high})
	c.all[at].loads = span{min(had.low, loads.low), max(had.high, loads.high)}
}

// touches reports whether no load is between two spans.
func (s span) touches(o span) bool { return s.low <= o.high+1 && o.low <= s.high+1 }

// marked returns a mark that stretches in the same state have in common.
func (c *courses) marked(s *stretch) uint64 {
	b := []byte(s.spot)
	for _, n := range s.sets {
		b = append(b, byte(n), byte(n>>8))
	}
	return maphash.Bytes(c.seed, b)
}

func (c *courses) expand(ctx context.Context, walkers []*walker, part []int32) ([][]*edge, error) {
	found := make([][]*edge, len(part))
	errs := make([]error, len(walkers))
	var next atomic.Int32
	var all sync.WaitGroup
	for i, v := range walkers {
		all.Go(func() {
			for {
				at := int(next.Add(1)) - 1
				if at >= len(part) || errs[i] != nil {
					return
				}
				if errs[i] = ctx.Err(); errs[i] == nil {
					s := &c.all[part[at]]
					found[at], errs[i] = v.expand(s.spot, s.sets, s.loads, true)
				}
			}
		})
	}
	all.Wait()
	return found, errorOf(errs...)
}
