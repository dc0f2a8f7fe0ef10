package behavior_test

import (
	"iter"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
)

// listed returns events as a slice of the reference.
func listed(events iter.Seq[behavior.Event]) []refEvent {
	var all []refEvent
	for e := range events {
		all = append(all, refEvent{at: e.Time, change: e.Value, stale: e.Stale})
	}
	return all
}

func count(events iter.Seq[behavior.Event]) int { return len(listed(events)) }

// policyOf returns what a policy of the period says of the events.
func policyOf(e *behavior.Events, now time.Time, seconds int32) behavior.PolicyLimit {
	r := &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: seconds}}}
	_, said := behavior.UpLimit(now, 0, r, e, nil)
	return said[0]
}

// kept returns the events that are not forgotten.
func kept(events []refEvent) []refEvent {
	var all []refEvent
	for _, e := range events {
		if !e.forgotten {
			all = append(all, e)
		}
	}
	return all
}

func requireEvents(t require.TestingT, want *refEvents, e *behavior.Events) {
	require.Equal(t, kept(want.added), listed(e.Added()), "added")
	require.Equal(t, kept(want.removed), listed(e.Removed()), "removed")
	require.Equal(t, len(kept(want.added))+len(kept(want.removed)), e.Len())
}

// drawEvents records events, now and then with the clock going back, and
// returns what the reference has and when it is.
func drawEvents(t *rapid.T, b *behavior.Behavior, most int) (behavior.Events, *refEvents, time.Time) {
	var e behavior.Events
	var want refEvents
	now := noon
	for range rapid.IntRange(0, most).Draw(t, "events") {
		now = now.Add(steps().Draw(t, "step"))
		from, to := sizes().Draw(t, "from"), sizes().Draw(t, "to")
		e.Record(now, from, to, b)
		want.record(now, from, to, b)
		if rapid.IntRange(0, 19).Draw(t, "back") == 0 {
			now = now.Add(-time.Minute)
			e.Advance(now, b)
			want.advance(now, b)
		}
	}
	return e, &want, now
}

func TestEventsAgainstSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := behaviors().Draw(t, "behavior")
		e, want, _ := drawEvents(t, b, 30)
		requireEvents(t, want, &e)
	})
}

func TestRecordStoresNothing(t *testing.T) {
	var e behavior.Events
	b := &behavior.Behavior{}
	b.SetDefaults()
	e.Record(noon, 1, 5, nil)
	e.Record(noon, 5, 1, nil)
	e.Record(noon, 5, 5, b)
	e.Record(noon, 0, 0, b)
	require.Zero(t, e.Len())
	require.Equal(t, behavior.Events{}, e)
	require.Zero(t, (*behavior.Events)(nil).Len())
}

func TestEventsBecomeStale(t *testing.T) {
	b := &behavior.Behavior{
		ScaleUp: &behavior.ScalingRules{Policies: []behavior.Policy{
			{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 30},
			{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60},
			{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 15},
		}},
		ScaleDown: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 120}}},
	}
	for _, tt := range []struct {
		after         time.Duration
		added, remove int // how many there are after one more
	}{
		{60*time.Second - 1, 2, 2},
		{60 * time.Second, 2, 2},
		{60*time.Second + 1, 1, 2},
		{120*time.Second - 1, 1, 2},
		{120 * time.Second, 1, 2},
		{120*time.Second + 1, 1, 1},
	} {
		var e behavior.Events
		e.Record(noon, 1, 4, b)
		e.Record(noon, 4, 2, b)
		e.Record(noon.Add(tt.after), 2, 9, b)
		e.Record(noon.Add(tt.after), 9, 5, b)
		require.Equal(t, tt.added, count(e.Added()), tt.after)
		require.Equal(t, tt.remove, count(e.Removed()), tt.after)
	}
}

// The events of one direction forget by their own periods alone, though the
// policies of the other read them.
func TestEventsForgetByTheirOwnDirection(t *testing.T) {
	b := &behavior.Behavior{
		ScaleUp:   &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 15}}},
		ScaleDown: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 600}}},
	}
	var e behavior.Events
	e.Record(noon, 1, 4, b)
	now := noon.Add(time.Minute)
	_, said := behavior.DownLimit(now, 4, b.ScaleDown, &e, nil)
	require.Equal(t, int64(3), said[0].Added)
	e.Record(now, 4, 5, b)
	_, said = behavior.DownLimit(now, 5, b.ScaleDown, &e, nil)
	require.Equal(t, int64(1), said[0].Added, "the other one is gone")
}

