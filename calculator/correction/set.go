package correction

import (
	"encoding/json"
	"iter"
	"strings"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/internal/words"
)

// Set is a set of corrections. The zero Set is empty, as in Kubernetes. Unknown
// bits mean nothing.
type Set uint32

// All returns the set of all corrections.
func All() Set { return Set(end - 1) }

// NewSet returns the set of these corrections.
func NewSet(corrections ...Correction) (s Set) {
	for _, c := range corrections {
		s = s.With(c)
	}
	return s
}

// Parse parses names separated by commas, as String returns them. An unknown
// name is a *field.Error.
func Parse(names string) (Set, error) {
	if names == "" {
		return 0, nil
	}
	return parse(strings.Split(names, ","))
}

func parse(names []string) (s Set, err error) {
	for _, name := range names {
		c := named(name)
		if c == 0 {
			return 0, field.NotSupported("corrections", name, All().String())
		}
		s = s.With(c)
	}
	return s, nil
}

func named(name string) Correction {
	for c := range All().All() {
		if c.String() == name {
			return c
		}
	}
	return 0
}

// Has reports whether the correction is in the set.
func (s Set) Has(c Correction) bool { return s&Set(c) != 0 }

// With returns the set with c.
func (s Set) With(c Correction) Set { return s | Set(c) }

// Without returns the set without c.
func (s Set) Without(c Correction) Set { return s &^ Set(c) }

// All returns the corrections of the set, in the order of the table.
func (s Set) All() iter.Seq[Correction] { return words.Bits(Correction(s & Set(end-1))) }

// IsZero reports whether the set is empty.
func (s Set) IsZero() bool { return s == 0 }

// String returns the names, with commas between them.
func (s Set) String() string { return words.List(s.All()) }

// MarshalJSON returns the list of the names.
func (s Set) MarshalJSON() ([]byte, error) { return words.JSONList(s.All()) }

// UnmarshalJSON reads what MarshalJSON writes. An unknown name is a
// *field.Error. On an error, s is unchanged.
func (s *Set) UnmarshalJSON(data []byte) error {
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		return err
	}
	t, err := parse(names)
	if err != nil {
		return err
	}
	*s = t
	return nil
}
