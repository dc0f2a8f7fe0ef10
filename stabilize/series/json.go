package series

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
)

// entryJSON is an element of the list in JSON: an entry or a row of vacant
// places.
type entryJSON struct {
	Time     *string `json:"time,omitempty"`
	Replicas *int32  `json:"replicas,omitempty"`
	Stale    bool    `json:"stale,omitempty"`
	Vacant   *int    `json:"vacant,omitempty"`
}

// MarshalJSON returns the list in the order of [Series.All]:
//
//	[
//		{"time": "2026-07-01T12:00:00.5Z", "replicas": 5},
//		{"time": "2026-07-01T11:40:00Z", "replicas": 7, "stale": true},
//		{"vacant": 2}
//	]
//
// Times are as [codec.Timestamp] writes them; vacant is a number of consecutive
// vacant places. The list has no version: what holds it has one.
func (s Series) MarshalJSON() ([]byte, error) {
	list := make([]entryJSON, 0, len(s.slots))
	for e, n := range s.rows() {
		if e.isVacant() {
			list = append(list, entryJSON{Vacant: &n})
			continue
		}
		text, _ := codec.Timestamp(e.at().time()).MarshalText()
		at := string(text)
		list = append(list, entryJSON{Time: &at, Replicas: &e.value, Stale: e.stale()})
	}
	return json.Marshal(list)
}

// entriesJSON is a list of entries.
type entriesJSON []entryJSON

// List implements codec.Lister.
func (l *entriesJSON) List(path string, n int) {
	if path == "" {
		*l = make(entriesJSON, 0, n)
	}
}

// UnmarshalJSON reads what MarshalJSON writes, and times in any location. It is
// as strict as [codec.UnmarshalStrict], whose errors it returns. On an error s
// is unchanged.
func (s *Series) UnmarshalJSON(data []byte) error {
	const typ = "series.Series"
	var list entriesJSON
	if err := codec.UnmarshalStrict(typ, data, &list); err != nil {
		return err
	}
	var t Series
	for i, e := range list {
		path := "[" + strconv.Itoa(i) + "]"
		n := 1
		if e.Vacant != nil {
			n = *e.Vacant
		}
		if n > MaxEntries-len(t.slots) {
			return codec.JSONError(typ, path, "more than %d entries", MaxEntries)
		}
		row, field, problem := e.slot()
		if problem != "" {
			return codec.JSONError(typ, path+field, "%s", problem)
		}
		t.append(row, n)
	}
	*s = t
	return nil
}

// slot returns the slot that e stands for, or what is wrong with which field.
func (e *entryJSON) slot() (s slot, field, problem string) {
	switch {
	case e.Vacant != nil && (e.Time != nil || e.Replicas != nil || e.Stale):
		return s, "", "vacant places with an entry in them"
	case e.Vacant != nil && *e.Vacant < 1:
		return s, ".vacant", strconv.Itoa(*e.Vacant) + " is not a number of places"
	case e.Vacant != nil:
		return vacantSlot(), "", ""
	case e.Time == nil:
		return s, ".time", "missing"
	case e.Replicas == nil:
		return s, ".replicas", "missing"
	}
	var t codec.Timestamp
	if err := t.UnmarshalText([]byte(*e.Time)); err != nil {
		return s, ".time", err.Error()
	}
	return instantOf(time.Time(t)).slot(*e.Replicas, e.Stale), "", ""
}

// append appends what was decoded: an entry, or a row of n vacant places.
func (s *Series) append(e slot, n int) {
	if !e.isVacant() {
		s.see(e.at(), e.value)
		s.earliest = s.earliest.earlier(e.at())
	}
	for range n {
		s.slots = append(s.slots, e)
	}
	s.tail = len(s.slots)
}
