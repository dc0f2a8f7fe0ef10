package calculator_test

import (
	"encoding"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// textOf is an enum behind a pointer.
type textOf[E any] interface {
	*E
	encoding.TextUnmarshaler
}

// holdWords checks that the words of all values are the given ones, that the
// other values have words as well, and that each is read back.
func holdWords[E interface {
	~uint8
	encoding.TextMarshaler
}, P textOf[E]](t *testing.T, name string, words ...string) {
	t.Helper()
	for v := range math.MaxUint8 + 1 {
		text, err := E(v).MarshalText()
		require.NoError(t, err)
		if v < len(words) {
			require.Equal(t, words[v], string(text))
		} else {
			require.Contains(t, string(text), name+"(")
		}
		back := E(v + 1)
		require.NoError(t, P(&back).UnmarshalText(text))
		require.Equal(t, E(v), back)
	}
	kept := E(1)
	err := P(&kept).UnmarshalText([]byte("nonsense"))
	var e *metrics.WordError
	require.ErrorAs(t, err, &e)
	require.Equal(t, metrics.WordError{Type: "calculator." + name, Word: "nonsense"}, *e)
	require.EqualError(t, err, `calculator.`+name+`: unknown word "nonsense"`)
	require.Equal(t, E(1), kept)
}

func TestWords(t *testing.T) {
	holdWords[calculator.ColdStart](t, "ColdStart", "RecommendCurrent", "HoldScaleDown")
	holdWords[calculator.Zone](t, "Zone", "none", "normal", "disabled", "fromZero", "aboveMax", "belowMin")
	holdWords[calculator.RescaleReason](t, "RescaleReason", "none", "aboveTarget", "belowTarget", "aboveMaxReplicas",
		"belowMinReplicas")
	holdWords[calculator.Outcome](t, "Outcome", "nothingToWrite", "pending", "written", "notWritten")
	holdWords[calculator.SelectorReason](t, "SelectorReason", "SelectorRequired", "InvalidSelector", "AmbiguousSelector")
	holdWords[calculator.Rule](t, "Rule", "noProposal", "withinTolerance", "correctedWithinTolerance",
		"directionWouldChange", "countWouldChangeDirection", "ratioTimesPods", "correctedRatioTimesPods",
		"ratioFromZero", "usagePerTarget")
	holdWords[calculator.Assumption](t, "Assumption", "notCounted", "asZero", "asTarget", "asRequest")
	holdWords[calculator.FailureKind](t, "FailureKind", "none", "metricUnavailable", "noPods", "noSamples", "noRequest",
		"noMatchingSamples", "zeroRequests", "noTarget", "invalidTarget", "invalidSelector")
}
