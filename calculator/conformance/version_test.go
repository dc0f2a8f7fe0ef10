package conformance

import (
	"os"
	"strings"
	"testing"
)

// TestUpstreamVersion compares it with the module file's. Older releases have
// module files of their own.
func TestUpstreamVersion(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\tk8s.io/kubernetes v"+UpstreamVersion+"\n") {
		t.Errorf("go.mod does not require Kubernetes %s", UpstreamVersion)
	}
}
