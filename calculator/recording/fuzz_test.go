package recording_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
)

// Whatever is read can be decided on, or refused with an error, and is read
// again after it was written.
func FuzzReader(f *testing.F) {
	golden, err := os.ReadFile("testdata/web.rec")
	require.NoError(f, err)
	f.Add(golden)
	f.Add(golden[:len(golden)/2])
	for _, more := range []string{
		``, first, first + second + `}`, first + reading2(`["0",[5,-1.000000001,1e9],null]`),
		first + second + `,"pods":[{"keep":"1,0"},{"name":"c","template":0}]}`,
		first + second + `,"pods":null,"readings":[{"samples":null,"strays":[]}]}`,
		first + second + `,"pods":[],"pods":[{"keep":"0"}]}`,
	} {
		f.Add([]byte(head + more))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := recording.NewReader(bytes.NewReader(data))
		if err != nil {
			requireError(t, err)
			return
		}
		h := r.Header()
		var again bytes.Buffer
		w, err := recording.NewWriter(&again, h)
		require.NoError(t, err)
		var st calculator.State
		var first []replay.Sync
		for sync, err := range r.Syncs() {
			if err != nil {
				requireError(t, err)
				break
			}
			calculator.Decide(sync.Time, h.Settings, h.Spec, sync.Observation, &st)
			require.NoError(t, w.Write(sync))
			first = append(first, deep(sync))
		}
		requireSame(t, again.Bytes(), first)
	})
}

func requireError(t *testing.T, err error) {
	var e *recording.Error
	if !errors.As(err, &e) || e.Line < 1 || len(e.Error()) > 1000 {
		t.Fatalf("%T: %.2000v", err, err)
	}
}

// deep returns a copy that is valid after the next sync.
func deep(s replay.Sync) replay.Sync {
	s = kept(s)
	for i := range s.Observation.Readings {
		r := &s.Observation.Readings[i]
		r.Strays = append(r.Strays[:0:0], r.Strays...)
	}
	return s
}
