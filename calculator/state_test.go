package calculator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize"
	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// sampleState returns a state with all that there is: recommendations, an event
// of each direction, conditions, one of them someone else's, and times.
func sampleState(t testing.TB) calculator.State {
	t.Helper()
	spec := cpuSpec(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":15}}`)
	settings := calculator.DefaultSettings()
	var st calculator.State
	size := int32(2)
	for i, milli := range []int64{500, 1000, 250, 250, 250} {
		now := noon.Add(time.Duration(i)*15*time.Second + 5)
		d := calculator.Decide(now, &settings, spec, cpuAt(size, milliOf(milli)), &st)
		require.NoError(t, d.Err())
		st.Applied(now, &d)
		size = d.DesiredReplicas
	}
	st.Conditions = append(st.Conditions, autoscaling.HorizontalPodAutoscalerCondition{
		Type:               "Own",
		Status:             autoscaling.ConditionUnknown,
		Message:            "who knows",
		ObservedGeneration: 7,
	})
	return st
}

func TestStateClone(t *testing.T) {
	st := sampleState(t)
	pristine := recode(t, &st, true)
	c := st.Clone()
	require.True(t, c.Equal(&st))

	// Nothing that is done to the clone reaches the state.
	c.Condition("Own").ObservedGeneration = 8
	c.Conditions[0].Reason = "Other"
	c.Conditions = append(c.Conditions[:1], c.Conditions[2:]...)
	early := noon.Add(-time.Hour)
	c.Recommendations.Advance(early, stabilize.Windows{})
	c.Events.Advance(early, nil)
	c.Recommendations.Reset()
	c.Recommendations.Start(early, 99)
	c.LastScaleTime, c.Started, c.DesiredReplicas = early, early, 99
	require.True(t, st.Equal(&pristine))
	require.False(t, st.Equal(&c))

	var zero calculator.State
	require.Equal(t, calculator.State{}, zero.Clone())
}

// eventsOf returns the events that the JSON says.
func eventsOf(t testing.TB, text string) (e behavior.Events) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &e))
	return e
}

// places are the entries and vacant places of a state's lists, which is what
// their limits count.
type places struct{ recommendations, added, removed int }

func placesOf(t require.TestingT, st *calculator.State) places {
	r := codec.NewReader("state", st.Events.AppendBinary(st.Recommendations.AppendBinary(nil)))
	var recommendations, added, removed series.Series
	recommendations.ReadBinary(r)
	added.ReadBinary(r)
	removed.ReadBinary(r)
	r.End()
	require.NoError(t, r.Err())
	return places{recommendations.Places(), added.Places(), removed.Places()}
}

// A nil state is one that remembers nothing.
func TestNilState(t *testing.T) {
	var none *calculator.State
	zero, st := calculator.State{}, sampleState(t)
	require.Equal(t, zero, none.Clone())
	require.True(t, none.Equal(nil))
	for _, other := range []*calculator.State{&zero, &st} {
		require.False(t, none.Equal(other))
		require.False(t, other.Equal(nil))
	}
	require.Nil(t, none.Condition(autoscaling.AbleToScale))

	// A decision that was handed none is not recorded anywhere.
	settings := calculator.DefaultSettings()
	d := calculator.Decide(noon, &settings, cpuSpec(t, ""), cpuAt(3, 1000), &zero)
	require.Equal(t, calculator.OutcomePending, d.Outcome)
	want := d.String()
	none.Applied(noon, &d)
	none.Failed(noon, &d, errWrite)
	require.Equal(t, want, d.String())
	require.Equal(t, calculator.OutcomePending, d.Outcome)
	require.Empty(t, d.Status(nil).Conditions)
	require.Zero(t, d.Status(nil).DesiredReplicas)
	st.Applied(noon, nil)
	st.Failed(noon, nil, errWrite)

	text, err := json.Marshal(none)
	require.NoError(t, err)
	require.Equal(t, "null", string(text))
}

