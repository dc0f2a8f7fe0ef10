package proof

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/prove"
)

// The progress is a line that is rewritten, and then cleared.
func TestProgress(t *testing.T) {
	o := parsed(t, "-for", "10h59m59s", "-removed-at-most", "1/1m", "-added-at-most", "1/1m")
	var out bytes.Buffer
	o.Progress = &out
	claim := o.promises[1].property().String()
	long := &timer{options: o, began: time.Now().Add(-9 * time.Hour)}
	require.True(t, long.goOn(prove.Progress{Claim: claim, States: o.states, Depth: math.MaxInt32}))
	line := out.String()
	require.Equal(t, "\r3000000 states, 2147483647 syncs deep for promise 2 of 2, 9h0m0s of 10h59m59s\x1b[K", line)
	require.Less(t, len(strings.Trim(line, "\r\x1b[K")), 80)
	require.True(t, long.goOn(prove.Progress{}))
	require.Equal(t, line, out.String(), "not so soon")
	long.clear()
	require.Equal(t, line+"\r\x1b[K", out.String())

	silent := &timer{options: parsed(t), began: time.Now()}
	require.True(t, silent.goOn(prove.Progress{}))
	silent.clear()
}

// The time or the number of states ends a search, and stays its end.
func TestTimer(t *testing.T) {
	o := parsed(t, "-for", "1h", "-states", "10")
	early, late := &timer{options: o, began: time.Now()}, &timer{options: o, began: time.Now().Add(-time.Hour)}
	require.True(t, early.goOn(prove.Progress{States: 10}))
	require.False(t, early.goOn(prove.Progress{States: 11}))
	require.False(t, early.over)
	require.False(t, late.goOn(prove.Progress{}))
	require.True(t, late.over)
}

// A promise does not use up the time of those after it.
func TestEachPromiseHasItsTime(t *testing.T) {
	o := parsed(t, "-for", "10h", "-carried-within", "1m", "-removed-at-most", "1/1m", "-added-at-most", "1/1m")
	at := &timer{options: o}
	goOn := func(took time.Duration, promise int) bool {
		return at.allows(prove.Progress{Claim: o.promises[promise-1].property().String()}, took)
	}
	require.True(t, goOn(2*time.Hour, 2)) // half of the eight hours
	require.True(t, goOn(5*time.Hour, 2))
	require.False(t, at.over)
	require.False(t, goOn(6*time.Hour, 2))
	require.True(t, at.over)
	require.True(t, goOn(6*time.Hour, 3))
	require.True(t, goOn(9*time.Hour, 3))
	require.False(t, goOn(10*time.Hour, 3))
	require.True(t, at.over)
}

func TestTerminal(t *testing.T) {
	require.Nil(t, Terminal(new(bytes.Buffer)))
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer file.Close()
	require.Nil(t, Terminal(file))
}
