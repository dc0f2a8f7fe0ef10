package stabilize_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// listed returns the entries of a series.
func listed(s *stabilize.Series) []stabilize.Entry { return slices.Collect(s.All()) }

// refEntry is an entry of the reference. Once forgotten, it is only a place.
type refEntry struct {
	at        time.Time
	value     int32
	stale     bool
	forgotten bool
}

// refSeries does with a slice of any length what Series does. It removes
// nothing.
type refSeries []refEntry

func (r *refSeries) record(now time.Time, value int32) {
	for i := len(*r) - 1; i >= 0; i-- {
		if (*r)[i].stale || (*r)[i].forgotten {
			(*r)[i] = refEntry{at: now, value: value}
			return
		}
	}
	*r = append(*r, refEntry{at: now, value: value})
}

func (r refSeries) rewind(now time.Time) {
	for i := range r {
		if r[i].at.After(now) {
			r[i].at = now
		}
	}
}

func (r refSeries) markStale(now time.Time, age time.Duration) {
	for i := range r {
		r[i].stale = r[i].stale || r[i].at.Before(now.Add(-age))
	}
}

func (r refSeries) forget(now time.Time, age time.Duration) {
	for i := range r {
		r[i].forgotten = r[i].forgotten || r[i].at.Before(now.Add(-age))
	}
}

func (r refSeries) entries() []stabilize.Entry {
	var all []stabilize.Entry
	for _, e := range r {
		if !e.forgotten {
			all = append(all, stabilize.Entry{Time: e.at, Value: e.value, Stale: e.stale})
		}
	}
	return all
}

func (r refSeries) within(now time.Time, period time.Duration) stabilize.Window {
	var w stabilize.Window
	for _, e := range r {
		if e.forgotten || !e.at.After(now.Add(-period)) {
			continue
		}
		w.Sum += int64(e.value)
		w.Count++
		if at := e.at.Add(period); w.Count == 1 || at.Before(w.Expires) {
			w.Expires = at
		}
	}
	return w
}

// steps draws how far the clock goes between two calls.
func steps() *rapid.Generator[time.Duration] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 20), func(s int) time.Duration { return time.Duration(s) * 15 * time.Second }),
		rapid.Map(rapid.Int64Range(-2, 2), func(ns int64) time.Duration { return time.Minute + time.Duration(ns) }),
		rapid.SampledFrom([]time.Duration{-time.Minute, -time.Hour, -time.Nanosecond, 100 * 365 * 24 * time.Hour, -100 * 365 * 24 * time.Hour}),
	)
}

func ages() *rapid.Generator[time.Duration] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 8), func(s int) time.Duration { return time.Duration(s) * 15 * time.Second }),
		rapid.Map(rapid.Int64Range(-2, 2), func(ns int64) time.Duration { return time.Minute + time.Duration(ns) }),
	)
}

// recode returns what an encoding of s decodes to.
func recode(t require.TestingT, s *stabilize.Series, binary bool) stabilize.Series {
	marshal, unmarshal := s.MarshalJSON, (*stabilize.Series).UnmarshalJSON
	if binary {
		marshal, unmarshal = s.MarshalBinary, (*stabilize.Series).UnmarshalBinary
	}
	data, err := marshal()
	require.NoError(t, err)
	var d stabilize.Series
	require.NoError(t, unmarshal(&d, data), "%q", data)
	require.True(t, s.Equal(&d), "%q", data)
	return d
}

func TestSeriesAgainstSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s stabilize.Series
		var want refSeries
		now := noon
		t.Repeat(map[string]func(*rapid.T){
			"record": func(t *rapid.T) {
				v := rapid.Int32().Draw(t, "value")
				s.Record(now, v, 100, stabilize.MergeMax)
				want.record(now, v)
			},
			"step": func(t *rapid.T) { now = now.Add(steps().Draw(t, "step")) },
			"rewind": func(t *rapid.T) {
				s.Rewind(now)
				want.rewind(now)
			},
			"mark stale": func(t *rapid.T) {
				age := ages().Draw(t, "age")
				s.MarkStale(now, age)
				want.markStale(now, age)
			},
			"forget": func(t *rapid.T) {
				age := ages().Draw(t, "age")
				s.Forget(now, age)
				want.forget(now, age)
			},
			"encode and decode": func(t *rapid.T) { s = recode(t, &s, rapid.Bool().Draw(t, "binary")) },
			"clone": func(t *rapid.T) {
				original := s
				s = s.Clone()
				require.True(t, s.Equal(&original))
				// It must not be seen from here.
				original.Rewind(now.Add(-10000 * time.Hour))
				original.Record(now, -1, 100, stabilize.MergeMax)
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "seldom") == 0 {
					s.Reset()
					want = want[:0]
				}
			},
			"": func(t *rapid.T) {
				require.Equal(t, want.entries(), listed(&s))
				require.Equal(t, len(want.entries()), s.Len())
				require.Equal(t, len(want), s.Places())
				period := ages().Draw(t, "period")
				require.Equal(t, want.within(now, period), s.Within(now, period))
			},
		})
	})
}

// A series with a limit errs on one side, whatever is asked of it, and is exact
// until it has reached the limit.
func TestFullSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		merge := rapid.SampledFrom([]stabilize.Merge{stabilize.MergeMax, stabilize.MergeSumLater, stabilize.MergeSumEarlier}).Draw(t, "merge")
		limit := rapid.IntRange(-1, 6).Draw(t, "limit")
		most := max(limit, 2)
		values := rapid.Int32Range(0, 1000)
		if merge == stabilize.MergeMax {
			values = rapid.Int32()
		}
		var s stabilize.Series
		var want refSeries
		now := noon
		exact := true
		t.Repeat(map[string]func(*rapid.T){
			"record": func(t *rapid.T) {
				if len(want) > most {
					exact = false
				}
				v := values.Draw(t, "value")
				s.Record(now, v, limit, merge)
				want.record(now, v)
			},
			"step": func(t *rapid.T) {
				now = now.Add(steps().Draw(t, "step"))
				s.Rewind(now)
				want.rewind(now)
			},
			"mark stale": func(t *rapid.T) {
				age := ages().Draw(t, "age")
				s.MarkStale(now, age)
				want.markStale(now, age)
			},
			"forget": func(t *rapid.T) {
				age := ages().Draw(t, "age")
				s.Forget(now, age)
				want.forget(now, age)
			},
			"encode and decode": func(t *rapid.T) { s = recode(t, &s, true) },
			"": func(t *rapid.T) {
				require.LessOrEqual(t, s.Places(), most)
				if exact && len(want) < most {
					require.Equal(t, want.entries(), listed(&s))
				}
				period := ages().Draw(t, "period")
				got, all := s.Within(now, period), want.within(now, period)
				switch merge {
				case stabilize.MergeSumLater:
					require.GreaterOrEqual(t, got.Sum, all.Sum)
				case stabilize.MergeSumEarlier:
					require.LessOrEqual(t, got.Sum, all.Sum)
				default:
					require.GreaterOrEqual(t, highest(listed(&s), now, period), highest(want.entries(), now, period))
				}
			},
		})
	})
}

func highest(entries []stabilize.Entry, now time.Time, period time.Duration) int64 {
	most := int64(math.MinInt64)
	for _, e := range entries {
		if e.Time.After(now.Add(-period)) {
			most = max(most, int64(e.Value))
		}
	}
	return most
}

