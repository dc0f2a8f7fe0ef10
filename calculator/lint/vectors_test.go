package lint_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/lint"
)

// recorded calls each for the recorded specs, with the flags that they were
// recorded with.
func recorded(t *testing.T, each func(spec *autoscaling.HorizontalPodAutoscalerSpec, settings calculator.Settings)) {
	f, err := os.Open("../testdata/kubernetes-1.37.1.jsonl.gz")
	require.NoError(t, err)
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, math.MaxInt32)
	for lines.Scan() {
		var v struct {
			Config struct {
				Tolerance              float64
				DownscaleStabilization string
			}
			DefaultedSpec autoscaling.HorizontalPodAutoscalerSpec
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		settings := calculator.DefaultSettings()
		settings.Tolerance = v.Config.Tolerance
		settings.DownscaleStabilization, err = time.ParseDuration(v.Config.DownscaleStabilization)
		require.NoError(t, err)
		each(&v.DefaultedSpec, settings)
	}
	require.NoError(t, lines.Err())
}

// The recorded specs are random: half of them have rules that nobody would
// write. Each case is decided as it says.
func TestRecordedSpecs(t *testing.T) {
	none, found := 0, map[lint.Kind]int{}
	recorded(t, func(spec *autoscaling.HorizontalPodAutoscalerSpec, settings calculator.Settings) {
		kinds := map[lint.Kind]bool{}
		for _, f := range lintAll(t, spec, settings, lint.DefaultFacts()) {
			kinds[f.Kind] = true
		}
		for k := range kinds {
			found[k]++
		}
		if len(kinds) == 0 {
			none++
		}
	})
	require.Equal(t, 588, none)
	require.Equal(t, map[lint.Kind]int{
		lint.NeverScales: 186, lint.UnreachableSize: 1, lint.TargetBelowIdle: 69, lint.MemoryNeverFalls: 479, lint.NoHeadroom: 172,
		lint.WindowOutlastsPeaks: 96, lint.WindowOutlastsPauses: 50, lint.UpWindowOutlastsDown: 140, lint.NoDownWindow: 316,
		lint.ScaleUpDisabled: 111, lint.ScaleDownDisabled: 94, lint.StuckAtZero: 54, lint.SlowScaleUp: 60, lint.SlowScaleDown: 3,
		lint.PolicyNeverBinds: 365, lint.WideTolerance: 63,
	}, found)
}
