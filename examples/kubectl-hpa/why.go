package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/stabilize"
)

const whyLong = `Reads an autoscaler, the scale of its target, the pods, the metrics that it asks for,
and its events; decides as the controller would now; and prints the decision stage by
stage, what is known of the past, the conditions, and where the controller's own status
is another.`

// whyOptions are the flags of why.
type whyOptions struct {
	all, rights bool
	selector    string
}

func (t *tool) whyCommand() *cobra.Command {
	var o whyOptions
	c := &cobra.Command{
		Use:               "why NAME | -A | -l SELECTOR | --rights",
		Short:             "Explains what an autoscaler decides now",
		Long:              whyLong,
		Example:           "  kubectl hpa why web\n  kubectl hpa why -A\n  kubectl hpa why --rights",
		ValidArgsFunction: t.completeName,
		RunE:              func(cmd *cobra.Command, args []string) error { return t.why(cmd.Context(), o, args) },
	}
	c.Flags().BoolVarP(&o.all, "all-namespaces", "A", false, "A line for each autoscaler of all namespaces.")
	c.Flags().StringVarP(&o.selector, "selector", "l", "", "A line for each autoscaler with these labels.")
	c.Flags().BoolVar(&o.rights, "rights", false, "Print the roles that this plugin needs, bound to you, and end.")
	return c
}

func (t *tool) why(ctx context.Context, o whyOptions, args []string) error {
	many := o.all || o.selector != "" || len(args) == 0
	switch {
	case o.rights && (len(args) > 0 || o.selector != "" || t.output != ""):
		return errors.New("--rights takes no name, -l or -o")
	case o.rights:
		return t.printRights(ctx, o.all)
	case many && len(args) > 0:
		return fmt.Errorf("give %s, or -A or -l", args[0])
	case len(args) > 1:
		return fmt.Errorf("unknown argument %q", args[1])
	}
	c, err := t.connect(ctx)
	if err != nil {
		return err
	}
	if many {
		return t.fleet(ctx, c, o)
	}
	a, err := c.get(ctx, args[0])
	if err != nil {
		return err
	}
	v, s, err := t.decideOn(ctx, c, a)
	if err != nil {
		if t.output == "" && s != nil {
			_, _ = t.Out.Write([]byte(fit(cli.Lines(s.soFar(t.now(), width(t.Out))), t.Out))) // the error counts
		}
		return err
	}
	return t.print(v, v.explanation(t.now(), width(t.Out), t.paint()))
}

// decideOn looks and decides. With an error, it returns what was seen so far.
func (t *tool) decideOn(ctx context.Context, c *connection, a *autoscaler) (*result, *snapshot, error) {
	s, err := c.observe(ctx, a)
	if err != nil {
		return nil, s, err
	}
	now := t.now()
	v, err := decide(now, &c.settings, s, s.known(now))
	return v, s, err
}

// head names the autoscaler and its target.
func (a *autoscaler) head() string {
	ref := &a.Spec.ScaleTargetRef
	return string(cli.Sprintf("%s of %s %s\n\n", a.key(), ref.Kind, ref.Name))
}

// soFar is what is known where it cannot be decided what the controller
// decides.
func (s *snapshot) soFar(now time.Time, width int) string {
	var b strings.Builder
	b.WriteString(s.head() + "There is no decision, since not all can be read that the controller reads.\n\n")
	rows := [][]string{{"", "currentReplicas", fmt.Sprint(s.Status.CurrentReplicas)}, {"", "desiredReplicas", fmt.Sprint(s.Status.DesiredReplicas)}}
	if s.selector != nil {
		rows = append([][]string{{"", "size", fmt.Sprint(s.obs.SpecReplicas)}, {"", "pods", fmt.Sprint(len(s.obs.Pods))}}, rows...)
	}
	b.WriteString("What is known so far\n" + columns(rows, width))
	b.WriteString(s.conditionsText(now, nil, width))
	b.WriteString(notesText(s.notes, false))
	b.WriteString(s.eventsText(now, nil, width))
	return b.String()
}

// explanation is the text about one autoscaler.
func (v *result) explanation(now time.Time, width int, p paint) string {
	var b strings.Builder
	s := v.snapshot
	headline, rest, _ := strings.Cut(v.once(v.text), "\n")
	b.WriteString(s.head() + p.bold(headline) + "\n" + rest)
	b.WriteString(notesText(s.notes, p))
	v.appendHistory(&b)
	b.WriteString(s.conditionsText(now, v, width))
	v.appendStatus(&b, p)
	b.WriteString(s.eventsText(now, v, width))
	return b.String()
}

// once returns the text with the same error once.
func (v *result) once(text string) string {
	for _, message := range v.errors() {
		if first, rest, ok := strings.Cut(text, message); ok {
			text = first + message + strings.ReplaceAll(rest, message, sameError)
		}
	}
	return text
}

// brief returns what stands below a text that has the error.
func (v *result) brief(text string) string {
	if v != nil {
		for _, message := range v.errors() {
			text = strings.ReplaceAll(text, message, sameError)
		}
	}
	return text
}

const sameError = "the same error"

// errors are the messages of what failed.
func (v *result) errors() (all []string) {
	for _, s := range v.stages {
		switch {
		case s.Metric != nil && s.Metric.Failure != nil:
			all = append(all, s.Metric.Failure.Message)
		case s.Result != nil:
			all = append(all, s.Result.Problem)
		}
	}
	return slices.DeleteFunc(all, func(message string) bool { return len(message) <= len(sameError) })
}

// age is how long ago something was, as kubectl prints it.
func age(now, at time.Time) string { return duration.HumanDuration(max(now.Sub(at), 0)) }

