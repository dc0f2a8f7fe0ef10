package calculator_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

var (
	_ encoding.BinaryAppender    = calculator.State{}
	_ encoding.BinaryMarshaler   = calculator.State{}
	_ encoding.BinaryUnmarshaler = &calculator.State{}
)

// golden compares data with a file, or writes it with -update.
func golden(t *testing.T, file string, data []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, data, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(data))
}

// The form does not change, or it gets another version.
func TestStateBinaryIsFixed(t *testing.T) {
	st := sampleState(t)
	data, err := st.MarshalBinary()
	require.NoError(t, err)
	golden(t, "testdata/state.hex", []byte(hex.Dump(data)))
	appended, err := st.AppendBinary([]byte("before"))
	require.NoError(t, err)
	require.Equal(t, "before"+string(data), string(appended))

	empty := "hps:\x01\x00"
	body := "hpa:\x01" + "\x00" + "\x00" + "\x00" + "\x00" +
		"\x06\x00\x00\x00" + empty +
		"\x15\x00\x00\x00" + "hpe:\x01\x06\x00\x00\x00" + empty + empty
	data, err = calculator.State{}.MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, signed([]byte(body)), data)
	st = sampleState(t)
	require.NoError(t, st.UnmarshalBinary(data))
	require.True(t, st.Equal(&calculator.State{}), "nothing of the old one is left")
}

// signed appends the checksum.
func signed(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.ChecksumIEEE(body))
}

func TestStateBinaryErrors(t *testing.T) {
	const (
		start = "hpa:\x01"
		empty = "hps:\x01\x00"
		parts = "\x06\x00\x00\x00" + empty + "\x15\x00\x00\x00" + "hpe:\x01\x06\x00\x00\x00" + empty + empty
		zero  = "\x00\x00\x00" // desired replicas, last scale, start
		cond  = "\x01A\x01\x00\x00\x00\x00"
	)
	for _, tt := range []struct {
		body    string
		offset  int
		problem string
	}{
		{"", 0, "cut short"},
		{"hpa", 3, "cut short"},
		{"hpa:", 4, "cut short"},
		{"hps:\x01", 0, `begins with "hps:" instead of "hpa:"`},
		{"hpa:\x00", 4, "unknown version 0"},
		{"hpa:\x02", 4, "unknown version 2"},
		{start, 5, "cut short"},
		{start + "\x80", 6, "cut short"},
		{start + "\x80\x00", 5, "number in more bytes than it takes"},
		{start + strings.Repeat("\xff", 10) + "\x01", 5, "number beyond 64 bits"},
		{start + "\x80\x80\x80\x80\x08", 5, "2147483648 is more than 2147483647"},
		{start + "\x00", 6, "cut short"},
		{start + "\x00\x02", 6, "2 is more than 1"},
		{start + "\x00\x01", 7, "cut short"},
		{start + "\x00\x01\x00", 8, "cut short"},
		{start + "\x00\x01\x00\x80\x94\xeb\xdc\x03", 8, "1000000000 is more than 999999999"},
		{start + "\x00\x01" + string(binary.AppendVarint(nil, -62135596800)) + "\x00", 6, "zero time in full"},
		{start + "\x00\x00\x02", 7, "2 is more than 1"},
		{start + zero, 8, "cut short"},
		{start + zero + "\x21", 8, "33 is more than 32"},
		{start + zero + "\x01", 9, "cut short"},
		{start + zero + "\x01\x05abcd", 14, "cut short"},
		{start + zero + "\x01" + strings.Repeat("\xff", 9) + "\x01", 19, "cut short"},
		{start + zero + "\x01\x01A\x03", 11, "3 is more than 2"},
		{start + zero + "\x01\x01A\x01\x01", 13, "cut short"},
		{start + zero + "\x01\x01A\x01\x00\x01", 14, "cut short"},
		{start + zero + "\x01\x01A\x01\x00\x00", 14, "cut short"},
		{start + zero + "\x01\x01A\x01\x00\x00\x00\x02", 15, "2 is more than 1"},
		{start + zero + "\x01\x01A\x01\x00\x00\x00\x01", 16, "cut short"},
		{start + zero + "\x01\x00\x01\x00\x00\x00\x00", 9, "type: missing"},
		{start + zero + "\x01\x01\xff\x01\x00\x00\x00\x00", 9, `type: "\xff" is not UTF-8`},
		{start + zero + "\x01\x01A\x01\x01\xff\x00\x00\x00", 9, `reason: "\xff" is not UTF-8`},
		{start + zero + "\x02" + cond + cond, 16, `type: "A" is there twice`},
		{start + zero + "\x00" + "\x06\x00\x00", 12, "cut short"},
		{start + zero + "\x00" + "\x06\x00\x00\x00" + "hps:", 17, "cut short"},
		{start + zero + "\x00" + "\xff\xff\xff\xff" + "hps:", 17, "cut short"},
		{start + zero + "\x00" + "\x06\x00\x00\x00" + "hps:\x02\x00", 17, "stabilize.Series: unknown version 2"},
		{start + zero + "\x00" + "\x06\x00\x00\x00" + empty + "\x0a\x00\x00\x00" + "hpe:\x01\x00\x00\x00\x00x", 32, "behavior.Events: cut short"},
		{start + zero + "\x00" + "\x06\x00\x00\x00" + empty + "\x0a\x00\x00\x00" + "hpe:\x02\x00\x00\x00\x00x", 27, "behavior.Events: unknown version 2"},
		{start + zero + "\x00" + parts + "x", 44, "1 more bytes after the end"},
	} {
		st := sampleState(t)
		before := st.Clone()
		err := st.UnmarshalBinary(signed([]byte(tt.body)))
		require.Equal(t, &calculator.DecodeError{Type: "calculator.State", Offset: tt.offset, Problem: tt.problem}, err, "%q", tt.body)
		require.True(t, st.Equal(&before), "the destination is as it was")
	}
	require.NoError(t, new(calculator.State).UnmarshalBinary(signed([]byte(start+zero+"\x01"+cond+parts))))

	// Whatever is shorter than a checksum has no body.
	for n := range 5 {
		err := new(calculator.State).UnmarshalBinary(make([]byte, n))
		require.EqualError(t, err, "calculator.State: byte 0: cut short")
	}
	data := signed([]byte(start + zero + "\x00" + parts))
	data[len(data)-1] ^= 1
	require.Equal(t, &calculator.DecodeError{Type: "calculator.State", Offset: len(data) - 4, Problem: "wrong checksum"}, new(calculator.State).UnmarshalBinary(data))
}

