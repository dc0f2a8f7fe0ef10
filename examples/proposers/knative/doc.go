// Package knative holds proposers.Windows against Knative's own autoscaler,
// with its own collector of metrics, step by step on random courses of load. It
// has tests alone:
//
//	go test . -steps 1000000 -v
//
// Each step in which the sizes differ is counted under a name. They differ
// where Knative's floats are not exact, and nowhere else:
//
//   - "quotient": 2.1 by 0.7 is 3.0000000000000004 in floats, which makes 4
//     pods. Here it is 3.
//   - "average": Knative cuts averages to a millionth, so that a little more
//     than a multiple of the target becomes that multiple.
package knative
