package stabilize_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize"
	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// refHistory is the list of recommendations that kube-controller-manager keeps,
// which never gets shorter, with its two ways to read and write it. What it
// reads of entries that are older than any window is nothing: they are marked.
type refHistory []refEntry

// refEntry is a recommendation of the reference. Once forgotten, it is only a
// place.
type refEntry struct {
	at        time.Time
	value     int32
	forgotten bool
}

func (r refHistory) advance(now time.Time, w stabilize.Windows) {
	for i := range r {
		if r[i].at.After(now) {
			r[i].at = now
		}
		if r[i].at.Before(now.Add(-max(time.Hour, w.Up, w.Down))) {
			r[i].forgotten = true
		}
	}
}

func (r refHistory) entries() []stabilize.Entry {
	var all []stabilize.Entry
	for _, e := range r {
		if !e.forgotten {
			all = append(all, stabilize.Entry{Time: e.at, Value: e.value})
		}
	}
	return all
}

func (r *refHistory) start(now time.Time, current int32) {
	if len(*r) == 0 {
		*r = refHistory{{at: now, value: current}}
	}
}

// decide returns what the windows make of the recommendation, and records it.
func (r *refHistory) decide(now time.Time, current, desired int32, w stabilize.Windows) int32 {
	lowest, highest, old := desired, desired, -1
	up, down := now.Add(-w.Up), now.Add(-w.Down)
	for i, e := range *r {
		inUp, inDown := e.at.After(up), e.at.After(down)
		if inUp && !e.forgotten {
			lowest = min(lowest, e.value)
		}
		if inDown && !e.forgotten {
			highest = max(highest, e.value)
		}
		if e.forgotten || e.at.Before(up) && e.at.Before(down) {
			old = i
		}
	}
	r.put(old, now, desired)
	if current < lowest {
		current = lowest
	}
	if current > highest {
		current = highest
	}
	return current
}

// decideDown is the same without a behavior.
func (r *refHistory) decideDown(now time.Time, desired int32, window time.Duration) int32 {
	highest, old := desired, -1
	for i, e := range *r {
		switch {
		case e.forgotten || e.at.Before(now.Add(-window)):
			old = i
		case e.value > highest:
			highest = e.value
		}
	}
	r.put(old, now, desired)
	return highest
}

func (r refHistory) clone() *refHistory {
	c := slices.Clone(r)
	return &c
}

func (r *refHistory) put(old int, now time.Time, desired int32) {
	e := refEntry{at: now, value: desired}
	if old < 0 {
		*r = append(*r, e)
	} else {
		(*r)[old] = e
	}
}

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// listed returns the recommendations of a history.
func listed(h *stabilize.History) []stabilize.Entry { return slices.Collect(h.All()) }

func values(h *stabilize.History) []int32 {
	var all []int32
	for e := range h.All() {
		all = append(all, e.Value)
	}
	return all
}

// places returns the number of recommendations, and of places that forgotten
// ones left.
func places(h *stabilize.History) int {
	data := h.AppendBinary(nil)
	return int(codec.NewReader("", data).Uvarint("places", stabilize.MaxRecommendations))
}

// steps draws how far the clock goes between two calls.
func steps() *rapid.Generator[time.Duration] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 20), func(s int) time.Duration { return time.Duration(s) * 15 * time.Second }),
		rapid.Map(rapid.Int64Range(-2, 2), func(ns int64) time.Duration { return time.Minute + time.Duration(ns) }),
		rapid.SampledFrom([]time.Duration{-time.Minute, -time.Hour, -time.Nanosecond, 100 * 365 * 24 * time.Hour, -100 * 365 * 24 * time.Hour}),
	)
}

// read decodes the binary form.
func read(data []byte) (stabilize.History, error) {
	var h stabilize.History
	r := codec.NewReader("stabilize.History", data)
	h.ReadBinary(r)
	r.End()
	return h, r.Err()
}

