package describe

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Each unit begins at the nanosecond at which upstream's does.
func TestAge(t *testing.T) {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	for _, c := range []struct {
		age           time.Duration
		before, since string
	}{
		{-2*time.Second + 1, "<invalid>", "0s"},
		{0, "0s", "0s"},
		{time.Second, "0s", "1s"},
		{2 * time.Minute, "119s", "2m"},
		{2*time.Minute + time.Second, "2m", "2m1s"},
		{10 * time.Minute, "9m59s", "10m"},
		{3 * time.Hour, "179m", "3h"},
		{3*time.Hour + time.Minute, "3h", "3h1m"},
		{8 * time.Hour, "7h59m", "8h"},
		{2 * day, "47h", "2d"},
		{2*day + time.Hour, "2d", "2d1h"},
		{8 * day, "7d23h", "8d"},
		{2 * year, "729d", "2y"},
		{2*year + day, "2y", "2y1d"},
		{8 * year, "7y364d", "8y"},
		{9 * year, "8y", "9y"},
	} {
		require.Equal(t, c.before, age(c.age-1), c.age)
		require.Equal(t, c.since, age(c.age), c.age)
	}
	require.Equal(t, "<invalid>", age(math.MinInt64))
	require.Equal(t, "292y", age(math.MaxInt64))
}
