package behavior_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/stabilize"
)

var (
	_ encoding.BinaryAppender    = behavior.Events{}
	_ encoding.BinaryMarshaler   = behavior.Events{}
	_ encoding.BinaryUnmarshaler = &behavior.Events{}
	_ json.Marshaler             = behavior.Events{}
	_ json.Unmarshaler           = &behavior.Events{}
)

// someEvents returns two of one direction, one of them stale, and one of the
// other.
func someEvents() behavior.Events {
	b := &behavior.Behavior{}
	b.SetDefaults()
	var e behavior.Events
	e.Record(noon, 1, 5, b)
	e.Record(noon.Add(time.Second), 5, 6, b)
	e.Record(noon.Add(2*time.Second), 6, 4, b)
	e.Added.MarkStale(noon.Add(1), 0)
	return e
}

// seriesBytes returns the binary form of a series.
func seriesBytes(t require.TestingT, s *stabilize.Series) []byte {
	data, err := s.MarshalBinary()
	require.NoError(t, err)
	return data
}

// eventsBytes puts two series' bytes together.
func eventsBytes(added, removed []byte) []byte {
	data := binary.LittleEndian.AppendUint32([]byte("hpe:\x01"), uint32(len(added)))
	return slices.Concat(data, added, removed)
}

func TestEventsEncodingsAreFixed(t *testing.T) {
	e := someEvents()
	want := eventsBytes(seriesBytes(t, &e.Added), seriesBytes(t, &e.Removed))
	got, err := e.AppendBinary([]byte("before"))
	require.NoError(t, err)
	require.Equal(t, append([]byte("before"), want...), got)
	got, err = e.MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, want, got)
	var f behavior.Events
	require.NoError(t, f.UnmarshalBinary(want))
	require.True(t, e.Equal(&f))

	const text = `{"added":[{"time":"2026-05-01T12:00:00Z","replicas":4,"stale":true},{"time":"2026-05-01T12:00:01Z","replicas":1}],` +
		`"removed":[{"time":"2026-05-01T12:00:02Z","replicas":2}]}`
	got, err = json.Marshal(e)
	require.NoError(t, err)
	require.Equal(t, text, string(got))
	f = behavior.Events{}
	require.NoError(t, json.Unmarshal(got, &f))
	require.True(t, e.Equal(&f))

	got, err = json.Marshal(behavior.Events{})
	require.NoError(t, err)
	require.Equal(t, `{"added":[],"removed":[]}`, string(got))
	for _, text := range []string{`{}`, `{"added":[]}`, ` { "removed" : [ ] } `} {
		require.NoError(t, f.UnmarshalJSON([]byte(text)))
		require.Zero(t, f.Len())
	}
}

func TestEventsSurviveEncodings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := behaviors().Draw(t, "behavior")
		e, _, _ := drawEvents(t, b, 30)
		requireRecoded(t, &e)
	})
}

func requireRecoded(t require.TestingT, e *behavior.Events) {
	data, err := e.MarshalBinary()
	require.NoError(t, err)
	var f behavior.Events
	require.NoError(t, f.UnmarshalBinary(data))
	require.True(t, e.Equal(&f))
	// Under 16 bytes for each event.
	require.LessOrEqual(t, len(data), 9+2*20+15*(e.Added.Places()+e.Removed.Places()))

	data, err = json.Marshal(e)
	require.NoError(t, err)
	f = behavior.Events{}
	require.NoError(t, json.Unmarshal(data, &f))
	require.True(t, e.Equal(&f))
}

// tooMany returns a series that has one entry more than Events may, and with
// the value of its first one.
func tooMany(first int32, n int) stabilize.Series {
	var s stabilize.Series
	for i := range n {
		s.Record(noon.Add(time.Duration(i)*time.Second), max(first, int32(min(i, 1))), stabilize.MaxEntries, stabilize.MergeMax)
	}
	return s
}