// recode returns what an encoding of h decodes to.
func recode(t require.TestingT, h *stabilize.History, binary bool) (d stabilize.History) {
	var data []byte
	var err error
	if binary {
		data = h.AppendBinary(nil)
		d, err = read(data)
	} else {
		data, err = json.Marshal(h)
		require.NoError(t, err)
		err = json.Unmarshal(data, &d)
	}
	require.NoError(t, err, "%q", data)
	require.True(t, h.Equal(&d), "%q", data)
	return d
}

func windows() *rapid.Generator[time.Duration] {
	return rapid.Map(rapid.SampledFrom([]int{0, 1, 15, 30, 60, 61, 300, 1800, 3600, 7200}), func(s int) time.Duration {
		return time.Duration(s) * time.Second
	})
}

func sizes() *rapid.Generator[int32] {
	return rapid.OneOf(rapid.Int32Range(0, 12), rapid.SampledFrom([]int32{math.MaxInt32 - 1, math.MaxInt32}))
}

// Whatever the windows do, and whichever encodings the history goes through, it
// answers as a list does from which nothing is ever removed.
func TestHistoryAgainstSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h stabilize.History
		var want refHistory
		now := noon
		w := stabilize.Windows{Up: windows().Draw(t, "up"), Down: windows().Draw(t, "down")}
		t.Repeat(map[string]func(*rapid.T){
			"decide": func(t *rapid.T) {
				current, desired := sizes().Draw(t, "current"), sizes().Draw(t, "desired")
				before := h.Stabilize(now, current, desired, w)
				h.Advance(now, w)
				want.advance(now, w)
				require.Equal(t, before, h.Stabilize(now, current, desired, w), "reading needs no Advance")
				requireStabilized(t, &h, h.Stabilize(now, current, desired, w), now, current, desired, w)
				got := h.Stabilize(now, current, desired, w).Replicas
				h.Record(now, desired, w)
				require.Equal(t, want.decide(now, current, desired, w), got)
			},
			"decide without a behavior": func(t *rapid.T) {
				desired := sizes().Draw(t, "desired")
				both := stabilize.Windows{Up: w.Down, Down: w.Down}
				got := h.StabilizeDown(now, desired, w.Down)
				h.Advance(now, both)
				want.advance(now, both)
				require.Equal(t, got, h.StabilizeDown(now, desired, w.Down), "reading needs no Advance")
				requireDown(t, &h, got, now, desired, w.Down)
				h.Record(now, desired, both)
				require.Equal(t, want.decideDown(now, desired, w.Down), got.Replicas)
			},
			"start": func(t *rapid.T) {
				current := sizes().Draw(t, "current")
				require.Equal(t, len(want) == 0, h.Start(now, current))
				want.start(now, current)
			},
			"step": func(t *rapid.T) { now = now.Add(steps().Draw(t, "step")) },
			"windows": func(t *rapid.T) {
				w = stabilize.Windows{Up: windows().Draw(t, "up"), Down: windows().Draw(t, "down")}
			},
			"encode and decode": func(t *rapid.T) { h = recode(t, &h, rapid.Bool().Draw(t, "binary")) },
			"": func(t *rapid.T) {
				require.Equal(t, len(want.entries()), h.Len())
				require.Equal(t, want.entries(), listed(&h))
				require.Equal(t, len(want), places(&h))
			},
		})
	})
}

// requireStabilized checks what a result says of itself.
func requireStabilized(t require.TestingT, h *stabilize.History, r stabilize.Result, now time.Time, current, desired int32, w stabilize.Windows) {
	require.Equal(t, desired, r.Desired)
	window := w.Down
	switch {
	case r.Replicas == desired:
		require.Equal(t, stabilize.Result{Desired: desired, Replicas: desired, Reason: stabilize.NotStabilized}, r)
		return
	case desired < current:
		require.Equal(t, stabilize.ScaleDownStabilized, r.Reason)
		require.Equal(t, min(r.Bound.Value, current), r.Replicas)
	default:
		require.Equal(t, stabilize.ScaleUpStabilized, r.Reason)
		require.Equal(t, max(r.Bound.Value, current), r.Replicas)
		window = w.Up
	}
	require.Equal(t, r.Bound.Time.Add(window), r.Until)
	// The latest one that holds: until then nothing changes, and then it does.
	require.True(t, r.Until.After(now))
	require.Equal(t, r.Replicas, h.Stabilize(r.Until.Add(-1), current, desired, w).Replicas)
	require.NotEqual(t, r.Replicas, h.Stabilize(r.Until, current, desired, w).Replicas)
	require.Contains(t, listed(h), r.Bound)
}

