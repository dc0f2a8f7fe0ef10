package series_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/stabilize/series"
)

// What leaves a period when its first entries do, is what they are worth.
func TestLeaving(t *testing.T) {
	var s series.Series
	for _, e := range []struct {
		after time.Duration
		value int32
	}{{2, 1}, {1, 2}, {time.Second, 4}, {1, 8}, {2, 16}, {0, 32}} {
		s.Record(noon.Add(e.after), e.value, forever, 10, series.MergeMax)
	}
	for _, tt := range []struct {
		after   time.Duration
		leaving int64
		expires time.Duration
	}{
		{-1, 32, 0},
		{0, 10, 1},
		{1, 17, 2},
		{2, 4, time.Second},
		{time.Second - 1, 4, time.Second},
	} {
		w := s.Within(noon.Add(time.Minute+tt.after), time.Minute)
		require.Equal(t, tt.leaving, w.Leaving, tt.after)
		require.Equal(t, noon.Add(time.Minute+tt.expires), w.Expires)
	}
	w := s.Within(noon.Add(time.Minute+time.Second), time.Minute)
	require.Equal(t, series.Window{}, w)
}
