package guarantee_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// Most garbage is that of searches, which end soon.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
