// Package stage holds the explanation of a decision as data: a list of stages,
// each with the size after it, what bound the size there, and until when. The
// sentences are made of this data and of nothing else, so that no program has
// to parse them.
//
// Package calculator builds the stages of a Decision and of a Range:
//
//	for _, s := range decision.Stages() {
//		fmt.Println(s.Name, s.Low, s.Bound, s.Until)
//		fmt.Print(s.Text())
//	}
//
// # Stages
//
// They come in the order of the calculation. Those that a decision does not
// reach are left out.
//
//	Result         what becomes of the size
//	Size           the size before, and the bounds that it is held against
//	Selector       what is wrong with the selector of the scale
//	Metric 1, …    what each metric proposes, and how that came about
//	Choice         which proposal decides
//	Stabilization  the size after the windows
//	Policies       how far each policy lets the size go
//	Limits         what policies and bounds made of the size
//	Minimum        a raised minReplicas, at size zero
//	Cooldown       what the optional cooldown made of the size
//	Fallback       fallbacks that may count
//	Next           until when time alone changes nothing
//	Error          what the sync returns
//
// Each stage has the field of its kind, such as [Stage.Limits], and no other.
//
// Sentences are safe in a terminal: the names and messages in them went through
// [OneLine]. The data is exact, and so are conditions and events. Use
// OneLine to print those.
//
// # JSON
//
// Keys are in lowerCamel and words in UpperCamel, as in the JSON of a Decision.
// They stay: releases add some and take none away. Beside the data are the
// texts, "text" and "sentences". A Stage can be decoded from its JSON.
//
// Sizes are replicas, amounts are Kubernetes quantities, and times are RFC 3339
// in UTC, in the nearest year that RFC 3339 has. Wording may change with a
// release.
package stage
