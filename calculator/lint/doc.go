// Package lint finds settings of a HorizontalPodAutoscaler that are valid but
// probably mistakes.
//
//	settings := calculator.DefaultSettings()
//	found, err := lint.Lint(&settings, &spec, lint.DefaultFacts())
//	if err != nil {
//		return err // the spec is not valid
//	}
//	for _, f := range found {
//		fmt.Println(f)
//	}
//
// A [Finding] names the field, says why in a sentence, and shows a case:
// decisions that calculator.Decide makes. Each [Kind] says when it is found,
// why it matters and what to do.
//
// # Where Lint is silent
//
// Every finding is true, but Lint does not find every mistake, and its work is
// bounded for any spec. It does not look at
//
//   - the target, its pods and their requests and limits: whether they exist,
//     and whether a utilization can be reached;
//   - targets of Pods, Object and External metrics, whose units are not known;
//   - metrics that contradict each other, or stand twice;
//   - what a metric does to the size, if there are several and
//     Settings.ChooseBy is not ChooseMax: unreachable sizes, targets and
//     tolerances;
//   - bounds that are too high or too low for the load;
//   - the controller's flags where the spec replaces them, and tolerances that
//     come from a flag;
//   - missing windows where all metrics are Object or External ones, which do
//     not dip while pods start;
//   - anything else in a spec whose size never changes, or with an invalid
//     selector;
//   - unreachable sizes with [correction.Truncation], where a direction is
//     disabled, where policies can end a change early, where minReplicas is 0,
//     or where maxReplicas - minReplicas is above 707 with one metric, 500 with
//     two, 353 with four, and so on;
//   - policies after the first 8 of a direction, the default policies, and
//     policies that only several others together override;
//   - policies from sizes more than 20,000 above minReplicas;
//   - how long a direction takes beside a [behavior.Cooldown], and where more
//     than 20,000 limits of policies do not show that it takes too long.
package lint