func TestEventsThatRecordDidNotMake(t *testing.T) {
	zero, many, most := tooMany(0, 1), tooMany(1, behavior.MaxEvents+1), tooMany(1, behavior.MaxEvents)
	requireRecoded(t, &behavior.Events{Added: most, Removed: most})
	for _, tt := range []struct {
		events         behavior.Events
		field, problem string
	}{
		{behavior.Events{Added: zero}, "added", "event of 2026-05-01T12:00:00Z: 0 is not a number of pods"},
		{behavior.Events{Removed: zero}, "removed", "event of 2026-05-01T12:00:00Z: 0 is not a number of pods"},
		{behavior.Events{Added: many}, "added", "2049 events, more than 2048"},
		{behavior.Events{Removed: many}, "removed", "2049 events, more than 2048"},
	} {
		want := &behavior.EventsError{Field: tt.field, Problem: tt.problem}
		dst, err := tt.events.AppendBinary([]byte("before"))
		require.Equal(t, want, err)
		require.Equal(t, "before", string(dst))
		_, err = tt.events.MarshalJSON()
		require.Equal(t, want, err)
		require.EqualError(t, err, "behavior: events: "+tt.field+": "+tt.problem)

		e := someEvents()
		before := e.Clone()
		added, removed := seriesBytes(t, &tt.events.Added), seriesBytes(t, &tt.events.Removed)
		offset := 9
		if tt.field == "removed" {
			offset += len(added)
		}
		err = e.UnmarshalBinary(eventsBytes(added, removed))
		require.Equal(t, &stabilize.DecodeError{Type: "behavior.Events", Offset: offset, Problem: tt.field + ": " + tt.problem}, err)
		lists, err := json.Marshal(map[string]any{"added": tt.events.Added, "removed": tt.events.Removed})
		require.NoError(t, err)
		require.Equal(t, &stabilize.DecodeError{Type: "behavior.Events", Offset: -1, Path: tt.field, Problem: tt.problem}, e.UnmarshalJSON(lists))
		require.True(t, e.Equal(&before), "the destination is as it was")
	}
}

func TestEventsBinaryErrors(t *testing.T) {
	empty := []byte("hps:\x01\x00")
	for _, tt := range []struct {
		data    []byte
		offset  int
		problem string
	}{
		{nil, 0, "cut short"},
		{[]byte("hpe:\x01\x06\x00\x00"), 8, "cut short"},
		{[]byte("hpa:\x01\x00\x00\x00\x00"), 0, `begins with "hpa:" instead of "hpe:"`},
		{[]byte("hpe:\x00\x00\x00\x00\x00"), 4, "unknown version 0"},
		{[]byte("hpe:\x02\x00\x00\x00\x00"), 4, "unknown version 2"},
		{[]byte("hpe:\x01\x01\x00\x00\x00"), 5, "1 bytes where 0 are left"},
		{[]byte("hpe:\x01\xff\xff\xff\xff"), 5, "4294967295 bytes where 0 are left"},
		{[]byte("hpe:\x01\x00\x00\x00\x00"), 9, "cut short"},
		{eventsBytes(empty, nil), 15, "cut short"},
		{eventsBytes([]byte("hps:\x02\x00"), empty), 13, "unknown version 2"},
		{eventsBytes(empty, []byte("hps:\x02\x00")), 19, "unknown version 2"},
		{eventsBytes(empty, append(empty, 0)), 21, "1 more bytes after the end"},
		{eventsBytes(append(empty, 0), empty), 15, "1 more bytes after the end"},
	} {
		e := someEvents()
		before := e.Clone()
		require.Equal(t, &stabilize.DecodeError{Type: "behavior.Events", Offset: tt.offset, Problem: tt.problem}, e.UnmarshalBinary(tt.data), "%q", tt.data)
		require.True(t, e.Equal(&before), "the destination is as it was")
	}
	require.NoError(t, new(behavior.Events).UnmarshalBinary(eventsBytes(empty, empty)))
}