// conditionsText lists the controller's own conditions with their ages, and
// those that the decision makes of them, where these are others.
func (s *snapshot) conditionsText(now time.Time, v *result, width int) string {
	var rows [][]string
	add := func(name, status string, c autoscaling.HorizontalPodAutoscalerCondition) {
		rows = append(rows, []string{"", name, status, strings.Trim(c.Reason+": "+v.brief(c.Message), ": ")})
	}
	for _, c := range s.Status.Conditions {
		status := string(c.Status)
		if !c.LastTransitionTime.IsZero() {
			status += " for " + age(now, c.LastTransitionTime)
		}
		add(string(c.Type), status, c)
		if v != nil {
			v.addDecided(c.Type, add)
		}
	}
	if v != nil {
		for _, c := range v.high.Conditions {
			if s.condition(c.Type).Type == "" {
				v.addDecided(c.Type, add)
			}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	text := "\nConditions"
	if at := s.StatusWritten; len(s.Status.Conditions) > 0 && !at.IsZero() {
		text += ", as the controller wrote them " + age(now, at) + " ago"
	}
	return text + "\n" + columns(rows, width)
}

// addDecided adds the condition after the decision, if it is not the
// controller's own.
func (v *result) addDecided(t autoscaling.HorizontalPodAutoscalerConditionType, add func(name, status string, c autoscaling.HorizontalPodAutoscalerCondition)) {
	own, name := v.snapshot.condition(t), ""
	if own.Type == "" {
		name = string(t)
	}
	for i := range v.high.Conditions {
		switch c, known := v.conditionOf(i); {
		case c.Type != t:
		case !known:
			add(name, "here", autoscaling.HorizontalPodAutoscalerCondition{Message: "depends on what is not known"})
		case !v.sameCondition(own, c):
			add(name, "here "+string(c.Status), c)
		}
	}
}

// eventsText lists the events as kubectl describe does.
func (s *snapshot) eventsText(now time.Time, v *result, width int) string {
	text := "\nEvents\n"
	if s.eventsError != nil {
		return text + "  not known: " + cli.OneLine(readable(s.eventsError).Error()) + "\n"
	}
	if len(s.events) == 0 {
		return text + "  none\n"
	}
	rows := [][]string{}
	for _, e := range slices.SortedStableFunc(slices.Values(s.events), func(a, b *corev1.Event) int { return lastSeen(a).Compare(lastSeen(b)) }) {
		seen := age(now, lastSeen(e))
		if n := timesSeen(e); n > 1 {
			seen += fmt.Sprintf(" (x%d over %s)", n, age(now, firstSeen(e)))
		}
		rows = append(rows, []string{"", e.Type, e.Reason, seen, v.brief(cli.OneLine(e.Message))})
	}
	return text + columns(rows, width)
}

func firstSeen(e *corev1.Event) time.Time {
	if e.FirstTimestamp.IsZero() {
		return e.EventTime.Time
	}
	return e.FirstTimestamp.Time
}

func lastSeen(e *corev1.Event) time.Time {
	switch {
	case e.Series != nil:
		return e.Series.LastObservedTime.Time
	case e.LastTimestamp.IsZero():
		return firstSeen(e)
	}
	return e.LastTimestamp.Time
}

func timesSeen(e *corev1.Event) int32 {
	if e.Series != nil {
		return e.Series.Count
	}
	return e.Count
}

// appendHistory says what is known of the past.
func (v *result) appendHistory(b *strings.Builder) {
	b.WriteString("\nHistory\n")
	if last := v.snapshot.Status.LastScaleTime; !last.IsZero() {
		fmt.Fprintf(b, "  last scale       %s\n", stamp(last))
	}
	b.WriteString(v.snapshot.recommendationsText())
	p := &v.snapshot.past
	if v.snapshot.Spec.Behavior == nil {
		b.WriteString("  scale events     do not count without a behavior\n")
		return
	}
	if p.Since.IsZero() {
		cli.Fprintf(b, "  scale events     not known: %s\n", p.Problem)
		return
	}
	cli.Fprintf(b, "  scale events     %d since %s: %s\n", len(p.Changes), stamp(p.Since), p.Problem)
	for _, c := range p.Changes {
		fmt.Fprintf(b, "    %s  %d to %d\n", stamp(c.Time), c.From, c.To)
	}
}

// recommendationsText says which recommendations are known: no API shows them.
func (s *snapshot) recommendationsText() string {
	text, able := "", s.condition(autoscaling.AbleToScale).Reason
	for _, r := range s.made {
		more := ""
		if !r.exact {
			more = " or more"
		}
		text += fmt.Sprintf(", %d%s at %s or later", r.size, more, stamp(r.at))
	}
	switch {
	case text != "":
		text = text[2:] + ", as the status and the events prove"
	case able == string(stabilize.ScaleDownStabilized), able == string(stabilize.ScaleUpStabilized):
		text = "not known; at the controller's last sync, they held the size (" + able + ")"
	default:
		text = "not known; no API shows them"
	}
	return "  recommendations  " + text + "\n"
}

// appendStatus says what of the controller's own status is another.
func (v *result) appendStatus(b *strings.Builder, p paint) {
	b.WriteString("\nStatus\n")
	all := v.mismatches()
	switch {
	case len(v.snapshot.Status.Conditions) == 0:
		b.WriteString("  the controller has not written its own yet\n")
	case len(all) == 0:
		b.WriteString("  the controller's own agrees\n")
	}
	for _, d := range all {
		if v.snapshot.condition(autoscaling.HorizontalPodAutoscalerConditionType(d.Field)).Type != "" {
			cli.Fprintf(b, "  %s: the controller's own is another, see above\n", d.Field)
			continue
		}
		cli.Fprintf(b, "  %s: the controller's own has %s; here it is %s\n", d.Field, cli.Text(p.yellow(d.Status)), d.Here)
	}
}