// clipped is the start of a text as far as a condition holds it, without half a
// rune at the end.
func clipped(text string) string {
	end := 0
	for i, r := range text {
		if i+utf8.RuneLen(r) > calculator.MaxMessageLength {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return text[:end]
}

// Messages of foreign errors can be of any length, those of conditions, events
// and explanations cannot. The error of the sync is whole.
func TestLongMessagesAreClipped(t *testing.T) {
	t.Parallel()
	settings := calculator.DefaultSettings()
	for name, tt := range map[string]struct {
		in     autoscaling.HorizontalPodAutoscalerConditionType
		before string
		sync   func(st *calculator.State, text string) calculator.Decision
	}{
		"scale": {
			autoscaling.AbleToScale, "the HPA controller was unable to get the target's current scale: ",
			func(st *calculator.State, text string) calculator.Decision {
				obs := cpuAt(3, 500)
				obs.ScaleError = errors.New(text)
				return calculator.Decide(noon, &settings, cpuSpec(t, ""), obs, st)
			},
		},
		"metric": {
			autoscaling.ScalingActive, "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: ",
			func(st *calculator.State, text string) calculator.Decision {
				obs := cpuAt(3, 500)
				obs.Readings[0] = calculator.Reading{Err: errors.New(text)}
				return calculator.Decide(noon, &settings, cpuSpec(t, ""), obs, st)
			},
		},
		"selector": {
			autoscaling.ScalingActive, "couldn't convert selector into a corresponding internal selector object: ",
			func(st *calculator.State, text string) calculator.Decision {
				obs := cpuAt(3, 500)
				obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Problem: text}
				return calculator.Decide(noon, &settings, cpuSpec(t, ""), obs, st)
			},
		},
		"write": {
			autoscaling.AbleToScale, "the HPA controller was unable to update the target scale: ",
			func(st *calculator.State, text string) calculator.Decision {
				d := calculator.Decide(noon, &settings, cpuSpec(t, ""), cpuAt(3, 1000), st)
				st.Failed(noon, &d, errors.New(text))
				return d
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			room := calculator.MaxMessageLength - len(tt.before)
			for _, r := range []string{"x", "é", "€", "😀"} {
				for more := -1; more <= len(r); more++ {
					// The last rune begins more bytes before the cut than it
					// has.
					text := strings.Repeat("x", room-more) + r
					whole := tt.before + text
					var st calculator.State
					d := tt.sync(&st, text)
					require.Contains(t, d.Err().Error(), text)
					c := st.Condition(tt.in)
					require.True(t, c.Message == clipped(whole), "%q, %d bytes before the cut", r, more)
					require.True(t, utf8.ValidString(c.Message))
					require.Equal(t, len(whole) > calculator.MaxMessageLength, len(c.Message) < len(whole))
					require.Equal(t, st.Conditions, d.Conditions)
					require.Equal(t, st.Conditions, d.Status(&st).Conditions)
					recode(t, &st, true)
					recode(t, &st, false)
				}
			}

			var st calculator.State
			d := tt.sync(&st, strings.Repeat("€", 1_000_000))
			events := d.AppendEvents(nil)
			require.NotEmpty(t, events)
			for _, e := range events {
				require.LessOrEqual(t, len(e.Message), calculator.MaxMessageLength)
				require.True(t, utf8.ValidString(e.Message))
			}
			const most = 8 * calculator.MaxMessageLength // it stands there several times
			text, err := d.MarshalJSON()
			require.NoError(t, err)
			require.Less(t, len(text), most)
			text, err = json.Marshal(d.Stages())
			require.NoError(t, err)
			require.Less(t, len(text), most)
			require.Less(t, len(d.String()), most)
		})
	}

	// So can be what names the metric.
	name := strings.Repeat("é", calculator.MaxMessageLength)
	spec := externalSpec(t, "")
	spec.Metrics[0].External.Metric.Name = name
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, backlogOf(1, 20_000), &st)
	require.NoError(t, d.Err())
	c := st.Condition(autoscaling.ScalingActive)
	require.Equal(t, "ValidMetricFound", c.Reason)
	require.True(t, c.Message == clipped("the HPA was able to successfully calculate a replica count from external metric "+name))
	require.Contains(t, d.MetricName(0), name)
}