func TestNilRulesKeepEventsAsTheDefaultsDo(t *testing.T) {
	full := &behavior.Behavior{}
	full.SetDefaults()
	for _, after := range []time.Duration{15*time.Second - 1, 15 * time.Second, 15*time.Second + 1} {
		var want, got behavior.Events
		for _, tt := range []struct {
			e *behavior.Events
			b *behavior.Behavior
		}{{&want, full}, {&got, &behavior.Behavior{}}} {
			tt.e.Record(noon, 1, 4, tt.b)
			tt.e.Record(noon, 4, 2, tt.b)
			tt.e.Record(noon.Add(after), 2, 8, tt.b)
			tt.e.Record(noon.Add(after), 8, 1, tt.b)
		}
		require.Equal(t, want, got, after)
		require.Equal(t, after <= 15*time.Second, got.Len() == 4, after)
	}
}

func TestRecordOfTheLargestChanges(t *testing.T) {
	b := &behavior.Behavior{}
	b.SetDefaults()
	for _, tt := range []struct {
		from, to       int32
		added, removed int64
	}{
		{0, 1, 1, 0},
		{1, 0, 0, 1},
		{0, math.MaxInt32, math.MaxInt32, 0},
		{math.MaxInt32, 0, 0, math.MaxInt32},
		{-1, math.MaxInt32, math.MaxInt32, 0},
		{math.MaxInt32, -1, 0, math.MaxInt32},
		{math.MinInt32, math.MaxInt32, math.MaxInt32, 0},
		{math.MaxInt32, math.MinInt32, 0, math.MaxInt32},
	} {
		var e behavior.Events
		e.Record(noon, tt.from, tt.to, b)
		require.Equal(t, tt.added, policyOf(&e, noon, 1).Added, "from %d to %d", tt.from, tt.to)
		require.Equal(t, tt.removed, policyOf(&e, noon, 1).Removed, "from %d to %d", tt.from, tt.to)
	}
}

// Kubernetes: events of the future count until the clock has caught up.
func TestAdvanceForgetsTheFuture(t *testing.T) {
	b := &behavior.Behavior{}
	b.SetDefaults()
	for name, back := range map[string]func(*behavior.Events){
		"Advance":                    func(e *behavior.Events) { e.Advance(noon, b) },
		"Advance without a behavior": func(e *behavior.Events) { e.Advance(noon, nil) },
		"Record":                     func(e *behavior.Events) { e.Record(noon, 0, 10, b); e.Record(noon, 10, 0, b) },
	} {
		var e behavior.Events
		e.Record(noon.Add(time.Hour), 2, 6, b)
		e.Record(noon.Add(time.Hour), 6, 3, b)
		back(&e)
		var more int64
		if name == "Record" {
			more = 10
		}
		for _, tt := range []struct {
			after          time.Duration
			added, removed int64
		}{
			{0, 4 + more, 3 + more},
			{15*time.Second - 1, 4 + more, 3 + more},
			{15 * time.Second, 0, 0},
			{15*time.Second + 1, 0, 0},
		} {
			at := noon.Add(tt.after)
			require.Equal(t, tt.added, policyOf(&e, at, 15).Added, "%s %v", name, tt.after)
			require.Equal(t, tt.removed, policyOf(&e, at, 15).Removed, "%s %v", name, tt.after)
		}
	}
}

func TestAdvanceForgetsWhatNoPeriodSees(t *testing.T) {
	const half = time.Duration(behavior.MaxPeriodSeconds) * time.Second
	short, long := pods(1), pods(1)
	long.Policies[0].PeriodSeconds = behavior.MaxPeriodSeconds + 60 // not valid, but counted
	for _, tt := range []struct {
		name    string
		b       *behavior.Behavior
		horizon time.Duration
	}{
		{"no behavior", nil, half},
		{"default rules", &behavior.Behavior{}, half},
		{"short periods", &behavior.Behavior{ScaleUp: short, ScaleDown: short}, half},
		{"a longer one up", &behavior.Behavior{ScaleUp: long, ScaleDown: short}, half + time.Minute},
		{"a longer one down", &behavior.Behavior{ScaleUp: short, ScaleDown: long}, half + time.Minute},
	} {
		for off, want := range map[time.Duration]int{-1: 2, 0: 2, 1: 0} {
			var e behavior.Events
			e.Record(noon, 1, 4, &behavior.Behavior{})
			e.Record(noon, 4, 1, &behavior.Behavior{})
			e.Advance(noon.Add(tt.horizon+off), tt.b)
			require.Equal(t, want, e.Len(), "%s %v", tt.name, off)
		}
	}
}

