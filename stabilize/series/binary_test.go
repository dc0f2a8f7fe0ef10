package series_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// sample is a series with all that there is: a stale entry, vacant places, and
// times that are not in order.
func sample() series.Series {
	var s series.Series
	s.Record(noon, 5, forever, 10, series.MergeMax)
	s.Record(noon.Add(-time.Hour), 7, forever, 10, series.MergeMax)
	s.Record(noon.Add(-time.Hour-1), 7, forever, 10, series.MergeMax)
	s.Record(noon.Add(15*time.Second), -2, forever, 10, series.MergeMax)
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
	var least series.Series
	least.Record(noon, math.MinInt32, forever, 10, series.MergeMax)
	for _, tt := range []struct {
		series series.Series
		want   []byte
	}{
		{series.Series{}, encoded(0)},
		{least, encoded(1, head(math.MaxUint32, 2), noonUnix, uint64(0))},
		{sample(), encoded(4,
			head(2*5, 2|1), noonUnix, uint64(0),
			head(2, 4),
			head(2*7-1, 0), int64(15e9))},
	} {
		require.Equal(t, append([]byte("before"), tt.want...), tt.series.AppendBinary([]byte("before")))
		s, err := read(tt.want)
		require.NoError(t, err)
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
		{encoded(), 0, "cut short"},
		{encoded(0, 0), 1, "1 more bytes after the end"},
		{encoded(1, first, first), 8, "7 more bytes after the end"},
		{encoded(uint64(4097)), 0, "places: 4097 is more than 4096"},
		{encoded(uint64(math.MaxUint64)), 0, "places: 18446744073709551615 is more than 4096"},
		{encoded(0x80, 0), 0, "number in more bytes than it takes"},
		{encoded(0x80), 1, "cut short"},
		{encoded(bytes.Repeat([]byte{0xff}, 10), 1), 0, "number beyond 64 bits"},
		{encoded(1), 1, "cut short"},
		{encoded(1, head(0, 5)), 1, "unknown kind of entry 5"},
		{encoded(1, head(0, 6)), 1, "unknown kind of entry 6"},
		{encoded(1, head(0, 7)), 1, "unknown kind of entry 7"},
		{encoded(1, head(0, live), int64(0)), 1, "first entry without a time of its own"},
		{encoded(2, head(1, vacant), head(0, stale), int64(0)), 2, "first entry without a time of its own"},
		{encoded(1, head(1<<32, live)), 1, "entry: 34359738368 is more than 34359738367"},
		{encoded(1, head(1<<32-1, 7)), 1, "unknown kind of entry 7"},
		{encoded(1, head(1<<32-1, live)), 1, "first entry without a time of its own"},
		{encoded(1, head(0, absolute), noonUnix, uint64(1e9)), 7, "nanoseconds: 1000000000 is more than 999999999"},
		{encoded(1, head(0, absolute), noonUnix), 7, "cut short"},
		{encoded(1, head(0, vacant)), 1, "0 vacant places where 1 are left"},
		{encoded(1, head(2, vacant)), 1, "2 vacant places where 1 are left"},
		{encoded(3, first, head(3, vacant)), 8, "3 vacant places where 2 are left"},
		{encoded(2, head(1, vacant), head(1, vacant)), 2, "vacant places in two rows instead of one"},
		{encoded(2, first, first), 9, "time in full where a difference would do"},
		{encoded(2, first, head(0, live)), 9, "cut short"},
		{encoded(2, first, head(0, live), int64(math.MinInt64)), 9, "time out of range"},
		{encoded(2, first, head(0, live), int64(math.MaxInt64)), 9, "time out of range"},
		{encoded(2, head(0, absolute), int64(math.MaxInt64-62135596800), uint64(0), head(0, live), int64(1e9)), 14, "time out of range"},
	} {
		_, err := read(tt.data)
		require.Equal(t, &codec.Error{Type: "series.Series", Offset: tt.offset, Problem: tt.problem}, err, "%q", tt.data)
		s := sample()
		before := s.Clone()
		if r := codec.NewReader("", tt.data); !strings.HasSuffix(tt.problem, "after the end") {
			s.ReadBinary(r)
			require.Error(t, r.Err())
			require.True(t, s.Equal(&before), "the destination is as it was")
		}
	}
}

// Whatever is cut off at the end, or added there, is missed, or noticed.
func TestBinaryHasAnEnd(t *testing.T) {
	data := sample().AppendBinary(nil)
	for n := range len(data) {
		_, err := read(data[:n])
		require.Equal(t, &codec.Error{Type: "series.Series", Offset: n, Problem: "cut short"}, err)
		_, err = read(append(bytes.Clone(data), data[:n+1]...))
		require.Error(t, err)
	}
}