func requireDown(t require.TestingT, h *stabilize.History, r stabilize.Result, now time.Time, desired int32, window time.Duration) {
	require.Equal(t, desired, r.Desired)
	if r.Replicas == desired {
		require.Equal(t, stabilize.Result{Desired: desired, Replicas: desired, Reason: stabilize.NotStabilized}, r)
		return
	}
	require.Equal(t, stabilize.ScaleDownStabilized, r.Reason)
	require.Equal(t, r.Bound.Value, r.Replicas)
	require.True(t, r.Until.After(now))
	require.Equal(t, r.Replicas, h.StabilizeDown(r.Until.Add(-1), desired, window).Replicas)
	require.NotEqual(t, r.Replicas, h.StabilizeDown(r.Until, desired, window).Replicas)
	require.Contains(t, listed(h), r.Bound)
}

// The latest of those that hold is the one that counts, and not the last one in
// the list.
func TestLatestHolds(t *testing.T) {
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	w := stabilize.Windows{Up: time.Minute, Down: time.Minute}
	var h stabilize.History
	for _, s := range []int{0, 50, 70} {
		h.Record(at(s), 5, w)
	}
	want := stabilize.Entry{Time: at(70), Value: 5}
	require.Equal(t, []stabilize.Entry{want, {Time: at(50), Value: 5}}, listed(&h))
	for _, r := range []stabilize.Result{
		h.Stabilize(at(80), 1, 9, w),
		h.Stabilize(at(80), 9, 1, w),
		h.StabilizeDown(at(80), 1, time.Minute),
	} {
		require.EqualValues(t, 5, r.Replicas)
		require.Equal(t, want, r.Bound)
		require.Equal(t, at(130), r.Until.Truncate(time.Second))
	}
}

func TestWindowsEnd(t *testing.T) {
	for _, tt := range []struct {
		age                time.Duration
		up, down, downOnly int32
	}{
		{0, 3, 9, 9},
		{time.Minute - 1, 3, 9, 9},
		{time.Minute, 5, 9, 9},
		{time.Minute + 1, 5, 9, 9},
		{5*time.Minute - 1, 5, 9, 9},
		{5 * time.Minute, 5, 2, 9},
		{5*time.Minute + 1, 5, 2, 2},
	} {
		w := stabilize.Windows{Up: time.Minute, Down: 5 * time.Minute}
		var low, high stabilize.History
		low.Record(noon, 3, w)
		high.Record(noon, 9, w)
		now := noon.Add(tt.age)
		require.Equal(t, tt.up, low.Stabilize(now, 1, 5, w).Replicas, tt.age)
		require.Equal(t, tt.down, high.Stabilize(now, 20, 2, w).Replicas, tt.age)
		require.Equal(t, tt.downOnly, high.StabilizeDown(now, 2, w.Down).Replicas, tt.age)
	}
}

func TestWindowsOfZero(t *testing.T) {
	var h stabilize.History
	var w stabilize.Windows
	h.Record(noon, 5, w)
	require.EqualValues(t, 2, h.Stabilize(noon, 9, 2, w).Replicas, "exclusive: it is as old as the window")
	require.EqualValues(t, 5, h.StabilizeDown(noon, 2, 0).Replicas, "inclusive: it still counts")
	require.EqualValues(t, 2, h.StabilizeDown(noon.Add(1), 2, 0).Replicas)
}

