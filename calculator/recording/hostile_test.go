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
	{"proposals", first + second + `,"readings":[`, `{"proposed":{}}`, ",", `]}`},
	{"errors", first + second + `,"readings":[`, `{"error":""}`, ",", `]}`},
	{"requests in force", first + second + `,"templates":[{"containers":[`, `{"inForce":{}}`, ",", `]}]}`},
	{"requests of pods", first + second + `,"templates":[`, `{"podLevel":{}}`, ",", `]}`},
}

// hostileHeaders are such headers.
var hostileHeaders = []struct{ name, before, part, comma, after string }{
	{"metrics", `{"recording":1,"spec":{"metrics":[`, `{}`, ",", `]}}`},
	{"match expressions", `{"recording":1,"spec":{"metrics":[{"pods":{"metric":{"selector":{"matchExpressions":[`, `{}`, ",", `]}}}}]}}`},
	{"policies", `{"recording":1,"spec":{"behavior":{"scaleUp":{"policies":[`, `{}`, ",", `]}}}}`},
	{"conditions", `{"recording":1,"spec":{},"status":{"conditions":[`, `{}`, ",", `]}}`},
	{"current metrics", `{"recording":1,"spec":{},"status":{"currentMetrics":[`, `{}`, ",", `]}}`},
	{"recommendations", `{"recording":1,"spec":{},"state":{"version":1,"recommendations":[`, `{}`, ",", `]}}`},
	{"conditions of a state", `{"recording":1,"spec":{},"state":{"version":1,"conditions":[`, `{}`, ",", `]}}`},
	{"settings", `{"recording":1,"spec":{},"settings":{`, `"release":"1.37"`, ",", `}}`},
}

// Reading takes memory in proportion: for each byte of input less than 70 bytes
// are kept, and less than 250 ever allocated, also under the race detector.
func TestMemory(t *testing.T) {
	const n = 300_000
	text := func(before, part, comma, after string) string {
		var b strings.Builder
		b.WriteString(before)
		for i := 0; b.Len() < n; i++ {
			if i > 0 {
				b.WriteString(comma)
			}
			b.WriteString(part)
		}
		return b.String() + after
	}
	check := func(name, text string) {
		t.Helper()
		before, made := live()
		r, err := recording.NewReader(strings.NewReader(text))
		if err == nil {
			for _, err = range r.Syncs() {
			}
		}
		after, madeAfter := live()
		t.Logf("%s: %d of %d: %.80v", name, (after-before)/n, (madeAfter-made)/n, err)
		require.Less(t, (after-before)/n, int64(70), name)
		require.Less(t, (madeAfter-made)/n, int64(250), name)
		runtime.KeepAlive(r)
		runtime.KeepAlive(text)
	}
	for _, h := range hostile {
		check(h.name, text(head+h.before, h.part, h.comma, h.after))
	}
	for _, h := range hostileHeaders {
		check("header: "+h.name, text(h.before, h.part, h.comma, h.after+"\n"))
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
