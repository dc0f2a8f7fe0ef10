package ports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
)

// The loop continues where it was after a restart, tries a failed write again,
// keeps the size when it cannot observe, and holds it when the history is
// unreadable.
func TestLoop(t *testing.T) {
	writer := log.Writer()
	log.SetOutput(io.Discard)
	t.Cleanup(func() { log.SetOutput(writer) })
	file := filepath.Join(t.TempDir(), "history.json")
	history := func() string {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(text)
	}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		size, desired := int32(10), int32(4)
		blind, stuck := false, false
		var changes []string
		// loop runs autoscale until a time, which ends it as a crash would.
		loop := func(until time.Duration) {
			ctx, cancel := context.WithDeadline(t.Context(), start.Add(until))
			defer cancel()
			autoscale(ctx, behavior.Bounds{Min: 1, Max: 50}, file, func() (behavior.Change, error) {
				if blind {
					return behavior.Change{Current: size}, errors.New("no metrics")
				}
				return behavior.Change{Current: size, Desired: desired}, nil
			}, func(replicas int32) error {
				if stuck {
					return errors.New("conflict")
				}
				changes = append(changes, fmt.Sprintf("%v: %d to %d", time.Since(start), size, replicas))
				size = replicas
				return nil
			})
		}
		loop(2*time.Minute + time.Second)
		loop(6 * time.Minute)
		require.Regexp(t, `"added":\[\],"removed":\[\{[^}]*"replicas":6`, history())
		desired, stuck = 30, true
		loop(7 * time.Minute)
		require.Contains(t, history(), `"added":[]`)
		stuck = false
		loop(8 * time.Minute)
		desired, blind = 2, true
		loop(20 * time.Minute)
		require.NoError(t, os.WriteFile(file, []byte("{"), 0o600))
		blind = false
		loop(30 * time.Minute)
		require.Equal(t, []string{
			"5m1s: 10 to 4", // 5 minutes after the first start
			"7m0s: 4 to 8",
			"7m15s: 8 to 16",
			"7m30s: 16 to 30",
			"25m0s: 30 to 2", // 5 minutes after the history was lost
		}, changes)
	})
}
