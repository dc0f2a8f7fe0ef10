package stabilize_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/stabilize"
	"github.com/purehpa/hpa/stabilize/codec"
)

func TestKeyOfHistory(t *testing.T) {
	const minute = time.Minute
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	// of returns recommendations made one a second, the last one now.
	of := func(values ...int32) *stabilize.History {
		var h stabilize.History
		for i, v := range values {
			h.Record(now.Add(time.Duration(i+1-len(values))*time.Second), v, stabilize.Windows{Down: time.Hour})
		}
		return &h
	}
	key := func(h *stabilize.History, w stabilize.Windows) string { return string(h.AppendKey(nil, now, w)) }
	down, up := stabilize.Windows{Down: minute}, stabilize.Windows{Up: minute}
	for _, tt := range []struct {
		name string
		a, b *stabilize.History
		w    stabilize.Windows
		same bool
	}{
		{"a later one is higher", of(9, 3, 5), of(9, 4, 5), down, true},
		{"a later one is as high", of(9, 5, 5), of(9, 4, 5), down, true},
		{"none later is higher", of(9, 6, 5), of(9, 4, 5), down, false},
		{"a later one is lower", of(1, 5, 3), of(1, 4, 3), up, true},
		{"none later is lower", of(1, 2, 3), of(1, 4, 3), up, false},
		{"zero holds nothing", of(0), of(5), stabilize.Windows{Down: -1}, true},
		{"zero is below all", of(0), of(5), down, false},
		{"no window", of(7), of(3), stabilize.Windows{}, true},
		{"none at all is not the same as none that counts", of(), of(3), stabilize.Windows{}, false},
	} {
		require.Equal(t, tt.same, key(tt.a, tt.w) == key(tt.b, tt.w), tt.name)
	}

	// Of exactly the window's age, one counts only where the window is
	// inclusive.
	h := of(7)
	at := now.Add(minute)
	require.Equal(t, h.AppendKey(nil, at, stabilize.Windows{}), h.AppendKey(nil, at, down))
	require.NotEqual(t, h.AppendKey(nil, at, stabilize.Windows{}), h.AppendKeyDown(nil, at, minute))
	require.Equal(t, h.AppendKey(nil, at, stabilize.Windows{}), h.AppendKeyDown(nil, at.Add(1), minute))
}

func TestReadKeyOfHistory(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 5, time.UTC)
	w := stabilize.Windows{Up: time.Minute, Down: 5 * time.Minute}
	var h stabilize.History
	for i, v := range []int32{9, 3, 7, 2, 5} {
		h.Record(now.Add(time.Duration(20*i)*time.Second+1), v, w)
	}
	h.Record(now.Add(-time.Hour), 4, w) // the clock goes back
	k := h.AppendKey(nil, now, w)
	for _, shift := range []time.Duration{0, time.Nanosecond, -150 * 365 * 24 * time.Hour} {
		var back stabilize.History
		r := codec.NewReader("", k)
		back.ReadKey(r, now.Add(shift))
		require.NoError(t, r.Err())
		require.Equal(t, k, back.AppendKey(nil, now.Add(shift), w))
	}
	for n := range len(k) {
		r := codec.NewReader("", k[:n])
		h.ReadKey(r, now)
		require.Error(t, r.Err())
		require.True(t, h.IsEmpty())
	}
}