func TestMerge(t *testing.T) {
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	type entry struct {
		second int
		value  int32
	}
	for _, tt := range []struct {
		name  string
		merge stabilize.Merge
		in    []entry // the last one of which is one too many
		want  []entry
	}{
		{"the closest", stabilize.MergeMax, []entry{{0, 1}, {10, 2}, {12, 3}, {20, 4}, {30, 5}}, []entry{{0, 1}, {12, 3}, {20, 4}, {30, 5}}},
		{"the earliest of the closest", stabilize.MergeMax, []entry{{0, 1}, {10, 2}, {20, 3}, {30, 4}, {40, 5}}, []entry{{10, 2}, {20, 3}, {30, 4}, {40, 5}}},
		{"the last two", stabilize.MergeMax, []entry{{0, 1}, {10, 2}, {20, 3}, {21, 4}, {22, 5}}, []entry{{0, 1}, {10, 2}, {21, 4}, {22, 5}}},
		{"the higher is the earlier", stabilize.MergeMax, []entry{{0, 9}, {1, 2}, {10, 3}, {20, 4}, {30, 5}}, []entry{{1, 9}, {10, 3}, {20, 4}, {30, 5}}},
		{"at the same time", stabilize.MergeMax, []entry{{0, 9}, {5, 2}, {5, 3}, {6, 4}, {7, 5}}, []entry{{0, 9}, {5, 3}, {6, 4}, {7, 5}}},
		{"not in order", stabilize.MergeMax, []entry{{30, 9}, {10, 2}, {29, 3}, {0, 4}, {40, 5}}, []entry{{0, 4}, {10, 2}, {30, 9}, {40, 5}}},
		{"sum at the later time", stabilize.MergeSumLater, []entry{{0, 1}, {10, 2}, {12, 3}, {20, 4}, {30, 5}}, []entry{{0, 1}, {12, 5}, {20, 4}, {30, 5}}},
		{"sum at the earlier time", stabilize.MergeSumEarlier, []entry{{0, 1}, {10, 2}, {12, 3}, {20, 4}, {30, 5}}, []entry{{0, 1}, {10, 5}, {20, 4}, {30, 5}}},
		{"sum fits", stabilize.MergeSumLater, []entry{{0, 1}, {1, math.MaxInt32 - 1}, {3, 3}, {20, 4}, {30, 5}}, []entry{{1, math.MaxInt32}, {3, 3}, {20, 4}, {30, 5}}},
		{"sum does not fit", stabilize.MergeSumLater, []entry{{0, 2}, {1, math.MaxInt32 - 1}, {3, 3}, {20, 4}, {30, 5}}, []entry{{0, 2}, {1, math.MaxInt32 - 1}, {20, 7}, {30, 5}}},
		{"sum below does not fit", stabilize.MergeSumEarlier, []entry{{0, -2}, {1, math.MinInt32 + 1}, {3, -3}, {20, 4}, {30, 5}}, []entry{{0, -2}, {1, math.MinInt32 + 1}, {3, 1}, {30, 5}}},
		{"no sum fits", stabilize.MergeSumLater, []entry{{0, 1 << 30}, {9, 1 << 30}, {10, 1 << 30}, {11, 1 << 30}, {30, 5}}, []entry{{9, math.MaxInt32}, {10, 1 << 30}, {11, 1 << 30}, {30, 5}}},
		{"no sum fits", stabilize.MergeSumEarlier, []entry{{0, math.MinInt32}, {9, -1}, {10, math.MinInt32}, {11, -1}, {30, 5}}, []entry{{0, math.MinInt32}, {10, math.MinInt32}, {11, -1}, {30, 5}}},
		{"the largest needs no room", stabilize.MergeMax, []entry{{0, 1 << 30}, {9, 1 << 30}, {10, 1 << 30}, {20, 1 << 30}, {30, 5}}, []entry{{0, 1 << 30}, {10, 1 << 30}, {20, 1 << 30}, {30, 5}}},
	} {
		var s stabilize.Series
		for _, e := range tt.in {
			s.Record(at(e.second), e.value, 4, tt.merge)
		}
		var want []stabilize.Entry
		for _, e := range tt.want {
			want = append(want, stabilize.Entry{Time: at(e.second), Value: e.value})
		}
		require.Equal(t, want, listed(&s), tt.name)
	}
}

// The whole range of time does not confuse the search for neighbours.
// A full series does not let a stale entry go for a new one: it may stand for
// several.
func TestFullSeriesKeepsStaleEntries(t *testing.T) {
	var s stabilize.Series
	s.Record(noon, 1, 2, stabilize.MergeMax)
	s.Record(noon.Add(time.Second), 2, 2, stabilize.MergeMax)
	s.MarkStale(noon.Add(2*time.Second), 0)
	s.Record(noon.Add(3*time.Second), 3, 2, stabilize.MergeMax)
	require.Equal(t, "[2 at 2026-07-01T12:00:01Z (stale), 3 at 2026-07-01T12:00:03Z]", s.String())
}

