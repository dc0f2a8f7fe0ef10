package codec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/stabilize/codec"
)

type embedded struct {
	Kind string `json:"kind"`
}

// exact has a field of each sort.
type exact struct {
	embedded
	Name   string            `json:"name,omitempty"`
	Plain  int               // called as in Go
	Hidden string            `json:"-"`
	At     time.Time         `json:"at"`
	Any    any               `json:"any"`
	Raw    json.RawMessage   `json:"raw"`
	Labels map[string]string `json:"labels"`
	Part   *exact            `json:"part"`
	List   []exact           `json:"list"`
	Deep   [][]exact         `json:"deep"`
}

func TestExact(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "",
		`7`:  "",
		` {"kind":"a" , "name" : "b\"}", "Plain":-1.5e3,"at":"2026-05-04T12:00:00Z","any":{"a":[1,{}],"a":null},"raw":[{"x":1,"x":"]"}]} `: "",
		`{"part":null,"list":[],"deep":[[],[{}, {"name":"\\"}]],"labels":{"a":"b","A":"c"}}`:                                               "",
		`{"n\u0061me":"a"}`:                         "",
		`{"Name":"a"}`:                              `unknown field "Name"`,
		`{"plain":1}`:                               `unknown field "plain"`,
		`{"-":1}`:                                   `unknown field "-"`,
		`{"Hidden":1}`:                              `unknown field "Hidden"`,
		`{"embedded":{}}`:                           `unknown field "embedded"`,
		`{"name":"a","n\u0061me":"b"}`:              `name: given twice`,
		`{"kind":"a","name":"a","kind":"b"}`:        `kind: given twice`,
		`{"labels":{"a":"b","a":"c"}}`:              `labels.a: given twice`,
		`{"part":{"part":{"Kind":""}}}`:             `part.part: unknown field "Kind"`,
		`{"list":[{},{"name":""},{"at":0,"at":1}]}`: `list[2].at: given twice`,
		`{"deep":[[],[{}, {"x":1}]]}`:               `deep[1][1]: unknown field "x"`,
		`[]`:                                        "",
	} {
		err := new(codec.Fields).Exact("value", []byte(text), reflect.TypeFor[exact]())
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.EqualError(t, err, "value: "+want, text)
		require.ErrorAs(t, err, new(*codec.Error))
	}
}

// All misnomers are found, in the order of the data, but none below an unknown
// field.
func TestMisnomers(t *testing.T) {
	const text = `{"x":{"y":1,"y":2}, "part":{"Name":"", "list":[{},{"z":0}]}, "p\u0061rt":{"Name":""},"any":1,` +
		"\"labels\":{\"\xff\":\"\",\"\xfe\":\"\"}}"
	fields := codec.Fields{Except: []reflect.Type{reflect.TypeFor[any]()}}
	var all []string
	fields.Misnomers([]byte(text), reflect.TypeFor[exact](), func(m codec.Misnomer) {
		all = append(all, fmt.Sprintf("%s %s %t", m.Path(), m.Text, m.Twice))
	})
	require.Equal(t, []string{
		"x x false", "part.Name Name false", "part.list[1].z z false", `part p\u0061rt true`, "part.Name Name false", "any any false",
		"labels.\ufffd \xfe true",
	}, all)
}

// What encoding/json writes is exact; a name twice or in other letters is not.
func TestPropertyExact(t *testing.T) {
	type pair struct {
		First  *pair           `json:"first,omitempty"`
		Second []pair          `json:"second,omitempty"`
		Text   string          `json:"text,omitempty"`
		Map    map[string]pair `json:"map,omitempty"`
	}
	var draw func(t *rapid.T, depth int) pair
	draw = func(t *rapid.T, depth int) (p pair) {
		p.Text = rapid.String().Draw(t, "text")
		for range rapid.IntRange(0, depth).Draw(t, "parts") {
			switch rapid.IntRange(0, 2).Draw(t, "part") {
			case 0:
				first := draw(t, depth-1)
				p.First = &first
			case 1:
				p.Second = append(p.Second, draw(t, depth-1))
			case 2:
				p.Map = map[string]pair{rapid.String().Draw(t, "key"): draw(t, depth-1)}
			}
		}
		return p
	}
	rapid.Check(t, func(t *rapid.T) {
		data, err := json.MarshalIndent(draw(t, 3), "", rapid.SampledFrom([]string{"", " "}).Draw(t, "indent"))
		require.NoError(t, err)
		require.NoError(t, new(codec.Fields).Exact("pair", data, reflect.TypeFor[pair]()))
		changed := "{\"text\":\"\",\"First\":" + string(data) + "}"
		require.Error(t, new(codec.Fields).Exact("pair", []byte(changed), reflect.TypeFor[pair]()))
		changed = "{\"first\":" + string(data) + ",\"second\":[],\"first\":null}"
		require.Error(t, new(codec.Fields).Exact("pair", []byte(changed), reflect.TypeFor[pair]()))
	})
}

// No valid JSON is too much for it.
func FuzzExact(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `{"list":[{"name":"a"}]}`, `{"labels":{"a":""}}`, ` null `, `"x"`, `{"any":[{"a":"\\\""},1e5,true]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !json.Valid([]byte(s)) {
			return
		}
		codec.Lists([]byte(s), told{})
		err := new(codec.Fields).Exact("value", []byte(s), reflect.TypeFor[exact]())
		if e := (*codec.Error)(nil); err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
		d := json.NewDecoder(strings.NewReader(s))
		d.DisallowUnknownFields()
		if err == nil && d.Decode(new(exact)) != nil && strings.Contains(d.Decode(new(exact)).Error(), "unknown field") {
			t.Fatal("an unknown field")
		}
	})
}

// told are the lists by their paths.
type told map[string]int

func (l told) List(path string, n int) { l[path] = n }

// Long lists are told with their paths, and no others.
func TestLists(t *testing.T) {
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(` {"a":[1,"]"]} ,`, n), ",") + "]" }
	for text, want := range map[string]told{
		list(255): {},
		list(256): {"": 256},
		`{"a":` + list(256) + `, "b" : {"c":` + list(300) + `,"d":{"e":` + list(300) + `}},"f":` + list(255) + `,"g":1}`: {"a": 256, "b.c": 300},
	} {
		got := told{}
		codec.Lists([]byte(text), got)
		require.Equal(t, want, got)
	}
}
