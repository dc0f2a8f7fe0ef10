package recording_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/recording"
)

// hostile are shapes of lines that nobody should have written. Each is what
// stands before, between and after the copies of a part.
var hostile = []struct{ name, before, part, comma, after string }{
	{"pods", first + second + `,"pods":[`, `{"template":0}`, ",", `]}`},
	{"pods that are empty", first + second + `,"pods":[`, `{}`, ",", `]}`},
	{"pods with names", first + second + `,"pods":[`, `{"name":"web","template":0}`, ",", `]}`},
	{"pods that keep pods", first + second + `,"pods":[`, `{"keep":"0"}`, ",", `]}`},
	{"indices", first + second + `,"pods":[{"keep":"`, `0,`, "", `"}]}`},
	{"templates", first + second + `,"templates":[`, `{}`, ",", `]}`},
	{"containers", first + second + `,"templates":[{"containers":[`, `{}`, ",", `]}]}`},
	{"init containers", first + second + `,"templates":[{"initContainers":[`, `{}`, ",", `]}]}`},
	{"requests", first + second + `,"templates":[{"containers":[{"requests":{"others":[`, `{}`, ",", `]}}]}]}`},
	{"readings", first + second + `,"readings":[`, `{}`, ",", `]}`},
	{"readings with samples", first + second + `,"readings":[`, `{"samples":[0]}`, ",", `]}`},
	{"samples", first + second + `,"readings":[{"samples":[`, `0`, ",", `]}]}`},
	{"samples that are kept", first + second + `,"readings":[{"samples":[`, `"0"`, ",", `]}]}`},
	{"strays", first + second + `,"readings":[{"strays":[`, `0`, ",", `]}]}`},
	{"values", first + second + `,"readings":[{"values":[`, `0`, ",", `]}]}`},
	{"a long text", first + second + `,"scaleError":"`, `\u0001`, "", `"}`},
	{"unknown fields", first + second, `,"x":0`, "", `}`},
	{"a field again and again", first + second, `,"pods":[]`, "", `}`},
	{"nesting", first + second + `,"pods":`, `[`, "", ``},
	{"lines that say nothing", first, "\n", "", ``},
}

// Reading takes memory in proportion: for each byte of input less than 100
// bytes are kept, and less than 600 ever allocated, whatever it is.
func TestMemory(t *testing.T) {
	for _, h := range hostile {
		const n = 300_000
		var b strings.Builder
		b.WriteString(head + h.before)
		for i := 0; b.Len() < n; i++ {
			if i > 0 {
				b.WriteString(h.comma)
			}
			b.WriteString(h.part)
		}
		b.WriteString(h.after)
		r, err := recording.NewReader(strings.NewReader(b.String()))
		require.NoError(t, err)
		before, made := live()
		for _, err := range r.Syncs() {
			if err != nil {
				requireError(new(testing.T), err)
			}
		}
		after, madeAfter := live()
		t.Logf("%s: %d of %d", h.name, (after-before)/n, (madeAfter-made)/n)
		require.Less(t, (after-before)/n, int64(100), h.name)
		require.Less(t, (madeAfter-made)/n, int64(600), h.name)
		runtime.KeepAlive(r)
	}
}

// Lines cannot multiply what is in them.
func TestLinesMultiplyNothing(t *testing.T) {
	_, err := failure([]byte(head + first + second + `,"pods":[{"keep":"0-1"},{"keep":"0-1"}]}`))
	require.EqualError(t, err, "recording: line 3: sync: pods: 0 is there twice")
	_, err = failure([]byte(head + first + reading2(`["0-1","0-1"]`)))
	require.EqualError(t, err, "recording: line 3: sync: readings.samples: 0 is there twice")
}

// live returns the bytes of memory in use, and all that were ever allocated.
func live() (now, ever int64) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), int64(m.TotalAlloc)
}
