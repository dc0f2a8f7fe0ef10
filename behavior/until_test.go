package behavior_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
)

func TestLimitUntil(t *testing.T) {
	b := &behavior.Behavior{ScaleUp: pods(4), ScaleDown: pods(4)}
	at := func(d time.Duration) time.Time { return noon.Add(d) }
	var e behavior.Events
	e.Record(at(0), 1, 4, b)
	e.Record(at(10*time.Second), 4, 5, b)
	e.Record(at(20*time.Second), 7, 5, b)

	// Added 4, removed 2: start is 3, and the limit 7.
	for _, tt := range []struct {
		name          string
		desired, want int32
		until         time.Time
	}{
		{"at the limit, which only rises", 7, 7, time.Time{}},
		{"as the first leaves, it rises", 8, 7, at(60 * time.Second)},
		{"far above", 100, 7, at(60 * time.Second)},
		{"below it, but not by much", 6, 6, time.Time{}},
		{"below all limits", 5, 5, time.Time{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, _ := b.Limit(at(30*time.Second), behavior.Change{5, tt.desired}, behavior.Bounds{1, 100}, &e, nil)
			require.Equal(t, tt.want, l.Replicas)
			require.Equal(t, tt.until, l.Until)
			if !l.Until.IsZero() {
				just, _ := b.Limit(l.Until.Add(-1), behavior.Change{5, tt.desired}, behavior.Bounds{1, 100}, &e, nil)
				require.Equal(t, tt.want, just.Replicas)
				then, _ := b.Limit(l.Until, behavior.Change{5, tt.desired}, behavior.Bounds{1, 100}, &e, nil)
				require.Equal(t, tt.want == tt.desired, tt.want == then.Replicas)
			}
		})
	}

	// The limit narrows only when the scale-down leaves.
	l, _ := b.Limit(at(75*time.Second), behavior.Change{5, 11}, behavior.Bounds{1, 100}, &e, nil)
	require.Equal(t, int32(11), l.Replicas)
	require.Equal(t, at(80*time.Second), l.Until)
}

func TestLimitUntilSelectsAgain(t *testing.T) {
	two := func(first, second int32) *behavior.ScalingRules {
		return &behavior.ScalingRules{SelectPolicy: behavior.SelectMin, Policies: []behavior.Policy{
			{Type: behavior.PodsPolicy, Value: first, PeriodSeconds: 60},
			{Type: behavior.PodsPolicy, Value: second, PeriodSeconds: 60},
		}}
	}
	leaves := noon.Add(time.Minute)
	for _, values := range [][2]int32{{5, 8}, {8, 5}} {
		b := &behavior.Behavior{ScaleUp: two(values[0], values[1]), ScaleDown: two(values[0], values[1])}
		var e behavior.Events
		e.Record(noon, 13, 10, b)
		// The limits are 18 and 21, and 15 and 18 without the event.
		for desired, until := range map[int32]time.Time{15: {}, 16: leaves, 18: leaves, 30: leaves} {
			l, _ := b.Limit(noon, behavior.Change{10, desired}, behavior.Bounds{1, 100}, &e, nil)
			require.Equal(t, min(desired, 18), l.Replicas)
			require.Equal(t, until, l.Until, "%v to %d", values, desired)
		}
		e = behavior.Events{}
		e.Record(noon, 17, 20, b)
		// The limits are 12 and 9, and 15 and 12 without the event.
		for desired, until := range map[int32]time.Time{15: {}, 14: leaves, 12: leaves, 1: leaves} {
			l, _ := b.Limit(noon, behavior.Change{20, desired}, behavior.Bounds{1, 100}, &e, nil)
			require.Equal(t, max(desired, 12), l.Replicas)
			require.Equal(t, until, l.Until, "%v to %d", values, desired)
		}
	}
}

// A percentage of more than all turns the order round: the limits at both ends
// do not tell of those in between.
func TestLimitUntilOfMoreThanAll(t *testing.T) {
	b := &behavior.Behavior{ScaleDown: &behavior.ScalingRules{SelectPolicy: behavior.SelectMin, Policies: []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 2, PeriodSeconds: 60},
		{Type: behavior.PercentPolicy, Value: 101, PeriodSeconds: 60},
	}}}
	var e behavior.Events
	e.Record(noon, 0, 300, b)
	e.Record(noon.Add(time.Second), 0, 300, b)
	e.Record(noon.Add(2*time.Second), 300, 0, b)

	// The starts are -299 now, and later 1, 301 and 1.
	l, _ := b.Limit(noon.Add(3*time.Second), behavior.Change{1, 0}, behavior.Bounds{0, 100}, &e, nil)
	require.Equal(t, int32(1), l.Replicas)
	require.Equal(t, noon.Add(time.Minute), l.Until)
	then, _ := b.Limit(l.Until, behavior.Change{1, 0}, behavior.Bounds{0, 100}, &e, nil)
	require.Zero(t, then.Replicas)
}

