package recording

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// read reads a recording of these lines, and returns its bytes, the steps that
// its lists took, and the pods and samples that it had.
func read(t *testing.T, lines []string) (bytes, steps, had int) {
	t.Helper()
	text := `{"recording":1,"spec":{"scaleTargetRef":{"kind":"","name":""},"maxReplicas":1}}` + "\n"
	for i, line := range lines {
		text += fmt.Sprintf(`{"sync":%d,"time":"2026-05-04T12:00:00Z"%s}`+"\n", i+1, line)
	}
	r, err := NewReader(strings.NewReader(text))
	require.NoError(t, err)
	for sync, err := range r.Syncs() {
		require.NoError(t, err)
		had += len(sync.Observation.Pods)
		for _, reading := range sync.Observation.Readings {
			had += len(reading.Samples)
		}
	}
	return len(text), r.steps + r.pods.steps + r.samples.steps, had
}

// many returns n parts with commas between them.
func many(n int, part string) string { return strings.TrimSuffix(strings.Repeat(part+",", n), ",") }

// Pods and samples that keep their index cost nothing: twice the input takes
// twice the steps, at most one for each byte.
func TestStepsAreLinear(t *testing.T) {
	pods := func(n int) string { return `,"templates":[{}],"pods":[` + many(n, `{"template":0}`) + `]` }
	samples := func(n int) string { return `,"readings":[{"samples":[` + many(n, `0`) + `]}]` }
	for name, shape := range map[string]func(n int) (first, rest string){
		"many readings, then none": func(n int) (string, string) { return `,"readings":[` + many(n, `{}`) + `]`, "" },
		"many readings, then one":  func(n int) (string, string) { return `,"readings":[` + many(n, `{}`) + `]`, `,"readings":[{}]` },
		"the same pods":            func(n int) (string, string) { return pods(n), "" },
		"all pods are kept":        func(n int) (string, string) { return pods(n), fmt.Sprintf(`,"pods":[{"keep":"0-%d"}]`, n-1) },
		"all pods and one more": func(n int) (string, string) {
			return pods(n), fmt.Sprintf(`,"pods":[{"keep":"0-%d"},{"template":0}]`, n-1)
		},
		"all pods, in parts": func(n int) (string, string) {
			return pods(n), fmt.Sprintf(`,"pods":[{"keep":"0,1-2"},{"keep":"3-%d"}]`, n-1)
		},
		"all samples are kept": func(n int) (string, string) {
			return samples(n), fmt.Sprintf(`,"readings":[{"samples":["0-%d"]}]`, n-1)
		},
	} {
		measure := func(n int) (bytes, steps int) {
			first, rest := shape(n)
			lines := []string{first}
			for range n {
				lines = append(lines, rest)
			}
			bytes, steps, _ = read(t, lines)
			return bytes, steps
		}
		_, once := measure(500)
		bytes, twice := measure(1000)
		require.LessOrEqual(t, twice, 2*once+10, name)
		require.LessOrEqual(t, twice, bytes, name)
	}
}

// A line that moves elements copies them, at most twice.
func TestStepsOfMoves(t *testing.T) {
	const n = 300
	lines := []string{`,"templates":[{}],"pods":[` + many(n, `{"template":0}`) + `]`}
	for _, keep := range []string{fmt.Sprintf("1-%d,0", n-1), fmt.Sprintf("0-99,101-%d,100", n-1), fmt.Sprintf("%d,0-%d", n-1, n-2)} {
		for range 100 {
			lines = append(lines, `,"pods":[{"keep":"`+keep+`"}]`)
		}
	}
	_, steps, had := read(t, lines)
	require.Equal(t, len(lines)*n, had)
	require.LessOrEqual(t, steps, 2*had)
}
