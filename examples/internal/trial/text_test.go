package trial

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/simulate"
)

func TestText(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Span(0), "0"}, {Span(1500 * time.Millisecond), "1.5 s"}, {Span(time.Minute), "1 min"}, {Span(61 * time.Second), "1 min 01 s"},
		{Span(time.Hour + 29*time.Second), "1 h 00 min"}, {Span(48*time.Hour - 1), "48 h 00 min"}, {Span(48 * time.Hour), "2.0 d"},
		{Percent(0), "0"}, {Percent(1e-9), "<0.0001%"}, {Percent(1.1e-6), "0.0001%"}, {Percent(0.0005), "0.0500%"}, {Percent(0.001), "0.10%"}, {Percent(0.5), "50.00%"},
		{Hours(1234567.89), "1,234,567.9"}, {Count(999), "999"}, {Count(1000), "1,000"}, {Quantity(1500.25), "1,500.25"}, {Quantity(1500), "1,500"},
		{ChangeText(Change(1, 0)), "-"}, {ChangeText(Change(3, 4)), "-25.0%"}, {ChangeText(Change(5, 4)), "+25.0%"},
	} {
		require.Equal(t, tt.want, tt.got)
	}
}

// TestMeasures: each has the figure of its name, in its own format.
func TestMeasures(t *testing.T) {
	sum := simulate.Summary{
		PodHours: 1234.56, UnservedShare: 0.01, TimeUnserved: time.Minute, AboveTargetShare: 0.02, TimeAboveTarget: time.Hour,
		MeanRecovery: 3 * time.Second, LongestRecovery: 4 * time.Second, Rescales: 5000, Reversals: 6, LowestReplicas: 7, HighestReplicas: 8,
		HeldByWindow: 9, HeldByLimit: 10, HeldByMin: 11, HeldByMax: 12, Blocked: 13,
	}
	var got [][3]string
	for _, m := range Measures() {
		got = append(got, [3]string{m.Name, m.Heading, m.Text(m.Of(&sum))})
	}
	require.Equal(t, [][3]string{
		{"pod-hours", "pod-hours", "1,234.6"},
		{"load lost", "load lost", "1.00%"},
		{"  for", "for", "1 min"},
		{"load above target", "above target", "2.00%"},
		{"  for", "for", "1 h 00 min"},
		{"recovery from a step, mean", "", "3 s"},
		{"  longest", "", "4 s"},
		{"rescales", "rescales", "5,000"},
		{"  reversals within 10 min", "reversals", "6"},
		{"size, lowest", "", "7"},
		{"  highest", "", "8"},
		{"syncs held by a window", "", "9"},
		{"  by a policy", "", "10"},
		{"  by minReplicas", "", "11"},
		{"  by maxReplicas", "", "12"},
		{"  by metrics that failed", "", "13"},
	}, got)
}
