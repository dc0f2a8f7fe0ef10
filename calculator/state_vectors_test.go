package calculator_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
)

// TestVectorsThroughEncodings replays the recorded histories with states that
// are encoded and decoded at every step, or at some, and compares all that an
// API client sees with a run in which they are not.
func TestVectorsThroughEncodings(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	through := func(marshal func() ([]byte, error), unmarshal func(*calculator.State, []byte) error) (d calculator.State) {
		data, err := marshal()
		require.NoError(t, err)
		require.NoError(t, unmarshal(&d, data))
		return d
	}
	throughJSON := func(st *calculator.State) calculator.State {
		return through(st.MarshalJSON, (*calculator.State).UnmarshalJSON)
	}
	throughBinary := func(st *calculator.State) calculator.State {
		return through(st.MarshalBinary, (*calculator.State).UnmarshalBinary)
	}
	modes := []struct {
		name string
		keep func(*calculator.State) calculator.State
	}{
		{"not at all", func(st *calculator.State) calculator.State { return *st }},
		{"JSON at every step", throughJSON},
		{"binary at every step", throughBinary},
		{"any at any step", func(st *calculator.State) calculator.State {
			switch random.IntN(4) {
			case 0:
				return throughJSON(st)
			case 1:
				return throughBinary(st)
			case 2:
				return st.Clone()
			}
			return *st
		}},
	}
	syncs, vectors := 0, 0
	eachVector(t, func(v *vector) {
		if vectors++; (testing.Short() || raceDetector) && vectors%10 != 0 {
			return
		}
		settings := v.settings()
		states := make([]calculator.State, len(modes))
		for i := range v.Steps {
			s := &v.Steps[i]
			obs := s.observation()
			var want string
			for j := range modes {
				st := &states[j]
				var d calculator.Decision
				calculator.DecideInto(&d, s.Now, &settings, &v.DefaultedSpec, &obs, st)
				if s.ScaleUpdateFails {
					st.Failed(s.Now, &d, errors.New("injected failure"))
				} else {
					st.Applied(s.Now, &d)
				}
				got := fingerprint(t, &d, st)
				if j == 0 {
					want = got
				} else if got != want {
					t.Fatalf("vector %s, step %d, %s:\n%s\ninstead of\n%s", v.Name, i, modes[j].name, got, want)
				}
				*st = modes[j].keep(st)
				require.True(t, st.Equal(&states[0]), "vector %s, step %d, %s", v.Name, i, modes[j].name)
			}
			syncs++
		}
	})
	if !testing.Short() && !raceDetector {
		require.Equal(t, vectorsSyncs, syncs)
	}
}
