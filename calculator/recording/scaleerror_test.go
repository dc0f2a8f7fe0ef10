package recording_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
)

// A scale that could not be read has the same reason on replay, however its
// error is wrapped.
func TestReasonsOfScaleErrors(t *testing.T) {
	own := &calculator.ScaleError{Reason: "FailedGetBindings", Err: errDown}
	for _, err := range []error{
		errDown, own, fmt.Errorf("federation: %w", own), errors.Join(errDown, own),
		&calculator.ScaleError{Message: "no cluster answers", Err: errDown}, (*calculator.ScaleError)(nil),
	} {
		obs := calculator.Observation{ScaleError: err}
		var out bytes.Buffer
		h := header()
		w, problem := recording.NewWriter(&out, h)
		require.NoError(t, problem)
		require.NoError(t, w.Write(replay.Sync{Time: noon, Observation: &obs}))
		events := func(obs *calculator.Observation) []calculator.Event {
			d := calculator.Decide(noon, h.Settings, h.Spec, obs, new(calculator.State))
			return d.AppendEvents(nil)
		}
		for sync, problem := range open(t, out.Bytes()).Syncs() {
			require.NoError(t, problem)
			require.Equal(t, events(&obs), events(sync.Observation))
		}
	}
}
