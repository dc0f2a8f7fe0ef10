package words

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	require.Equal(t, "0 pods", Count(0, "pod"))
	require.Equal(t, "1 pod", Count(1, "pod"))
	require.Equal(t, "2 replicas", Count(int32(2), "replica"))
	require.Equal(t, "-1 pods", Count(-1, "pod"))
}

func TestSpan(t *testing.T) {
	for d, text := range map[time.Duration]string{
		0: "0s", 1: "1ns", time.Millisecond - 1: "999.999µs", time.Millisecond + 1: "1ms", 1500 * time.Microsecond: "2ms",
		-1500 * time.Microsecond: "-2ms", time.Second: "1s", 10 * time.Second: "10s", time.Minute: "1m", 10 * time.Minute: "10m",
		90 * time.Second: "1m30s", time.Hour: "1h", 2*time.Hour + time.Second: "2h0m1s", 100 * time.Hour: "100h", 130 * time.Minute: "2h10m",
		-time.Hour: "-1h",
	} {
		require.Equal(t, text, Span(d))
	}
}

func TestJSONTime(t *testing.T) {
	for given, want := range map[time.Time]string{
		time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)):    "2026-01-02T02:04:05.000000006Z",
		time.Date(-1, 12, 31, 23, 59, 59, 0, time.UTC):                 "0000-01-01T00:00:00Z",
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -1)): "9999-12-31T23:59:59Z",
		time.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3600)):       "0000-01-01T00:00:00Z",
		time.Date(9999, 12, 31, 23, 59, 59, 999, time.UTC):             "9999-12-31T23:59:59.000000999Z",
	} {
		text, err := JSONTime(given).MarshalText()
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
}

func TestOrdinal(t *testing.T) {
	var got []string
	for _, n := range []int{1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 101, 111} {
		got = append(got, Ordinal(n))
	}
	require.Equal(t, "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 22nd 101st 111th", strings.Join(got, " "))
}

func TestClock(t *testing.T) {
	require.Equal(t, "0:00", Clock(0))
	require.Equal(t, "59:59", Clock(time.Hour-time.Second))
	require.Equal(t, "1:00:00", Clock(time.Hour))
	require.Equal(t, "-0:15", Clock(-15*time.Second))
}

func TestNumber(t *testing.T) {
	require.Equal(t, "4", Number(4))
	require.Equal(t, "12.25", Number(12.25))
	require.Equal(t, "2147483647", Number(1<<31-1))
}
