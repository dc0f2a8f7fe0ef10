package main

import (
	"fmt"

	"github.com/purehpa/hpa/calculator/lint"
)

// appendLint appends what is likely to be regretted about the spec, each finding
// with the case that shows it.
func (o *options) appendLint(dst []byte, in *input) ([]byte, error) {
	a := &in.cluster.Autoscaler
	facts := o.facts
	switch {
	case in.cluster.Scale != nil:
		facts.UsualReplicas = in.cluster.Scale.SpecReplicas
	case o.current != nil || a.Status.CurrentReplicas > 0:
		facts.UsualReplicas = a.Status.CurrentReplicas
	}
	dst = fmt.Appendf(dst, "%s of %s %s\n", in.key(), a.Spec.ScaleTargetRef.Kind, a.Spec.ScaleTargetRef.Name)
	found, err := lint.Lint(&a.Spec, &o.settings, facts)
	for _, f := range found {
		dst = fmt.Appendf(dst, "\n%s: %s\n  %s\n", f.Field, f.Kind, f.Message)
		for _, m := range f.Case {
			dst = fmt.Appendf(dst, "    %s\n", m)
		}
	}
	if len(found) == 0 {
		dst = append(dst, "\nNo findings.\n"...)
	}
	return dst, err
}
