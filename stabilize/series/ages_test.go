package series_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/series"
)

// agesOf draws a series, and a time at which it is read, perhaps before its
// last entry.
func agesOf(t *rapid.T) (s series.Series, now time.Time) {
	at := noon
	for range rapid.IntRange(0, 40).Draw(t, "entries") {
		at = at.Add(rapid.OneOf(
			rapid.SampledFrom([]time.Duration{0, 1, -1, time.Second - 1, time.Second, time.Second + 1, 30 * time.Minute}),
			rapid.Map(rapid.IntRange(-5, 600), func(n int) time.Duration { return time.Duration(n) * 500 * time.Millisecond }),
		).Draw(t, "later"))
		s.Record(at, rapid.Int32().Draw(t, "value"), rapid.SampledFrom([]time.Duration{time.Minute, forever}).Draw(t, "period"), 20, series.MergeMax)
	}
	return s, at.Add(rapid.SampledFrom([]time.Duration{0, 1, -time.Second, time.Second, time.Minute, time.Hour}).Draw(t, "now"))
}

// Ages answer as the series does, for each period up to their own.
func TestAgesAnswerAsTheSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, now := agesOf(t)
		longest := rapid.IntRange(0, 1800).Draw(t, "longest")
		ages, fit := s.AppendAges(make(series.Ages, 0, 20), now, time.Duration(longest)*time.Second)
		require.True(t, fit)
		for seconds := range longest + 1 {
			period := time.Duration(seconds) * time.Second
			require.Equal(t, s.Within(now, period), ages.Within(now, period), "%d seconds", seconds)
		}
		require.Equal(t, s.Within(now, time.Duration(longest)*time.Second).Sum, ages.Sum())
	})
}

func TestAgesAreSortedAndFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, now := agesOf(t)
		want := s.Within(now, time.Hour)
		ages, fit := s.AppendAges(make(series.Ages, 0, want.Count), now, time.Hour)
		require.True(t, fit)
		require.Len(t, ages, want.Count)
		last := time.Duration(0)
		for _, a := range ages {
			require.GreaterOrEqual(t, a.Age, last)
			last = a.Age
		}
		if want.Count > 0 {
			_, fit = s.AppendAges(make(series.Ages, 0, want.Count-1), now, time.Hour)
			require.False(t, fit)
		}
	})
}

// The longest age is that of the longest period, and a clock at its end has no
// room for more.
func TestAgesAtTheEndOfTime(t *testing.T) {
	const unixEpoch = 62135596800 // in seconds since the year 1
	end := time.Unix(1<<63-1-unixEpoch, 999_999_999).UTC()
	var s series.Series
	s.Record(end.Add(-time.Hour), 3, forever, 20, series.MergeMax)
	s.Record(end, 5, forever, 20, series.MergeMax)
	ages, _ := s.AppendAges(make(series.Ages, 0, 2), end, 2*time.Hour)
	require.Equal(t, series.Ages{{Age: 0, Sum: 5, Leaving: 5}, {Age: time.Hour, Sum: 8, Leaving: 3}}, ages)
	require.Equal(t, series.Window{Sum: 8, Count: 2, Expires: end, Leaving: 3}, ages.Within(end, 2*time.Hour))
}