// Windows out of any range hold all or nothing, and nothing overflows.
func TestWindowsOutOfRange(t *testing.T) {
	for _, at := range []time.Time{{}, noon, time.Unix(math.MaxInt64, 0), time.Unix(math.MaxInt64-62135596801, 999_999_999), time.Unix(math.MinInt64, 0)} {
		for _, window := range []time.Duration{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64} {
			w := stabilize.Windows{Up: window, Down: window}
			var h stabilize.History
			h.Start(at, 5)
			h.Advance(at, w)
			down, up, only := h.Stabilize(at, 7, 2, w), h.Stabilize(at, 2, 7, w), h.StabilizeDown(at, 2, window)
			if window > 0 {
				require.EqualValues(t, 5, down.Replicas)
				require.EqualValues(t, 5, up.Replicas)
				require.False(t, down.Until.Before(at))
			} else {
				require.EqualValues(t, 2, down.Replicas)
				require.EqualValues(t, 7, up.Replicas)
			}
			if window >= 0 {
				require.EqualValues(t, 5, only.Replicas)
			} else {
				require.EqualValues(t, 2, only.Replicas)
			}
			h.Record(at, 3, w)
			want := 2
			if window < 0 {
				want = 1 // even the one of now is older than that
			}
			require.Equal(t, want, h.Len(), window)
		}
	}
}

// What is older than any window is gone, and only that.
func TestHistoryForgets(t *testing.T) {
	for _, tt := range []struct {
		age    time.Duration
		window time.Duration
		want   int
	}{
		{time.Hour, 0, 1},
		{time.Hour + 1, 0, 0},
		{time.Hour + 1, time.Hour, 0},
		{time.Hour + 1, time.Hour + 1, 1},
		{2 * time.Hour, 2 * time.Hour, 1},
		{2*time.Hour + 1, 2 * time.Hour, 0},
	} {
		for _, w := range []stabilize.Windows{{Up: tt.window}, {Down: tt.window}} {
			var h stabilize.History
			h.Record(noon, 1, w)
			h.Advance(noon.Add(tt.age), w)
			require.Equal(t, tt.want, h.Len(), "%v, %v", tt.age, tt.window)
			require.Equal(t, 1, places(&h))

			require.False(t, h.Start(noon.Add(tt.age), 5), "it is not new")
			h.Record(noon.Add(tt.age), 2, w)
			want := 1
			if tt.age <= tt.window {
				want = 2 // the first one is not old yet
			}
			require.Equal(t, want, places(&h), "%v, %v", tt.age, tt.window)
			require.Equal(t, want, h.Len())
		}
	}
	require.Equal(t, time.Hour, stabilize.LongestWindow)
}

// A forgotten recommendation keeps its place, so that one before it in the list
// that a wider window would see does not have to give way instead.
func TestForgottenPlacesAreTakenInTheirTurn(t *testing.T) {
	wide, narrow := stabilize.Windows{Down: time.Hour}, stabilize.Windows{Down: time.Minute}
	var h stabilize.History
	for _, r := range []struct {
		after    time.Duration
		replicas int32
		want     []int32
	}{
		{0, 1, []int32{1}},
		{time.Second, 2, []int32{1, 2}},
		{5 * time.Minute, 3, []int32{1, 3}},
		{5*time.Minute + time.Second, 8, []int32{8, 3}},
		{65*time.Minute + 1, 4, []int32{8, 4}}, // the 3 is forgotten
	} {
		h.Record(noon.Add(r.after), r.replicas, narrow)
		require.Equal(t, r.want, values(&h))
	}
	require.EqualValues(t, 4, h.Stabilize(noon.Add(65*time.Minute+1), 9, 2, narrow).Replicas)
	require.EqualValues(t, 8, h.Stabilize(noon.Add(65*time.Minute+1), 9, 2, wide).Replicas)
}

