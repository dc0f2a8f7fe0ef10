package series_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/series"
)

func TestDatedIsOrderedAsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) time.Time {
			return time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, label), rapid.Int64Range(0, 999_999_999).Draw(t, label))
		}
		a, b := draw("a"), draw("b")
		if rapid.Bool().Draw(t, "near") {
			b = a.Add(time.Duration(rapid.Int64Range(-1, 1).Draw(t, "off")))
		}
		x, y := series.DatedAt(a), series.DatedAt(b)
		require.Equal(t, a.Before(b), x.Before(y))
		require.True(t, x.Time().Equal(a))
		seconds := rapid.Int32Range(0, math.MaxInt32).Draw(t, "seconds")
		require.True(t, x.Later(seconds).Time().Equal(a.Add(time.Duration(seconds)*time.Second)))
	})
	end := series.Dated{Seconds: math.MaxInt64, Nanoseconds: 5}
	require.Equal(t, end, end.Later(0))
	require.Equal(t, series.Dated{Seconds: math.MaxInt64, Nanoseconds: 999_999_999}, end.Later(1))
}

func TestAppendWithinIsWhatWithinCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s series.Series
		now := noon
		for range rapid.IntRange(0, 10).Draw(t, "entries") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "seconds")) * time.Second)
			s.Record(now, rapid.Int32().Draw(t, "value"), forever, 20, series.MergeMax)
			if rapid.IntRange(0, 4).Draw(t, "forget") == 0 {
				s.Forget(now, 4*time.Second)
			}
		}
		period := time.Duration(rapid.IntRange(0, 12).Draw(t, "period")) * time.Second
		want := s.Within(now, period)
		dst, fit := s.AppendWithin(make([]series.Dated, 0, 10), now, period)
		require.True(t, fit)
		require.Len(t, dst, want.Count)
		var sum int64
		for _, e := range dst {
			sum += int64(e.Value)
		}
		require.Equal(t, want.Sum, sum)
		if len(dst) > 0 {
			oldest := slices.MinFunc(dst, func(a, b series.Dated) int {
				if a.Before(b) {
					return -1
				}
				return 1
			})
			require.True(t, oldest.Time().Add(period).Equal(want.Expires))
			less, fit := s.AppendWithin(make([]series.Dated, 0, len(dst)-1), now, period)
			require.False(t, fit)
			require.Len(t, less, len(dst)-1)
		}
	})
}