// However many events there are, they do not matter for a small change.
func TestLimitUntilOfLittle(t *testing.T) {
	rules := pods(1000)
	rules.Policies[0].PeriodSeconds = 1800
	b := &behavior.Behavior{ScaleUp: rules, ScaleDown: rules}
	for _, n := range []int32{1, 128, 129, 500} {
		var e behavior.Events
		for i := range n {
			e.Record(noon.Add(time.Duration(i)*time.Second), 0, 1, b)
		}
		l, _ := b.Limit(noon.Add(time.Duration(n)*time.Second), behavior.Change{n, n + 1}, behavior.Bounds{1, 1000}, &e, nil)
		require.Equal(t, n+1, l.Replicas)
		require.Zero(t, l.Until)
	}

	// Nor do they to who may do anything.
	for _, p := range []behavior.Policy{
		{Type: behavior.PercentPolicy, Value: 100},
		{Type: behavior.PercentPolicy, Value: 150},
		{Type: behavior.PodsPolicy, Value: 150},
	} {
		p.PeriodSeconds = 1800
		rules := &behavior.ScalingRules{Policies: []behavior.Policy{p}}
		b := &behavior.Behavior{ScaleUp: rules, ScaleDown: rules}
		var e behavior.Events
		e.Record(noon, 1, 0, b)
		for desired := range int32(5) {
			if desired < 2 && p.Type == behavior.PercentPolicy && p.Value > 100 {
				continue // the ends do not tell: see TestLimitUntilOfMoreThanAll
			}
			l, _ := b.Limit(noon.Add(time.Second), behavior.Change{2, desired}, behavior.Bounds{0, 100}, &e, nil)
			require.Equal(t, desired, l.Replicas)
			require.Zero(t, l.Until)
		}
	}
}

// Where nothing has happened, nothing will.
func TestLimitUntilWithoutEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := behaviors().Draw(t, "behavior")
		current, desired := sizes().Draw(t, "current"), sizes().Draw(t, "desired")
		want, _ := b.Limit(noon, behavior.Change{current, desired}, behavior.Bounds{1, 100}, &behavior.Events{}, nil)
		require.Zero(t, want.Until)
		got, _ := b.Limit(noon, behavior.Change{current, desired}, behavior.Bounds{1, 100}, nil, nil)
		require.Equal(t, want, got)
	})
	r := &behavior.ScalingRules{SelectPolicy: behavior.SelectMin, Policies: []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60},
		{Type: behavior.PercentPolicy, Value: 150, PeriodSeconds: 60}, // for which the ends do not tell
	}}
	l, _ := (&behavior.Behavior{ScaleDown: r}).Limit(noon, behavior.Change{5, 0}, behavior.Bounds{0, 100}, nil, nil)
	require.Equal(t, int32(4), l.Replicas)
	require.Zero(t, l.Until)
}

// Events that take the places of stale ones stand in the order of these, turned
// around. They leave in that of time.
func TestLimitUntilOfReusedPlaces(t *testing.T) {
	b := &behavior.Behavior{ScaleUp: pods(8), ScaleDown: pods(8)}
	again := noon.Add(10 * time.Minute)
	for desired, change := range map[int32]func(e *behavior.Events, now time.Time, by int32){
		100: func(e *behavior.Events, now time.Time, by int32) { e.Record(now, 0, by, b) },
		0:   func(e *behavior.Events, now time.Time, by int32) { e.Record(now, by, 0, b) },
	} {
		for big := range 8 {
			var e behavior.Events
			for i := range 8 {
				change(&e, noon.Add(time.Duration(i)*time.Second), 1)
			}
			for i := range 8 {
				by := int32(1)
				if i == big {
					by = 9
				}
				change(&e, again.Add(time.Duration(i)*time.Second), by)
			}
			require.Equal(t, 8, e.Len())
			l, _ := b.Limit(again.Add(8*time.Second), behavior.Change{20, desired}, behavior.Bounds{0, 100}, &e, nil)
			require.Equal(t, int32(20), l.Replicas)
			require.Equal(t, again.Add(time.Duration(big)*time.Second+time.Minute), l.Until)
		}
	}
}