// Full, a history lets the size fall nowhere where one without a limit would
// not, whatever becomes of the windows.
func TestFullHistoryErrsOnTheSafeSide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var h stabilize.History
	var want refHistory
	now := noon
	w := stabilize.Windows{Up: 10 * time.Minute, Down: time.Hour}
	questions, higher := 0, 0
	for i := range 2 * stabilize.MaxRecommendations {
		if i == 3*stabilize.MaxRecommendations/2 {
			// The old ones may go now, and will be missed.
			w.Down = time.Minute
		}
		now = now.Add(time.Duration(r.Int64N(int64(800 * time.Millisecond))))
		desired := r.Int32N(1_000_000)
		h.Advance(now, w)
		if i%64 == 0 {
			want.advance(now, w)
			for _, window := range []time.Duration{0, w.Down, time.Duration(r.Int64N(int64(time.Hour)))} {
				w := stabilize.Windows{Up: w.Up, Down: window}
				got, all := h.Stabilize(now, 1_000_000, desired, w).Replicas, want.clone().decide(now, 1_000_000, desired, w)
				require.GreaterOrEqual(t, got, all)
				down, all := h.StabilizeDown(now, desired, window).Replicas, want.clone().decideDown(now, desired, window)
				require.GreaterOrEqual(t, down, all)
				questions++
				if down > all {
					higher++
				}
			}
		}
		h.Record(now, desired, w)
		want.decide(now, 0, desired, w)
		require.Equal(t, min(len(want), stabilize.MaxRecommendations), places(&h))
	}
	require.Greater(t, len(want), stabilize.MaxRecommendations)
	t.Logf("%d of %d answers are higher than without a limit", higher, questions)
	require.NotZero(t, higher)
}

func TestOneASecondIsExact(t *testing.T) {
	var h stabilize.History
	var want refHistory
	now := noon
	w := stabilize.Windows{Up: time.Hour, Down: time.Hour}
	for i := range int32(3600 + 600) {
		now = now.Add(time.Second)
		h.Record(now, i*7919%101, w)
		want.advance(now, w)
		want.decide(now, 0, i*7919%101, w)
	}
	require.Equal(t, want.entries(), listed(&h))
}

func TestStart(t *testing.T) {
	var h stabilize.History
	require.True(t, h.IsEmpty())
	require.True(t, h.Start(noon, 5))
	require.False(t, h.IsEmpty())
	require.False(t, h.Start(noon, 6))
	require.Equal(t, []stabilize.Entry{{Time: noon, Value: 5}}, listed(&h))
	h.Reset()
	require.True(t, h.Start(noon, 7))
}

func TestHoldDown(t *testing.T) {
	held := stabilize.Entry{Time: noon, Value: 9}
	for _, tt := range []struct {
		after   time.Duration
		desired int32
		hold    bool
	}{
		{-time.Hour, 2, true},
		{0, 2, true},
		{time.Minute - 1, 2, true},
		{time.Minute, 2, false},
		{time.Minute + 1, 2, false},
		{0, 8, true},
		{0, 9, false},
		{0, 10, false},
	} {
		var h stabilize.History
		r := h.Stabilize(noon, 9, tt.desired, stabilize.Windows{})
		want := r
		if tt.hold {
			want = stabilize.Result{Desired: tt.desired, Replicas: 9, Reason: stabilize.ScaleDownStabilized, Bound: held, Until: noon.Add(time.Minute)}
		}
		r.HoldDown(noon.Add(tt.after).In(time.FixedZone("", 60)), 9, noon, time.Minute)
		require.Equal(t, want, r, "%v, %d", tt.after, tt.desired)
	}
	r := stabilize.Result{Desired: 1, Replicas: 1}
	r.HoldDown(noon, 9, noon.Add(-1), math.MaxInt64)
	require.EqualValues(t, 9, r.Replicas)
}

