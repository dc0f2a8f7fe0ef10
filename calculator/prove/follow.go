package prove

import (
	"slices"
)

// lead adds the edges to where a decision leads: one for each number of syncs
// that do not happen after it, and each memory of the watched property.
func (v *walker) lead(s *sight, pc piece, loads span, k pick, o *outcome) error {
	if v.decides() {
		if err := v.decideOn(s, pc, k); err != nil {
			return err
		}
		v.write(s)
	}
	if v.constant != nil {
		v.room = v.next(v.room[:0], s, k, o, 0)
		v.piece[0] = piece{loads, pc.asks}
		v.edge = edge{timing: s.timing, pick: k, pieces: v.piece[:], own: s.loads, told: s.told, after: o.after, spot: o.spots[0], sets: v.pruned(v.list, v.room), broken: none}
		v.constant(&v.edge)
		return nil
	}
	for m, spot := range o.spots {
		e := &edge{
			troubles: s.troubles, timing: s.timing, missed: uint8(m), pick: k, pieces: []piece{{loads, pc.asks}}, own: s.loads,
			after: o.after, spot: spot, sets: v.next(nil, s, k, o, m), broken: none,
		}
		v.judge(e, s)
	}
	return nil
}

// next returns the sets of the next sync, in the room: those that the pick
// leaves, and the one of this sync.
func (v *walker) next(room []sizes, s *sight, k pick, o *outcome, missed int) []sizes {
	sets := slices.Grow(room, 1+missed+len(v.sets))[:1+missed]
	clear(sets)
	if _, n := s.own(o); n >= 0 {
		n = v.counts(n, o.after)
		sets[missed] = v.keep(every, n, n)
	}
	var last, left sizes // many sets are those of the sync before
	for i, set := range v.sets {
		switch {
		case set == 0 || !v.inDown(s.when.ago(i+1)):
			set = 0
		case i+1 == k.age:
			set = v.keep(set, k.low, k.high)
		default:
			if set != last {
				last, left = set, v.keep(set, 0, k.high)
			}
			set = left
		}
		sets = append(sets, set)
	}
	return sets
}

// own returns the least and the most that a sync recorded: the first one of an
// autoscaler records the size, too.
func (s *sight) own(o *outcome) (least, most int32) {
	switch {
	case !o.started:
		return o.recommended, o.recommended
	case o.recommended < 0:
		return s.size(), s.size()
	}
	return min(s.size(), o.recommended), max(s.size(), o.recommended)
}

// counts returns what a recommendation counts as after a sync that left this
// size. With a behavior, one above the size only keeps it from falling: if the
// size rises again, the recommendation of that sync is as high and later.
func (w *world) counts(n, after int32) int32 {
	switch {
	case n < 0 || !w.lazy:
		return n
	case w.setup.Spec.Behavior != nil:
		n = min(n, after)
	}
	return max(n, w.bounds.Min)
}

// pruned returns the sets without those that cannot matter any more, in place:
// nothing in them is above what a later sync recommended at the least.
func (w *world) pruned(list []*entry, sets []sizes) []sizes {
	sets = sets[:min(len(sets), w.downs)]
	held := w.floor()
	for i, s := range sets {
		if list[s].high <= held {
			sets[i] = 0
			continue
		}
		held = max(held, list[s].low)
	}
	for len(sets) > 0 && sets[len(sets)-1] == 0 {
		sets = sets[:len(sets)-1]
	}
	return sets
}

// floor is the size up to which a recommendation never matters.
func (w *world) floor() int32 {
	if w.lazy {
		return w.bounds.Min
	}
	return none
}

// What the scaleUp window has of a sync, as the number of a size is written.
const (
	noUp      = iota // nothing
	keepsDown        // what keeps the size from rising
	firstUp          // the size 0
)

// up returns what the scaleUp window has of the age.
func (p *place) up(age int) int32 {
	if 2*age > len(p.ups) {
		return noUp
	}
	return int32(p.ups[2*age-2]) | int32(p.ups[2*age-1])<<8
}

// appendUps appends what the scaleUp window has as of the next sync.
func (v *walker) appendUps(dst []byte, s *sight, o *outcome, missed int) []byte {
	start := len(dst)
	dst = append(dst, 0)
	for age := 1; age <= v.ups; age++ {
		code := int32(noUp)
		switch ago := age - 1 - missed; {
		case ago == 0:
			if n, _ := s.own(o); n >= 0 {
				code = firstUp + n
			}
		case ago > 0 && v.inUp(s.when.ago(ago)):
			code = s.up(ago)
		}
		if v.lazy && code >= firstUp && code-firstUp <= o.after {
			code = keepsDown
		}
		dst = append(dst, byte(code), byte(code>>8))
	}
	for len(dst) > start+1 && dst[len(dst)-1] == 0 && dst[len(dst)-2] == 0 {
		dst = dst[:len(dst)-2]
	}
	dst[start] = byte((len(dst) - start - 1) / 2)
	return dst
}

// appendYoung appends the young pods as of the next sync.
func (w *world) appendYoung(dst, pods []byte, after int32, missed int) []byte {
	more := after - int32(pods[0])
	left := slices.Clone(pods[1:])
	deleteNewest(left, -more)
	start := len(dst)
	dst = append(dst, make([]byte, w.ages)...)
	if missed < w.ages {
		dst[start+missed] = byte(max(more, 0))
		copy(dst[start+missed+1:], left)
	}
	return dst
}

// deleteNewest deletes so many pods, the newest ones first, as a workload does.
func deleteNewest(young []byte, n int32) {
	for i, there := range young {
		less := min(int32(there), max(n, 0))
		young[i] -= byte(less)
		n -= less
	}
}

// resized returns the pods after something else has set the size, if it has.
func (w *world) resized(pods []byte, troubles int) []byte {
	for _, x := range w.troubles[troubles] {
		if x.Kind == Resized {
			changed := append([]byte{byte(x.N)}, pods[1:]...)
			more := x.N - int32(pods[0])
			deleteNewest(changed[1:], -more)
			if w.ages > 0 {
				changed[1] += byte(max(more, 0))
			}
			return changed
		}
	}
	return pods
}