// What has left the period of one policy can be within that of another one.
func TestLimitUntilOfOtherPeriods(t *testing.T) {
	rules := &behavior.ScalingRules{SelectPolicy: behavior.SelectMin, Policies: []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 60},
		{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 600},
	}}
	b := &behavior.Behavior{ScaleUp: rules, ScaleDown: rules}
	ago := func(seconds int) time.Time { return noon.Add(-time.Duration(seconds) * time.Second) }

	var e behavior.Events
	e.Record(ago(100), 5, 0, b)
	e.Record(ago(50), 0, 1, b)
	e.Record(ago(10), 0, 5, b)
	l, _ := b.Limit(noon, behavior.Change{10, 100}, behavior.Bounds{0, 100}, &e, nil)
	require.Equal(t, int32(10), l.Replicas)
	require.Equal(t, noon.Add(50*time.Second), l.Until)

	e = behavior.Events{}
	e.Record(ago(100), 0, 5, b)
	e.Record(ago(50), 1, 0, b)
	e.Record(ago(10), 5, 0, b)
	l, _ = b.Limit(noon, behavior.Change{10, 0}, behavior.Bounds{0, 100}, &e, nil)
	require.Equal(t, int32(10), l.Replicas)
	require.Equal(t, noon.Add(50*time.Second), l.Until)
}

// The search has room for 128 events of a direction and 16 policies. With more,
// it says the first moment that may matter.
func TestLimitUntilHasRoom(t *testing.T) {
	b := &behavior.Behavior{ScaleUp: pods(1), ScaleDown: pods(1)}
	b.ScaleUp.Policies[0].PeriodSeconds = 1800
	b.ScaleDown.Policies[0].PeriodSeconds = 1800
	for _, n := range []int32{127, 128, 129} {
		var up, down behavior.Events
		for i := range n {
			now := noon.Add(time.Duration(i) * time.Second)
			up.Record(now, 0, 1, b)
			down.Record(now, 1, 0, b)
		}
		now := noon.Add(time.Duration(n) * time.Second)
		first := noon.Add(30 * time.Minute)
		last := first.Add(time.Duration(n-1) * time.Second)
		want := last
		if n > 128 {
			want = first
		}
		// All of them have to leave before the size may change again.
		l, _ := b.Limit(now, behavior.Change{500, 600}, behavior.Bounds{1, 1000}, &up, nil)
		require.Equal(t, int32(500), l.Replicas)
		require.Equal(t, want, l.Until, n)
		l, _ = b.Limit(now, behavior.Change{500, 400}, behavior.Bounds{1, 1000}, &down, nil)
		require.Equal(t, int32(500), l.Replicas)
		require.Equal(t, want, l.Until, n)
	}

	for _, n := range []int{1, 15, 16, 17, 40} {
		rules := &behavior.ScalingRules{SelectPolicy: behavior.SelectMin}
		for i := range n {
			rules.Policies = append(rules.Policies, behavior.Policy{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: int32(61 + i)})
		}
		b := &behavior.Behavior{ScaleUp: rules, ScaleDown: rules}
		var e behavior.Events
		e.Record(noon, 1, 4, b)
		l, _ := b.Limit(noon, behavior.Change{4, 100}, behavior.Bounds{1, 100}, &e, nil)
		require.Equal(t, int32(4), l.Replicas)
		want := noon.Add(time.Duration(60+n) * time.Second)
		if n > 16 {
			want = noon.Add(61 * time.Second)
		}
		require.Equal(t, want, l.Until, n)
	}
}

func TestLimitUntilOfBothDirections(t *testing.T) {
	b := &behavior.Behavior{ScaleUp: pods(4), ScaleDown: pods(4)}
	later := noon.Add(time.Second)
	now := noon.Add(2 * time.Second)
	for _, tt := range []struct {
		name                 string
		added, removed       int32
		addedAt, removedAt   time.Time
		desired, least, most int32
		want                 int32
		until                time.Time
	}{
		{"what leaves at once makes up for itself, up", 5, 5, noon, noon, 100, 1, 100, 14, time.Time{}},
		{"what leaves at once makes up for itself, down", 5, 5, noon, noon, 1, 1, 100, 6, time.Time{}},
		{"more leaves than comes, up", 6, 5, noon, noon, 100, 1, 100, 13, noon.Add(time.Minute)},
		{"more leaves than comes, down", 5, 6, noon, noon, 1, 1, 100, 7, noon.Add(time.Minute)},
		{"the first to leave holds back more, up", 9, 2, later, noon, 100, 1, 100, 10, later.Add(time.Minute)},
		{"the first to leave holds back more, down", 2, 9, noon, later, 1, 1, 100, 10, later.Add(time.Minute)},
		{"the first to leave holds back much more, up", 9, 4, later, noon, 100, 1, 100, 10, later.Add(time.Minute)},
		{"the first to leave holds back much more, down", 4, 9, noon, later, 1, 1, 100, 10, later.Add(time.Minute)},
		{"the first to leave holds back less, up", 9, 2, noon, later, 100, 1, 100, 10, noon.Add(time.Minute)},
		{"the first to leave holds back less, down", 2, 9, later, noon, 1, 1, 100, 10, noon.Add(time.Minute)},
		{"the maximum is lower with all events and without", 1, 0, noon, noon, 100, 1, 12, 12, time.Time{}},
		{"the minimum is higher with all events and without", 0, 1, noon, noon, 1, 8, 100, 8, time.Time{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var e behavior.Events
			if tt.addedAt.Before(tt.removedAt) {
				e.Record(tt.addedAt, 0, tt.added, b)
				e.Record(tt.removedAt, tt.removed, 0, b)
			} else {
				e.Record(tt.removedAt, tt.removed, 0, b)
				e.Record(tt.addedAt, 0, tt.added, b)
			}
			l, _ := b.Limit(now, behavior.Change{10, tt.desired}, behavior.Bounds{tt.least, tt.most}, &e, nil)
			require.Equal(t, tt.want, l.Replicas)
			require.Equal(t, tt.until, l.Until)
		})
	}
}

