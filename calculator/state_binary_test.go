package calculator_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/hex"
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
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
	"github.com/purehpa/hpa/stabilize/codec"
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

	// Tag and version, size, two times, and no condition, recommendation,
	// scale-up or scale-down.
	data, err = calculator.State{}.MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, signed([]byte("hpa:\x01"+"\x00"+"\x00\x00"+"\x00"+"\x00"+"\x00\x00")), data)
	st = sampleState(t)
	require.NoError(t, st.UnmarshalBinary(data))
	require.True(t, st.Equal(&calculator.State{}), "nothing of the old one is left")
}

// signed appends the checksum.
func signed(body []byte) []byte { return appendSum(bytes.Clone(body)) }

func appendSum(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(body, crc32.ChecksumIEEE(body))
}

func TestStateBinaryErrors(t *testing.T) {
	const (
		start = "hpa:\x01"
		zero  = "\x00\x00\x00" // desired replicas, last scale, start
		lists = "\x00\x00\x00" // recommendations, added, removed
		cond  = "\x01A\x01\x00\x00\x00\x00"
		entry = "\x52\x02\x00" // 5, one second after 1970 began

		none = start + zero + "\x00" // no conditions
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
		{"hpa:\x03", 4, "unknown version 3"},
		{start, 5, "cut short"},
		{start + "\x80", 6, "cut short"},
		{start + "\x80\x00", 5, "number in more bytes than it takes"},
		{start + strings.Repeat("\xff", 10) + "\x01", 5, "number beyond 64 bits"},
		{start + "\x80\x80\x80\x80\x08", 5, "desired replicas: 2147483648 is more than 2147483647"},
		{start + "\x00", 6, "cut short"},
		{start + "\x00\x02", 6, "time: 2 is more than 1"},
		{start + "\x00\x01", 7, "cut short"},
		{start + "\x00\x01\x00", 8, "cut short"},
		{start + "\x00\x01\x00\x80\x94\xeb\xdc\x03", 8, "nanoseconds: 1000000000 is more than 999999999"},
		{start + "\x00\x01" + string(binary.AppendVarint(nil, -62135596800)) + "\x00", 6, "zero time in full"},
		{start + "\x00\x00\x02", 7, "time: 2 is more than 1"},
		{start + zero, 8, "cut short"},
		{start + zero + "\x21", 8, "conditions: 33 is more than 32"},
		{start + zero + "\x01", 9, "cut short"},
		{start + zero + "\x01\x05abcd", 14, "cut short"},
		{start + zero + "\x01" + strings.Repeat("\xff", 9) + "\x01", 9, "type: 18446744073709551615 is more than 255"},
		{start + zero + "\x01\x80\x02" + strings.Repeat("A", 256), 9, "type: 256 is more than 255"},
		{start + zero + "\x01\x01A\x03", 11, "status: 3 is more than 2"},
		{start + zero + "\x01\x01A\x01\x01", 13, "cut short"},
		{start + zero + "\x01\x01A\x01\x81\x80\x02", 12, "reason: 32769 is more than 32768"},
		{start + zero + "\x01\x01A\x01\x00\x01", 14, "cut short"},
		{start + zero + "\x01\x01A\x01\x00\x81\x80\x02", 13, "message: 32769 is more than 32768"},
		{start + zero + "\x01\x01A\x01\x00\x00", 14, "cut short"},
		{start + zero + "\x01\x01A\x01\x00\x00\x02", 14, "time: 2 is more than 1"},
		{start + zero + "\x01\x01A\x01\x00\x00\x00", 15, "cut short"},
		{start + zero + "\x01\x01A\x01\x00\x00\x00\x80\x00", 15, "number in more bytes than it takes"},
		{start + zero + "\x01\x01A\x01\x00\x00\x00\x01", 16, "cut short"},
		{start + zero + "\x01\x00\x01\x00\x00\x00\x00", 9, "type: Required value"},
		{start + zero + "\x01\x01\xff\x01\x00\x00\x00\x00", 9, "type: not UTF-8"},
		{start + zero + "\x02" + cond + cond, 16, `type: Invalid value: "A": is there twice`},
		{none, 9, "cut short"},
		{none + "\x81\x20", 9, "places: 4097 is more than 4096"},
		{none + "\x01", 10, "cut short"},
		{none + "\x01\x50\x02", 10, "first entry without a time of its own"},
		{none + "\x01\x57", 10, "unknown kind of entry 7"},
		{none + "\x01" + "\x52\x02", 12, "cut short"},
		{none + "\x01" + "\x52\x02\x80\x94\xeb\xdc\x03", 12, "nanoseconds: 1000000000 is more than 999999999"},
		{none + "\x02" + entry + entry, 14, "time in full where a difference would do"},
		{none + "\x02\x0c\x0c", 11, "vacant places in two rows instead of one"},
		{none + "\x02\x1c", 10, "3 vacant places where 2 are left"},
		{none + "\x01" + entry, 13, "cut short"},
		{none + "\x00" + "\x01\x2a\x02\x00", 10, "added: -3 is not a number of pods"},
		{none + "\x00" + "\x01\x02\x02\x00", 10, "added: 0 is not a number of pods"},
		{none + "\x00" + "\x81\x10\x8c\x80\x01", 10, "added: 2049 events, more than 2048"},
		{none + "\x00\x00" + "\x81\x10\x8c\x80\x01", 11, "removed: 2049 events, more than 2048"},
		{none + lists + "x", 12, "1 more bytes after the end"},
	} {
		st := sampleState(t)
		before := st.Clone()
		err := st.UnmarshalBinary(signed([]byte(tt.body)))
		require.Equal(t, &codec.Error{Type: "calculator.State", Offset: tt.offset, Problem: tt.problem}, err, "%q", tt.body)
		require.True(t, st.Equal(&before), "the destination is as it was")
	}
	require.NoError(t, new(calculator.State).UnmarshalBinary(signed([]byte(start+zero+"\x01"+cond+lists))))

	// Whatever is shorter than a checksum has no body.
	for n := range 5 {
		err := new(calculator.State).UnmarshalBinary(make([]byte, n))
		require.EqualError(t, err, "calculator.State: byte 0: cut short")
	}
	data := signed([]byte(none + lists))
	data[len(data)-1] ^= 1
	require.Equal(t, &codec.Error{Type: "calculator.State", Offset: len(data) - 4, Problem: "wrong checksum"}, new(calculator.State).UnmarshalBinary(data))
}

