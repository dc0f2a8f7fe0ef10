// Package lint finds settings of a HorizontalPodAutoscaler that are legal and
// likely to be regretted.
//
//	settings := calculator.DefaultSettings()
//	for _, f := range lint.Lint(&spec, &settings, lint.DefaultFacts()) {
//		fmt.Println(f)
//	}
//
// A [Finding] names the field, says why in a sentence, and shows a case:
// decisions that calculator.Decide makes just so. Each [Kind] says what it is.
//
// # Limits
//
// Lint says nothing that is not so, but it does not find everything, and the
// work is bounded whatever the spec. It does not look at
//
//   - unreachable sizes where a direction is disabled, where policies can end a
//     change early, where minReplicas is 0, or where maxReplicas - minReplicas is
//     above 707 with one metric, 500 with two, 353 with four, and so on;
//   - policies after the first 8 of a direction, the default policies, and
//     policies that only several others together override;
//   - policies from sizes more than 20,000 above minReplicas.
package lint
