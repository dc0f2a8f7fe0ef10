package main

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
)

// What a status proves of the recommendation of its sync.
func TestRecommendedByStatus(t *testing.T) {
	at := seconds(17) // it was written 2 seconds later, at most
	for _, c := range []struct {
		name, able, limited string
		behavior            bool
		change              func(s *snapshot)
		want                recommendation
		proves              bool
	}{
		{name: "the size", able: "ReadyForNewScale", limited: "DesiredWithinRange", want: recommendation{at, 8, true}, proves: true},
		{name: "more than the limit", able: "ReadyForNewScale", limited: "ScaleUpLimit", want: recommendation{at, 8, false}, proves: true},
		{name: "more than the maximum", able: "ReadyForNewScale", limited: "TooManyReplicas", want: recommendation{at, 8, false}, proves: true},
		{name: "less than the limit", able: "ReadyForNewScale", limited: "ScaleDownLimit"},
		{name: "less than the minimum", able: "ReadyForNewScale", limited: "TooFewReplicas"},
		{name: "less than the window", able: "ScaleDownStabilized", limited: "DesiredWithinRange"},
		{name: "more than the window", able: "ScaleUpStabilized", limited: "DesiredWithinRange", want: recommendation{at, 8, false}, proves: true},
		{name: "no sync of metrics", able: "SucceededGetScale", limited: "DesiredWithinRange"},
		{name: "a rise", able: "SucceededRescale", limited: "DesiredWithinRange", behavior: true, change: func(s *snapshot) { s.Status.CurrentReplicas = 5 }, want: recommendation{at, 8, false}, proves: true},
		{name: "a rise to what was recommended before", able: "SucceededRescale", limited: "DesiredWithinRange", change: func(s *snapshot) { s.Status.CurrentReplicas = 5 }},
		{name: "a fall", able: "SucceededRescale", limited: "DesiredWithinRange", behavior: true, change: func(s *snapshot) { s.Status.CurrentReplicas = 9 }},
		{name: "a rise to the minimum", able: "SucceededRescale", behavior: true, change: func(s *snapshot) { s.Status.CurrentReplicas, *s.Spec.MinReplicas = 5, 8 }},
		{name: "a size at zero", able: "ReadyForNewScale", limited: "DesiredWithinRange", change: func(s *snapshot) { s.Status.CurrentReplicas = 0 }},
		{name: "a status of before the spec", able: "ReadyForNewScale", limited: "DesiredWithinRange", change: func(s *snapshot) { s.SpecWritten, s.StatusWritten = seconds(15), seconds(15) }},
		{name: "one of an unknown time", able: "ReadyForNewScale", limited: "DesiredWithinRange", change: func(s *snapshot) { s.SpecWritten, s.StatusWritten = seconds(15), time.Time{} }},
		{name: "a size that was lowered since", able: "ReadyForNewScale", limited: "DesiredWithinRange", change: func(s *snapshot) { s.obs.SpecReplicas = 5 }, want: recommendation{at, 5, false}, proves: true},
		{name: "a size that was raised since", able: "ReadyForNewScale", limited: "DesiredWithinRange", change: func(s *snapshot) { s.obs.SpecReplicas = 9 }, want: recommendation{at, 8, false}, proves: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := queueOf(8, 2, c.able, c.limited, nil)
			if c.behavior {
				s.Spec.Behavior = behavior.Default()
			}
			if c.change != nil {
				c.change(s)
			}
			r, proves := s.recommendedByStatus()
			require.Equal(t, c.proves, proves)
			if proves {
				require.Equal(t, c.want, r)
			}
		})
	}
}

// The window lets go of what was recommended before the status was written: the
// metrics have asked for less since.
func TestLowerByStatus(t *testing.T) {
	for _, c := range []struct {
		name, able, limited string
		behavior            *behavior.Behavior
		started             int
		size                int32
		known               bool
	}{
		{"a window", "ScaleDownStabilized", "DesiredWithinRange", behavior.Default(), 100, 8, true},
		{"that of the flag", "ScaleDownStabilized", "DesiredWithinRange", nil, 100, 8, true},
		{"more than the maximum may be asked for", "ScaleDownStabilized", "TooManyReplicas", nil, 100, 8, false},
		{"but not with a behavior", "ScaleDownStabilized", "TooManyReplicas", behavior.Default(), 100, 8, true},
		{"no window", "ReadyForNewScale", "DesiredWithinRange", nil, 100, 8, false},
		{"a restart since", "ScaleDownStabilized", "DesiredWithinRange", nil, 17, 8, false},
		{"another size", "ScaleDownStabilized", "DesiredWithinRange", nil, 100, 9, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := queueOf(8, 2, c.able, c.limited, c.behavior)
			s.obs.SpecReplicas = c.size
			at := s.lowerByStatus(seconds(c.started))
			require.Equal(t, c.known, !at.IsZero())
			if s.lowerSince = at; c.known {
				require.Equal(t, seconds(13), at)
				text := decided(t, s).text
				require.Regexp(t, `(until|just after) 2026-05-04T12:04:47Z, in 4m47s, at the latest`, text)
			}
		})
	}
}

