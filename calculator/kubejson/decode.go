package kubejson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
)

// object is what objects with metadata have in common.
type object struct {
	typeMeta
	Metadata objectMeta `json:"metadata"`
}

type objectMeta struct {
	Name              string    `json:"name"`
	Namespace         string    `json:"namespace"`
	Labels            labels    `json:"labels"`
	Generation        int64     `json:"generation"`
	CreationTimestamp time.Time `json:"creationTimestamp"`
	DeletionTimestamp instant   `json:"deletionTimestamp"`
}

func (o *object) place() (path, namespace string) { return o.Metadata.place() }

// place returns the namespace of the object and its path.
func (m *objectMeta) place() (path, namespace string) { return ".metadata.namespace", m.Namespace }

// item is an object to decode.
type item[T any] interface {
	*T
	header() *typeMeta
	place() (path, namespace string)
}

// decode reads an object or a list of them, and adds each to the result as soon
// as it is decoded, one after another into v. On an error, which is an *Error,
// it returns before.
func decode[A, T any, P item[T]](d document, data []byte, before A, v P, add func(*A, P) *Error) (A, error) {
	in, err := d.read(data)
	if err != nil {
		return before, err
	}
	return decodeItems(d, in, before, v, new(string), add)
}

// read returns the items of a document of this kind.
func (d document) read(data []byte) (items, error) {
	data = inUTF8(data)
	h, err := d.open(data)
	if err != nil {
		return items{}, err.in(d.name)
	}
	return d.itemsOf(h, data), nil
}

// itemsOf returns the items of a document of this kind.
func (d document) itemsOf(h *header, data []byte) items {
	if h.Kind == d.kind {
		return items{bytes.Trim(data, space), -1, 1}
	}
	return listItems(data)
}

// decodeItems is decode of some items, one after another into v, which saves
// allocations. All must be in the namespace, which is set by the first item
// that names one.
func decodeItems[A, T any, P item[T]](d document, in items, before A, v P, namespace *string, add func(*A, P) *Error) (A, error) {
	result, versions := before, strings.Fields(d.versions)
	addNext := func(err error, text []byte) *Error {
		if err != nil {
			return misfit(text, reflect.TypeFor[T](), place{})
		}
		// Items may omit kind and version.
		m := v.header()
		m.Kind, m.APIVersion = cmp.Or(m.Kind, d.kind), cmp.Or(m.APIVersion, versions[0])
		if err := m.check(versions, d.kind); err != nil {
			return err
		}
		path, place := v.place()
		*namespace = cmp.Or(*namespace, place)
		if place != "" && place != *namespace {
			return errorAt(path, "wrong namespace %s; %s was expected", quote(place), quote(*namespace))
		}
		return add(&result, v)
	}
	var err *Error
	lister, hasLists := any(v).(codec.Lister)
	switch {
	case hasLists: // they may be long
		empty := *v
		for _, text := range elements(in.text) {
			*v = empty
			codec.Lists(text, lister)
			if err = addNext(json.Unmarshal(text, v), text); err != nil {
				break
			}
			in.first++
		}
	case in.n == 1:
		*v = *new(T)
		err = addNext(json.Unmarshal(in.text, v), in.text)
	case in.n > 1:
		dec := json.NewDecoder(io.MultiReader(strings.NewReader("["), bytes.NewReader(in.text), strings.NewReader("]")))
		_, _ = dec.Token()
		for in.first--; dec.More() && err == nil; {
			in.first++
			*v = *new(T)
			start := dec.InputOffset() - 1
			e := dec.Decode(v)
			err = addNext(e, bytes.Trim(in.text[start:dec.InputOffset()-1], ","+space))
		}
	}
	if err != nil {
		err.Path = in.path() + err.Path
		return before, err.in(d.name)
	}
	return result, nil
}

// decodeOne is decode of a document of one object.
func decodeOne[T, U any, P item[U]](d document, data []byte, v P, add func(*[]T, P) *Error) (T, error) {
	var none T
	all, err := decode(d, data, nil, v, add)
	switch {
	case err != nil:
		return none, err
	case len(all) != 1:
		return none, errorAt("items", "%d %s; one was expected", len(all), d.several).in(d.name)
	}
	return all[0], nil
}

// open reads the kind of a document, and says how it is not one object or list
// of this kind.
func (d document) open(data []byte) (*header, *Error) {
	var h header
	if json.Unmarshal(data, &h) != nil {
		s := newStream(data)
		text, err := s.next(&h)
		switch {
		case err != nil:
			return nil, err
		case text == nil:
			return nil, errorAt("", "empty")
		}
		return nil, errorAt("", "more after the end of the JSON value, at %s", position(data, s.InputOffset()))
	}
	return &h, d.fits(&h)
}