// A history takes less than 16 bytes for each recommendation, at any rate, and
// 6 or 7 at the usual one.
func TestBinaryIsCompact(t *testing.T) {
	const header = 2 + 10 // length, the first time
	var usual series.Series
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 240 {
		now := noon.Add(time.Duration(i)*15*time.Second + time.Duration(r.Int64N(1e8)))
		usual.Record(now, 40+r.Int32N(8), forever, series.MaxEntries, series.MergeMax)
	}
	t.Logf("%d bytes for %d recommendations", len(usual.AppendBinary(nil)), usual.Len())
	require.LessOrEqual(t, len(usual.AppendBinary(nil)), header+7*usual.Len())

	rapid.Check(t, func(t *rapid.T) {
		var s series.Series
		now := time.Unix(rapid.Int64().Draw(t, "start"), 0)
		for range rapid.IntRange(0, 50).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.Int64().Draw(t, "step")))
			s.Record(now, rapid.Int32().Draw(t, "replicas"), forever, series.MaxEntries, series.MergeMax)
		}
		require.LessOrEqual(t, len(s.AppendBinary(nil)), header+3+15*s.Places())
	})
}

func TestBinaryOfAnySeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s series.Series
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			now := time.Unix(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 100)).Draw(t, "sec"), rapid.Int64Range(0, 999_999_999).Draw(t, "nsec"))
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				s.MarkStale(now, 0)
			case 1:
				s.Forget(now, 0)
			default:
				s.Record(now, rapid.Int32().Draw(t, "value"), forever, 100, series.MergeMax)
			}
		}
		recode(t, &s, true)
		recode(t, &s, false)
	})
}

// The first time is written in full, though it lies next to what times count
// from.
func TestBinaryOfTheFirstYear(t *testing.T) {
	var s series.Series
	s.Record(time.Time{}.Add(time.Second), 3, forever, 100, series.MergeMax)
	s.Record(time.Time{}, 4, forever, 100, series.MergeMax)
	recode(t, &s, true)
}

// A few bytes cannot ask for much memory.
func TestSmallInputsTakeLittleMemory(t *testing.T) {
	full := encoded(uint64(4096), head(4096, 4))
	s, err := read(full)
	require.NoError(t, err)
	require.Equal(t, 4096, s.Places())
	require.Zero(t, s.Len())
	// It can be used like any other.
	s.Record(noon, 1, forever, 4096, series.MergeMax)
	require.Equal(t, 1, s.Len())
	require.Equal(t, series.Window{Sum: 1, Count: 1, Expires: noon.Add(1), Leaving: 1}, s.Within(noon, 1))
}

// requireSound checks a series that was decoded from anything.
func requireSound(t require.TestingT, s *series.Series) {
	require.LessOrEqual(t, s.Places(), series.MaxEntries)
	require.LessOrEqual(t, s.Len(), s.Places())
	recode(t, s, true)
	recode(t, s, false)
	for e := range s.All() {
		require.Equal(t, time.UTC, e.Time.Location())
	}
	// It goes on as any other would.
	c := s.Clone()
	now := noon
	for range 2 {
		now = now.Add(time.Second)
		c.Rewind(now)
		require.LessOrEqual(t, c.Within(now, math.MaxInt64).Expires.Unix(), now.Unix()+math.MaxInt64/int64(time.Second)+1)
		c.Record(now, 4, time.Minute, series.MaxEntries, series.MergeMax)
		require.LessOrEqual(t, c.Places(), series.MaxEntries)
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
	valid := sample().AppendBinary(nil)
	decoded := 0
	for range n {
		data := mutate(r, valid)
		s, err := read(data)
		if err == nil {
			requireSound(t, &s)
			require.Equal(t, data, s.AppendBinary(nil), "there is one way to write a series")
			decoded++
			continue
		}
		var decode *codec.Error
		if !errors.As(err, &decode) || decode.Offset < 0 || decode.Offset > len(data) {
			t.Fatalf("%q: %v", data, err)
		}
	}
	t.Logf("%d of %d decode", decoded, n)
	require.NotZero(t, decoded)
}

func FuzzSeriesReadBinary(f *testing.F) {
	f.Add(sample().AppendBinary(nil))
	f.Add(encoded(0))
	f.Add(encoded(uint64(4096), head(4096, 4)))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := read(data)
		if err != nil {
			require.ErrorAs(t, err, new(*codec.Error))
			return
		}
		requireSound(t, &s)
		require.Equal(t, data, s.AppendBinary(nil))
	})
}
