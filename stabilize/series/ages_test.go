package series_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/series"
)

// Ages answer as Within does, for each period.
func TestAges(t *testing.T) {
	var ages series.Ages // used again and again
	rapid.Check(t, func(t *rapid.T) {
		var s series.Series
		at := noon
		for range rapid.IntRange(0, 40).Draw(t, "entries") {
			at = at.Add(rapid.OneOf(
				rapid.SampledFrom([]time.Duration{0, 1, -1, time.Second - 1, time.Second, time.Second + 1, 30 * time.Minute}),
				rapid.Map(rapid.IntRange(-5, 600), func(n int) time.Duration { return time.Duration(n) * 500 * time.Millisecond }),
			).Draw(t, "later"))
			s.Record(at, rapid.Int32().Draw(t, "value"), rapid.SampledFrom([]time.Duration{time.Minute, forever}).Draw(t, "period"), 20, series.MergeMax)
		}
		now := at.Add(rapid.SampledFrom([]time.Duration{0, 1, -time.Second, time.Second, time.Minute, time.Hour}).Draw(t, "now"))
		ages.Count(&s, now)
		for seconds := range int32(series.MaxAge + 1) {
			require.Equal(t, s.Within(now, time.Duration(seconds)*time.Second), ages.Within(seconds), "%d seconds", seconds)
		}
	})
}
