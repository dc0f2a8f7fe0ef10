package series_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// forever is the age of entries that give their places to no other.
const forever = time.Duration(math.MaxInt64)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// listed returns the entries of a series.
func listed(s *series.Series) []series.Entry { return slices.Collect(s.All()) }

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

func (r *refSeries) record(now time.Time, value int32, age time.Duration) {
	for i := len(*r) - 1; i >= 0; i-- {
		if (*r)[i].stale || (*r)[i].forgotten || (*r)[i].at.Before(now.Add(-age)) {
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

func (r refSeries) entries() []series.Entry {
	var all []series.Entry
	for _, e := range r {
		if !e.forgotten {
			all = append(all, series.Entry{Time: e.at, Value: e.value, Stale: e.stale})
		}
	}
	return all
}

// asOf returns the entries with those dated after now dated now.
func (r refSeries) asOf(now time.Time) refSeries {
	c := slices.Clone(r)
	c.rewind(now)
	return c
}

func (r refSeries) within(now time.Time, period time.Duration) series.Window {
	var w series.Window
	for _, e := range r.asOf(now) {
		if e.forgotten || !e.at.After(now.Add(-period)) {
			continue
		}
		w.Sum += int64(e.value)
		w.Count++
		switch at := e.at.Add(period); {
		case w.Count == 1 || at.Before(w.Expires):
			w.Expires, w.Leaving = at, int64(e.value)
		case at.Equal(w.Expires):
			w.Leaving += int64(e.value)
		}
	}
	return w
}

// highest is Highest, and with a sign of -1 Lowest.
func (r refSeries) highest(now time.Time, period time.Duration, floor, most int32, sign int64) (best series.Entry, ok bool) {
	highest := sign * int64(floor)
	for _, e := range r.asOf(now) {
		v := min(sign*int64(e.value), sign*int64(most))
		if e.forgotten || !e.at.After(now.Add(-period)) || v < highest || !ok && v == highest {
			continue
		}
		if v > highest || e.at.After(best.Time) {
			best, highest, ok = series.Entry{Time: e.at, Value: e.value, Stale: e.stale}, v, true
		}
	}
	return best, ok
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

// read decodes the binary form.
func read(data []byte) (series.Series, error) {
	var s series.Series
	r := codec.NewReader("series.Series", data)
	s.ReadBinary(r)
	r.End()
	return s, r.Err()
}

// recode returns what an encoding of s decodes to.
func recode(t require.TestingT, s *series.Series, binary bool) (d series.Series) {
	var data []byte
	var err error
	if binary {
		data = s.AppendBinary(nil)
		d, err = read(data)
	} else {
		data, err = s.MarshalJSON()
		require.NoError(t, err)
		err = d.UnmarshalJSON(data)
	}
	require.NoError(t, err, "%q", data)
	require.True(t, s.Equal(&d), "%q", data)
	return d
}

func TestSeriesAgainstSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s series.Series
		var want refSeries
		now := noon
		t.Repeat(map[string]func(*rapid.T){
			"record": func(t *rapid.T) {
				v := rapid.OneOf(rapid.Int32(), rapid.Int32Range(-3, 3)).Draw(t, "value")
				age := ages().Draw(t, "age")
				s.Record(now, v, age, 100, series.MergeMax)
				want.record(now, v, age)
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
				original.Record(now, -1, forever, 100, series.MergeMax)
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "seldom") == 0 {
					s.Reset()
					want = want[:0]
				}
			},
			"": func(t *rapid.T) {
				require.Empty(t, s.Unsound())
				require.Equal(t, want.entries(), listed(&s))
				require.Equal(t, len(want.entries()), s.Len())
				require.Equal(t, len(want), s.Places())
				period := ages().Draw(t, "period")
				require.Equal(t, want.within(now, period), s.Within(now, period))
				floor, most := rapid.Int32Range(-5, 5).Draw(t, "floor"), rapid.Int32Range(-5, 5).Draw(t, "most")
				wantHighest, wantOK := want.highest(now, period, floor, most, 1)
				got, ok := s.Highest(now, period, floor, most)
				require.Equal(t, wantHighest, got)
				require.Equal(t, wantOK, ok)
				wantLowest, wantOK := want.highest(now, period, floor, most, -1)
				got, ok = s.Lowest(now, period, floor, most)
				require.Equal(t, wantLowest, got)
				require.Equal(t, wantOK, ok)
				requireReadsAsRewound(t, &s, now, period)
			},
		})
	})
}

