package rules

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
)

var update = flag.Bool("update", false, "write the counterexamples to testdata")

// promise is a promise of the team about its rules.
type promise struct {
	name  string
	check func(t *rapid.T, s *prove.Setup)
}

// promises are checked for each manifest. Change the numbers to your own
// promises.
var promises = []promise{
	{"answers a step", func(t *rapid.T, s *prove.Setup) {
		calctest.AnswersStep(t, s, 5*time.Minute)
	}},
	{"does not flap", func(t *rapid.T, s *prove.Setup) {
		calctest.TurnsAtMost(t, s, 8, 0.25)
	}},
	{"settles", func(t *rapid.T, s *prove.Setup) {
		calctest.Settles(t, s, 25*time.Minute)
	}},
}

// manifests returns the files to test: the team's good one, or the JSON files
// of the folder $MANIFESTS.
func manifests(t *testing.T) []string {
	folder := os.Getenv("MANIFESTS")
	if folder == "" {
		return []string{"testdata/catalog.json"}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no JSON files in %s", folder)
	return files
}

// The rules keep all promises, and the invariants of any rules.
func TestManifests(t *testing.T) {
	for _, file := range manifests(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			setup := calctest.Manifest(t, file)
			for _, p := range promises {
				t.Run(p.name, rapid.MakeCheck(func(t *rapid.T) { p.check(t, setup) }))
			}
			for _, i := range calctest.Invariants() {
				t.Run(i.Name, rapid.MakeCheck(func(t *rapid.T) { i.Check(t, setup) }))
			}
		})
	}
}

// Each of these breaks one promise. The counterexample is in a file beside the
// manifest.
func TestBadManifests(t *testing.T) {
	for name, broken := range map[string]string{
		"checkout": "does not flap",
		"search":   "answers a step",
	} {
		t.Run(name, func(t *testing.T) {
			setup := calctest.Manifest(t, filepath.Join("testdata", name+".json"))
			i := slices.IndexFunc(promises, func(p promise) bool { return p.name == broken })
			require.GreaterOrEqual(t, i, 0)
			text := calctest.Find(1, 200, func(t *rapid.T) { promises[i].check(t, setup) })
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(text), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), text)
		})
	}
}