// A text that is too long all the same is clipped by the encodings, and by what
// reads JSON. The binary form has none to read.
func TestEncodingsClip(t *testing.T) {
	rest := func(n int) string { return strings.Repeat("x", calculator.MaxMessageLength-n) }
	for _, tt := range []struct{ text, want string }{
		{rest(0), rest(0)},
		{rest(0) + "y", rest(0)},
		{rest(0) + "é", rest(0)},
		{rest(1) + "éé", rest(1)},
		{rest(2) + "éé", rest(2) + "é"},
		{rest(1) + "€€", rest(1)},
		{rest(2) + "€€", rest(2)},
		{rest(3) + "€€", rest(3) + "€"},
		{rest(1) + "😀😀", rest(1)},
		{rest(2) + "😀😀", rest(2)},
		{rest(3) + "😀😀", rest(3)},
		{rest(4) + "😀😀", rest(4) + "😀"},
		// What is not UTF-8 takes more bytes than it had.
		{rest(0)[1:] + "\xff", rest(1)},
		{rest(0)[3:] + "\xff", rest(3) + "\ufffd"},
		{rest(0)[4:] + "\x80\x80\x80\x80\x80", rest(4) + "\ufffd"},
	} {
		for _, reason := range []bool{false, true} {
			condition := func(text string) calculator.State {
				c := autoscaling.HorizontalPodAutoscalerCondition{Type: "A", Status: autoscaling.ConditionTrue, Message: text}
				if reason {
					c.Reason, c.Message = text, ""
				}
				return calculator.State{Conditions: []autoscaling.HorizontalPodAutoscalerCondition{c}}
			}
			st, want := condition(tt.text), condition(tt.want)
			for _, binary := range []bool{false, true} {
				got := recoded(t, &st, binary)
				require.True(t, got.Equal(&want), "...%q", tt.text[calculator.MaxMessageLength-8:])
				recode(t, &got, binary)
			}
			if !utf8.ValidString(tt.text) {
				continue
			}
			key := "message"
			if reason {
				key = "reason"
			}
			var got calculator.State
			require.NoError(t, got.UnmarshalJSON(fmt.Appendf(nil,
				`{"version":1,"conditions":[{"type":"A","status":"True","%s":"%s"}]}`, key, tt.text)))
			require.True(t, got.Equal(&want), "...%q", tt.text[calculator.MaxMessageLength-8:])
		}
	}
}