// An entry dated after now reads as dated now.
func requireReadsAsRewound(t *rapid.T, s *series.Series, now time.Time, period time.Duration) {
	before, rewound := s.Clone(), s.Clone()
	rewound.Rewind(now)
	for e := range rewound.All() {
		require.False(t, e.Time.After(now))
	}

	require.Equal(t, rewound.Within(now, period), s.Within(now, period))
	size := rapid.OneOf(rapid.Int32Range(-3, 3), rapid.SampledFrom([]int32{math.MinInt32, math.MaxInt32})).Draw(t, "size")
	for _, far := range []int32{math.MinInt32, size - 1, size + 1, math.MaxInt32} {
		want, ok := rewound.Highest(now, period, size, far)
		got, gotOK := s.Highest(now, period, size, far)
		require.Equal(t, want, got)
		require.Equal(t, ok, gotOK)
		want, ok = rewound.Lowest(now, period, size, far)
		got, gotOK = s.Lowest(now, period, size, far)
		require.Equal(t, want, got)
		require.Equal(t, ok, gotOK)
	}
	want, _ := rewound.AppendAges(make(series.Ages, 0, 100), now, period)
	got, _ := s.AppendAges(make(series.Ages, 0, 100), now, period)
	require.Equal(t, want, got)
	require.True(t, s.Equal(&before), "reading changes nothing")
}

// A series with a limit errs on one side, whatever is asked of it, and is exact
// until it has reached the limit.
func TestFullSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		merge := rapid.SampledFrom([]series.Merge{series.MergeMax, series.MergeSumLater, series.MergeSumEarlier}).Draw(t, "merge")
		limit := rapid.IntRange(-1, 6).Draw(t, "limit")
		most := max(limit, 2)
		values := rapid.Int32Range(0, 1000)
		if merge == series.MergeMax {
			values = rapid.Int32()
		}
		var s series.Series
		var want refSeries
		now := noon
		exact := true
		t.Repeat(map[string]func(*rapid.T){
			"record": func(t *rapid.T) {
				if len(want) > most {
					exact = false
				}
				v := values.Draw(t, "value")
				s.Record(now, v, forever, limit, merge)
				want.record(now, v, forever)
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
				require.Empty(t, s.Unsound())
				require.LessOrEqual(t, s.Places(), most)
				if exact && len(want) < most {
					require.Equal(t, want.entries(), listed(&s))
				}
				period := ages().Draw(t, "period")
				got, all := s.Within(now, period), want.within(now, period)
				switch merge {
				case series.MergeSumLater:
					require.GreaterOrEqual(t, got.Sum, all.Sum)
				case series.MergeSumEarlier:
					require.LessOrEqual(t, got.Sum, all.Sum)
				default:
					require.GreaterOrEqual(t, highest(listed(&s), now, period), highest(want.entries(), now, period))
				}
			},
		})
	})
}