// Whatever a disk makes of one bit or byte, or leaves out at the end, is
// noticed.
func TestStateBinaryNoticesDamage(t *testing.T) {
	st := sampleState(t)
	valid, err := st.MarshalBinary()
	require.NoError(t, err)
	var got calculator.State
	for i := range valid {
		require.ErrorAs(t, got.UnmarshalBinary(valid[:i]), new(*calculator.DecodeError))
		for bit := range 8 {
			data := bytes.Clone(valid)
			data[i] ^= 1 << bit
			require.ErrorAs(t, got.UnmarshalBinary(data), new(*calculator.DecodeError), "bit %d of byte %d", bit, i)
		}
	}
	require.True(t, got.Equal(&calculator.State{}))
}

// Times of the whole range survive, and so do the largest numbers.
func TestStateEncodingsKeepTheExtremes(t *testing.T) {
	generations := []int64{math.MinInt64, -1, 0, math.MaxInt64}
	for i, at := range []time.Time{
		time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64, 999_999_999),
		time.Unix(math.MaxInt64-62135596800, 1), time.Unix(-62135596800, 1),
	} {
		st := calculator.State{
			LastScaleTime:   at,
			Started:         at,
			DesiredReplicas: math.MaxInt32,
			Conditions: []calculator.Condition{{
				Type: "A", Status: calculator.ConditionFalse, LastTransitionTime: at, ObservedGeneration: &generations[i],
			}},
		}
		st.Recommendations.Start(at, math.MinInt32)
		recode(t, &st, true)
		recode(t, &st, false)
	}
}

// A state of an hour's recommendations and half an hour's events, each 15
// seconds, in bytes.
func TestStateIsCompact(t *testing.T) {
	st := sampleState(t)
	st.Recommendations.Reset()
	st.Events = behavior.Events{}
	empty, err := st.MarshalBinary()
	require.NoError(t, err)
	w := stabilize.Windows{Up: time.Hour, Down: time.Hour}
	r := rand.New(rand.NewPCG(1, 2))
	var b behavior.Behavior
	b.SetDefaults()
	b.ScaleUp.Policies[0].PeriodSeconds, b.ScaleDown.Policies[0].PeriodSeconds = 1800, 1800
	for i := range 240 {
		now := noon.Add(time.Duration(i)*15*time.Second + time.Duration(r.Int64N(1e8)))
		st.Recommendations.Record(now, r.Int32N(100), w)
		st.Events.Record(now, 0, 1+r.Int32N(20), &b)
		st.Events.Record(now, 1+r.Int32N(20), 0, &b)
	}
	full, err := st.MarshalBinary()
	require.NoError(t, err)
	entries := st.Recommendations.Len() + st.Events.Len()
	text, err := st.MarshalJSON()
	require.NoError(t, err)
	t.Logf("%d bytes without and %d with %d recommendations and events, %d in JSON", len(empty), len(full), entries, len(text))
	require.Less(t, len(full)-len(empty), 8*entries)
	require.Less(t, len(empty), 800)
}

