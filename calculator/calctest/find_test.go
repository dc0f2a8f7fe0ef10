package calctest_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
)

func TestManifest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hpa.json")
	require.NoError(t, os.WriteFile(file, []byte(manifest), 0o600))
	r := calctest.Manifest(t, file)
	require.EqualValues(t, 20, r.Spec.MaxReplicas)
}

// Invariants refuse setups that cannot be tested, and loads without levels.
func TestInvariantsRefuse(t *testing.T) {
	bare := setupOf(t, cpu60, "")
	bare.Startup = -1
	require.Contains(t, calctest.Find(1, 1, func(t *rapid.T) { calctest.WithinBounds(t, bare) }), "prove: Startup: -1ns is negative")
	bare = setupOf(t, cpu60, "")
	bare.Spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{}
	none := calctest.WithLoad(calctest.LoadProfile{})
	for want, property := range map[string]func(*rapid.T){
		"calctest: WithLoad: there are no levels": func(t *rapid.T) { calctest.AnswersStep(t, bare, time.Minute, none) },
		"the size turns for the 1st time":         func(t *rapid.T) { calctest.TurnsAtMost(t, bare, -1, 9) },
		"prove: there is no spec":                 func(t *rapid.T) { calctest.Timelines(&prove.Setup{}).Draw(t, "timeline") },
	} {
		require.Contains(t, calctest.Find(1, 1000, property), want)
	}
	require.Contains(t, calctest.Find(1, 1, func(t *rapid.T) { calctest.Settles(t, bare, time.Minute, none) }), "calctest: WithLoad: there are no levels")
}

func TestFind(t *testing.T) {
	seven := func(t *rapid.T) {
		if n := rapid.IntRange(0, 100).Draw(t, "n"); n >= 7 {
			t.Logf("%d is too much", n)
			t.Fatalf("too much")
		}
	}
	require.Equal(t, "7 is too much\n", calctest.Find(1, 100, seven), "the smallest, without rapid's own lines")
	require.Empty(t, calctest.Find(1, 100, func(t *rapid.T) { rapid.Bool().Draw(t, "b") }))
	require.Contains(t, calctest.Find(1, 100, func(t *rapid.T) {
		rapid.Bool().Draw(t, "b")
		panic(errors.New("out of order"))
	}), "out of order")
	require.Contains(t, calctest.Find(1, 100, func(t *rapid.T) {
		rapid.Bool().Draw(t, "b")
		t.Skip("never mind")
	}), "only generated 0 valid tests")
	require.NotEmpty(t, calctest.Find(1, 1, func(t *rapid.T) { t.Fail() }))
}
