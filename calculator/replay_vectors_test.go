package calculator_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/replay"
)

// recorded is the vector's steps as a recording to replay.
func (v *vector) recorded() iter.Seq2[replay.Sync, error] {
	return func(yield func(replay.Sync, error) bool) {
		for i := range v.Steps {
			s := &v.Steps[i]
			obs := s.observation()
			sync := replay.Sync{Time: s.Now, Observation: &obs}
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
		settings := v.settings()
		for answers, err := range replay.Run(v.recorded(), &calculator.Autoscaler{Settings: &settings, Spec: &v.DefaultedSpec}) {
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
