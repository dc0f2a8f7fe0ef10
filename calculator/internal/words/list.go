package words

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
)

// Bits returns the single bits of a set, the lowest first.
func Bits[B ~uint32](set B) iter.Seq[B] {
	return func(yield func(B) bool) {
		for rest := set; rest != 0; rest &= rest - 1 {
			if !yield(rest & -rest) {
				return
			}
		}
	}
}

// List returns the names with commas between them.
func List[T fmt.Stringer](all iter.Seq[T]) string { return strings.Join(names(all), ",") }

// JSONList returns the JSON of the list of the names.
func JSONList[T fmt.Stringer](all iter.Seq[T]) ([]byte, error) { return json.Marshal(names(all)) }

func names[T fmt.Stringer](all iter.Seq[T]) []string {
	list := []string{}
	for v := range all {
		list = append(list, v.String())
	}
	return list
}
