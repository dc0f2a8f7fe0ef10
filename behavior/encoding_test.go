package behavior_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/stabilize/codec"
)

// someEvents returns two of one direction, one of them stale, and one of the
// other.
func someEvents(t require.TestingT) behavior.Events {
	var e behavior.Events
	require.NoError(t, json.Unmarshal([]byte(someEventsJSON), &e))
	return e
}

const someEventsJSON = `{"added":[{"time":"2026-05-01T12:00:00Z","replicas":4,"stale":true},{"time":"2026-05-01T12:00:01Z","replicas":1}],` +
	`"removed":[{"time":"2026-05-01T12:00:02Z","replicas":2},{"vacant":3}]}`

// Both series, one after the other.
const someEventsBinary = "\x02" + "\x43\x80\xd7\xa4\x9f\x0d\x00" + "\x28\x80\xa8\xd6\xb9\x07" +
	"\x04" + "\x22\x84\xd7\xa4\x9f\x0d\x00" + "\x1c"

// read decodes the binary form.
func read(data string) (behavior.Events, error) {
	var e behavior.Events
	r := codec.NewReader("some.State", []byte(data))
	e.ReadBinary(r)
	r.End()
	return e, r.Err()
}

func TestEventsEncodingsAreFixed(t *testing.T) {
	e := someEvents(t)
	require.Equal(t, "before"+someEventsBinary, string(e.AppendBinary([]byte("before"))))
	f, err := read(someEventsBinary)
	require.NoError(t, err)
	require.True(t, e.Equal(&f))

	got, err := json.Marshal(e)
	require.NoError(t, err)
	require.Equal(t, someEventsJSON, string(got))

	got, err = json.Marshal(behavior.Events{})
	require.NoError(t, err)
	require.Equal(t, `{"added":[],"removed":[]}`, string(got))
	for _, text := range []string{`{}`, `{"added":[]}`, ` { "Removed" : [ ] } `} {
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
	f, err := read(string(e.AppendBinary(nil)))
	require.NoError(t, err)
	require.True(t, e.Equal(&f))

	data, err := json.Marshal(e)
	require.NoError(t, err)
	f = behavior.Events{}
	require.NoError(t, json.Unmarshal(data, &f))
	require.True(t, e.Equal(&f))
}

// An Events takes no more events than Record makes, and none of no pods.
func TestEventsThatRecordDidNotMake(t *testing.T) {
	list := func(n int, replicas string) string {
		one := `{"time":"2026-05-01T12:00:00Z","replicas":` + replicas + `}`
		return "[" + strings.Repeat(one+",", n-1) + one + "]"
	}
	var most behavior.Events
	require.NoError(t, json.Unmarshal([]byte(`{"added":`+list(behavior.MaxEvents, "1")+`,"removed":[{"vacant":2048}]}`), &most))
	requireRecoded(t, &most)

	for _, tt := range []struct {
		list, binary, problem string
	}{
		{list(1, "0"), "\x01\x02\x80\xd7\xa4\x9f\x0d\x00", "0 is not a number of pods"},
		{list(1, "-1"), "\x01\x0a\x80\xd7\xa4\x9f\x0d\x00", "-1 is not a number of pods"},
		{`[{"vacant":2049}]`, "\x81\x10\x8c\x80\x01", "2049 events, more than 2048"},
	} {
		for _, field := range []string{"added", "removed"} {
			e, before := someEvents(t), someEvents(t)
			err := e.UnmarshalJSON([]byte(`{"` + field + `":` + tt.list + `}`))
			require.Equal(t, &codec.Error{Type: "behavior.Events", Offset: -1, Path: field, Problem: tt.problem}, err)
			require.True(t, e.Equal(&before), "it is as it was")

			data, offset := tt.binary, 0 // the first error is told
			if field == "removed" {
				data, offset = "\x00"+tt.binary, 1
			}
			r := codec.NewReader("some.State", []byte(data))
			e.ReadBinary(r)
			require.Equal(t, &codec.Error{Type: "some.State", Offset: offset, Problem: field + ": " + tt.problem}, r.Err())
			require.True(t, e.Equal(&before), "it is as it was")
		}
	}
}

func TestEventsBinaryErrors(t *testing.T) {
	for _, tt := range []struct {
		data    string
		offset  int
		problem string
	}{
		{"", 0, "cut short"},
		{"\x00", 1, "cut short"},
		{"\x81\x20\x00", 0, "places: 4097 is more than 4096"},
		{"\x00\x01\x05", 2, "unknown kind of entry 5"},
		{"\x00\x00\x00", 2, "1 more bytes after the end"},
	} {
		_, err := read(tt.data)
		require.Equal(t, &codec.Error{Type: "some.State", Offset: tt.offset, Problem: tt.problem}, err, "%q", tt.data)
	}
}

func TestEventsJSONErrors(t *testing.T) {
	for _, tt := range []struct{ data, path, problem string }{
		{`null`, "", "null is not an object"},
		{`[]`, "", "array is not an object"},
		{`{"added": null}`, "added", `null is not a list`},
		{`{"added": [{"replicas": 1}]}`, "added[0].time", "missing"},
		{`{"removed": [{"vacant": 1}, 3]}`, "removed", `number is not an object`},
		{`{"removed": [{"replicas": "3"}]}`, "removed.replicas", `string is not of type int32`},
		{`{"subtracted": []}`, "", `unknown field "subtracted"`},
	} {
		e, before := someEvents(t), someEvents(t)
		require.Equal(t, &codec.Error{Type: "behavior.Events", Offset: -1, Path: tt.path, Problem: tt.problem}, e.UnmarshalJSON([]byte(tt.data)), tt.data)
		require.True(t, e.Equal(&before), "it is as it was")
	}
	for _, data := range []string{"", "{", `{"added"}`, `{} {}`} {
		require.ErrorAs(t, new(behavior.Events).UnmarshalJSON([]byte(data)), new(*json.SyntaxError), data)
	}
}

// requireSoundEvents checks events that were decoded from anything.
func requireSoundEvents(t require.TestingT, e *behavior.Events) {
	requireRecoded(t, e)
	for _, events := range [][]refEvent{listed(e.Added()), listed(e.Removed())} {
		require.LessOrEqual(t, len(events), behavior.MaxEvents)
		for _, event := range events {
			require.Positive(t, event.change)
		}
	}
	// They can be gone on with.
	f := e.Clone()
	b := &behavior.Behavior{}
	b.SetDefaults()
	b.Limit(noon, behavior.Change{5, 7}, behavior.Bounds{1, 10}, &f, nil)
	f.Advance(noon, b)
	for _, event := range append(listed(f.Added()), listed(f.Removed())...) {
		require.False(t, event.at.After(noon))
	}
	for range 2 {
		f.Record(noon, 2, 5, b)
		f.Record(noon, 5, 2, b)
	}
	requireRecoded(t, &f) // which it does not with too many
}

func TestMutatedEvents(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n /= 10
	}
	r := rand.New(rand.NewPCG(7, 8))
	decoded := 0
	for range n {
		data := []byte(someEventsBinary)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(data))
			switch r.IntN(4) {
			case 0:
				data[i] ^= 1 << r.IntN(8)
			case 1:
				data[i] = byte(r.Uint32())
			case 2:
				data = append(data[:i+1], bytes.Clone(data[i:])...)
			case 3:
				data = append(data[:i], data[min(i+1, len(data)-1):]...)
			}
		}
		e, err := read(string(data))
		if err != nil {
			var decode *codec.Error
			require.ErrorAs(t, err, &decode)
			if decode.Offset < 0 || decode.Offset > len(data) {
				t.Fatalf("%q: %v", data, err)
			}
			continue
		}
		require.Equal(t, data, e.AppendBinary(nil), "there is one way to write events")
		requireSoundEvents(t, &e)
		decoded++
	}
	t.Logf("%d of %d decode", decoded, n)
	require.NotZero(t, decoded)
}

func FuzzEventsReadBinary(f *testing.F) {
	f.Add([]byte(someEventsBinary))
	f.Add([]byte("\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := read(string(data))
		if err != nil {
			require.ErrorAs(t, err, new(*codec.Error))
			return
		}
		require.Equal(t, data, e.AppendBinary(nil))
		requireSoundEvents(t, &e)
	})
}

func FuzzEventsUnmarshalJSON(f *testing.F) {
	f.Add([]byte(someEventsJSON))
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
