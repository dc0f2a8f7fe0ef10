package stabilize_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize"
)

var (
	_ encoding.BinaryAppender    = stabilize.Series{}
	_ encoding.BinaryMarshaler   = stabilize.Series{}
	_ encoding.BinaryUnmarshaler = &stabilize.Series{}
	_ encoding.BinaryAppender    = stabilize.History{}
	_ encoding.BinaryUnmarshaler = &stabilize.History{}
)

// sample is a series with all that there is: a stale entry, vacant places, and
// times that are not in order.
func sample() stabilize.Series {
	var s stabilize.Series
	s.Record(noon, 5, 10, stabilize.MergeMax)
	s.Record(noon.Add(-time.Hour), 7, 10, stabilize.MergeMax)
	s.Record(noon.Add(-time.Hour-1), 7, 10, stabilize.MergeMax)
	s.Record(noon.Add(15*time.Second), -2, 10, stabilize.MergeMax)
	s.Forget(noon, time.Hour-1)
	s.MarkStale(noon.Add(1), 0)
	return s
}

// encoded puts bytes, texts and numbers after one another: a uint64 is a
// varint, an int64 a zigzag one.
func encoded(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = append(b, p...)
		case int:
			b = append(b, byte(p))
		case uint64:
			b = binary.AppendUvarint(b, p)
		case int64:
			b = binary.AppendVarint(b, p)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// entry of a kind, with the zigzag difference to the value before.
func head(zigzag, kind uint64) uint64 { return zigzag<<3 | kind }

const noonUnix = int64(1782907200)

// The form does not change, or it gets another version.
func TestBinaryIsFixed(t *testing.T) {
	var least stabilize.Series
	least.Record(noon, math.MinInt32, 10, stabilize.MergeMax)
	for _, tt := range []struct {
		series stabilize.Series
		want   []byte
	}{
		{stabilize.Series{}, encoded("hps:", 1, 0)},
		{least, encoded("hps:", 1, 1, head(math.MaxUint32, 2), noonUnix, uint64(0))},
		{sample(), encoded("hps:", 1, 4,
			head(2*5, 2|1), noonUnix, uint64(0),
			head(2, 4),
			head(2*7-1, 0), int64(15e9))},
	} {
		got, err := tt.series.AppendBinary([]byte("before"))
		require.NoError(t, err)
		require.Equal(t, append([]byte("before"), tt.want...), got)
		got, err = tt.series.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, tt.want, got)
		var s stabilize.Series
		require.NoError(t, s.UnmarshalBinary(tt.want))
		require.True(t, s.Equal(&tt.series))
		s.Rewind(noon.Add(-time.Hour))
		for e := range s.All() {
			require.Equal(t, noon.Add(-time.Hour), e.Time, "the latest time was found again")
		}
	}
}

