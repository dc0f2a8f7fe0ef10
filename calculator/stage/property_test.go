package stage_test

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/metrics"
)

// arbitrary makes up stages of any data, of which many have words that are
// known.
var arbitrary = rapid.MakeCustom[stage.Stage](rapid.MakeConfig{
	Types: map[reflect.Type]*rapid.Generator[any]{
		reflect.TypeFor[time.Time](): rapid.SampledFrom([]time.Time{
			{}, noon, noon.Add(1), noon.Add(time.Hour), noon.Add(-time.Hour), time.Unix(math.MaxInt64, 0), time.Unix(-1<<50, 0),
		}).AsAny(),
		reflect.TypeFor[metrics.Quantity](): rapid.Custom(func(t *rapid.T) metrics.Quantity {
			if rapid.Bool().Draw(t, "set") {
				return metrics.Quantity{}
			}
			format := rapid.SampledFrom([]metrics.Format{metrics.DecimalSI, metrics.BinarySI}).Draw(t, "format")
			return metrics.MilliQuantity(metrics.Milli(rapid.Int64().Draw(t, "amount")), format)
		}).AsAny(),
		reflect.TypeFor[release.Release](): rapid.SampledFrom(release.All()).AsAny(),
		reflect.TypeFor[stage.Float]():     rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1)})).AsAny(),
	},
	Kinds: map[reflect.Kind]*rapid.Generator[any]{
		reflect.Int32:  rapid.OneOf(rapid.Int32Range(-2, 3), rapid.Int32(), rapid.Just[int32](math.MaxInt32)).AsAny(),
		reflect.Int:    rapid.OneOf(rapid.IntRange(-2, 3), rapid.Int()).AsAny(),
		reflect.String: rapid.OneOf(rapid.String(), rapid.SampledFrom(words)).AsAny(),
	},
})

var words = []string{
	"", "\n", "two\nlines", "Normal", "Disabled", "AboveMax", "Max", "Min", "Up", "Down", "Decides", "Pods", "Percent", "Resource", "Object",
	"AsZero", "RatioTimesPods", "CountWouldChangeDirection", "Fallback", "ScaleUpLimit", "TooManyReplicas", "Written", "Unknown",
}

// draw draws a stage of one kind.
func draw(t *rapid.T) stage.Stage {
	s := arbitrary.Draw(t, "stage")
	v := reflect.ValueOf(&s).Elem()
	kind := rapid.IntRange(0, v.NumField()-1).Draw(t, "kind")
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() != reflect.Pointer:
		case i != kind:
			f.SetZero()
		case f.IsNil():
			f.Set(reflect.New(f.Type().Elem()))
		}
	}
	return s
}

var laterLine = regexp.MustCompile(`^(  (Usage|Correction|Proposal|Policy \d+|Release|Corrected): |(Release|Corrected): )`)

// Any data has texts and JSON: lines of which each ends with a newline, and a
// value that is read again.
func TestAnyStage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		text := s.Text()
		require.Equal(t, text, s.Text())
		require.True(t, strings.HasSuffix(text, ".\n"), "%q", text)
		first := true
		for line := range strings.Lines(text) {
			require.True(t, strings.HasSuffix(line, "\n"), "%q", text)
			require.NotRegexp(t, `[[:cntrl:]]`, strings.TrimSuffix(line, "\n"))
			if !first {
				require.Regexp(t, laterLine, line)
			}
			first = false
		}
		require.True(t, strings.HasSuffix(strings.ReplaceAll(text, "\n  ", "\n"), s.Sentences()+"\n"), "%q", text)

		data, err := json.Marshal(s)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, new(stage.Stage)))
	})
}