func TestLongestPeriods(t *testing.T) {
	several := func(seconds ...int32) *behavior.ScalingRules {
		r := &behavior.ScalingRules{}
		for _, s := range seconds {
			r.Policies = append(r.Policies, behavior.Policy{PeriodSeconds: s})
		}
		return r
	}
	for _, tt := range []struct {
		b        *behavior.Behavior
		up, down time.Duration
	}{
		{nil, 0, 0},
		{&behavior.Behavior{}, 15 * time.Second, 15 * time.Second},
		{&behavior.Behavior{ScaleUp: several(), ScaleDown: several(-1)}, 0, 0},
		{&behavior.Behavior{ScaleUp: several(1, 60, 30), ScaleDown: several(1800)}, time.Minute, 30 * time.Minute},
		{&behavior.Behavior{ScaleDown: several(math.MaxInt32)}, 15 * time.Second, math.MaxInt32 * time.Second},
	} {
		require.Equal(t, behavior.Periods{Up: tt.up, Down: tt.down}, tt.b.LongestPeriods())
	}
}

// Kubernetes: histories of a short period never shrink, and long ones grow
// without bound.
func TestEventsAreBounded(t *testing.T) {
	b := &behavior.Behavior{
		ScaleUp:   &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: behavior.MaxPeriodSeconds}}},
		ScaleDown: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: behavior.MaxPeriodSeconds}}},
	}
	var e behavior.Events
	var exact refEvents
	now := noon
	for i := range int32(behavior.MaxEvents + 100) {
		now = now.Add(time.Duration(i%7+1) * 50 * time.Millisecond)
		for _, to := range []int32{1 + i%5, -1 - i%3} {
			e.Record(now, 0, to, b)
			exact.record(now, 0, to, b)
		}
		if i == behavior.MaxEvents-1 {
			requireEvents(t, &exact, &e)
		}
	}
	require.Equal(t, behavior.MaxEvents, count(e.Added()))
	require.Equal(t, behavior.MaxEvents, count(e.Removed()))

	// What was lost errs on the side of more pods, whatever the period.
	differ := 0
	for i := range int32(600) {
		// Between two seconds, too.
		at := now.Add(time.Duration(i%4) * 250 * time.Millisecond)
		said, period := policyOf(&e, at, i+1), time.Duration(i+1)*time.Second
		added, removed := said.Added, said.Removed
		wantAdded, wantRemoved := within(exact.added, at, period), within(exact.removed, at, period)
		require.LessOrEqual(t, added, wantAdded)
		require.GreaterOrEqual(t, removed, wantRemoved)
		if added != wantAdded || removed != wantRemoved {
			differ++
		}
	}
	require.Less(t, differ, 60, "of 600")
	require.Equal(t, within(exact.added, now, time.Hour), policyOf(&e, now, 3600).Added)
	require.Equal(t, within(exact.removed, now, time.Hour), policyOf(&e, now, 3600).Removed)
}

func TestEventsCloneAndEqual(t *testing.T) {
	b := &behavior.Behavior{}
	b.SetDefaults()
	var e behavior.Events
	e.Record(noon, 1, 4, b)
	e.Record(noon, 4, 3, b)
	c := e.Clone()
	require.True(t, e.Equal(&c))
	require.True(t, c.Equal(&e))

	added := e.Clone()
	added.Record(noon, 1, 2, b)
	require.False(t, e.Equal(&added))
	require.False(t, added.Equal(&e))
	removed := e.Clone()
	removed.Record(noon, 2, 1, b)
	require.False(t, e.Equal(&removed))

	// The clone shares no memory.
	c.Record(noon.Add(time.Hour), 1, 2, b)
	require.False(t, e.Equal(&c))
	requireEvents(t, &refEvents{added: []refEvent{{at: noon, change: 3}}, removed: []refEvent{{at: noon, change: 1}}}, &e)
	require.True(t, new(behavior.Events).Equal(&behavior.Events{}))
}
