package calculator_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/recording"
)

// A recording of what the real controller saw, read again, gives all that an
// API client saw it decide.
func TestRecordingsOfVectors(t *testing.T) {
	t.Parallel()
	syncs, size := 0, 0
	eachVector(t, func(v *vector) {
		var file bytes.Buffer
		settings := v.settings()
		w, err := recording.NewWriter(&file, recording.Header{
			Namespace: "ns", Name: v.Name, Spec: &v.DefaultedSpec, Settings: &settings, State: new(calculator.State),
		})
		require.NoError(t, err)
		for sync := range v.recorded() {
			require.NoError(t, w.Write(sync))
		}
		size += file.Len()

		r, err := recording.NewReader(&file)
		require.NoError(t, err)
		a := r.Header().Autoscaler()
		i := 0
		var d calculator.Decision
		for sync, err := range r.Syncs() {
			require.NoError(t, err)
			s := &v.Steps[i]
			a.DecideInto(&d, sync.Time, sync.Observation)
			if sync.WriteErr != nil {
				a.Failed(sync.Time, &d, sync.WriteErr)
			} else {
				a.Applied(sync.Time, &d)
			}
			want, _ := s.want()
			got := s.result(t, &d, &a.State)
			require.True(t, want.equal(&got), "vector %s, step %d: want %v, got %v", v.Name, i, want, got)
			i++
		}
		require.Len(t, v.Steps, i)
		syncs += i
	})
	require.Equal(t, vectorsSyncs, syncs)
	t.Logf("%d syncs in %d bytes", syncs, size)
}
