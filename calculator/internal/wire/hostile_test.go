package wire_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/internal/wire"
)

// hostile are bodies that are large, nested, truncated or repeat themselves.
func hostile() (bodies [][]byte) {
	const n = 1 << 16
	pods := []pod{{"web", 1, 1, []container{{"app", map[string]string{"cpu": strings.Repeat("1", n)}}}}}
	bodies = append(bodies, inProtobuf(pods), inJSON(pods), inJSON(pods)[:n], inProtobuf(pods)[:n])
	v := metricValue{"web", "5", 1, 1}
	for _, l := range valueLists {
		bodies = append(bodies, l.inJSON(l.item(v), `{"x":`+strings.Repeat("[", n)), l.inJSON(strings.Repeat(l.item(v)+",", n/64)), l.inJSON(l.item(v)+strings.Repeat(`,"window":1`, n)),
			l.inProtobuf(l.message(v), bytes.Repeat([]byte{4 << 3, 1}, n)), l.inProtobuf(l.message(v), bytes.Repeat([]byte{5<<3 | 2, 0}, n)))
	}
	for _, body := range []string{
		start + `"x":` + strings.Repeat("[", n), start + strings.Repeat(`"x":{},`, n), start + `"items":[` + strings.Repeat(one+",", n/64),
		start + `"items":[{"timestamp":"` + strings.Repeat("2", n) + `"`, start + `"items":[{"window":"` + strings.Repeat("2", n) + `"`,
	} {
		bodies = append(bodies, []byte(body))
	}
	return append(bodies, append(message{}, bytes.Repeat([]byte{2<<3 | 2, 0}, n)...).enveloped(), append(message{}, bytes.Repeat([]byte{9<<3 | 2, 0}, n)...).enveloped())
}

// Whatever a body is, reading it takes at most two bytes for each of its own.
func TestHostileBodiesTakeLittleMemory(t *testing.T) {
	for i, body := range hostile() {
		used := allocated(func() { skim(body) })
		require.LessOrEqual(t, used, uint64(2*len(body)), "%d: %.60q", i, body)
	}
}

// skim reads a body as each of the lists.
func skim(body []byte) {
	var r wire.Reader
	r.Resource(nil, body, "cpu", "")
	r.Pods(nil, body)
	r.Object(body)
	r.External(body)
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func BenchmarkHostileBodies(b *testing.B) {
	for _, body := range hostile() {
		b.Run("", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				skim(body)
			}
		})
	}
}
