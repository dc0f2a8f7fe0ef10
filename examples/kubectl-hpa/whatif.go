package main

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/spf13/cobra"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
)

const whatifLong = `Decides on an autoscaler as it is, and as it would be with changes, on the same pods,
metrics and history, and prints the stages that differ side by side.

` + setUsage

// edit is a change of rules.
type edit struct {
	sets []string
	file string
}

func (e *edit) addFlags(c *cobra.Command) {
	c.Flags().StringArrayVar(&e.sets, "set", nil, "A change of the rules, PATH=VALUE; see above.")
	_ = c.RegisterFlagCompletionFunc("set", completePaths) // there is one
	c.Flags().StringVarP(&e.file, "filename", "f", "", "A file with the autoscaler as it would be; - is standard input.")
}

func (e *edit) empty() bool { return len(e.sets) == 0 && e.file == "" }

// apply returns the spec and settings with the changes.
func (e *edit) apply(ctx context.Context, t *tool, namespace, name string, spec *autoscaling.HorizontalPodAutoscalerSpec, settings calculator.Settings) (*autoscaling.HorizontalPodAutoscalerSpec, calculator.Settings, error) {
	spec = spec.Clone()
	if e.file != "" {
		other, err := t.readOne(ctx, e.file, namespace, name)
		if err != nil {
			return nil, settings, err
		}
		*spec = other.Spec
	}
	return spec, settings, setAll(spec, &settings, e.sets)
}

func (t *tool) whatifCommand() *cobra.Command {
	var e edit
	c := &cobra.Command{
		Use:               "whatif NAME (--set PATH=VALUE | -f FILE)...",
		Short:             "Says what an autoscaler would decide with other rules",
		Long:              whatifLong,
		Example:           "  kubectl hpa whatif web --set spec.behavior.scaleDown.stabilizationWindowSeconds=60\n  kubectl hpa whatif web --set settings.tolerance=0.05\n  kubectl hpa whatif web -f other.yaml",
		Args:              exactly("the name of an autoscaler"),
		ValidArgsFunction: t.completeName,
		RunE:              func(cmd *cobra.Command, args []string) error { return t.whatif(cmd.Context(), &e, args[0]) },
	}
	e.addFlags(c)
	return c
}

// whatif is what a change changes.
type whatif struct {
	Before  *result   `json:"before"`
	After   *result   `json:"after"`
	Changes []changed `json:"changes"`
}

func (t *tool) whatif(ctx context.Context, e *edit, name string) error {
	if e.empty() {
		return errors.New("say what to change: --set PATH=VALUE or -f FILE")
	}
	c, err := t.connect(ctx)
	if err != nil {
		return err
	}
	a, err := c.get(ctx, name)
	if err != nil {
		return err
	}
	w, err := t.compare(ctx, c, a, e)
	if err != nil {
		return err
	}
	return t.print(w, w.text(width(t.Out), t.paint()))
}

// compare decides twice on one look at the autoscaler.
func (t *tool) compare(ctx context.Context, c *connection, a *autoscaler, e *edit) (*whatif, error) {
	spec, settings, err := e.apply(ctx, t, a.Namespace, a.Name, &a.Spec, c.settings)
	if err != nil {
		return nil, err
	}
	c = c.forLook()
	c.everything = true
	before, err := c.observe(ctx, a)
	if err != nil {
		return nil, err
	}
	after, err := c.observeWith(ctx, before, spec)
	if err != nil {
		return nil, err
	}
	after.past = before.past // the controller remembers it whatever the target is
	if after.obs.SpecReplicas == before.obs.SpecReplicas {
		after.lowerSince = before.lowerSince
	}
	now, w := t.now(), new(whatif)
	if w.Before, err = decide(now, &c.settings, before, before.known(now)); err != nil {
		return nil, err
	}
	if w.After, err = decide(now, &settings, after, before.knownFor(now, spec)); err != nil {
		return nil, err
	}
	w.Changes = append([]changed{}, compare(w.Before.stages, w.After.stages)...)
	return w, nil
}

// observeWith returns the snapshot with another spec. What both specs ask for
// is not read again, so that no difference comes from a later look.
func (c *connection) observeWith(ctx context.Context, s *snapshot, spec *autoscaling.HorizontalPodAutoscalerSpec) (*snapshot, error) {
	a := *s.autoscaler
	a.Spec = *spec
	if spec.ScaleTargetRef != s.Spec.ScaleTargetRef {
		return c.observe(ctx, &a)
	}
	other := &snapshot{autoscaler: &a, obs: s.obs, past: s.past, notes: s.notes, selector: s.selector, lowerSince: s.lowerSince}
	if s.obs.Readings == nil {
		return other, nil
	}
	other.obs.Readings = nil
	for i := range spec.Metrics {
		j := slices.IndexFunc(s.Spec.Metrics, func(m autoscaling.MetricSpec) bool { return sameSource(m, spec.Metrics[i]) })
		if j >= 0 {
			other.obs.Readings = append(other.obs.Readings, s.obs.Readings[j])
			continue
		}
		one := autoscaling.HorizontalPodAutoscalerSpec{Metrics: spec.Metrics[i : i+1]}
		read, err := c.readings(ctx, other, &one)
		if err != nil {
			return nil, clusterError(readable(err))
		}
		other.obs.Readings = append(other.obs.Readings, read...)
	}
	return other, nil
}

// sameSource reports whether two metrics measure the same.
func sameSource(a, b autoscaling.MetricSpec) bool {
	m, n := a.Resolve(), b.Resolve()
	m.Target, n.Target = metrics.Target{}, metrics.Target{}
	return reflect.DeepEqual(m, n)
}

// text returns the changes side by side, and the notes on both.
func (w *whatif) text(width int, p paint) string {
	head := cli.Sprintf("%s of %s %s\n\n", w.Before.snapshot.key(), w.Before.snapshot.Spec.ScaleTargetRef.Kind, w.Before.snapshot.Spec.ScaleTargetRef.Name)
	notes := w.Before.snapshot.notes
	notes = slices.Concat(notes, without(w.After.snapshot.notes, notes))
	text := "The decision is the same, stage by stage:\n\n" + w.After.once(w.After.text)
	if len(w.Changes) > 0 {
		text = sideBySide(w.Changes, width)
	}
	return string(head) + text + notesText(notes, p)
}
