package podgroup_test

import (
	"encoding"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/podgroup"
)

// textOf is a pointer to an enum.
type textOf[E any] interface {
	*E
	encoding.TextUnmarshaler
}

// holdWords checks the words of the enum's values, the texts of all other
// values, and that UnmarshalText reads each back.
func holdWords[E interface {
	~uint8
	encoding.TextMarshaler
	fmt.Stringer
}, P textOf[E]](t *testing.T, name string, words ...string) {
	t.Helper()
	for v := range math.MaxUint8 + 1 {
		text, err := E(v).MarshalText()
		require.NoError(t, err)
		want := fmt.Sprintf("%s(%d)", name, v)
		if v < len(words) {
			want = words[v]
		}
		require.Equal(t, want, string(text))
		require.Equal(t, want, E(v).String())
		back := E(v + 1)
		require.NoError(t, P(&back).UnmarshalText(text))
		require.Equal(t, E(v), back)
	}
	kept := E(1)
	err := P(&kept).UnmarshalText([]byte("nonsense"))
	var e *podgroup.WordError
	require.ErrorAs(t, err, &e)
	require.Equal(t, podgroup.WordError{Type: "podgroup." + name, Word: "nonsense"}, *e)
	require.EqualError(t, err, `podgroup.`+name+`: unknown word "nonsense"`)
	require.Equal(t, E(1), kept)
	for _, text := range []string{name, name + "(256)", name + "|" + words[1], words[0] + "|" + words[1]} {
		require.Error(t, P(&kept).UnmarshalText([]byte(text)), text)
	}
}

func TestWords(t *testing.T) {
	holdWords[podgroup.Class](t, "Class", "Ready", "Unready", "Missing", "Ignored")
	holdWords[podgroup.Reason](t, "Reason", "Counted", "BeingDeleted", "PhaseFailed", "PhasePending", "NoSample",
		"NoReadyCondition", "NoStartTime", "NotReadyYet", "SampleTooEarly", "NeverReady", "PhaseSucceeded", "NotOwned")
	holdWords[podgroup.Phase](t, "Phase", "", "Pending", "Running", "Succeeded", "Failed", "Unknown")
	holdWords[podgroup.Readiness](t, "Readiness", "", "True", "False", "Unknown")
}
