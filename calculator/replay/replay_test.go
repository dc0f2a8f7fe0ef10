package replay_test

import (
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
)

var start = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestDifferences(t *testing.T) {
	quick := queue(`{"scaleDown":{"stabilizationWindowSeconds":0}}`)
	slow := queue(`{"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":15}]}}`)
	values := []metrics.Milli{50_000, 120_000, 80_000, 20_000, 50_000}
	var sizes [][]int32
	for a, err := range replay.Run(recording(values...), queue(""), quick, slow) {
		require.NoError(t, err)
		sizes = append(sizes, []int32{a.Size(0), a.Size(1), a.Size(2)})
		require.Equal(t, a.Size(0) != a.Size(1) || a.Size(0) != a.Size(2), a.Differ())
	}
	// Without a behavior, the size goes up to twice the present one, and the
	// highest recommendation of the window counts for scaling up, too.
	require.Equal(t, [][]int32{{5, 5, 5}, {10, 10, 6}, {10, 8, 6}, {10, 2, 5}, {10, 5, 5}}, sizes)

	got, err := replay.Differences(replay.Run(recording(values...), queue(""), quick, slow))
	require.NoError(t, err)
	at := func(i int) time.Time { return start.Add(time.Duration(i) * 15 * time.Second) }
	require.Equal(t, []replay.Difference{
		{Syncs: 5},
		{Syncs: 5, Lower: 3, MostLower: 8, First: at(2), Last: at(4)},
		{Syncs: 5, Lower: 4, MostLower: 5, First: at(1), Last: at(4)},
	}, got)
	got, err = replay.Differences(replay.Run(recording(values...), quick, queue("")))
	require.NoError(t, err)
	require.Equal(t, replay.Difference{Syncs: 5, Higher: 3, MostHigher: 8, First: at(2), Last: at(4)}, got[1])
}

func TestRunErrors(t *testing.T) {
	rules := queue("")
	broken := func(yield func(replay.Sync, error) bool) {
		for s := range recording(1) {
			yield(s, nil)
		}
		yield(replay.Sync{}, errors.New("the file ends too soon"))
	}
	empty := func(yield func(replay.Sync, error) bool) { yield(replay.Sync{Time: start}, nil) }
	two := queue("")
	two.Spec.Metrics = append(two.Spec.Metrics, two.Spec.Metrics[0])
	for _, tt := range []struct {
		syncs       iter.Seq2[replay.Sync, error]
		autoscalers []*calculator.Autoscaler
		answers     int
		want        string
	}{
		{nil, nil, 0, "syncs: Required value"},
		{recording(1), []*calculator.Autoscaler{rules, nil}, 0, "autoscalers[1]: Required value"},
		{recording(1), []*calculator.Autoscaler{{}}, 0, "autoscalers[0].spec: Required value"},
		{broken, []*calculator.Autoscaler{rules}, 1, "the file ends too soon"},
		{empty, []*calculator.Autoscaler{rules}, 0, "syncs[0].observation: Required value"},
		{recording(1, 2), []*calculator.Autoscaler{rules, two}, 0, "syncs[0]: autoscalers[1]: observation.readings: Invalid value: 1: 1 readings for 2 metrics"},
	} {
		answers, failures := 0, 0
		for a, err := range replay.Run(tt.syncs, tt.autoscalers...) {
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
		_, err := replay.Differences(replay.Run(tt.syncs, tt.autoscalers...))
		require.EqualError(t, err, tt.want)
	}
	for range replay.Run(recording(1, 2, 3), rules) {
		break
	}
}

// A size that could not be written does not count, and a scale that could not
// be read is a sync like any other.
func TestRunOfWhatFailed(t *testing.T) {
	syncs := func(yield func(replay.Sync, error) bool) {
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
	rules := queue("")
	rules.State.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionUnknown}}
	before := rules.State.Clone()
	var sizes []int32
	for a, err := range replay.Run(syncs, rules) {
		require.NoError(t, err)
		require.Error(t, a.Decisions[0].Err())
		sizes = append(sizes, a.Size(0))
	}
	require.Equal(t, []int32{5, 0}, sizes)
	require.True(t, rules.State.Equal(&before), "the caller's state stays as it is")
}

// steps proposes one more replica at each sync of its run.
type steps struct{ size int32 }

func (s *steps) Propose(_ time.Time, obs *calculator.Observation) {
	s.size++
	obs.Readings[0].Proposed = &calculator.Proposed{Replicas: s.size}
}

func (s *steps) Clone() calculator.Proposer { return &steps{s.size} }

// Each autoscaler of a replay has a proposer of its own, and the recording is
// not changed.
func TestRunWithProposers(t *testing.T) {
	plain, own := queue(""), queue("")
	own.Proposer = &steps{5}
	syncs := recording(30_000, 30_000)
	var proposed [][]int32
	for a, err := range replay.Run(syncs, plain, own, own) {
		require.NoError(t, err)
		require.Nil(t, a.Sync.Observation.Readings[0].Proposed)
		var sizes []int32
		for i := range a.Decisions {
			sizes = append(sizes, a.Decisions[i].Choice.Replicas)
		}
		proposed = append(proposed, sizes)
	}
	require.Equal(t, [][]int32{{3, 6, 6}, {3, 7, 7}}, proposed)
	require.Equal(t, &steps{5}, own.Proposer)
}

// Each loop over a replay begins anew.
func TestRunAgain(t *testing.T) {
	r := replay.Run(recording(120_000, 20_000), queue(""))
	for range 2 {
		var sizes []int32
		for a, err := range r {
			require.NoError(t, err)
			sizes = append(sizes, a.Size(0))
		}
		require.Equal(t, []int32{10, 10}, sizes)
	}
}