func highest(entries []series.Entry, now time.Time, period time.Duration) int64 {
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
		merge series.Merge
		in    []entry // the last one of which is one too many
		want  []entry
	}{
		{"the closest", series.MergeMax, []entry{{0, 1}, {10, 2}, {12, 3}, {20, 4}, {30, 5}}, []entry{{0, 1}, {12, 3}, {20, 4}, {30, 5}}},
		{"the earliest of the closest", series.MergeMax, []entry{{0, 1}, {10, 2}, {20, 3}, {30, 4}, {40, 5}}, []entry{{10, 2}, {20, 3}, {30, 4}, {40, 5}}},
		{"the last two", series.MergeMax, []entry{{0, 1}, {10, 2}, {20, 3}, {21, 4}, {22, 5}}, []entry{{0, 1}, {10, 2}, {21, 4}, {22, 5}}},
		{"the higher is the earlier", series.MergeMax, []entry{{0, 9}, {1, 2}, {10, 3}, {20, 4}, {30, 5}}, []entry{{1, 9}, {10, 3}, {20, 4}, {30, 5}}},
		{"at the same time", series.MergeMax, []entry{{0, 9}, {5, 2}, {5, 3}, {6, 4}, {7, 5}}, []entry{{0, 9}, {5, 3}, {6, 4}, {7, 5}}},
		{"not in order", series.MergeMax, []entry{{30, 9}, {10, 2}, {29, 3}, {0, 4}, {40, 5}}, []entry{{0, 4}, {10, 2}, {30, 9}, {40, 5}}},
		{"sum at the later time", series.MergeSumLater, []entry{{0, 1}, {10, 2}, {12, 3}, {20, 4}, {30, 5}}, []entry{{0, 1}, {12, 5}, {20, 4}, {30, 5}}},
		{"sum at the earlier time", series.MergeSumEarlier, []entry{{0, 1}, {10, 2}, {12, 3}, {20, 4}, {30, 5}}, []entry{{0, 1}, {10, 5}, {20, 4}, {30, 5}}},
		{"sum fits", series.MergeSumLater, []entry{{0, 1}, {1, math.MaxInt32 - 1}, {3, 3}, {20, 4}, {30, 5}}, []entry{{1, math.MaxInt32}, {3, 3}, {20, 4}, {30, 5}}},
		{"sum does not fit", series.MergeSumLater, []entry{{0, 2}, {1, math.MaxInt32 - 1}, {3, 3}, {20, 4}, {30, 5}}, []entry{{0, 2}, {1, math.MaxInt32 - 1}, {20, 7}, {30, 5}}},
		{"sum below does not fit", series.MergeSumEarlier, []entry{{0, -2}, {1, math.MinInt32 + 1}, {3, -3}, {20, 4}, {30, 5}}, []entry{{0, -2}, {1, math.MinInt32 + 1}, {3, 1}, {30, 5}}},
		{"no sum fits", series.MergeSumLater, []entry{{0, 1 << 30}, {9, 1 << 30}, {10, 1 << 30}, {11, 1 << 30}, {30, 5}}, []entry{{9, math.MaxInt32}, {10, 1 << 30}, {11, 1 << 30}, {30, 5}}},
		{"no sum fits", series.MergeSumEarlier, []entry{{0, math.MinInt32}, {9, -1}, {10, math.MinInt32}, {11, -1}, {30, 5}}, []entry{{0, math.MinInt32}, {10, math.MinInt32}, {11, -1}, {30, 5}}},
		{"the largest needs no room", series.MergeMax, []entry{{0, 1 << 30}, {9, 1 << 30}, {10, 1 << 30}, {20, 1 << 30}, {30, 5}}, []entry{{0, 1 << 30}, {10, 1 << 30}, {20, 1 << 30}, {30, 5}}},
	} {
		var s series.Series
		for _, e := range tt.in {
			s.Record(at(e.second), e.value, forever, 4, tt.merge)
		}
		var want []series.Entry
		for _, e := range tt.want {
			want = append(want, series.Entry{Time: at(e.second), Value: e.value})
		}
		require.Equal(t, want, listed(&s), tt.name)
	}
}

// A full series does not let a stale entry go for a new one: it may stand for
// several.
func TestFullSeriesKeepsStaleEntries(t *testing.T) {
	var s series.Series
	s.Record(noon, 1, forever, 2, series.MergeMax)
	s.Record(noon.Add(time.Second), 2, forever, 2, series.MergeMax)
	s.MarkStale(noon.Add(2*time.Second), 0)
	s.Record(noon.Add(3*time.Second), 3, forever, 2, series.MergeMax)
	require.Equal(t, "[2 at 2026-07-01T12:00:01Z (stale), 3 at 2026-07-01T12:00:03Z]", s.String())
}

// A clock that goes back does not make stale entries count again.
func TestRewoundEntriesStayStale(t *testing.T) {
	var s series.Series
	s.Record(noon.Add(time.Hour), 1, forever, 100, series.MergeMax)
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
		var s series.Series
		for _, e := range entries {
			s.Record(noon.Add(e.at), e.value, forever, 4, series.MergeSumLater)
		}
		require.Equal(t, want, s.String())
	}
}

