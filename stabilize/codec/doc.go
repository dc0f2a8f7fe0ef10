// Package codec is for this library's own packages, outside of the promise of
// compatibility, except for its [Error]. It holds what their encodings share: a
// strict reader of JSON, a reader of the compact binary form, their error, and
// how JSON writes times.
//
// The Error says where an encoding is wrong:
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
//	first, second := r.Uvarint("first", math.MaxInt32), r.Varint()
//	r.End()
//	if err := r.Err(); err != nil {
//		return err
//	}
package codec
