package calculator_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// The decoded vectors stay in memory. To look through them for garbage again
// and again takes a fifth of the time.
func TestMain(m *testing.M) {
	if !raceDetector {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