func TestStateEqual(t *testing.T) {
	const (
		added   = `{"time":"2026-05-04T12:00:15.000000005Z","replicas":2}`
		removed = `{"time":"2026-05-04T12:00:30.000000005Z","replicas":2},{"time":"2026-05-04T12:00:45.000000005Z","replicas":1}`
	)
	events := func(added, removed string) func(*calculator.State) {
		return func(s *calculator.State) { s.Events = eventsOf(t, `{"added":[`+added+`],"removed":[`+removed+`]}`) }
	}
	st, same := sampleState(t), sampleState(t)
	events(added, removed)(&same)
	require.True(t, st.Equal(&same))
	for name, change := range map[string]func(*calculator.State){
		"recommendation":                func(s *calculator.State) { s.Recommendations.Advance(noon, stabilize.Windows{}) },
		"no recommendations":            func(s *calculator.State) { s.Recommendations.Reset() },
		"time of a scale-up":            events(strings.Replace(added, "05Z", "06Z", 1), removed),
		"time of a scale-down":          events(added, strings.Replace(removed, "05Z", "06Z", 1)),
		"replicas of a scale-up":        events(strings.Replace(added, "2}", "3}", 1), removed),
		"stale event":                   events(added, strings.Replace(removed, "}", `,"stale":true}`, 1)),
		"vacant place":                  events(added, removed+`,{"vacant":1}`),
		"order of events":               events(added, removed[strings.Index(removed, ",{")+1:]+","+removed[:strings.Index(removed, ",{")]),
		"direction of events":           events(removed, added),
		"no conditions":                 func(s *calculator.State) { s.Conditions = nil },
		"order of conditions":           func(s *calculator.State) { s.Conditions[0], s.Conditions[1] = s.Conditions[1], s.Conditions[0] },
		"condition's type":              func(s *calculator.State) { s.Conditions[0].Type = "Other" },
		"condition's status":            func(s *calculator.State) { s.Conditions[0].Status = autoscaling.ConditionUnknown },
		"condition's reason":            func(s *calculator.State) { s.Conditions[0].Reason = "Other" },
		"condition's message":           func(s *calculator.State) { s.Conditions[0].Message = "other" },
		"condition's time":              func(s *calculator.State) { s.Conditions[0].LastTransitionTime = noon },
		"condition's generation":        func(s *calculator.State) { s.Condition("Own").ObservedGeneration = 8 },
		"condition's generation of -1":  func(s *calculator.State) { s.Conditions[0].ObservedGeneration = -1 },
		"no generation for a condition": func(s *calculator.State) { s.Condition("Own").ObservedGeneration = 0 },
		"last scale time":               func(s *calculator.State) { s.LastScaleTime = s.LastScaleTime.Add(1) },
		"desired replicas":              func(s *calculator.State) { s.DesiredReplicas++ },
		"start":                         func(s *calculator.State) { s.Started = s.Started.Add(1) },
	} {
		a, b := sampleState(t), sampleState(t)
		require.True(t, a.Equal(&b), name)
		change(&b)
		require.False(t, a.Equal(&b), name)
		require.False(t, b.Equal(&a), name)
	}
}

// Only the moment of a time counts.
func TestStateEqualInAnotherLocation(t *testing.T) {
	a, b := sampleState(t), sampleState(t)
	zone := time.FixedZone("", 3600)
	b.LastScaleTime, b.Started = b.LastScaleTime.In(zone), b.Started.In(zone)
	for i := range b.Conditions {
		b.Conditions[i].LastTransitionTime = b.Conditions[i].LastTransitionTime.In(zone)
	}
	require.True(t, a.Equal(&b))

	// Two readings of the same monotonic clock, one of a wall clock that was
	// set in between, would be equal to time.Time.Equal.
	now := time.Now()
	a.LastScaleTime, b.LastScaleTime = now, now.Round(0)
	a.Started, b.Started = now.Round(0), now
	a.Conditions[0].LastTransitionTime, b.Conditions[0].LastTransitionTime = now, now.Round(0)
	require.True(t, a.Equal(&b))
}

// Conditions of others leave room for the controller's own, so that the state
// can be encoded after each sync.
func TestConditionsOfOthersLeaveRoom(t *testing.T) {
	var status autoscaling.HorizontalPodAutoscalerStatus
	for i := range calculator.MaxConditions + 3 {
		status.Conditions = append(status.Conditions, autoscaling.HorizontalPodAutoscalerCondition{
			Type: autoscaling.HorizontalPodAutoscalerConditionType(fmt.Sprintf("Other%d", i)), Status: autoscaling.ConditionTrue,
		})
	}
	st := calculator.StateFromStatus(&status)
	require.Len(t, st.Conditions, calculator.MaxConditions)
	settings := calculator.DefaultSettings()
	d := calculator.Decide(noon, &settings, externalSpec(t, ""), backlogOf(2, 55_000), &st)
	require.True(t, d.Rescale)
	st.Applied(noon, &d)
	require.Len(t, st.Conditions, calculator.MaxConditions)
	require.Equal(t, "SucceededRescale", st.Condition(autoscaling.AbleToScale).Reason)
	for _, own := range []autoscaling.HorizontalPodAutoscalerConditionType{autoscaling.ScalingActive, autoscaling.ScalingLimited, autoscaling.ScaledToZero} {
		require.NotNil(t, st.Condition(own))
	}
	_, err := json.Marshal(&st)
	require.NoError(t, err)
	_, err = st.MarshalBinary()
	require.NoError(t, err)
}