func TestEventsJSONErrors(t *testing.T) {
	for _, tt := range []struct{ data, path, problem string }{
		{`null`, "", "not an object"},
		{`[]`, "", "not an object"},
		{`{"added": null}`, "added", `null is not a list`},
		{`{"added": [{"replicas": 1}]}`, "added[0].time", "missing"},
		{`{"removed": [{"vacant": 1}, 3]}`, "removed[1]", `3 is not an object`},
		{`{"Added": []}`, "Added", "unknown field"},
		{`{"added": [], "added": []}`, "added", "given twice"},
		{`{"` + strings.Repeat("x", 50) + `": 1}`, strings.Repeat("x", 40), "unknown field"},
	} {
		e := someEvents()
		before := e.Clone()
		require.Equal(t, &stabilize.DecodeError{Type: "behavior.Events", Offset: -1, Path: tt.path, Problem: tt.problem}, e.UnmarshalJSON([]byte(tt.data)), tt.data)
		require.True(t, e.Equal(&before), "the destination is as it was")
	}
	for _, data := range []string{"", "{", `{"added"}`, `{} {}`} {
		require.ErrorAs(t, new(behavior.Events).UnmarshalJSON([]byte(data)), new(*json.SyntaxError), data)
	}
}

// requireSoundEvents checks events that were decoded from anything.
func requireSoundEvents(t require.TestingT, e *behavior.Events) {
	require.LessOrEqual(t, e.Added.Places(), behavior.MaxEvents)
	require.LessOrEqual(t, e.Removed.Places(), behavior.MaxEvents)
	for _, s := range []*stabilize.Series{&e.Added, &e.Removed} {
		for event := range s.All() {
			require.Positive(t, event.Value)
		}
	}
	data, err := json.Marshal(e)
	require.NoError(t, err)
	var f behavior.Events
	require.NoError(t, json.Unmarshal(data, &f))
	require.True(t, e.Equal(&f))
	// They can be gone on with.
	b := &behavior.Behavior{}
	b.SetDefaults()
	f.Advance(noon, b)
	f.Record(noon, 2, 5, b)
	f.Record(noon, 5, 2, b)
	b.Limit(noon, 5, 7, 1, 10, &f, nil)
	require.LessOrEqual(t, f.Added.Places(), behavior.MaxEvents)
	require.LessOrEqual(t, f.Removed.Places(), behavior.MaxEvents)
}

func TestMutatedEvents(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n /= 10
	}
	r := rand.New(rand.NewPCG(7, 8))
	e := someEvents()
	valid, err := e.MarshalBinary()
	require.NoError(t, err)
	decoded := 0
	for range n {
		data := bytes.Clone(valid)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(data))
			switch r.IntN(4) {
			case 0:
				data[i] ^= 1 << r.IntN(8)
			case 1:
				data[i] = byte(r.Uint32())
			case 2:
				data = append(data[:i+1], data[i:]...)
			case 3:
				data = append(data[:i], data[min(i+1, len(data)-1):]...)
			}
		}
		var f behavior.Events
		if err := f.UnmarshalBinary(data); err != nil {
			var decode *stabilize.DecodeError
			if !errors.As(err, &decode) || decode.Offset < 0 || decode.Offset > len(data) {
				t.Fatalf("%q: %v", data, err)
			}
			continue
		}
		again, err := f.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, data, again, "there is one way to write events")
		requireSoundEvents(t, &f)
		decoded++
	}
	t.Logf("%d of %d decode", decoded, n)
	require.NotZero(t, decoded)
}

func FuzzEventsUnmarshalBinary(f *testing.F) {
	e := someEvents()
	data, err := e.MarshalBinary()
	require.NoError(f, err)
	f.Add(data)
	f.Add(eventsBytes([]byte("hps:\x01\x00"), []byte("hps:\x01\x00")))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e behavior.Events
		if err := e.UnmarshalBinary(data); err != nil {
			require.ErrorAs(t, err, new(*stabilize.DecodeError))
			require.Zero(t, e.Len())
			return
		}
		again, err := e.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, data, again)
		requireSoundEvents(t, &e)
	})
}

func FuzzEventsUnmarshalJSON(f *testing.F) {
	e := someEvents()
	data, err := e.MarshalJSON()
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(`{"removed": [{"vacant": 2048}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e behavior.Events
		if err := e.UnmarshalJSON(data); err != nil {
			require.Zero(t, e.Len())
			return
		}
		requireSoundEvents(t, &e)
	})
}
