package simulate_test

import (
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
)

// recording is of an External metric, each 15 seconds, at a size of 5.
func recording(values ...metrics.Milli) iter.Seq2[simulate.RecordedSync, error] {
	return func(yield func(simulate.RecordedSync, error) bool) {
		for i, v := range values {
			obs := &calculator.Observation{SpecReplicas: 5, StatusReplicas: 5, Readings: []calculator.Reading{{Values: []metrics.Milli{v}}}}
			if !yield(simulate.RecordedSync{Time: start.Add(time.Duration(i) * 15 * time.Second), Observation: obs}, nil) {
				return
			}
		}
	}
}

func queueRules(t testing.TB, behavior string) *simulate.Autoscaler {
	return &simulate.Autoscaler{Settings: calculator.DefaultSettings(), Spec: specOf(t, `{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},
		"maxReplicas":100,"metrics":[{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"10"}}}]`+behavior+`}`)}
}

func TestDifferences(t *testing.T) {
	quick := queueRules(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0}}`)
	slow := queueRules(t, `,"behavior":{"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":15}]}}`)
	values := []metrics.Milli{50_000, 120_000, 80_000, 20_000, 50_000}
	var sizes [][]int32
	for a, err := range simulate.Replay(recording(values...), queueRules(t, ""), quick, slow) {
		require.NoError(t, err)
		sizes = append(sizes, []int32{a.Size(0), a.Size(1), a.Size(2)})
		require.Equal(t, a.Size(0) != a.Size(1) || a.Size(0) != a.Size(2), a.Differ())
	}
	// Without a behavior, the size goes up to twice the present one, and the
	// highest recommendation of the window counts for scaling up, too.
	require.Equal(t, [][]int32{{5, 5, 5}, {10, 10, 6}, {10, 8, 6}, {10, 2, 5}, {10, 5, 5}}, sizes)

	got, err := simulate.Differences(simulate.Replay(recording(values...), queueRules(t, ""), quick, slow))
	require.NoError(t, err)
	at := func(i int) time.Time { return start.Add(time.Duration(i) * 15 * time.Second) }
	require.Equal(t, []simulate.Difference{
		{Syncs: 5},
		{Syncs: 5, Lower: 3, MostLower: 8, First: at(2), Last: at(4)},
		{Syncs: 5, Lower: 4, MostLower: 5, First: at(1), Last: at(4)},
	}, got)
	got, err = simulate.Differences(simulate.Replay(recording(values...), quick, queueRules(t, "")))
	require.NoError(t, err)
	require.Equal(t, simulate.Difference{Syncs: 5, Higher: 3, MostHigher: 8, First: at(2), Last: at(4)}, got[1])
}

func TestReplayErrors(t *testing.T) {
	rules := queueRules(t, "")
	broken := func(yield func(simulate.RecordedSync, error) bool) {
		for s := range recording(1) {
			yield(s, nil)
		}
		yield(simulate.RecordedSync{}, errors.New("the file ends too soon"))
	}
	empty := func(yield func(simulate.RecordedSync, error) bool) { yield(simulate.RecordedSync{Time: start}, nil) }
	two := queueRules(t, "")
	two.Spec.Metrics = append(two.Spec.Metrics, two.Spec.Metrics[0])
	for _, tt := range []struct {
		syncs       iter.Seq2[simulate.RecordedSync, error]
		autoscalers []*simulate.Autoscaler
		answers     int
		want        string
	}{
		{nil, nil, 0, "syncs: Required value"},
		{recording(1), []*simulate.Autoscaler{rules, nil}, 0, "autoscalers[1]: Required value"},
		{recording(1), []*simulate.Autoscaler{{}}, 0, "autoscalers[0].spec: Required value"},
		{broken, []*simulate.Autoscaler{rules}, 1, "the file ends too soon"},
		{empty, []*simulate.Autoscaler{rules}, 0, "syncs[0].observation: Required value"},
		{recording(1, 2), []*simulate.Autoscaler{rules, two}, 0, "syncs[0]: autoscalers[1]: observation.readings: Invalid value: 1: 1 readings for 2 metrics"},
	} {
		answers, failures := 0, 0
		for a, err := range simulate.Replay(tt.syncs, tt.autoscalers...) {
			if err == nil {
				answers++
				continue
			}
			failures++
			require.Nil(t, a)
			require.EqualError(t, err, tt.want)
		}
		require.Equal(t, 1, failures, tt.want)
		require.Equal(t, tt.answers, answers, tt.want)
		_, err := simulate.Differences(simulate.Replay(tt.syncs, tt.autoscalers...))
		require.EqualError(t, err, tt.want)
	}
	for range simulate.Replay(recording(1, 2, 3), rules) {
		break
	}
}

// TestReplayOfWhatFailed: a size that could not be written is none, and a scale
// that could not be read is a sync like any other.
func TestReplayOfWhatFailed(t *testing.T) {
	syncs := func(yield func(simulate.RecordedSync, error) bool) {
		for s := range recording(100_000) {
			s.WriteErr = errors.New("conflict")
			if !yield(s, nil) {
				return
			}
			s.Observation = &calculator.Observation{ScaleError: errors.New("gone")}
			if !yield(s, nil) {
				return
			}
		}
	}
	rules := queueRules(t, "")
	rules.State.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionUnknown}}
	before := rules.State.Clone()
	var sizes []int32
	for a, err := range simulate.Replay(syncs, rules) {
		require.NoError(t, err)
		require.Error(t, a.Decisions[0].Err())
		sizes = append(sizes, a.Size(0))
	}
	require.Equal(t, []int32{5, 0}, sizes)
	require.True(t, rules.State.Equal(&before), "the caller's state stays as it is")
}