// A clock that goes back does not make stale entries count again.
func TestRewoundEntriesStayStale(t *testing.T) {
	var s stabilize.Series
	s.Record(noon.Add(time.Hour), 1, 100, stabilize.MergeMax)
	s.MarkStale(noon.Add(2*time.Hour), 0)
	s.Rewind(noon)
	require.Equal(t, "[1 at 2026-07-01T12:00:00Z (stale)]", s.String())
}

// The closest pair becomes one: of equals the earliest, however their distance
// is written, and of those at one time the first two in the list.
func TestMergeTakesTheEarliestOfTheClosest(t *testing.T) {
	type entry struct {
		at    time.Duration
		value int32
	}
	for want, entries := range map[string][]entry{
		"[3 at 2026-07-01T12:00:05Z, 4 at 2026-07-01T12:00:20Z, 8 at 2026-07-01T12:00:24.999999999Z, 16 at 2026-07-01T12:01:00Z]": {
			{1, 1}, {5 * time.Second, 2}, {20 * time.Second, 4}, {25*time.Second - 1, 8}, {time.Minute, 16},
		},
		"[1 at 2026-07-01T12:00:01Z, 2 at 2026-07-01T12:00:09Z, 12 at 2026-07-01T12:00:14Z, 16 at 2026-07-01T12:01:00Z]": {
			{time.Second, 1}, {9 * time.Second, 2}, {14*time.Second - 1, 4}, {14 * time.Second, 8}, {time.Minute, 16},
		},
		"[3 at 2026-07-01T12:00:00Z, 4 at 2026-07-01T12:00:00Z, 8 at 2026-07-01T12:00:01Z, 16 at 2026-07-01T12:00:02Z]": {
			{0, 1}, {0, 2}, {0, 4}, {time.Second, 8}, {2 * time.Second, 16},
		},
	} {
		var s stabilize.Series
		for _, e := range entries {
			s.Record(noon.Add(e.at), e.value, 4, stabilize.MergeSumLater)
		}
		require.Equal(t, want, s.String())
	}
}

func TestMergeAcrossTheRange(t *testing.T) {
	var s stabilize.Series
	for i, at := range []time.Time{time.Unix(-1<<62, 0), time.Unix(-1<<62+5, 0), time.Unix(1<<62, 0), time.Unix(1<<62+9, 0)} {
		s.Record(at, int32(i), 3, stabilize.MergeMax)
	}
	require.Equal(t, []int32{1, 2, 3}, values(&s))
	s.Reset()
	for i, at := range []time.Time{time.Unix(-1<<62, 0), time.Unix(1<<62, 0), time.Unix(1<<62+9, 0)} {
		s.Record(at, int32(i), 2, stabilize.MergeMax)
	}
	require.Equal(t, []int32{1, 2}, values(&s), "there is nothing closer than the range is wide")
}

func values(s *stabilize.Series) []int32 {
	var all []int32
	for e := range s.All() {
		all = append(all, e.Value)
	}
	return all
}

func TestWithinIsOpenAtItsStart(t *testing.T) {
	var s stabilize.Series
	s.Record(noon, 5, 10, stabilize.MergeMax)
	s.MarkStale(noon.Add(1), 0)
	for _, tt := range []struct {
		after time.Duration
		count int
	}{{-time.Hour, 1}, {-1, 1}, {0, 1}, {time.Minute - 1, 1}, {time.Minute, 0}, {time.Minute + 1, 0}} {
		w := s.Within(noon.Add(tt.after), time.Minute)
		require.Equal(t, tt.count, w.Count, tt.after)
		if tt.count > 0 {
			require.Equal(t, stabilize.Window{Sum: 5, Count: 1, Expires: noon.Add(time.Minute)}, w, tt.after)
		} else {
			require.Equal(t, stabilize.Window{}, w, tt.after)
		}
	}
}