// What the event of the last scale proves.
func TestRecommendedByEvent(t *testing.T) {
	const up, down = "; reason: cpu resource utilization (percentage of request) above target", "; reason: All metrics below target"
	now := time.Now().Truncate(time.Second)
	ago := func(n int) time.Time { return now.Add(-time.Duration(n) * time.Second) }
	for _, c := range []struct {
		name, message string
		change        func(s *snapshot)
		started       time.Time
		proves        bool
	}{
		{name: "a rise", message: "New size: 8" + up, started: ago(9000), proves: true},
		{name: "a fall", message: "New size: 8" + down, started: ago(9000)},
		{name: "a rise that the controller has forgotten", message: "New size: 8" + up, started: ago(61)},
		{name: "another rise", message: "New size: 8" + up, started: ago(9000), change: func(s *snapshot) { s.Status.LastScaleTime = ago(30) }},
		{name: "a rise to the minimum", message: "New size: 8" + up, started: ago(9000), change: func(s *snapshot) { *s.Spec.MinReplicas = 8 }},
		{name: "other rules since", message: "New size: 8" + up, started: ago(9000), change: func(s *snapshot) { s.SpecWritten, s.StatusWritten = ago(61), ago(10) }},
		{name: "no behavior", message: "New size: 8" + up, started: ago(9000), change: func(s *snapshot) { s.Spec.Behavior = nil }},
		{name: "a longer window", message: "New size: 8" + up, started: ago(9000), change: func(s *snapshot) { s.events[0].LastTimestamp.Time, s.Status.LastScaleTime = ago(300), ago(300) }},
		{name: "no event", started: ago(9000), change: func(s *snapshot) { s.events = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := queueOf(8, 2, "ScaleDownStabilized", "DesiredWithinRange", behavior.Default())
			s.SpecWritten, s.StatusWritten = ago(8000), ago(10)
			s.events = []*corev1.Event{scaledTo(c.message, 0, 1)}
			s.events[0].LastTimestamp.Time, s.Status.LastScaleTime = ago(60), ago(60)
			if c.change != nil {
				c.change(s)
			}
			r, proves := s.recommendedByEvent(c.started, 5*time.Minute)
			require.Equal(t, c.proves, proves)
			if proves {
				require.Equal(t, recommendation{ago(62), 8, false}, r)
			}
		})
	}
}

// Whatever the controller remembers, it decides within the range that its
// status and its last event leave. The status is written when it changes, and
// the controller may restart at any time.
func TestRecommendedOfTimelines(t *testing.T) {
	narrowed, lower := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tl := calctest.Timelines(nil).Draw(t, "timeline")
		settings, spec := &tl.Setup.Settings, tl.Setup.Spec
		var st calculator.State
		s := &snapshot{autoscaler: &autoscaler{}}
		s.Spec = *spec
		var created, written, started, scaled time.Time
		require.NoError(t, tl.Run(func(sync *prove.Sync) bool {
			now := sync.Now
			if created.IsZero() {
				created = now.Add(-time.Hour)
				started = created
			}
			s.SpecWritten, s.StatusWritten = created, written.Truncate(time.Second)
			s.obs = *sync.Observation
			s.made = nil
			if r, ok := s.recommendedByStatus(); ok {
				s.made = append(s.made, r)
			}
			if !scaled.IsZero() && now.Sub(scaled) < spec.Behavior.Windows(settings.DownscaleStabilization).Down {
				// Its age is that of the clock of the test.
				if r, ok := s.recommendedByEvent(started, 1<<62); ok {
					s.made = append(s.made, r)
				}
			}
			r := s.known(now).Decide(now, settings, spec, &s.obs)
			s.made = nil
			if all := s.known(now).Decide(now, settings, spec, &s.obs); all.Low.DesiredReplicas < r.Low.DesiredReplicas || all.High.DesiredReplicas > r.High.DesiredReplicas {
				narrowed++
			}
			if since := s.lowerByStatus(started); !since.IsZero() {
				lower++
				for e := range st.Recommendations.All() {
					require.True(t, !e.Time.After(since) || e.Value < s.obs.SpecReplicas, "%v: %v", since, st.Recommendations)
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
				st, started = calculator.StateFromStatus(&s.Status), now
			}
			d := calculator.Decide(now, settings, spec, &s.obs, &st)
			require.True(t, r.Low.DesiredReplicas <= d.DesiredReplicas && d.DesiredReplicas <= r.High.DesiredReplicas,
				"%d to %d does not contain %d\n%s", r.Low.DesiredReplicas, r.High.DesiredReplicas, d.DesiredReplicas, d)
			if d.Outcome == calculator.OutcomeNotWritten {
				st.Failed(now, &d, errors.New("conflict"))
			} else if st.Applied(now, &d); d.Rescale {
				e := scaledTo("", 0, 1)
				for _, own := range d.AppendEvents(nil) {
					if own.Reason == "SuccessfulRescale" {
						e.Message = own.Message
					}
				}
				e.LastTimestamp.Time, scaled = now.Truncate(time.Second), now
				s.events = []*corev1.Event{e}
			}
			text, err := json.Marshal(d.Status(&st))
			require.NoError(t, err)
			before, err := json.Marshal(&s.Status)
			require.NoError(t, err)
			if string(text) != string(before) {
				s.Status = autoscaling.HorizontalPodAutoscalerStatus{}
				require.NoError(t, json.Unmarshal(text, &s.Status))
				written = now
			}
			return true
		}))
	})
	require.Positive(t, narrowed)
	require.Positive(t, lower)
}
