package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/purehpa/hpa/examples/internal/cli"
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
		ValidArgsFunction: t.completeNames,
		RunE:              func(cmd *cobra.Command, args []string) error { return t.why(cmd.Context(), o, args) },
	}
	c.Flags().BoolVarP(&o.all, "all-namespaces", "A", false, "A line for each autoscaler of all namespaces.")
	c.Flags().StringVarP(&o.selector, "selector", "l", "", "A line for each autoscaler with these labels.")
	c.Flags().BoolVar(&o.rights, "rights", false, "Print the roles that this plugin needs, and end.")
	return c
}

func (t *tool) why(ctx context.Context, o whyOptions, args []string) error {
	many := o.all || o.selector != "" || len(args) == 0
	switch {
	case o.rights && (len(args) > 0 || o.selector != "" || t.output != ""):
		return errors.New("--rights takes no name, -l or -o")
	case o.rights:
		return t.printRights(o.all)
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
	v, err := t.decideOn(ctx, c, a)
	if err != nil {
		if t.output == "" {
			fmt.Fprint(t.Out, a.own())
		}
		return err
	}
	return t.print(v, v.explanation(t.paint()))
}

// own is what the controller says itself, where it cannot be decided what it
// decides.
func (a *autoscaler) own() string {
	var b strings.Builder
	ref := &a.Spec.ScaleTargetRef
	fmt.Fprintf(&b, "%s of %s %s\n\nThere is no decision, since not all can be read that the controller reads.\n\nThe controller's own status\n", a.key(), ref.Kind, ref.Name)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  currentReplicas\t%d\n  desiredReplicas\t%d\n", a.Status.CurrentReplicas, a.Status.DesiredReplicas)
	for _, c := range a.Status.Conditions {
		fmt.Fprintf(w, "  %s\t%s\n", c.Type, conditionText(c))
	}
	w.Flush()
	return b.String()
}

func (t *tool) decideOn(ctx context.Context, c *connection, a *autoscaler) (*result, error) {
	s, err := c.observe(ctx, a)
	if err != nil {
		return nil, err
	}
	now := t.now()
	return decide(now, &c.settings, s, s.known(now))
}

// explanation is the text about one autoscaler.
func (v *result) explanation(p paint) string {
	var b strings.Builder
	s := v.snapshot
	ref := &s.Spec.ScaleTargetRef
	headline, rest, _ := strings.Cut(v.text, "\n")
	fmt.Fprintf(&b, "%s of %s %s\n\n%s\n%s", s.key(), ref.Kind, ref.Name, p.bold(headline), rest)
	b.WriteString(notesText(s.notes, p))
	v.appendHistory(&b)
	b.WriteString(cli.Conditions(&v.r, &v.high))
	v.appendStatus(&b, p)
	return b.String()
}

// appendHistory says what is known of the past.
func (v *result) appendHistory(b *strings.Builder) {
	b.WriteString("\nHistory\n")
	if last := v.snapshot.Status.LastScaleTime; !last.IsZero() {
		fmt.Fprintf(b, "  last scale       %s\n", stamp(last))
	}
	b.WriteString("  recommendations  not known; no API shows them\n")
	p := &v.snapshot.past
	if v.snapshot.Spec.Behavior == nil {
		b.WriteString("  scale events     do not count without a behavior\n")
		return
	}
	if p.Since.IsZero() {
		fmt.Fprintf(b, "  scale events     not known: %s\n", p.Problem)
		return
	}
	fmt.Fprintf(b, "  scale events     %d since %s: %s\n", len(p.Changes), stamp(p.Since), p.Problem)
	for _, c := range p.Changes {
		fmt.Fprintf(b, "    %s  %d to %d\n", stamp(c.Time), c.From, c.To)
	}
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
		fmt.Fprintf(b, "  %s: the controller's own has %s; here it is %s\n", d.Field, p.yellow(d.Status), d.Here)
	}
}
