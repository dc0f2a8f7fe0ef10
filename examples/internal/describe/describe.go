// Package describe prints an autoscaler as `kubectl describe hpa` does.
//
// The text is that of kubectl 1.37 (upstream's describeHorizontalPodAutoscalerV2
// in k8s.io/kubectl/pkg/describe), byte for byte, with these differences:
//   - Labels and Annotations are always "<none>", because
//     kubejson.HorizontalPodAutoscaler has neither.
//   - CreationTimestamp is in the time zone of CreationTime. kubectl prints
//     the local one.
//   - An empty select policy is Max. kubectl prints an empty one that is not
//     null, which API servers refuse.
//   - A metric without the field that its type names has an empty one. kubectl
//     crashes.
//
// Like kubectl, it escapes ESC and carriage returns alone. Other control
// characters reach the terminal, and a tab or the end of a line in a name
// changes the layout.
package describe

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
)

// Autoscaler returns what `kubectl describe hpa NAME --show-events=false`
// prints.
func Autoscaler(a *kubejson.HorizontalPodAutoscaler) string {
	var p page
	p.autoscaler(a)
	return p.String()
}

// WithEvents returns what `kubectl describe hpa NAME` prints at a time. The
// events are in the order of the API server, which is that of their names: the
// oldest one first. Without events, the text says that there are none.
//
// The autoscaler and its events are one text, because they share columns.
func WithEvents(a *kubejson.HorizontalPodAutoscaler, now time.Time, events []Event) string {
	var p page
	p.autoscaler(a)
	p.events(now, events)
	return p.String()
}

// page is a text before its columns are aligned.
type page struct{ text strings.Builder }

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.text, format, args...) }

var escaper = strings.NewReplacer("\x1b", "^[", "\r", `\r`)

// String returns the text with its columns aligned.
func (p *page) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	_, _ = escaper.WriteString(w, p.text.String()) // a Builder never fails
	_ = w.Flush()
	return b.String()
}

func (p *page) autoscaler(a *kubejson.HorizontalPodAutoscaler) {
	spec, status := &a.Spec, &a.Status
	target := &spec.ScaleTargetRef
	p.printf("Name:\t%s\n", a.Name)
	p.printf("Namespace:\t%s\n", a.Namespace)
	p.printf("Labels:\t<none>\n")
	p.printf("Annotations:\t<none>\n")
	p.printf("CreationTimestamp:\t%s\n", a.CreationTime.Format(time.RFC1123Z))
	p.printf("Reference:\t%s/%s\n", target.Kind, target.Name)
	p.metrics(spec.Metrics, status.CurrentMetrics)
	if spec.MinReplicas == nil {
		p.printf("Min replicas:\t<unset>\n")
	} else {
		p.printf("Min replicas:\t%d\n", *spec.MinReplicas)
	}
	p.printf("Max replicas:\t%d\n", spec.MaxReplicas)
	if spec.Behavior != nil {
		p.printf("Behavior:\n")
		p.rules("Scale Up", spec.Behavior.ScaleUp)
		p.rules("Scale Down", spec.Behavior.ScaleDown)
	}
	p.printf("%s pods:\t%d current / %d desired\n", target.Kind, status.CurrentReplicas, status.DesiredReplicas)
	p.conditions(status.Conditions)
}

// rules prints the scaling rules of a direction, whose tolerance kubectl leaves
// out.
func (p *page) rules(direction string, r *behavior.ScalingRules) {
	if r == nil {
		return
	}
	p.printf("  %s:\n", direction)
	if r.StabilizationWindowSeconds != nil {
		p.printf("    Stabilization Window: %d seconds\n", *r.StabilizationWindowSeconds)
	}
	if len(r.Policies) == 0 {
		return
	}
	selected := r.SelectPolicy
	if selected == "" {
		selected = behavior.SelectMax
	}
	p.printf("    Select Policy: %s\n    Policies:\n", selected)
	for _, policy := range r.Policies {
		p.printf("      - Type: %s\tValue: %d\tPeriod: %d seconds\n", policy.Type, policy.Value, policy.PeriodSeconds)
	}
}

func (p *page) conditions(all []autoscaling.HorizontalPodAutoscalerCondition) {
	if len(all) == 0 {
		return
	}
	p.printf("Conditions:\n")
	p.row("Type", "Status", "Reason", "Message")
	p.row("----", "------", "------", "-------")
	for i := range all {
		c := &all[i]
		p.row(string(c.Type), string(c.Status), c.Reason, c.Message)
	}
}

// row prints a line of a table.
func (p *page) row(cells ...string) { p.printf("  %s\n", strings.Join(cells, "\t")) }
