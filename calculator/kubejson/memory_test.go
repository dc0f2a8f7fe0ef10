//go:build !race

// The race detector allocates, too.

package kubejson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/kubejson"
)

// Pods take less than 20 bytes of memory for each byte of input, whatever it
// is, and all else less than 150.
func TestMemory(t *testing.T) {
	for _, h := range hostile {
		if h.before != "" && !strings.Contains(h.before, `"v1"`) {
			doc := hostileDocument(h.before, h.part, h.comma, h.after, 300_000)
			for _, strict := range []bool{false, true} {
				c := kubejson.Cluster{Strict: strict}
				bytes := allocated(func() { _ = c.Add(doc) })
				require.Less(t, bytes/float64(len(doc)), 150.0, h.name)
			}
			continue
		}
		doc := hostileDocument(h.before, h.part, h.comma, h.after, 100_000)
		bytes := allocated(func() {
			if h.before == "" {
				require.NoError(t, new(kubejson.Cluster).Add(doc))
			} else {
				_, _ = kubejson.DecodePods(nil, doc)
			}
		})
		require.Less(t, bytes/float64(len(doc)), 20.0, h.name)
	}
}
