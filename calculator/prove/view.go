package prove

import (
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
)

// piece are loads at which a sync makes the same recommendation.
type piece struct {
	span
	asks int32 // none if it makes none
}

// view is what a sync sees of a place, at any load.
type view struct {
	obs     calculator.Observation
	work    *workload
	told    *moment // what metrics show
	shows   bool    // the load of the sync itself
	segment Segment
	pods    []podgroup.Pod
	group   podgroup.Group
	pieces  []piece
	load    int64 // that it shows
}

// maxViewed is how many pods of views a walker keeps.
const maxViewed = 100_000

// view returns what a place sees with the troubles and the timing.
func (v *walker) view(p *sight) (*view, error) {
	sync, ago := v.shown(p.past, int(p.troubles))
	id := append(v.id[:0], p.troubles, p.timing, byte(ago))
	id = append(append(id, p.pods...), sync...)
	if v.remembers(p) {
		id = append(id, p.key...)
	}
	v.id = id
	if seen, ok := v.views[string(id)]; ok {
		return seen, nil
	}
	w := v.workload(p.pods, p.when)
	seen := &view{work: w, segment: Segment{Syncs: 1, Troubles: v.troubles[p.troubles]}, shows: sync == nil}
	if sync != nil {
		w.past = []moment{v.told(sync, ago, p.when)}
	}
	seen.obs = *w.observe(Start, int32(len(w.own)), &seen.segment)
	seen.told = w.told(Start, &seen.segment)
	seen.pods = slices.Clone(seen.obs.Pods)
	seen.group.Prepare(seen.pods)
	seen.obs.Pods, seen.obs.Group = seen.pods, &seen.group
	pieces, ok := v.known.get(string(id))
	if !ok {
		var err error
		if pieces, err = v.divide(p, seen); err != nil {
			return nil, err
		}
		v.known.put(string(id), pieces)
	}
	seen.pieces = v.split(pieces)
	if v.viewed += 1 + len(seen.pods); v.viewed > maxViewed {
		clear(v.views)
		v.viewed = 1 + len(seen.pods)
	}
	v.views[string(id)] = seen
	return seen, nil
}

// remembers reports whether a recommendation may depend on the state: on how
// long a metric has failed, or on who scaled to zero.
func (w *world) remembers(p *sight) bool { return w.fallback || p.size() == 0 }

// at makes the view show the load.
func (s *view) at(load int64) *calculator.Observation {
	s.load, s.segment.Load = load, float64(load)/1000
	if s.shows {
		s.told.load = s.segment.Load
		for i := range s.obs.Readings {
			s.work.read(&s.obs.Readings[i], i, s.told, &s.segment)
		}
		if s.work.proposer != nil {
			s.work.proposer.Propose(Start, &s.obs)
		}
	}
	return &s.obs
}

// divide returns the pieces of the loads of the search at a view. More load
// never gets fewer replicas, so that bisection finds all of them.
func (v *walker) divide(p *sight, seen *view) (pieces []piece, err error) {
	asks := func(load int64) int32 {
		n, e := v.asks(p, seen, load)
		err = errorOf(err, e)
		return n
	}
	add := func(s span, n int32) {
		if last := len(pieces) - 1; last >= 0 && pieces[last].asks == n && v.levels == nil {
			pieces[last].high = s.high
			return
		}
		pieces = append(pieces, piece{s, n})
	}
	switch {
	case v.levels != nil:
		for _, l := range v.levels {
			add(span{l, l}, asks(l))
		}
	default:
		v.bisect(v.all, asks(v.all.low), asks(v.all.high), asks, add)
	}
	if err != nil {
		return nil, err
	}
	return pieces, nil
}

// bisect adds the pieces of a span whose ends recommend low and high.
func (v *walker) bisect(s span, low, high int32, asks func(int64) int32, add func(span, int32)) {
	if low == high {
		add(s, low)
		return
	}
	if s.low+1 == s.high {
		add(span{s.low, s.low}, low)
		add(span{s.high, s.high}, high)
		return
	}
	middle := s.low + (s.high-s.low)/2
	n := asks(middle)
	v.bisect(span{s.low, middle}, low, n, asks, add)
	if middle+1 <= s.high {
		v.bisect(span{middle + 1, s.high}, asks(middle+1), high, asks, add)
	}
}

// split ends pieces at the edges.
func (w *world) split(pieces []piece) (all []piece) {
	for _, p := range pieces {
		for _, edge := range w.edges {
			if p.low < edge && edge <= p.high {
				all = append(all, piece{span{p.low, edge - 1}, p.asks})
				p.low = edge
			}
		}
		all = append(all, p)
	}
	return all
}

// asks returns what a place recommends at a load, without a history.
func (v *walker) asks(p *sight, seen *view, load int64) (int32, error) {
	key := v.neutral
	if v.remembers(p) {
		key = p.key
	}
	if err := v.st.SetKey(key, Start); err != nil {
		return none, err
	}
	v.forget()
	if err := v.decide(seen, load); err != nil {
		return none, err
	}
	return v.recommended(), nil
}

func errorOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// shown returns the sync of the past that metrics show, and how many syncs ago
// it was. It is nil for the one that is observed.
func (v *walker) shown(past []byte, troubles int) (sync []byte, ago int) {
	size := v.pastSize()
	ago = min(v.late[troubles], len(past)/size)
	if ago == 0 {
		return nil, 0
	}
	from := len(past) - ago*size
	return past[from : from+size], ago
}

// workload returns a workload of these pods.
func (w *world) workload(pods []byte, t *timing) *workload {
	l := newWorkload(&Timeline{Setup: w.setup})
	old := int32(pods[0])
	for _, n := range pods[1:] {
		old -= int32(n)
	}
	l.resize(old, Start.Add(-time.Hour))
	for age := len(pods) - 1; age > 0; age-- {
		l.resize(int32(len(l.own))+int32(pods[age]), Start.Add(-t.ago(age)))
	}
	return l
}

// told returns what metrics show of a sync of the past. Its first pods are
// those of now, as the newest are deleted first.
func (w *world) told(sync []byte, ago int, t *timing) moment {
	pods, rest := sync[:1+w.ages], sync[1+w.ages:]
	segment := Segment{Syncs: 1, Load: float64(w.levels[int(rest[0])|int(rest[1])<<8]) / 1000, Troubles: w.troubles[rest[2]]}
	left := int(rest[3])
	l := w.workload(pods, t)
	l.observe(Start, int32(pods[0]), &segment)
	m := l.past[0]
	m.at = Start.Add(-t.ago(ago))
	for i, number := range m.pods {
		if number >= left {
			m.pods[i] += math.MaxInt16 // deleted since then
		}
	}
	return m
}
