// Package proposers shows three algorithms of others as functions that propose
// a size:
//
//   - [Watermarks] leaves the size alone while a value is between two marks, as
//     Datadog's WatermarkPodAutoscaler does.
//   - [Steps] adds and removes more, the further a value is from its target, as
//     step scaling on AWS does.
//   - [Windows] follows the average of a long window, and in a panic that of a
//     short one, as Knative's autoscaler does.
//
// None of them knows of bounds, policies, conditions or events. A
// [calculator.Reading] takes what they return, and calculator.Decide does the
// rest:
//
//	p, err := marks.Propose(value, replicas, ready)
//	obs.Readings = []calculator.Reading{{Proposed: &p, Err: err}}
//	d := web.Decide(now, &obs) // of a calculator.Autoscaler
//
// An error is the failure of the metric: the size may not fall, and the
// conditions say why. A field that cannot be is a *field.Error.
//
// Amounts are milli-units, sizes and pods are replicas, rates and tolerances
// fractions.
package proposers
