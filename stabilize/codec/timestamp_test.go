package codec_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/codec"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func TestTimestamp(t *testing.T) {
	for _, tt := range []struct {
		text string
		time time.Time
	}{
		{"2026-07-01T12:00:00Z", noon},
		{"2026-07-01T12:00:00.000000001Z", noon.Add(1)},
		{"2026-07-01T12:00:00.5Z", noon.Add(time.Second / 2)},
		{"0001-01-01T00:00:00Z", time.Time{}},
		{"0000-01-01T00:00:00Z", time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"@-62167219201.999999999", time.Date(0, 1, 1, 0, 0, 0, -1, time.UTC)},
		{"@-62167219201", time.Date(0, 1, 1, 0, 0, -1, 0, time.UTC)},
		{"9999-12-31T23:59:59.999999999Z", time.Date(10000, 1, 1, 0, 0, 0, -1, time.UTC)},
		{"@253402300800", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"@253402300800.000000001", time.Date(10000, 1, 1, 0, 0, 0, 1, time.UTC)},
		{"@9223372036854775807", time.Unix(math.MaxInt64, 0)},
		{"@-9223372036854775808", time.Unix(math.MinInt64, 0)},
	} {
		text, err := codec.Timestamp(tt.time).MarshalText()
		require.NoError(t, err)
		require.Equal(t, tt.text, string(text))
		text, err = codec.Timestamp(tt.time.In(time.FixedZone("", 3600))).AppendText([]byte("at "))
		require.NoError(t, err)
		require.Equal(t, "at "+tt.text, string(text))

		var got codec.Timestamp
		require.NoError(t, got.UnmarshalText([]byte(tt.text)), tt.text)
		require.True(t, tt.time.Equal(time.Time(got)), tt.text)
		require.Equal(t, time.UTC, time.Time(got).Location())
	}
}

func TestTimestampLiberties(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-07-01T14:00:00+02:00":           noon,
		"2026-07-01T12:00:00.000Z":            noon,
		"2026-07-01T12:00:00.500000000-00:00": noon.Add(time.Second / 2),
		"2026-07-01T12:00:00,5Z":              noon.Add(time.Second / 2),
		"2026-07-01T9:00:00Z":                 noon.Add(-3 * time.Hour),
		"2026-07-01T12:00:00.0000000009Z":     noon,
		"@1782907200":                         noon,
		"@1782907200.500000000":               noon.Add(time.Second / 2),
	} {
		var got codec.Timestamp
		require.NoError(t, got.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, time.Time(got), text)
	}
}

func TestTimestampErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `time "" is not RFC 3339`,
		"noon":                  `time "noon" is not RFC 3339`,
		"2026-07-01":            `time "2026-07-01" is not RFC 3339`,
		"2026-07-01T12:00:00":   `time "2026-07-01T12:00:00" is not RFC 3339`,
		"2026-07-01T24:00:00Z":  `time "2026-07-01T24:00:00Z" is not RFC 3339`,
		"10000-01-01T00:00:00Z": `time "10000-01-01T00:00:00Z" is not RFC 3339`,
		"2026-07-01T12:00:00Z, or not as late by n": `time "2026-07-01T12:00:00Z, or not as late by " is not RFC 3339`,
		"2026-07-01T12:00:00Z, or not as late by ":  `time "2026-07-01T12:00:00Z, or not as late by " is not RFC 3339`,
		"@":                    `time "@" is not @seconds or @seconds.nanoseconds`,
		"@9223372036854775808": `time "@9223372036854775808" is not @seconds or @seconds.nanoseconds`,
		"@1.5":                 `time "@1.5" is not @seconds or @seconds.nanoseconds`,
		"@1.0000000000":        `time "@1.0000000000" is not @seconds or @seconds.nanoseconds`,
		"@1.-00000001":         `time "@1.-00000001" is not @seconds or @seconds.nanoseconds`,
		"@1.":                  `time "@1." is not @seconds or @seconds.nanoseconds`,
		"@.000000000":          `time "@.000000000" is not @seconds or @seconds.nanoseconds`,
		"2026-07-01T12:00:00Z, or thereabout, or so": `time "2026-07-01T12:00:00Z, or thereabout, or " is not RFC 3339`,
	} {
		got := codec.Timestamp(noon)
		require.EqualError(t, got.UnmarshalText([]byte(text)), "codec: "+want, text)
		require.Equal(t, noon, time.Time(got), "it is as it was")
	}
}

func TestTimestampsOfAnyTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sec := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-62167219203, -62167219198), rapid.Int64Range(253402300797, 253402300802)).Draw(t, "sec")
		at := time.Unix(sec, rapid.Int64Range(0, 999_999_999).Draw(t, "nsec"))
		text, err := json.Marshal(codec.Timestamp(at))
		require.NoError(t, err)
		var got codec.Timestamp
		require.NoError(t, json.Unmarshal(text, &got), "%s", text)
		require.Equal(t, at.UTC(), time.Time(got))
	})
}