// Clocks: what each does to a history in which 9 holds the size for 5 minutes.
func TestClocks(t *testing.T) {
	const window = 5 * time.Minute
	w := stabilize.Windows{Down: window}
	year := 365 * 24 * time.Hour
	for _, start := range []time.Time{
		noon,
		{},
		time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(123456, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Now(),
		noon.In(time.FixedZone("", -3600)),
	} {
		for _, tt := range []struct {
			name string
			jump time.Duration
			held time.Duration // from the jump on
		}{
			{"stands still", 0, window},
			{"goes on", time.Minute, 4 * time.Minute},
			{"back a nanosecond", -1, window},
			{"back an hour", -time.Hour, window},
			{"back 200 years", -200 * year, window},
			{"ahead an hour", time.Hour, 0},
			{"ahead 200 years", 200 * year, 0},
		} {
			var h stabilize.History
			h.Record(start, 9, w)
			now := start.Add(tt.jump)
			h.Advance(now, w)
			if tt.held > 0 {
				require.EqualValues(t, 9, h.Stabilize(now.Add(tt.held-1), 9, 2, w).Replicas, tt.name)
			}
			require.EqualValues(t, 2, h.Stabilize(now.Add(tt.held), 9, 2, w).Replicas, tt.name)
			// There and back again: it is no longer in force, and what was
			// recorded in between is for a window.
			if tt.jump > time.Hour {
				h.Record(now, 7, w)
				h.Advance(start, w)
				require.EqualValues(t, 7, h.Stabilize(start.Add(window-1), 9, 2, w).Replicas, tt.name)
				require.EqualValues(t, 2, h.Stabilize(start.Add(window), 9, 2, w).Replicas, tt.name)
			}
		}
	}
}

func TestReasons(t *testing.T) {
	for r, want := range map[stabilize.Reason][2]string{
		stabilize.NotStabilized:       {"ReadyForNewScale", "recommended size matches current size"},
		stabilize.ScaleUpStabilized:   {"ScaleUpStabilized", "recent recommendations were lower than current one, applying the lowest recent recommendation"},
		"":                            {"", "recommended size matches current size"},
		stabilize.ScaleDownStabilized: {"ScaleDownStabilized", "recent recommendations were higher than current one, applying the highest recent recommendation"},
	} {
		require.Equal(t, want, [2]string{string(r), r.Message()})
	}
}

func TestRecordOfHistoryDoesNotAllocate(t *testing.T) {
	var h stabilize.History
	now := noon
	w := stabilize.Windows{Up: time.Minute, Down: time.Minute}
	decide := func() {
		now = now.Add(time.Second)
		h.Advance(now, w)
		h.Stabilize(now, 5, 4, w)
		h.Record(now, 4, w)
	}
	for range 100 {
		decide()
	}
	require.Zero(t, testing.AllocsPerRun(100, decide))
}

// Record alone, as those call it who have no use for Stabilize, knows of the
// clock what Advance does.
func TestRecordTakesNoteOfTheClock(t *testing.T) {
	var h stabilize.History
	w := stabilize.Windows{Up: 2 * time.Hour, Down: 2 * time.Hour}
	h.Record(noon.Add(time.Hour), 5, w)
	h.Record(noon, 3, w)
	require.Equal(t, "[5 at 2026-07-01T12:00:00Z, 3 at 2026-07-01T12:00:00Z]", h.String())
	h.Record(noon.Add(2*time.Hour), 4, w)
	require.Equal(t, "[5 at 2026-07-01T12:00:00Z, 3 at 2026-07-01T12:00:00Z, 4 at 2026-07-01T14:00:00Z]", h.String())
	h.Record(noon.Add(2*time.Hour+1), 6, w)
	require.Equal(t, "[1 vacant, 6 at 2026-07-01T14:00:00.000000001Z, 4 at 2026-07-01T14:00:00Z]", h.String())
}

// Forgotten recommendations are not dated to the year 1.
func TestForgottenRecommendationsCountNowhere(t *testing.T) {
	early := time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC)
	var h stabilize.History
	require.NoError(t, json.Unmarshal([]byte(`[{"vacant": 3}]`), &h))
	w := stabilize.Windows{Up: time.Hour, Down: time.Hour}
	h.Advance(early, w)
	require.False(t, h.Start(early, 9), "it is not new")
	require.False(t, h.IsEmpty())
	require.EqualValues(t, 2, h.Stabilize(early, 5, 2, w).Replicas)
	require.EqualValues(t, 12, h.Stabilize(early, 5, 12, w).Replicas)
	require.EqualValues(t, 2, h.StabilizeDown(early, 2, time.Hour).Replicas)
	require.Empty(t, listed(&h))

	// Nor do they hide the one behind them.
	h.Record(early, 4, w)
	require.Equal(t, "[2 vacant, 4 at @-219951936000]", h.String())
	require.EqualValues(t, 4, h.Stabilize(early, 5, 2, w).Replicas)
	require.EqualValues(t, 5, h.Stabilize(early, 5, 12, w).Replicas)
	require.EqualValues(t, 4, h.StabilizeDown(early, 2, time.Hour).Replicas)
}