func TestBinaryErrors(t *testing.T) {
	const (
		live     = 0
		stale    = 1
		absolute = 2
		vacant   = 4
	)
	first := encoded(head(0, absolute), noonUnix, uint64(0))
	for _, tt := range []struct {
		data    []byte
		offset  int
		problem string
	}{
		{nil, 0, "cut short"},
		{encoded("hps:"), 4, "cut short"},
		{encoded("hps:", 1), 5, "cut short"},
		{encoded("hpa:", 1, 0), 0, `begins with "hpa:" instead of "hps:"`},
		{encoded("hps:", 0, 0), 4, "unknown version 0"},
		{encoded("hps:", 2, 0), 4, "unknown version 2"},
		{encoded("hps:", 1, 0, 0), 6, "1 more bytes after the end"},
		{encoded("hps:", 1, 1, first, first), 13, "7 more bytes after the end"},
		{encoded("hps:", 1, uint64(4097)), 5, "places: 4097 is more than 4096"},
		{encoded("hps:", 1, uint64(math.MaxUint64)), 5, "places: 18446744073709551615 is more than 4096"},
		{encoded("hps:", 1, 0x80, 0), 5, "number in more bytes than it takes"},
		{encoded("hps:", 1, 0x80), 6, "cut short"},
		{encoded("hps:", 1, bytes.Repeat([]byte{0xff}, 10), 1), 5, "number beyond 64 bits"},
		{encoded("hps:", 1, 1), 6, "cut short"},
		{encoded("hps:", 1, 1, head(0, 5)), 6, "unknown kind of entry 5"},
		{encoded("hps:", 1, 1, head(0, 6)), 6, "unknown kind of entry 6"},
		{encoded("hps:", 1, 1, head(0, 7)), 6, "unknown kind of entry 7"},
		{encoded("hps:", 1, 1, head(0, live), int64(0)), 6, "first entry without a time of its own"},
		{encoded("hps:", 1, 2, head(1, vacant), head(0, stale), int64(0)), 7, "first entry without a time of its own"},
		{encoded("hps:", 1, 1, head(1<<32, live)), 6, "entry: 34359738368 is more than 34359738367"},
		{encoded("hps:", 1, 1, head(1<<32-1, 7)), 6, "unknown kind of entry 7"},
		{encoded("hps:", 1, 1, head(1<<32-1, live)), 6, "first entry without a time of its own"},
		{encoded("hps:", 1, 1, head(0, absolute), noonUnix, uint64(1e9)), 12, "nanoseconds: 1000000000 is more than 999999999"},
		{encoded("hps:", 1, 1, head(0, absolute), noonUnix), 12, "cut short"},
		{encoded("hps:", 1, 1, head(0, vacant)), 6, "0 vacant places where 1 are left"},
		{encoded("hps:", 1, 1, head(2, vacant)), 6, "2 vacant places where 1 are left"},
		{encoded("hps:", 1, 3, first, head(3, vacant)), 13, "3 vacant places where 2 are left"},
		{encoded("hps:", 1, 2, head(1, vacant), head(1, vacant)), 7, "vacant places in two rows instead of one"},
		{encoded("hps:", 1, 2, first, first), 14, "time in full where a difference would do"},
		{encoded("hps:", 1, 2, first, head(0, live)), 14, "cut short"},
		{encoded("hps:", 1, 2, first, head(0, live), int64(math.MinInt64)), 14, "time out of range"},
		{encoded("hps:", 1, 2, first, head(0, live), int64(math.MaxInt64)), 14, "time out of range"},
		{encoded("hps:", 1, 2, head(0, absolute), int64(math.MaxInt64-62135596800), uint64(0), head(0, live), int64(1e9)), 19, "time out of range"},
	} {
		s := sample()
		before := s.Clone()
		err := s.UnmarshalBinary(tt.data)
		var got *stabilize.DecodeError
		require.ErrorAs(t, err, &got, "%q", tt.data)
		require.Equal(t, &stabilize.DecodeError{Type: "stabilize.Series", Offset: tt.offset, Problem: tt.problem}, got, "%q", tt.data)
		require.True(t, s.Equal(&before), "the destination is as it was")
	}
	err := new(stabilize.Series).UnmarshalBinary([]byte("hps:\x07"))
	require.EqualError(t, err, "stabilize.Series: byte 4: unknown version 7")
	err = new(stabilize.Series).UnmarshalBinary(nil)
	require.EqualError(t, err, "stabilize.Series: byte 0: cut short")
}

// Whatever is cut off at the end, or added there, is missed, or noticed.
func TestBinaryHasAnEnd(t *testing.T) {
	series := sample()
	data, err := series.MarshalBinary()
	require.NoError(t, err)
	for n := range len(data) {
		var s stabilize.Series
		err := s.UnmarshalBinary(data[:n])
		require.EqualError(t, err, (&stabilize.DecodeError{Type: "stabilize.Series", Offset: n, Problem: "cut short"}).Error())
		require.Error(t, s.UnmarshalBinary(append(bytes.Clone(data), data[:n+1]...)))
	}
}

// A history takes less than 16 bytes for each recommendation, at any rate, and
// 6 or 7 at the usual one.
func TestBinaryIsCompact(t *testing.T) {
	size := func(s stabilize.Series) int {
		data, err := s.MarshalBinary()
		require.NoError(t, err)
		return len(data)
	}
	const header = 5 + 2 + 10 // tag, version, length, the first time
	var usual stabilize.History
	w := stabilize.Windows{Down: time.Hour}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 240 {
		now := noon.Add(time.Duration(i)*15*time.Second + time.Duration(r.Int64N(1e8)))
		usual.Record(now, 40+r.Int32N(8), w)
	}
	t.Logf("%d bytes for %d recommendations", size(usual.Series), usual.Len())
	require.LessOrEqual(t, size(usual.Series), header+7*usual.Len())

	rapid.Check(t, func(t *rapid.T) {
		var h stabilize.History
		now := time.Unix(rapid.Int64().Draw(t, "start"), 0)
		for range rapid.IntRange(0, 50).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.Int64().Draw(t, "step")))
			h.Record(now, rapid.Int32().Draw(t, "replicas"), w)
		}
		require.LessOrEqual(t, size(h.Series), header+3+15*h.Places())
	})
}

func TestBinaryOfAnySeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s stabilize.Series
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			now := time.Unix(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 100)).Draw(t, "sec"), rapid.Int64Range(0, 999_999_999).Draw(t, "nsec"))
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				s.MarkStale(now, 0)
			case 1:
				s.Forget(now, 0)
			default:
				s.Record(now, rapid.Int32().Draw(t, "value"), 100, stabilize.MergeMax)
			}
		}
		recode(t, &s, true)
		recode(t, &s, false)
	})
}

// The first time is written in full, though it lies next to what times count
// from.
func TestBinaryOfTheFirstYear(t *testing.T) {
	var s stabilize.Series
	s.Record(time.Time{}.Add(time.Second), 3, 100, stabilize.MergeMax)
	s.Record(time.Time{}, 4, 100, stabilize.MergeMax)
	recode(t, &s, true)
}

// A few bytes cannot ask for much memory.
func TestSmallInputsTakeLittleMemory(t *testing.T) {
	full := encoded("hps:", 1, uint64(4096), head(4096, 4))
	var s stabilize.Series
	require.NoError(t, s.UnmarshalBinary(full))
	require.Equal(t, 4096, s.Places())
	require.Zero(t, s.Len())
	// It can be used like any other.
	s.Record(noon, 1, 4096, stabilize.MergeMax)
	require.Equal(t, 1, s.Len())
	require.Equal(t, stabilize.Window{Sum: 1, Count: 1, Expires: noon.Add(1)}, s.Within(noon, 1))
}

// requireSound checks a series that was decoded from anything.
func requireSound(t require.TestingT, s *stabilize.Series) {
	require.LessOrEqual(t, s.Places(), stabilize.MaxEntries)
	require.LessOrEqual(t, s.Len(), s.Places())
	recode(t, s, true)
	recode(t, s, false)
	for e := range s.All() {
		require.Equal(t, time.UTC, e.Time.Location())
	}
	// It goes on as any other would.
	h := stabilize.History{Series: s.Clone()}
	now := noon
	w := stabilize.Windows{Up: time.Minute, Down: time.Minute}
	for range 2 {
		now = now.Add(time.Second)
		h.Advance(now, w)
		h.Stabilize(now, 5, 4, w)
		h.Record(now, 4, w)
		require.LessOrEqual(t, h.Places(), stabilize.MaxRecommendations)
		require.LessOrEqual(t, h.Within(now, math.MaxInt64).Expires.Unix(), now.Unix()+math.MaxInt64/int64(time.Second)+1)
	}
}

// mutate changes data in a few places, as disks and people do.
func mutate(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + r.IntN(3) {
		if len(data) == 0 {
			return data
		}
		i := r.IntN(len(data))
		n := min(len(data)-i, 1+r.IntN(4))
		switch r.IntN(8) {
		case 0:
			data[i] ^= 1 << r.IntN(8)
		case 1:
			data[i] = byte(r.Uint32())
		case 2:
			data[i] = []byte{0, 0x7f, 0x80, 0xff}[r.IntN(4)]
		case 3:
			data = data[:i]
		case 4:
			data = append(data[:i], data[i+n:]...)
		case 5:
			data = append(data[:i+n], bytes.Clone(data[i:])...)
		case 6:
			j := r.IntN(len(data))
			data[i], data[j] = data[j], data[i]
		case 7:
			data = append(data, byte(r.Uint32()))
		}
	}
	return data
}

func TestMutatedBinary(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n /= 10
	}
	r := rand.New(rand.NewPCG(5, 6))
	series := sample()
	valid, err := series.MarshalBinary()
	require.NoError(t, err)
	decoded := 0
	for range n {
		data := mutate(r, valid)
		var s stabilize.Series
		err := s.UnmarshalBinary(data)
		if err == nil {
			requireSound(t, &s)
			again, _ := s.MarshalBinary()
			require.Equal(t, data, again, "there is one way to write a series")
			decoded++
			continue
		}
		var decode *stabilize.DecodeError
		if !errors.As(err, &decode) || decode.Offset < 0 || decode.Offset > len(data) {
			t.Fatalf("%q: %v", data, err)
		}
	}
	t.Logf("%d of %d decode", decoded, n)
	require.NotZero(t, decoded)
}

func FuzzSeriesUnmarshalBinary(f *testing.F) {
	series := sample()
	data, err := series.MarshalBinary()
	require.NoError(f, err)
	f.Add(data)
	f.Add(encoded("hps:", 1, 0))
	f.Add(encoded("hps:", 1, uint64(4096), head(4096, 4)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s stabilize.Series
		if err := s.UnmarshalBinary(data); err != nil {
			require.ErrorAs(t, err, new(*stabilize.DecodeError))
			require.True(t, s.Equal(&stabilize.Series{}))
			return
		}
		requireSound(t, &s)
		again, err := s.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, data, again)
	})
}
