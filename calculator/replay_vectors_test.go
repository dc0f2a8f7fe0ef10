package calculator_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/simulate"
)

// recorded is the vector's steps as a recording to replay.
func (v *vector) recorded() iter.Seq2[simulate.RecordedSync, error] {
	return func(yield func(simulate.RecordedSync, error) bool) {
		for i := range v.Steps {
			s := &v.Steps[i]
			obs := s.observation()
			sync := simulate.RecordedSync{Time: s.Now, Observation: &obs}
			if s.ScaleUpdateFails {
				sync.WriteErr = errors.New("injected failure")
			}
			if !yield(sync, nil) {
				return
			}
		}
	}
}

// A replay of what the real controller saw gives the sizes that it decided on.
func TestReplayOfVectors(t *testing.T) {
	t.Parallel()
	syncs, rescales := 0, 0
	eachVector(t, func(v *vector) {
		i := 0
		for answers, err := range simulate.Replay(v.recorded(), &simulate.Autoscaler{Spec: &v.DefaultedSpec, Settings: v.settings()}) {
			require.NoError(t, err)
			want := v.Steps[i].Want
			require.Equal(t, want.Replicas, answers.Size(0), "vector %s, step %d", v.Name, i)
			require.Equal(t, want.Rescaled, answers.Decisions[0].Outcome == calculator.OutcomeWritten, "vector %s, step %d", v.Name, i)
			if want.Rescaled {
				rescales++
			}
			i++
		}
		require.Len(t, v.Steps, i)
		syncs += i
	})
	require.Equal(t, vectorsSyncs, syncs)
	require.Positive(t, rescales)
}