// requireSoundState checks a state that was decoded from anything, and goes on
// with it.
func requireSoundState(t testing.TB, st *calculator.State, thoroughly bool) {
	require.LessOrEqual(t, st.Recommendations.Places(), stabilize.MaxRecommendations)
	require.LessOrEqual(t, st.Events.Added.Places(), behavior.MaxEvents)
	require.LessOrEqual(t, st.Events.Removed.Places(), behavior.MaxEvents)
	require.LessOrEqual(t, len(st.Conditions), calculator.MaxConditions)
	require.GreaterOrEqual(t, st.DesiredReplicas, int32(0))
	for i := range st.Conditions {
		c := &st.Conditions[i]
		require.NotEmpty(t, c.Type)
		require.Same(t, c, st.Condition(c.Type))
	}
	c := st.Clone()
	require.True(t, c.Equal(st))
	if thoroughly {
		recode(t, st, true)
		for i := range c.Conditions {
			// In JSON, a message that is not UTF-8 does not stay what it is.
			m := &c.Conditions[i].Message
			*m = calculator.Text(strings.ToValidUTF8(m.String(), "?"))
		}
		recode(t, &c, false)
	}
	spec, settings := soundSpec, calculator.DefaultSettings()
	settings.ColdStart = calculator.HoldScaleDown
	settings.Cooldown = behavior.DefaultCooldown()
	now, size := noon, int32(5)
	for i := range 3 {
		now = now.Add(15 * time.Second)
		obs := &calculator.Observation{SpecReplicas: size, StatusReplicas: size, Readings: []calculator.Reading{{Values: []metrics.Milli{metrics.Milli(20-8*i) * 10_000}}}}
		d := calculator.Decide(now, &settings, spec, obs, &c)
		require.NoError(t, d.Err())
		require.GreaterOrEqual(t, d.DesiredReplicas, int32(0))
		require.LessOrEqual(t, d.DesiredReplicas, spec.MaxReplicas)
		c.Applied(now, &d)
		size = d.DesiredReplicas
	}
	require.LessOrEqual(t, c.Recommendations.Places(), stabilize.MaxRecommendations)
}

var soundSpec = func() *calculator.Spec {
	s := calculator.Spec{
		MaxReplicas: 50,
		Metrics: []calculator.MetricSpec{{
			Type: calculator.ExternalMetricSourceType,
			External: &calculator.ExternalMetricSource{
				Metric: calculator.MetricIdentifier{Name: "backlog"},
				Target: calculator.MetricTarget{Type: calculator.AverageValueMetricType, AverageValue: metrics.MilliQuantity(10_000, metrics.DecimalSI)},
			},
		}},
		Behavior: &behavior.Behavior{},
	}
	s.SetDefaults()
	return &s
}()

// A million damaged states, with a checksum that fits, neither panic nor decode
// to one that is not sound.
func TestMutatedStates(t *testing.T) {
	n := 1_000_000
	if testing.Short() || raceDetector {
		n /= 100
	}
	r := rand.New(rand.NewPCG(5, 6))
	st := sampleState(t)
	data, err := st.MarshalBinary()
	require.NoError(t, err)
	valid := data[:len(data)-4]
	decoded := 0
	for range n {
		data := signed(mutate(r, valid))
		var st calculator.State
		err := st.UnmarshalBinary(data)
		if err == nil {
			if decoded++; decoded%8 == 0 {
				again, err := st.MarshalBinary()
				require.NoError(t, err)
				require.Equal(t, data, again, "there is one way to write a state")
				requireSoundState(t, &st, false)
			}
			continue
		}
		var decode *calculator.DecodeError
		if !errors.As(err, &decode) || decode.Offset < 0 || decode.Offset > len(data) {
			t.Fatalf("%q: %v", data, err)
		}
	}
	t.Logf("%d of %d decode", decoded, n)
	require.NotZero(t, decoded)
}

func FuzzStateUnmarshalBinary(f *testing.F) {
	st := sampleState(f)
	for _, st := range []calculator.State{st, {}} {
		data, err := st.MarshalBinary()
		require.NoError(f, err)
		f.Add(data[:len(data)-4])
	}
	// The checksum is left out: no fuzzer would find it.
	f.Fuzz(func(t *testing.T, body []byte) {
		var st calculator.State
		if st.UnmarshalBinary(body) == nil {
			t.Log("a checksum that fits")
			st = calculator.State{}
		}
		data := signed(body)
		if err := st.UnmarshalBinary(data); err != nil {
			require.ErrorAs(t, err, new(*calculator.DecodeError))
			require.True(t, st.Equal(&calculator.State{}))
			return
		}
		again, err := st.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, data, again)
		requireSoundState(t, &st, true)
	})
}
