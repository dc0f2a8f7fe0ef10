package series

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The ends of time.Time's range.
var (
	firstInstant = instant{math.MinInt64, 0}
	lastInstant  = instant{math.MaxInt64, 999_999_999}
)

// instants draws moments of the whole range, many of them near an end, a second
// or each other.
func instants() *rapid.Generator[instant] {
	return rapid.Custom(func(t *rapid.T) instant {
		sec := rapid.OneOf(
			rapid.Int64(),
			rapid.Int64Range(-3, 3),
			rapid.Int64Range(unixEpoch-3, unixEpoch+3),
			rapid.Int64Range(math.MinInt64, math.MinInt64+unixEpoch+3),
			rapid.Int64Range(math.MaxInt64-3, math.MaxInt64),
		).Draw(t, "sec")
		nsec := rapid.OneOf(
			rapid.Int32Range(0, 999_999_999),
			rapid.SampledFrom([]int32{0, 1, 999_999_998, 999_999_999}),
		).Draw(t, "nsec")
		return instant{sec, nsec}
	})
}

func durations() *rapid.Generator[time.Duration] {
	return rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.OneOf(
			rapid.Int64(),
			rapid.Int64Range(-3, 3),
			rapid.Int64Range(1e9-2, 1e9+2),
			rapid.Int64Range(-1e9-2, -1e9+2),
			rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64}),
		).Draw(t, "duration"))
	})
}

// nanoseconds returns i as one number.
func (i instant) nanoseconds() *big.Int {
	n := big.NewInt(i.sec)
	return n.Mul(n, big.NewInt(1e9)).Add(n, big.NewInt(int64(i.nsec)))
}

// instantAt is the other way round, stopping at the ends of the range.
func instantAt(n *big.Int) instant {
	switch {
	case n.Cmp(firstInstant.nanoseconds()) < 0:
		return firstInstant
	case n.Cmp(lastInstant.nanoseconds()) > 0:
		return lastInstant
	}
	sec, nsec := new(big.Int).DivMod(n, big.NewInt(1e9), new(big.Int))
	return instant{sec.Int64(), int32(nsec.Int64())}
}

func TestInstantArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, d := instants().Draw(t, "i"), durations().Draw(t, "d")
		n := big.NewInt(int64(d))
		require.Equal(t, instantAt(new(big.Int).Add(i.nanoseconds(), n)), i.add(d), "add")
		require.Equal(t, instantAt(new(big.Int).Sub(i.nanoseconds(), n)), i.sub(d), "sub")

		j := rapid.OneOf(instants(), rapid.Just(i.add(d))).Draw(t, "j")
		require.Equal(t, i.nanoseconds().Cmp(j.nanoseconds()) < 0, i.before(j), "before")
		between := new(big.Int).Sub(j.nanoseconds(), i.nanoseconds())
		if between.Sign() >= 0 {
			require.Equal(t, instantAt(between), j.since(i), "since")
		}
		got, ok := j.duration(i)
		// Any bound will do that is close to what a Duration can hold.
		const most = math.MaxInt64 - 2e9
		require.Equal(t, between.CmpAbs(big.NewInt(most)) <= 0, ok && got.Abs() <= most, "duration")
		if ok {
			require.Equal(t, between.Int64(), int64(got), "duration")
			require.True(t, between.IsInt64())
		}
	})
}

func TestInstantsStopAtTheEnds(t *testing.T) {
	for _, tt := range []struct {
		from instant
		by   time.Duration
		want instant
	}{
		{firstInstant, -1, firstInstant},
		{firstInstant, -time.Second, firstInstant},
		{firstInstant, math.MinInt64, firstInstant},
		{firstInstant, 0, firstInstant},
		{firstInstant, 1, instant{math.MinInt64, 1}},
		{instant{math.MinInt64, 1}, -1, firstInstant},
		{lastInstant, 1, lastInstant},
		{lastInstant, time.Second, lastInstant},
		{lastInstant, math.MaxInt64, lastInstant},
		{lastInstant, 0, lastInstant},
		{lastInstant, -1, instant{math.MaxInt64, 999_999_998}},
		{instant{math.MaxInt64, 0}, time.Second - 1, lastInstant},
		{instant{5, 0}, -1, instant{4, 999_999_999}},
		{instant{5, 999_999_999}, 1, instant{6, 0}},
	} {
		require.Equal(t, tt.want, tt.from.add(tt.by), "%v and %v", tt.from, tt.by)
		if tt.by != math.MinInt64 {
			require.Equal(t, tt.want, tt.from.sub(-tt.by), "%v and %v", tt.from, tt.by)
		}
	}
	require.Equal(t, lastInstant, instant{math.MaxInt64, 5}.sub(math.MinInt64))
	require.Equal(t, instant{9223372036, 854775808}, instant{}.sub(math.MinInt64))
}

// A Duration ends where the next second might not fit.
func TestLongestDuration(t *testing.T) {
	const most = 9223372035
	d, ok := instant{most, 999_999_999}.duration(instant{})
	require.Equal(t, most*time.Second+999_999_999, d)
	require.True(t, ok)
	_, ok = instant{most + 1, 0}.duration(instant{})
	require.False(t, ok)
	_, ok = instant{}.duration(instant{most + 1, 0})
	require.False(t, ok)
	_, ok = lastInstant.duration(firstInstant)
	require.False(t, ok)
}

// An instant is what a time.Time is, in the same order, over the whole range.
func TestInstantIsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, j := instants().Draw(t, "i"), instants().Draw(t, "j")
		require.Equal(t, i, instantOf(i.time()))
		require.Equal(t, i.time().Before(j.time()), i.before(j))
	})
	require.Equal(t, instant{}, instantOf(time.Time{}))
	require.Equal(t, instant{unixEpoch, 0}, instantOf(time.Unix(0, 0)))
	require.Equal(t, time.UTC, firstInstant.time().Location())

	now := time.Now()
	require.Equal(t, now.UnixNano(), instantOf(now).time().UnixNano())
	require.Equal(t, instantOf(now), instantOf(now.Round(0)), "the monotonic clock makes no difference")
	require.Equal(t, instantOf(now), instantOf(now.In(time.FixedZone("", 3*3600))), "nor does the location")
}