// Whatever a disk makes of one bit or byte, or leaves out at the end, is
// noticed.
func TestStateBinaryNoticesDamage(t *testing.T) {
	st := sampleState(t)
	valid, err := st.MarshalBinary()
	require.NoError(t, err)
	var got calculator.State
	for i := range valid {
		require.ErrorAs(t, got.UnmarshalBinary(valid[:i]), new(*codec.Error))
		for bit := range 8 {
			data := bytes.Clone(valid)
			data[i] ^= 1 << bit
			require.ErrorAs(t, got.UnmarshalBinary(data), new(*codec.Error), "bit %d of byte %d", bit, i)
		}
	}
	require.True(t, got.Equal(&calculator.State{}))
}

// What MarshalBinary writes is UTF-8, so that is all there is to read: there is
// one way to write a state.
func TestStateBinaryRefusesTextThatIsNotUTF8(t *testing.T) {
	for name, body := range map[string]string{
		"reason":  "hpa:\x01\x00\x00\x00\x01\x01A\x01\x01\xff\x00\x00\x00\x00\x00\x00",
		"message": "hpa:\x01\x00\x00\x00\x01\x01A\x01\x00\x01\xff\x00\x00\x00\x00\x00",
	} {
		require.ErrorAs(t, new(calculator.State).UnmarshalBinary(signed([]byte(body))), new(*codec.Error), name)
	}
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
			Conditions: []autoscaling.HorizontalPodAutoscalerCondition{{
				Type: "A", Status: autoscaling.ConditionFalse, LastTransitionTime: at, ObservedGeneration: generations[i],
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
	// The functions of package require take longer than what is checked here.
	check := func(sound bool, rule string) {
		if !sound {
			t.Fatalf("%s: %v", rule, st)
		}
	}
	p := placesOf(t, st)
	check(p.recommendations <= stabilize.MaxRecommendations, "recommendations are bounded")
	check(max(p.added, p.removed) <= behavior.MaxEvents, "events are bounded")
	check(len(st.Conditions) <= calculator.MaxConditions, "conditions are bounded")
	check(st.DesiredReplicas >= 0, "the desired size is not negative")
	for i := range st.Conditions {
		c := &st.Conditions[i]
		check(c.Type != "", "conditions have a type")
		check(max(len(c.Reason), len(c.Message)) <= calculator.MaxMessageLength, "texts are bounded")
		check(c == st.Condition(c.Type), "each type occurs once")
	}
	c := st.Clone()
	check(c.Equal(st), "a clone is equal")
	if thoroughly {
		recode(t, st, true)
		recode(t, st, false)
	}
	spec, settings := soundSpec, calculator.DefaultSettings()
	settings.ColdStart = calculator.HoldScaleDown
	settings.Cooldown = behavior.DefaultCooldown()
	now, size := noon, int32(5)
	for i := range 3 {
		now = now.Add(15 * time.Second)
		obs := &calculator.Observation{SpecReplicas: size, StatusReplicas: size, Readings: []calculator.Reading{{Values: []metrics.Milli{metrics.Milli(20-8*i) * 10_000}}}}
		d := calculator.Decide(now, &settings, spec, obs, &c)
		check(d.Err() == nil, "the state decides")
		check(d.DesiredReplicas >= 0 && d.DesiredReplicas <= spec.MaxReplicas, "the size is within bounds")
		c.Applied(now, &d)
		size = d.DesiredReplicas
	}
	check(placesOf(t, &c).recommendations <= stabilize.MaxRecommendations, "recommendations stay bounded")
}

var soundSpec = func() *autoscaling.HorizontalPodAutoscalerSpec {
	s := autoscaling.HorizontalPodAutoscalerSpec{
		MaxReplicas: 50,
		Metrics:     []autoscaling.MetricSpec{autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("10"))},
		Behavior:    &behavior.Behavior{},
	}
	s.SetDefaults()
	return &s
}()

// A million damaged states, with a checksum that fits, neither panic nor decode
// to one that is not sound.
func TestMutatedStates(t *testing.T) {
	t.Parallel()
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
		data := appendSum(mutate(r, valid))
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
		decode, ok := err.(*codec.Error)
		if !ok || decode.Offset < 0 || decode.Offset > len(data) {
			t.Fatalf("%q: %v", data, err)
		}
	}
	t.Logf("%d of %d decode", decoded, n)
	require.NotZero(t, decoded)
}

func FuzzStateUnmarshalBinary(f *testing.F) {
	st := sampleState(f)
	failing := calculator.State{Failing: []calculator.FailingMetric{{Metric: "external metric backlog(nil)", Since: noon}, {}}}
	for _, st := range []calculator.State{st, failing, {}} {
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
			require.ErrorAs(t, err, new(*codec.Error))
			require.True(t, st.Equal(&calculator.State{}))
			return
		}
		again, err := st.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, data, again)
		requireSoundState(t, &st, true)
	})
}
