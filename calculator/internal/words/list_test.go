package words

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

type bit uint32

func (b bit) String() string { return map[bit]string{1: "one", 4: "four", 1 << 31: "last"}[b] }

func TestBits(t *testing.T) {
	set := bit(1 | 4 | 1<<31)
	require.Equal(t, []bit{1, 4, 1 << 31}, slices.Collect(Bits(set)))
	for b := range Bits(set) {
		require.Equal(t, bit(1), b, "a loop may end early")
		break
	}
	require.Empty(t, slices.Collect(Bits(bit(0))))
}

func TestList(t *testing.T) {
	for set, want := range map[bit][2]string{0: {"", "[]"}, 4: {"four", `["four"]`}, 5: {"one,four", `["one","four"]`}} {
		require.Equal(t, want[0], List(Bits(set)))
		text, err := JSONList(Bits(set))
		require.NoError(t, err)
		require.Equal(t, want[1], string(text))
	}
}
