package kubejson

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// jsonValue draws a JSON value of some depth.
func jsonValue(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.SampledFrom([]string{`"`, `\`, `,`, `]}`, `{"`, "é<\u2028", ""}), func(s string) any { return s }),
		rapid.Map(rapid.Int(), func(i int) any { return i }),
		rapid.SampledFrom([]any{nil, true, false}),
	)
	if depth == 0 {
		return leaf
	}
	next := jsonValue(depth - 1)
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(next, 0, 4), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(rapid.String(), next, 0, 4), func(m map[string]any) any { return m }))
}

// The scanners find what encoding/json decodes.
func TestPropertyScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(jsonValue(2), 0, 4).Draw(t, "list")
		object := rapid.MapOfN(rapid.String(), jsonValue(2), 0, 4).Draw(t, "object")
		indent := rapid.SampledFrom([]string{"", " ", "\t", "\r\n"}).Draw(t, "indent")
		encode := func(v any) []byte {
			text, err := json.MarshalIndent(v, indent, indent)
			require.NoError(t, err)
			return append([]byte(indent), text...)
		}

		var wantList []json.RawMessage
		require.NoError(t, json.Unmarshal(encode(list), &wantList))
		text := inner(encode(list))
		require.Equal(t, len(wantList), count(text))
		n := 0
		for at, value := range elements(text) {
			require.Equal(t, string(wantList[n]), string(value))
			require.Equal(t, string(value), string(text[at:at+len(value)]))
			n++
		}

		var wantObject map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(encode(object), &wantObject))
		got := map[string]json.RawMessage{}
		for key, value := range members(encode(object)) {
			got[key] = value
		}
		require.Equal(t, wantObject, got)
	})
}
