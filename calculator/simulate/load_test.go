package simulate

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
)

var epoch = time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return epoch.Add(d) }

func TestSteady(t *testing.T) {
	load, until := Steady(5).At(epoch)
	require.Equal(t, metrics.Milli(5), load)
	require.True(t, until.IsZero())
}

func TestLoadFunc(t *testing.T) {
	f := LoadFunc(func(t time.Time) (metrics.Milli, time.Time) { return metrics.Milli(t.Hour()), t.Add(time.Hour) })
	load, until := f.At(after(3 * time.Hour))
	require.Equal(t, metrics.Milli(3), load)
	require.Equal(t, after(4*time.Hour), until)
}

func TestLoadSeries(t *testing.T) {
	s := LoadSeries{{after(0), 10}, {after(time.Minute), 20}, {after(3 * time.Minute), 5}}
	for _, tt := range []struct {
		at    time.Duration
		load  metrics.Milli
		until time.Duration
	}{
		{-time.Hour, 10, 0},
		{-1, 10, 0},
		{0, 10, time.Minute},
		{time.Minute - 1, 10, time.Minute},
		{time.Minute, 20, 3 * time.Minute},
		{time.Minute + 1, 20, 3 * time.Minute},
		{3*time.Minute - 1, 20, 3 * time.Minute},
		{3 * time.Minute, 5, -1},
		{time.Hour, 5, -1},
	} {
		load, until := s.At(after(tt.at))
		require.Equal(t, tt.load, load, "%v", tt.at)
		if tt.until < 0 {
			require.True(t, until.IsZero(), "%v", tt.at)
		} else {
			require.Equal(t, after(tt.until), until, "%v", tt.at)
		}
	}
	load, until := LoadSeries(nil).At(epoch)
	require.Zero(t, load)
	require.True(t, until.IsZero())
}

func TestSloped(t *testing.T) {
	s := Interpolated{LoadSeries{{after(0), 0}, {after(100 * time.Second), 1000}, {after(130 * time.Second), 400}}, 20 * time.Second}
	for _, tt := range []struct {
		at    time.Duration
		load  metrics.Milli
		until time.Duration
	}{
		{-1, 0, 0},
		{0, 100, 20 * time.Second},
		{20*time.Second - 1, 100, 20 * time.Second},
		{20 * time.Second, 300, 40 * time.Second},
		{99 * time.Second, 900, 100 * time.Second},
		{100 * time.Second, 800, 120 * time.Second},
		{120 * time.Second, 500, 130 * time.Second}, // the last step is half as long
		{130 * time.Second, 400, -1},
	} {
		load, until := s.At(after(tt.at))
		require.Equal(t, tt.load, load, "%v", tt.at)
		if tt.until < 0 {
			require.True(t, until.IsZero(), "%v", tt.at)
		} else {
			require.Equal(t, after(tt.until), until, "%v", tt.at)
		}
	}
	_, until := Interpolated{Series: s.Series}.At(epoch)
	require.Equal(t, after(time.Second), until, "steps are seconds unless told")

	far := Interpolated{LoadSeries{{time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), 1}, {time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), 9}}, time.Second}
	load, _ := far.At(epoch)
	require.Contains(t, []metrics.Milli{1, 2, 3, 4, 5, 6, 7, 8, 9}, load, "further apart than a time.Duration reaches")
}

// TestSlopedIsTheLine holds the slopes against the formula, in big numbers.
func TestSlopedIsTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := metrics.Milli(rapid.Int64Range(0, math.MaxInt64).Draw(t, "a")), metrics.Milli(rapid.Int64Range(0, math.MaxInt64).Draw(t, "b"))
		span := time.Duration(rapid.Int64Range(1, int64(1000*time.Hour)).Draw(t, "span"))
		step := time.Duration(rapid.Int64Range(1, int64(1001*time.Hour)).Draw(t, "step"))
		at := time.Duration(rapid.Int64Range(0, int64(span)-1).Draw(t, "at"))
		load, until := Interpolated{LoadSeries{{epoch, a}, {epoch.Add(span), b}}, step}.At(epoch.Add(at))
		begin := at - at%step
		end := min(begin+step, span)
		require.Equal(t, epoch.Add(end), until)
		middle := begin + (end-begin)/2
		change := new(big.Int).Mul(big.NewInt(int64(b)-int64(a)), big.NewInt(int64(middle)))
		change.Quo(change, big.NewInt(int64(span)))
		require.Equal(t, int64(a)+change.Int64(), int64(load))
	})
}
