package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/podgroup"
)

// explanation is what the text tells of.
type explanation struct {
	in       *input
	settings *calculator.Settings
	obs      *calculator.Observation
	d        *calculator.Decision
	// decision is the text of the decision, before its size was written.
	decision []byte
	status   *calculator.Status
}

// appendText appends the explanation, section by section.
func (e *explanation) appendText(dst []byte) []byte {
	ref := &e.in.cluster.Autoscaler.Spec.ScaleTargetRef
	dst = fmt.Appendf(dst, "%s of %s %s\n\n", e.in.key(), ref.Kind, ref.Name)
	dst = append(dst, e.decision...)
	dst = e.appendPods(dst)
	dst = e.appendConditions(dst)
	return e.appendWrites(dst)
}

// appendPods appends how the pods count for each metric that looks at them, and
// why those that are left out are.
func (e *explanation) appendPods(dst []byte) []byte {
	dst = append(dst, "\nPods\n"...)
	looked := false
	for i := range e.d.Metrics {
		verdicts := e.d.AppendVerdicts(nil, i, e.settings, e.obs)
		if len(verdicts) == 0 {
			continue
		}
		looked = true
		dst = fmt.Appendf(dst, "  %s: %s\n", e.d.MetricName(i), counts(verdicts, len(e.obs.Readings[i].Strays)))
		for j, v := range verdicts {
			if v.Class == podgroup.Ready {
				continue
			}
			dst = fmt.Appendf(dst, "    %s is %s: %s", e.obs.Pods[j].Name, v.Class, v.Reason)
			if v.Until.IsSet() {
				dst = fmt.Appendf(dst, ", until %s", v.Until)
			}
			dst = append(dst, '\n')
		}
	}
	if !looked {
		dst = fmt.Appendf(dst, "  %d, whose samples do not matter\n", len(e.obs.Pods))
	}
	return dst
}

// counts tells how many pods there are of each class.
func counts(verdicts []podgroup.Verdict, strays int) string {
	var n [podgroup.Ignored + 1]int
	for _, v := range verdicts {
		n[v.Class]++
	}
	parts := []string{fmt.Sprintf("%d %s", n[podgroup.Ready], podgroup.Ready)}
	for c := podgroup.Unready; c <= podgroup.Ignored; c++ {
		if n[c] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[c], c))
		}
	}
	if strays > 0 {
		parts = append(parts, fmt.Sprintf("and samples of %d that are not listed", strays))
	}
	return strings.Join(parts, ", ")
}

func (e *explanation) appendConditions(dst []byte) []byte {
	var b strings.Builder
	b.WriteString("\nConditions\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i := range e.status.Conditions {
		c := &e.status.Conditions[i]
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", c.Type, c.Status, c.Reason, c.Message.String())
	}
	w.Flush()
	return append(dst, b.String()...)
}

// appendWrites appends what the controller would change.
func (e *explanation) appendWrites(dst []byte) []byte {
	dst = append(dst, "\nWrites\n"...)
	if e.d.Rescale {
		dst = fmt.Appendf(dst, "  scale   spec.replicas %d\n", e.d.DesiredReplicas)
	} else {
		dst = append(dst, "  scale   nothing\n"...)
	}
	events := e.d.AppendEvents(nil)
	for _, event := range events {
		dst = fmt.Appendf(dst, "  event   %s\n", event)
	}
	if len(events) == 0 {
		dst = append(dst, "  event   none\n"...)
	}
	return dst
}
