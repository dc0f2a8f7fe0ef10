package cli

import (
	"strings"
	"text/tabwriter"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
)

// Observe sets the generation observed, if it is known and the release writes
// it.
func Observe(generation int64, by release.Release, statuses ...*autoscaling.HorizontalPodAutoscalerStatus) {
	if generation == 0 || by.Quirks().Has(release.NoObservedGeneration) {
		return
	}
	for _, s := range statuses {
		s.ObservedGeneration = &generation
	}
}

// Conditions returns the lines of the conditions of High that follow whatever
// the size is, and says of the others that they depend on it.
func Conditions(r *calculator.Range, high *autoscaling.HorizontalPodAutoscalerStatus) string {
	var b strings.Builder
	b.WriteString("\nConditions\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i := range high.Conditions {
		c := &high.Conditions[i]
		if r.Certain(c) {
			Fprintf(w, "  %s\t%s\t%s\t%s\n", c.Type, c.Status, c.Reason, c.Message)
		} else {
			Fprintf(w, "  %s\tdepends on what is not known\n", c.Type)
		}
	}
	w.Flush()
	return b.String()
}