// Forgotten entries are no entries of the year 1.
func TestVacantPlacesAreInNoWindow(t *testing.T) {
	early := time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC)
	var h stabilize.History
	for range 2 {
		h.Start(early, 9)
		h.Record(early, 9, stabilize.Windows{})
	}
	h.Forget(early, -1)
	require.Equal(t, 3, h.Places())
	require.Equal(t, stabilize.Window{}, h.Within(early, time.Hour))
	w := stabilize.Windows{Up: time.Hour, Down: time.Hour}
	h.MarkStale(early, -1)
	h.Advance(early.Add(-time.Hour), w)
	require.EqualValues(t, 2, h.Stabilize(early, 5, 2, w).Replicas)
	require.EqualValues(t, 12, h.Stabilize(early, 5, 12, w).Replicas)
	require.EqualValues(t, 2, h.StabilizeDown(early, 2, time.Hour).Replicas)
	require.Empty(t, listed(&h.Series))

	// Nor do they hide the one behind them.
	h.Record(early, 4, w)
	require.Equal(t, 1, h.Len())
	require.Equal(t, stabilize.Window{Sum: 4, Count: 1, Expires: early.Add(time.Hour)}, h.Within(early, time.Hour))
	require.EqualValues(t, 4, h.Stabilize(early, 5, 2, w).Replicas)
	require.EqualValues(t, 5, h.Stabilize(early, 5, 12, w).Replicas)
	require.EqualValues(t, 4, h.StabilizeDown(early, 2, time.Hour).Replicas)
}

func TestLimitIsAtMostMaxEntries(t *testing.T) {
	var s stabilize.Series
	for i := range stabilize.MaxEntries + 3 {
		s.Record(noon.Add(time.Duration(i)), int32(i), math.MaxInt, stabilize.MergeMax)
	}
	require.Equal(t, stabilize.MaxEntries, s.Places())
	require.Equal(t, stabilize.MaxEntries, s.Len())
}

// All times are in UTC and without a monotonic clock, whatever was handed in.
func TestEntriesAreInUTC(t *testing.T) {
	var s stabilize.Series
	s.Record(noon.In(time.FixedZone("", 7200)), 1, 10, stabilize.MergeMax)
	s.Record(time.Now(), 1, 10, stabilize.MergeMax)
	for e := range s.All() {
		require.Equal(t, e.Time.Round(0), e.Time)
		require.Equal(t, time.UTC, e.Time.Location())
	}
	require.Equal(t, noon, listed(&s)[0].Time)
}

func TestAllStops(t *testing.T) {
	var s stabilize.Series
	for i := range int32(3) {
		s.Record(noon, i, 10, stabilize.MergeMax)
	}
	n := 0
	for range s.All() {
		if n++; n == 2 {
			break
		}
	}
	require.Equal(t, 2, n)
}

func TestRecordDoesNotAllocate(t *testing.T) {
	var s stabilize.Series
	now := noon
	record := func() {
		now = now.Add(time.Second)
		s.Rewind(now)
		s.Record(now, 5, 64, stabilize.MergeSumLater)
	}
	for range 100 {
		record()
	}
	require.Zero(t, testing.AllocsPerRun(100, record))
}

func TestSortedOnceFull(t *testing.T) {
	var s stabilize.Series
	for i := range int32(50) {
		s.Record(noon.Add(time.Duration(i*37%50)*time.Second), i, 20, stabilize.MergeMax)
	}
	all := listed(&s)
	require.Len(t, all, 20)
	require.True(t, slices.IsSortedFunc(all[:19], func(a, b stabilize.Entry) int { return cmp.Compare(a.Time.UnixNano(), b.Time.UnixNano()) }))
}

func TestSeriesString(t *testing.T) {
	var s stabilize.Series
	require.Equal(t, "[]", s.String())
	for i := range 3 {
		s.Record(noon.Add(time.Duration(i)*time.Second), int32(i)-1, 100, stabilize.MergeMax)
	}
	s.MarkStale(noon.Add(2*time.Second), 0)
	s.Forget(noon.Add(time.Second), 0)
	require.Equal(t, "[1 vacant, 0 at 2026-07-01T12:00:01Z (stale), 1 at 2026-07-01T12:00:02Z]", s.String())
	s.Forget(noon.Add(time.Hour), 0)
	require.Equal(t, "[3 vacant]", s.String())
	s.Record(time.Unix(math.MaxInt64-62135596800, 0), 7, 100, stabilize.MergeMax)
	require.Equal(t, "[2 vacant, 7 at @9223371974719179007]", fmt.Sprint(stabilize.History{Series: s}))
}
