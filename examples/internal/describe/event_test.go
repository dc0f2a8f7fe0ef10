package describe

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
)

// The API has whole seconds, and so the fraction of a time does not count.
func TestEventInWholeSeconds(t *testing.T) {
	start := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	seen := start.Add(999 * time.Millisecond)
	for _, c := range []struct {
		now  time.Time
		want string
	}{
		{start, "0s (x2 over 0s)"},
		{start.Add(time.Second - 1), "0s (x2 over 0s)"},
		{start.Add(time.Second), "1s (x2 over 1s)"},
		{start.Add(-2*time.Second + 1), "0s (x2 over 0s)"},
		{start.Add(-2 * time.Second), "<invalid> (x2 over <invalid>)"},
	} {
		e := Event{First: seen, Last: seen, Count: 2}
		require.Equal(t, c.want, e.age(c.now))
	}
}

// Events are sorted in a copy.
func TestEventsAreNotChanged(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	newer := Event{Event: calculator.Event{Reason: "Newer"}, First: now, Last: now}
	older := Event{Event: calculator.Event{Reason: "Older"}, First: now.Add(-time.Minute), Last: now.Add(-time.Minute)}
	events := []Event{newer, older}
	require.Regexp(t, `(?s)Older.*Newer`, WithEvents(&kubejson.HorizontalPodAutoscaler{}, now, events))
	require.Equal(t, []Event{newer, older}, events)
}
