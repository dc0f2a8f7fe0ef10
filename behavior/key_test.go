package behavior_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/stabilize/codec"
)

// periods returns rules of one policy each, with these periods in seconds.
func periods(up, down int32) *behavior.Behavior {
	b := behavior.Default()
	b.ScaleUp.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: up}}
	b.ScaleDown.Policies = []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: down}}
	return b
}

// eventsOf records scale-ups of one pod at these seconds after noon.
func eventsOf(b *behavior.Behavior, seconds ...int) *behavior.Events {
	var e behavior.Events
	for _, s := range seconds {
		e.Record(at(s), 1, 2, b)
	}
	return &e
}

func at(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }

func key(e *behavior.Events, seconds int, b *behavior.Behavior) string {
	return string(e.AppendKey(nil, at(seconds), b))
}

func TestKeyOfEvents(t *testing.T) {
	b := periods(60, 60)
	none := key(&behavior.Events{}, 0, b)
	require.Equal(t, none, key(eventsOf(b, 0), 60, b), "an event of exactly the period no longer counts")
	require.NotEqual(t, none, key(eventsOf(b, 0), 59, b))
	require.Equal(t, key(eventsOf(b, 30), 60, b), key(eventsOf(b, 0, 70), 100, b), "relative to now")
	require.Equal(t, none, key(eventsOf(b, 0), 0, nil))

	disabled := periods(60, 300)
	require.NotEqual(t, none, key(eventsOf(disabled, 0), 61, disabled), "the other direction still counts it")
	disabled.ScaleDown.SelectPolicy = behavior.SelectDisabled
	require.Equal(t, none, key(eventsOf(disabled, 0), 61, disabled), "it is disabled")
}

// Upstream gives the place of an event to the next one of its direction, even
// if the other direction still counts it. A place that nobody looks at saves
// it.
func TestKeyHasTheOrderOfPlaces(t *testing.T) {
	b := periods(15, 300)
	saved := eventsOf(b, 0, 5, 30, 40) // 40 took the place of 0, and 30 that of 5
	alone := eventsOf(b, 40)
	requireSameLimit := func(same bool) {
		t.Helper()
		one, _ := behavior.DownLimit(at(331), 9, b.ScaleDown, saved, nil)
		other, _ := behavior.DownLimit(at(331), 9, b.ScaleDown, alone, nil)
		require.Equal(t, same, one.Replicas == other.Replicas)
	}
	requireSameLimit(true)
	require.NotEqual(t, key(saved, 331, b), key(alone, 331, b))
	saved.Record(at(331), 1, 2, b)
	alone.Record(at(331), 1, 2, b)
	requireSameLimit(false)
}

// An event that became stale under other rules stays so.
func TestKeyHasStaleEvents(t *testing.T) {
	short, long := periods(15, 15), periods(300, 300)
	stale := eventsOf(short, 0, 5, 60)
	fresh := eventsOf(long, 0, 60)
	require.NotEqual(t, key(stale, 61, long), key(fresh, 61, long))
	require.Equal(t, key(stale, 75, short), key(fresh, 75, short), "nobody counts them")
}

func TestReadKeyOfEvents(t *testing.T) {
	b := periods(15, 300)
	e := eventsOf(b, 0, 5, 30, 40)
	e.Record(at(44), 5, 2, b)
	k := key(e, 45, b)
	var back behavior.Events
	r := codec.NewReader("", []byte(k))
	back.ReadKey(r, at(45))
	require.NoError(t, r.Err())
	require.True(t, e.Equal(&back), "%v, %v", e, back)

	for n := range len(k) {
		r := codec.NewReader("", []byte(k[:n]))
		back.ReadKey(r, at(45))
		require.Error(t, r.Err())
		require.Zero(t, back.Len())
	}
}
