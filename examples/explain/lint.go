package main

import "fmt"

// appendLint appends what is likely to be regretted about the autoscaler's spec,
// each with the case that shows it.
func (o *options) appendLint(dst []byte, in *input) []byte {
	a := &in.cluster.Autoscaler
	facts := o.facts
	switch {
	case in.cluster.Scale != nil:
		facts.UsualReplicas = in.cluster.Scale.SpecReplicas
	case o.current != nil || a.Status.CurrentReplicas > 0:
		facts.UsualReplicas = a.Status.CurrentReplicas
	}
	dst = fmt.Appendf(dst, "%s of %s %s\n", in.key(), a.Spec.ScaleTargetRef.Kind, a.Spec.ScaleTargetRef.Name)
	found := a.Spec.Lint(&o.settings, facts)
	for _, f := range found {
		dst = fmt.Appendf(dst, "\n%s: %s\n  %s\n", f.Field, f.Kind, f.Reason)
		for _, m := range f.Case {
			dst = fmt.Appendf(dst, "    %s\n", m)
		}
	}
	if len(found) == 0 {
		dst = append(dst, "\nThere is nothing to say against it.\n"...)
	}
	return dst
}
