package prove

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/stabilize"
)

// outcome is what a decision makes of a place.
type outcome struct {
	after, recommended int32
	// started reports that the size was recorded as the first recommendation,
	// and fresh that there is none yet.
	started, fresh bool
	// spots are the places of the next sync, by the number of syncs that do not
	// happen before it.
	spots []string
}

// maxOutcomes is how many outcomes a walker keeps.
const maxOutcomes = 200_000

// outcomesOf returns the outcomes at a piece, by the highest recommendation of
// the scaleDown window, as that is all that matters of it. Those of nil are not
// known yet.
func (v *walker) outcomesOf(s *sight, pc piece) []*outcome {
	v.id = append(v.id[:0], s.troubles, s.timing)
	v.id = binary.LittleEndian.AppendUint64(v.id, uint64(pc.low))
	if v.lag > 0 {
		v.id = binary.LittleEndian.AppendUint32(v.id, s.number)
		v.id = binary.LittleEndian.AppendUint32(v.id, s.told)
	}
	v.id = append(v.id, s.spot...)
	all, ok := v.outcomes[string(v.id)]
	if !ok {
		if v.tried >= maxOutcomes {
			clear(v.outcomes)
			v.tried = 0
		}
		all = make([]*outcome, v.most+2) // from none on
		v.outcomes[string(v.id)] = all
	}
	return all
}

// try returns the outcome of a decision at a piece, with what is picked.
func (v *walker) try(s *sight, pc piece, k pick, highest int32) (*outcome, error) {
	at := &s.outcomes[highest-none]
	if *at == nil {
		if err := v.decideOn(s, pc, k); err != nil {
			return nil, err
		}
		v.tried++
		*at = v.write(s)
	}
	return *at, nil
}

// decideOn decides at a load of the piece, with what is picked.
func (v *walker) decideOn(s *sight, pc piece, k pick) error {
	if err := v.st.SetKey(s.key, Start.Add(-v.slack)); err != nil {
		return err
	}
	if len(v.timings) > 1 {
		v.retime(s.when)
	}
	if !s.fresh {
		v.remember(s, k)
	}
	return v.decide(v.sceneOf(s, s.seen), pc.round())
}

// decide decides at a load.
func (v *walker) decide(here *scene, load int64) error {
	obs := here.at(load)
	calculator.DecideInto(&v.d, Start, &v.setup.Settings, v.setup.Spec, obs, &v.st)
	if v.d.Zone == calculator.NoZone && obs.ScaleError == nil {
		return v.d.Err()
	}
	return nil
}

// write writes the size, and returns the outcome.
func (v *walker) write(s *sight) *outcome {
	o := &outcome{recommended: v.recommended(), started: v.d.Started}
	o.after = s.seen.scene.segment.write(&v.st, &v.d, Start, s.size())
	if o.fresh = v.st.Recommendations.IsEmpty(); !o.fresh {
		v.forget() // nodes have them
	}
	for m := range v.missed + 1 {
		next := Start.Add(v.since(m) - v.slack)
		v.id = append(v.id[:0], byte(o.after), 0, 0, 0, 0, 0, 0)
		if o.fresh {
			v.id[freshAt] = 1
		}
		if v.watch != nil || v.decides() {
			v.id[missedAt] = byte(m)
		}
		v.id = v.appendYoung(v.id, s.pods, o.after, m)
		v.id = v.appendPast(v.id, s, o.after)
		v.id = v.appendUps(v.id, s, o, m)
		o.spots = append(o.spots, string(v.st.AppendKey(v.id, next, &v.setup.Settings, v.setup.Spec)))
	}
	return o
}

// recommended returns what the decision recommends.
func (v *walker) recommended() int32 {
	if v.d.Stabilization.Reason == "" {
		return none
	}
	return min(v.d.Choice.Replicas, v.most)
}

// forget leaves the state without recommendations that count, but not as if
// there had been none.
func (v *walker) forget() {
	v.st.Recommendations.Reset()
	v.st.Recommendations.Record(Start.Add(-stabilize.LongestWindow), 0, v.windows)
}

// remember gives the state the recommendations of the node: of each set the
// least, but for what is picked.
func (v *walker) remember(s *sight, k pick) {
	v.forget()
	for age := max(len(v.sets), len(s.ups)/2); age > 0; age-- {
		n := int32(none)
		if age <= len(v.sets) && v.sets[age-1] != 0 && v.inDown(s.when.ago(age)) {
			set := v.list[v.sets[age-1]]
			if n = set.low; age == k.age {
				picked := set.between(k.low, k.high)
				n = picked.least()
			}
		}
		if code := s.up(age); code != noUp && v.inUp(s.when.ago(age)) {
			up := max(n, 0)
			if code != keepsDown {
				up = code - firstUp
			}
			// The first sync recorded two.
			v.st.Recommendations.Record(Start.Add(-s.when.ago(age)), up, v.windows)
			if n <= up {
				continue
			}
		}
		if n >= 0 {
			v.st.Recommendations.Record(Start.Add(-s.when.ago(age)), n, v.windows)
		}
	}
}

// retime moves the events of the state from the grid to when they were.
func (v *walker) retime(t *timing) {
	type event struct {
		at   time.Time
		more int32
	}
	var all []event
	add := func(at time.Time, more int32) {
		syncs := int((Start.Sub(at) + t.period/2) / t.period)
		all = append(all, event{Start.Add(-t.ago(syncs)), more})
	}
	for e := range v.st.Events.Added() {
		add(e.Time, e.Value)
	}
	for e := range v.st.Events.Removed() {
		add(e.Time, -e.Value)
	}
	slices.SortStableFunc(all, func(a, b event) int { return a.at.Compare(b.at) })
	v.st.Events = behavior.Events{}
	longest := v.setup.Spec.Behavior.LongestPeriods()
	for _, e := range all {
		v.st.Events.RecordWithin(e.at, 0, e.more, longest)
	}
}
