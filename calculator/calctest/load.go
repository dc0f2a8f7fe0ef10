package calctest

import (
	"math"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
)

// Load is a course of load, level after level.
type Load []Level

// Level is a load that lasts.
type Level struct {
	// For is how long it lasts; it is rounded up to whole sync periods.
	For time.Duration
	// Replicas is the load, as the number of replicas that carry it if each is
	// just at its target; thousandths count.
	Replicas float64
}

// String returns the levels, such as "4 for 5m, 12.5 for 1h".
func (l Load) String() string {
	parts := make([]string, len(l))
	for i, level := range l {
		parts[i] = number(level.Replicas) + " for " + span(level.For)
	}
	return strings.Join(parts, ", ")
}

// GoString returns String, for rapid's log.
func (l Load) GoString() string { return l.String() }

// Loads draws courses of load of up to half an hour: from none to what 20
// replicas carry, unless options say otherwise. It shrinks to few and short
// levels of no load.
func Loads(opts ...Option) *rapid.Generator[Load] {
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
	return rapid.Map(rapid.SliceOfN(level, 1, 10), func(levels []Level) Load { return levels })
}

// replicas draws a load in tenths of a replica.
func replicas(low, high float64) *rapid.Generator[float64] {
	from, to := int(math.Ceil(low*10)), int(math.Floor(high*10))
	return rapid.Map(rapid.IntRange(from, max(from, to)), func(n int) float64 {
		return min(float64(n)/10, max(low, high))
	})
}

// milli is a load in thousandths.
func milli(load float64) int64 {
	return int64(math.Round(min(max(load, 0), math.MaxInt32) * 1000))
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// span is a duration without parts that are zero at its end.
func span(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
