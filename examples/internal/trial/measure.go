package trial

import (
	"time"

	"github.com/purehpa/hpa/calculator/simulate"
)

// Measure is a figure of a summary.
type Measure struct {
	// Name is its name in a comparison. That of a part of the measure before it
	// is indented by two spaces.
	Name string
	// Heading is its name above a column, "" for a measure of comparisons alone.
	Heading string
	Of      func(*simulate.Summary) float64
	// Text formats what Of returns.
	Text func(float64) string
}

// The measures that rank autoscalers.
var (
	PodHours    = Measure{"pod-hours", "pod-hours", func(s *simulate.Summary) float64 { return s.PodHours }, Hours}
	LoadLost    = Measure{"load lost", "load lost", func(s *simulate.Summary) float64 { return s.UnservedShare }, Percent}
	AboveTarget = Measure{"load above target", "above target", func(s *simulate.Summary) float64 { return s.AboveTargetShare }, Percent}
)

// Measures returns the rows of a comparison in their order.
func Measures() []Measure {
	return []Measure{
		PodHours,
		LoadLost,
		{"  for", "for", func(s *simulate.Summary) float64 { return float64(s.TimeUnserved) }, span},
		AboveTarget,
		{"  for", "for", func(s *simulate.Summary) float64 { return float64(s.TimeAboveTarget) }, span},
		{"recovery from a step, mean", "", func(s *simulate.Summary) float64 { return float64(s.MeanRecovery) }, span},
		{"  longest", "", func(s *simulate.Summary) float64 { return float64(s.LongestRecovery) }, span},
		{"rescales", "rescales", func(s *simulate.Summary) float64 { return float64(s.Rescales) }, count},
		{"  reversals within 10 min", "reversals", func(s *simulate.Summary) float64 { return float64(s.Reversals) }, count},
		{"size, lowest", "", func(s *simulate.Summary) float64 { return float64(s.LowestReplicas) }, count},
		{"  highest", "", func(s *simulate.Summary) float64 { return float64(s.HighestReplicas) }, count},
		{"syncs held by a window", "", func(s *simulate.Summary) float64 { return float64(s.HeldByWindow) }, count},
		{"  by a policy", "", func(s *simulate.Summary) float64 { return float64(s.HeldByLimit) }, count},
		{"  by minReplicas", "", func(s *simulate.Summary) float64 { return float64(s.HeldByMin) }, count},
		{"  by maxReplicas", "", func(s *simulate.Summary) float64 { return float64(s.HeldByMax) }, count},
		{"  by metrics that failed", "", func(s *simulate.Summary) float64 { return float64(s.Blocked) }, count},
	}
}

func span(f float64) string  { return Span(time.Duration(f)) }
func count(f float64) string { return Count(int(f)) }
