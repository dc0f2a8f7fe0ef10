package calctest

import (
	"math"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
)

// LoadProfiles draws profiles of up to half an hour. Without options, loads are
// from 0 to 20 replicas. It shrinks to few and short levels of load 0.
func LoadProfiles(opts ...Option) *rapid.Generator[LoadProfile] {
	c := configOf(opts)
	low, high := c.loads(20)
	if c.load != nil {
		return rapid.Just(c.load)
	}
	level := rapid.Custom(func(t *rapid.T) Level {
		return Level{
			For:      time.Duration(rapid.IntRange(1, 12).Draw(t, "syncs")) * calculator.SyncPeriod,
			Replicas: replicas(low, high).Draw(t, "load"),
		}
	})
	return rapid.Map(rapid.SliceOfN(level, 1, 10), func(levels []Level) LoadProfile { return levels })
}

// replicas draws a load in tenths of a replica.
func replicas(low, high float64) *rapid.Generator[float64] {
	low, high = clamp(low), clamp(high)
	from, to := int64(math.Ceil(low*10)), int64(math.Floor(high*10))
	return rapid.Map(rapid.Int64Range(from, max(from, to)), func(n int64) float64 {
		return min(float64(n)/10, max(low, high))
	})
}
