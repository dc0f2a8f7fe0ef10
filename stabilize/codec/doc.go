// Package codec holds what the encodings of this module share: a strict reader
// of JSON, a reader of the compact binary form, their error, and how they write
// times.
//
// It is plumbing. Callers of the other packages see only its [Error], which says
// where an encoding is wrong:
//
//	var bad *codec.Error
//	if errors.As(json.Unmarshal(data, &state), &bad) {
//		log.Print(bad.Path, bad.Problem)
//	}
//
// A binary encoding is read with one check at the end:
//
//	r := codec.NewReader("example.Pair", data)
//	r.Tag("pair", 1)
//	first, second := r.Uvarint("first", math.MaxInt32), r.Time()
//	r.End()
//	if err := r.Err(); err != nil {
//		return err
//	}
package codec
