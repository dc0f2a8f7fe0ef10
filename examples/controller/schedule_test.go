package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/cluster"
	"github.com/purehpa/hpa/stabilize"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// TestNextTurn: a name has one turn in each period, always the same, and the
// turns of many are spread over it.
func TestNextTurn(t *testing.T) {
	const period = 15 * time.Second
	quarters := map[time.Duration]int{}
	for i := range 400 {
		ns := fmt.Sprint("team-", i)
		turn := noon.Add(nextTurn(noon, period, ns))
		for _, since := range []time.Duration{0, 1, time.Second, period - 1, period, time.Hour} {
			next := nextTurn(noon.Add(since), period, ns)
			require.Positive(t, next)
			require.LessOrEqual(t, next, period)
			require.Zero(t, noon.Add(since+next).Sub(turn)%period, "%s after %v", ns, since)
		}
		require.Equal(t, period, nextTurn(turn, period, ns))
		quarters[turn.Sub(noon)*4/period]++
	}
	for q := range time.Duration(4) {
		require.InDelta(t, 100, quarters[q], 40)
	}
}

func TestNextSync(t *testing.T) {
	const period = 15 * time.Second
	turn := nextTurn(noon, period, "shop")
	for until, want := range map[time.Time]time.Duration{
		{}:                        turn,
		noon.Add(turn - 1):        turn - 1,
		noon.Add(turn):            turn,
		noon.Add(time.Hour):       turn,
		noon.Add(-time.Second):    time.Millisecond,
		noon.Add(time.Nanosecond): time.Millisecond,
	} {
		next, isTurn := nextSync(noon, until, period, "shop")
		require.Equal(t, want, next, until)
		require.Equal(t, want == turn, isTurn, until)
	}
}

// TestTogether: Autoscalers of a namespace have their turns together if all can have
// their syncs at once, and share an answer only in a sync that is such a turn.
func TestTogether(t *testing.T) {
	r := &reconciler{syncs: 3, selectors: map[string]cluster.Selectors{"other": {}}}
	web := client.ObjectKey{Namespace: "shop", Name: "web"}
	for n, want := range []bool{false, false, true, true, false} {
		r.selectors["shop"] = cluster.Selectors{}
		for i := range n {
			r.selectors["shop"][fmt.Sprint("app-", i)] = labels.Everything()
		}
		name, together := r.turn(web)
		require.Equal(t, want, together, n)
		require.Equal(t, map[bool]string{true: "shop", false: "shop/web"}[want], name)
	}

	for _, c := range []struct {
		together bool
		due      time.Time
		since    time.Time
	}{
		{true, noon, noon},
		{true, noon.Add(-time.Second), noon.Add(-time.Second)},
		{true, noon.Add(-time.Minute), noon.Add(-time.Second)}, // late
		{true, noon.Add(time.Second), time.Time{}},             // the spec changed
		{true, time.Time{}, time.Time{}},                       // after an error
		{false, noon, time.Time{}},
	} {
		m := memory{together: c.together, due: c.due, since: noon.Add(-time.Hour)}
		m.begin(noon)
		require.Zero(t, m.due)
		require.Equal(t, c.since, m.since, c)
	}
}

// TestLag: being late by a period is worth a warning, once a period.
func TestLag(t *testing.T) {
	const period = 15 * time.Second
	var l lag
	at := func(now, late time.Duration) (warned bool) {
		before := l.warned
		l.observe(noon.Add(now), noon.Add(now-late), period)
		return l.warned != before
	}
	l.observe(noon, time.Time{}, period)
	require.False(t, at(0, -time.Second), "before it was due, as after a change")
	require.False(t, at(0, period-1))
	require.True(t, at(0, period))
	require.False(t, at(time.Second, 2*period))
	require.False(t, at(period-1, 0))
	require.True(t, at(period, 0), "for the one that was late by two")
	require.False(t, at(3*period, 0))
}

// TestRepeats: what a state may differ in without being written.
func TestRepeats(t *testing.T) {
	windows := stabilize.Windows{Up: time.Minute, Down: time.Minute}
	var before calculator.State
	before.Recommendations.Record(noon, 6, windows)
	before.Recommendations.Record(noon.Add(15*time.Second), 4, windows)
	record := func(st *calculator.State, all ...int32) *calculator.State {
		for i, n := range all {
			st.Recommendations.Record(noon.Add(time.Duration(i+2)*15*time.Second), n, windows)
		}
		return st
	}
	clone := func() *calculator.State { st := before.Clone(); return &st }
	require.True(t, repeats(clone(), &before))
	require.True(t, repeats(record(clone(), 4), &before))
	require.True(t, repeats(record(clone(), 4, 4, 4, 4, 4, 4), &before), "the older ones are forgotten")
	require.False(t, repeats(record(clone(), 5), &before))
	require.False(t, repeats(record(clone(), 5, 4), &before))
	require.False(t, repeats(record(clone(), 6), &before))
	scaled := clone()
	scaled.LastScaleTime = noon
	require.False(t, repeats(scaled, &before))
	require.False(t, repeats(&before, new(calculator.State)))
	require.True(t, repeats(new(calculator.State), new(calculator.State)))

	// A controller that reads it later assumes a repetition.
	read := clone()
	repeatLast(read, noon.Add(time.Hour/2))
	require.Equal(t, stabilize.Entry{Time: noon.Add(time.Hour / 2), Value: 4}, lastRecommendation(read))
	require.Equal(t, 3, read.Recommendations.Len())
	empty := new(calculator.State)
	repeatLast(empty, noon)
	require.True(t, empty.Recommendations.IsEmpty())
}