// Clocks beyond any sense must not keep the search for Until from its end.
func TestLimitAtTheEndsOfTime(t *testing.T) {
	b := &behavior.Behavior{ScaleUp: pods(4), ScaleDown: pods(4)}
	ends := []time.Time{{}, time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64, 999_999_999), noon}
	for _, first := range ends {
		for _, second := range ends {
			for _, now := range ends {
				var e behavior.Events
				e.Record(first, 1, 4, b)
				e.Record(second, 4, 3, b)
				for _, desired := range []int32{1, 3, 100} {
					l, _ := b.Limit(now, behavior.Change{3, desired}, behavior.Bounds{1, 100}, &e, nil)
					require.LessOrEqual(t, l.Replicas, int32(8))
				}
			}
		}
	}
}

// At the last moment there is, all events leave now, even the youngest.
func TestLimitUntilAtTheEndOfTime(t *testing.T) {
	const unixEpoch = 62135596800 // in seconds since the year 1
	end := time.Unix(math.MaxInt64-unixEpoch, 999_999_999).UTC()
	b := &behavior.Behavior{ScaleUp: pods(4), ScaleDown: pods(4)}
	var e behavior.Events
	e.Record(end.Add(-30*time.Second), 0, 1, b)
	e.Record(end, 0, 5, b)

	// The start is -1, and the limit 3. Without the first event it is 4,
	// without both 9.
	l, _ := b.Limit(end, behavior.Change{5, 100}, behavior.Bounds{1, 100}, &e, nil)
	require.Equal(t, int32(5), l.Replicas)
	require.Equal(t, end, l.Until)
}

// A size that the bounds alone decide stays, however many policies there are.
func TestLimitUntilBeyondABound(t *testing.T) {
	for _, policies := range []int{1, 17} {
		rules := percent(101) // the ends do not tell: see TestLimitUntilOfMoreThanAll
		for range policies - 1 {
			rules.Policies = append(rules.Policies, rules.Policies[0])
		}
		b := &behavior.Behavior{ScaleUp: rules, ScaleDown: rules}
		var e behavior.Events
		e.Record(noon, 4, 2, b)
		l, _ := b.Limit(noon, behavior.Change{2, 0}, behavior.Bounds{4, 10}, &e, nil)
		require.Equal(t, int32(4), l.Replicas)
		require.Zero(t, l.Until)
	}
}

// Where one policy no longer gives the size, another one may that did not
// before.
func TestLimitUntilOfTakingTurns(t *testing.T) {
	rules := &behavior.ScalingRules{SelectPolicy: behavior.SelectMax, Policies: []behavior.Policy{
		{Type: behavior.PodsPolicy, Value: 6, PeriodSeconds: 60},
		{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 20},
	}}
	b := &behavior.Behavior{ScaleUp: rules, ScaleDown: rules}
	var e behavior.Events
	e.Record(noon.Add(-55*time.Second), 8, 13, b)
	e.Record(noon.Add(-10*time.Second), 13, 10, b)

	// The limits are 14 and 17, after 5 seconds 19 and 17, and then 19 and 14.
	for _, after := range []time.Duration{0, 5 * time.Second, 10 * time.Second, time.Hour} {
		l, _ := b.Limit(noon.Add(after), behavior.Change{10, 16}, behavior.Bounds{1, 100}, &e, nil)
		require.Equal(t, int32(16), l.Replicas)
		require.Zero(t, l.Until)
	}
}
