package prove

import (
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
)

// piece are loads at which a sync makes the same recommendation.
type piece struct {
	span
	asks int32 // none if it makes none
}

// view is what a sync sees of a place, at any load: the pieces of loads, and the
// scene once a decision needs it.
type view struct {
	pieces []piece
	scene  *scene
}

// scene is an observation at any load.
type scene struct {
	obs     calculator.Observation
	work    *workload
	told    *moment // what metrics show
	segment Segment
	group   podgroup.Group
}

// maxViewed is how many views and pods of their scenes a walker keeps.
const maxViewed = 100_000

// view returns what a place sees with the troubles and the timing.
func (v *walker) view(p *sight) (*view, error) {
	id := append(v.id[:0], p.troubles, p.timing, byte(p.ago))
	id = append(id, p.pods...)
	if p.ago > 0 {
		id = append(append(id, p.sync.pods...), p.sync.troubles, p.sync.left)
	}
	if v.remembers(p) {
		id = append(id, p.key...)
	}
	v.id = id
	if seen, ok := v.views[string(id)]; ok {
		return seen, nil
	}
	if v.viewed > maxViewed {
		clear(v.views)
		v.viewed = 0
	}
	seen := &view{}
	pieces, ok := v.known.get(string(id))
	if !ok {
		var err error
		if pieces, err = v.divide(p, seen); err != nil {
			return nil, err
		}
		v.known.put(string(id), pieces)
	}
	if seen.pieces = pieces; p.ago == 0 {
		seen.pieces = v.split(pieces)
	}
	v.viewed++
	v.views[string(id)] = seen
	return seen, nil
}

// remembers reports whether a recommendation may depend on the state: on how
// long a metric has failed, or on who scaled to zero.
func (w *world) remembers(p *sight) bool { return w.fallback || p.size() == 0 }

// sceneOf returns the scene of a view.
func (v *walker) sceneOf(p *sight, seen *view) *scene {
	if seen.scene != nil {
		return seen.scene
	}
	w := v.workload(p.pods, p.when)
	s := &scene{work: w, segment: Segment{Syncs: 1, Troubles: v.troubles[p.troubles]}}
	if p.ago > 0 {
		w.past = []moment{v.told(&p.sync, p.ago, p.when)}
	}
	s.obs = *w.observe(Start, int32(len(w.own)), &s.segment)
	s.told = w.told(Start, &s.segment)
	s.group.Prepare(s.obs.Pods)
	s.obs.Group = &s.group
	v.viewed += len(s.obs.Pods)
	seen.scene = s
	return s
}

// at makes the scene show the load.
func (s *scene) at(load int64) *calculator.Observation {
	s.segment.Load = float64(load) / 1000
	s.told.load = s.segment.Load
	for i := range s.obs.Readings {
		s.work.read(&s.obs.Readings[i], i, s.told, &s.segment)
	}
	if s.work.proposer != nil {
		s.work.proposer.Propose(Start, &s.obs)
	}
	return &s.obs
}

// divide returns the pieces of the loads of the search at a view.
func (v *walker) divide(p *sight, seen *view) (pieces []piece, err error) {
	answer := func(load int64) answer {
		a, e := v.answer(p, seen, load)
		err = errorOf(err, e)
		return a
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
			add(span{l, l}, answer(l).asks)
		}
	default:
		bisect(v.all, answer(v.all.low), answer(v.all.high), answer, add)
	}
	if err != nil {
		return nil, err
	}
	return pieces, nil
}

// answer is what a sync recommends at a load, and by which kind of rule each
// metric has its say. From one kind to the next, more load may get fewer
// replicas: within tolerance the size stays, and above that only the ready pods
// are multiplied. With one kind it never does, so that loads with one answer have
// it in between, too.
type answer struct {
	asks  int32
	rules string
}

// kindOf returns the kind of rule of a proposal. More load never gets a lower
// one.
func kindOf(p *calculator.Proposal) byte {
	below := p.Ratio < 1
	switch p.Rule {
	case calculator.RatioTimesPods, calculator.CorrectedRatioTimesPods, calculator.RatioFromZero, calculator.UsagePerTarget:
		if below {
			return 0
		}
		return 4
	case calculator.DirectionWouldChange, calculator.CorrectedWithinTolerance, calculator.CountWouldChangeDirection, calculator.NoReadyPods:
		if below {
			return 1
		}
		return 3
	}
	return 2
}

// bisect adds the pieces of a span with these answers at its ends.
func bisect(s span, low, high answer, answer func(int64) answer, add func(span, int32)) {
	if low == high {
		add(s, low.asks)
		return
	}
	if s.low+1 == s.high {
		add(span{s.low, s.low}, low.asks)
		add(span{s.high, s.high}, high.asks)
		return
	}
	middle := s.low + (s.high-s.low)/2
	bisect(span{s.low, middle}, low, answer(middle), answer, add)
	if middle+1 <= s.high {
		bisect(span{middle + 1, s.high}, answer(middle+1), high, answer, add)
	}
}

// split ends pieces at the edges.
func (w *world) split(pieces []piece) (all []piece) {
	if len(w.edges) == 0 {
		return pieces
	}
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

// answer returns the answer of a place to a load, without a history.
func (v *walker) answer(p *sight, seen *view, load int64) (answer, error) {
	key := v.neutral
	if v.remembers(p) {
		key = p.key
	}
	if err := v.st.SetKey(key, Start); err != nil {
		return answer{}, err
	}
	v.forget()
	if err := v.decide(v.sceneOf(p, seen), load); err != nil {
		return answer{}, err
	}
	kinds := make([]byte, len(v.d.Proposals))
	for i := range kinds {
		kinds[i] = kindOf(&v.d.Proposals[i])
	}
	return answer{v.recommended(), string(kinds)}, nil
}

func errorOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
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
