package prove

import (
	"encoding/binary"
	"math"
)

// Metrics that are late show the load and the pods of a sync before. Which of its
// loads a sync had is not chosen before metrics show it: the past of a place has
// the span of loads that decided alike until then, and how the pods of then and
// now decide divides it further.

// pastSync is a sync of the past.
type pastSync struct {
	pods     []byte // the size and the young ones
	loads    uint32 // by number
	troubles uint8
	left     uint8 // of the pods, those that are still there
}

// heldLoad is the number of a load that stays the same, which the span of its
// course has.
const heldLoad = 0

// pastSize is the size of a sync of the past.
func (w *world) pastSize() int { return 1 + w.ages + 6 }

func (w *world) pastSync(b []byte) pastSync {
	pods, rest := b[:1+w.ages], b[1+w.ages:]
	return pastSync{pods, binary.LittleEndian.Uint32(rest), rest[4], rest[5]}
}

func (p *pastSync) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(append(dst, p.pods...), p.loads)
	return append(dst, p.troubles, p.left)
}

// lateness returns how many syncs ago a sync was that metrics show, of so many.
func (w *world) lateness(troubles uint8, syncs int) int { return min(w.late[troubles], syncs) }

// shown returns the sync of the past that metrics show, and how many syncs ago
// it was: 0 for the one that is observed.
func (w *world) shown(past []byte, troubles uint8) (sync pastSync, ago int) {
	size := w.pastSize()
	if ago = w.lateness(troubles, len(past)/size); ago > 0 {
		sync = w.pastSync(past[len(past)-ago*size:])
	}
	return sync, ago
}

// told returns what metrics show of a sync of the past, but for its load. Its
// first pods are those of now, as the newest are deleted first.
func (w *world) told(sync *pastSync, ago int, t *timing) moment {
	segment := Segment{Syncs: 1, Troubles: w.troubles[sync.troubles]}
	l := w.workload(sync.pods, t)
	l.observe(Start, int32(sync.pods[0]), &segment)
	m := l.past[0]
	m.at = Start.Add(-t.ago(ago))
	for i, number := range m.pods {
		if number >= int(sync.left) {
			m.pods[i] += math.MaxInt16 // deleted since then
		}
	}
	return m
}

// appendPast appends the past as of the next sync. This sync is its last one, and
// the sync that metrics showed has the loads that were chosen.
func (w *world) appendPast(dst []byte, s *sight, after int32) []byte {
	if w.lag == 0 {
		return append(dst, 0)
	}
	size := w.pastSize()
	n := len(s.past) / size
	first := max(n+1-w.lag, 0)
	dst = append(dst, byte(n-first+1))
	left := func(pods uint8) uint8 { return uint8(min(int32(pods), s.size(), after)) }
	for i := first; i < n; i++ {
		sync := w.pastSync(s.past[i*size:])
		if sync.left = left(sync.left); n-i == s.ago {
			sync.loads = s.told
		}
		dst = sync.append(dst)
	}
	own := pastSync{pods: s.pods, loads: s.number, troubles: s.troubles, left: left(s.pods[0])}
	return own.append(dst)
}

// throughLate is through where metrics show a sync of the past: each piece of its
// loads may come with each choice of the sync's own.
func (v *walker) throughLate(s *sight) error {
	held, once := s.sync.loads == heldLoad, v.looksOnce()
	for i, own := range v.ownChoices(s) {
		switch {
		case once && i == 0:
			s.choice = anyLoad
		case once:
			s.choice = partOfLoads
		}
		for _, pc := range s.seen.pieces {
			s.loads = own
			loads := pc.and(own)
			if !held {
				loads = pc.and(v.spans.of(s.sync.loads))
			}
			switch {
			case loads.empty():
				continue
			case held:
				s.loads = loads
			default:
				pc.span, s.told = loads, v.spans.number(loads)
			}
			s.number = v.numberOf(s.loads)
			if err := v.resolve(s, pc, loads); err != nil {
				return err
			}
		}
	}
	return nil
}

// choice is what is known of a sync's own load.
type choice uint8

const (
	knownLoad   choice = iota // what the property asks
	anyLoad                   // nothing: the property does not look at it
	partOfLoads               // what the property asks, of a sync that is any load, too
)

// looksOnce reports whether the watched property looks at the load of one sync, so
// that others need not be told apart before metrics show them.
func (v *walker) looksOnce() bool { return v.watch != nil && v.watch.once && v.levels == nil }

// ownChoices returns the loads that a sync itself may have, as far as that matters
// before metrics show it. Any load comes first if it may be that.
func (v *walker) ownChoices(s *sight) (all []span) {
	add := func(s span) {
		if s = s.and(v.limit); !s.empty() {
			all = append(all, s)
		}
	}
	if v.looksOnce() {
		if add(v.all); s.watch != 0 {
			return all
		}
	}
	for _, l := range v.levels {
		add(span{l, l})
	}
	if v.levels == nil {
		for _, pc := range v.split([]piece{{span: v.all}}) {
			add(pc.span)
		}
	}
	return all
}

// numberOf returns the number of a sync's own loads in the past.
func (v *walker) numberOf(s span) uint32 {
	if v.lag == 0 || v.constant != nil {
		return heldLoad
	}
	return v.spans.number(s)
}