// The whole range of time does not confuse the search for neighbours.
func TestMergeAcrossTheRange(t *testing.T) {
	var s series.Series
	at := func(sec int64, value int) string { return fmt.Sprintf(`{"time":"@%d","replicas":%d}`, sec, value) }
	require.NoError(t, s.UnmarshalJSON([]byte("["+at(-1<<62, 0)+","+at(-1<<62+5, 1)+","+at(1<<62, 2)+"]")))
	s.Record(time.Unix(1<<62+9, 0), 3, 0, 3, series.MergeMax)
	require.Equal(t, []int32{1, 2, 3}, values(&s))
	require.NoError(t, s.UnmarshalJSON([]byte("["+at(-1<<62, 0)+","+at(1<<62, 1)+"]")))
	s.Record(time.Unix(1<<62+9, 0), 2, 0, 2, series.MergeMax)
	require.Equal(t, []int32{1, 2}, values(&s), "there is nothing closer than the range is wide")
}

func values(s *series.Series) []int32 {
	var all []int32
	for e := range s.All() {
		all = append(all, e.Value)
	}
	return all
}

func TestWithinIsOpenAtItsStart(t *testing.T) {
	var s series.Series
	s.Record(noon, 5, forever, 10, series.MergeMax)
	s.MarkStale(noon.Add(1), 0)
	for _, tt := range []struct {
		after time.Duration
		count int
	}{{-time.Hour, 1}, {-1, 1}, {0, 1}, {time.Minute - 1, 1}, {time.Minute, 0}, {time.Minute + 1, 0}} {
		w := s.Within(noon.Add(tt.after), time.Minute)
		require.Equal(t, tt.count, w.Count, tt.after)
		if tt.count > 0 {
			// Before its time, it is dated now.
			require.Equal(t, series.Window{Sum: 5, Count: 1, Expires: noon.Add(min(tt.after, 0) + time.Minute), Leaving: 5}, w, tt.after)
		} else {
			require.Equal(t, series.Window{}, w, tt.after)
		}
	}
}

func TestLimitIsAtMostMaxEntries(t *testing.T) {
	var s series.Series
	for i := range series.MaxEntries + 3 {
		s.Record(noon.Add(time.Duration(i)), int32(i), forever, math.MaxInt, series.MergeMax)
	}
	require.Equal(t, series.MaxEntries, s.Places())
	require.Equal(t, series.MaxEntries, s.Len())
}

// All times are in UTC and without a monotonic clock, whatever was handed in.
func TestEntriesAreInUTC(t *testing.T) {
	var s series.Series
	s.Record(noon.In(time.FixedZone("", 7200)), 1, forever, 10, series.MergeMax)
	s.Record(time.Now(), 1, forever, 10, series.MergeMax)
	for e := range s.All() {
		require.Equal(t, e.Time.Round(0), e.Time)
		require.Equal(t, time.UTC, e.Time.Location())
	}
	require.Equal(t, noon, listed(&s)[0].Time)
}

func TestAllStops(t *testing.T) {
	var s series.Series
	for i := range int32(3) {
		s.Record(noon, i, forever, 10, series.MergeMax)
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
	var s series.Series
	now := noon
	record := func() {
		now = now.Add(time.Second)
		s.Rewind(now)
		s.Record(now, 5, forever, 64, series.MergeSumLater)
	}
	for range 100 {
		record()
	}
	require.Zero(t, testing.AllocsPerRun(100, record))
}

func TestSortedOnceFull(t *testing.T) {
	var s series.Series
	for i := range int32(50) {
		s.Record(noon.Add(time.Duration(i*37%50)*time.Second), i, forever, 20, series.MergeMax)
	}
	all := listed(&s)
	require.Len(t, all, 20)
	require.True(t, slices.IsSortedFunc(all[:19], func(a, b series.Entry) int { return cmp.Compare(a.Time.UnixNano(), b.Time.UnixNano()) }))
}

func TestSeriesString(t *testing.T) {
	var s series.Series
	require.Equal(t, "[]", s.String())
	for i := range 3 {
		s.Record(noon.Add(time.Duration(i)*time.Second), int32(i)-1, forever, 100, series.MergeMax)
	}
	s.MarkStale(noon.Add(2*time.Second), 0)
	s.Forget(noon.Add(time.Second), 0)
	require.Equal(t, "[1 vacant, 0 at 2026-07-01T12:00:01Z (stale), 1 at 2026-07-01T12:00:02Z]", s.String())
	s.Forget(noon.Add(time.Hour), 0)
	require.Equal(t, "[3 vacant]", s.String())
	s.Record(time.Unix(math.MaxInt64-62135596800, 0), 7, forever, 100, series.MergeMax)
	require.Equal(t, "[2 vacant, 7 at @9223371974719179007]", fmt.Sprint(s))
}