func TestCloneSharesNothing(t *testing.T) {
	var h stabilize.History
	c := h.Clone()
	require.True(t, c.Equal(&h))
	require.True(t, c.Start(noon, 5))
	require.Zero(t, h.Len())

	h = c.Clone()
	h.Record(noon.Add(time.Hour), 7, stabilize.Windows{})
	require.Equal(t, []int32{5}, values(&c))
	require.False(t, c.Equal(&h))
}

// Nothing marks a recommendation as stale. One that were so would lose its
// place while a window still sees it.
func TestNoRecommendationIsStale(t *testing.T) {
	var list series.Series
	list.Record(noon, 5, 0, 9, series.MergeMax)
	list.MarkStale(noon.Add(1), 0)
	text, err := list.MarshalJSON()
	require.NoError(t, err)
	var h stabilize.History
	const problem = "a recommendation cannot be stale"
	require.Equal(t, &codec.Error{Type: "stabilize.History", Offset: -1, Problem: problem}, h.UnmarshalJSON(text))
	r := codec.NewReader("", list.AppendBinary(nil))
	h.ReadBinary(r)
	require.Equal(t, &codec.Error{Problem: problem}, r.Err())
	r = codec.NewReader("", list.AppendWithinKey(nil, noon.Add(1), time.Hour, 0))
	h.ReadKey(r, noon)
	require.Equal(t, &codec.Error{Problem: problem}, r.Err())
	require.True(t, h.IsEmpty())
}

func TestHistoryEncodings(t *testing.T) {
	var h stabilize.History
	h.Record(noon, 5, stabilize.Windows{Up: time.Hour})
	h.Record(noon.Add(15*time.Second), 7, stabilize.Windows{Up: time.Hour})
	text, err := json.Marshal(h)
	require.NoError(t, err)
	require.Equal(t, `[{"time":"2026-07-01T12:00:00Z","replicas":5},{"time":"2026-07-01T12:00:15Z","replicas":7}]`, string(text))
	require.Equal(t, "before\x02R\x80\x85\xa8\xa4\r\x00 \x80\xd8\x8e\xe1o", string(h.AppendBinary([]byte("before"))))

	before := h.Clone()
	err = h.UnmarshalJSON([]byte(`[{"replicas": 5}]`))
	require.Equal(t, &codec.Error{Type: "stabilize.History", Offset: -1, Path: "[0].time", Problem: "missing"}, err)
	require.ErrorAs(t, h.UnmarshalJSON([]byte(`[`)), new(*json.SyntaxError))
	r := codec.NewReader("some.State", []byte{1})
	h.ReadBinary(r)
	require.Equal(t, &codec.Error{Type: "some.State", Offset: 1, Problem: "cut short"}, r.Err())
	require.True(t, h.Equal(&before), "it is as it was")

	// A part reads no further than it goes.
	r = codec.NewReader("", h.AppendBinary(h.AppendBinary(nil)))
	var a, b stabilize.History
	a.ReadBinary(r)
	b.ReadBinary(r)
	r.End()
	require.NoError(t, r.Err())
	require.True(t, a.Equal(&h) && b.Equal(&h))
}
