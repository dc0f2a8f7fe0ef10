package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/stabilize"
)

const watchLong = `Stays, decides at each sync, and prints what changes and why. It remembers what it
recommended and which changes of size it saw, so that the range closes once it has
watched for as long as the stabilization window and the periods of the policies. Its
syncs are not the controller's: what changes between the two is not in it. Where there
may have been several changes between two looks, or a look is missing, it begins to
remember anew.`

// pace is how often and how long a command looks.
type pace struct{ interval, length time.Duration }

func (p *pace) addFlags(c *cobra.Command) {
	c.Flags().DurationVar(&p.interval, "interval", calculator.SyncPeriod, "How often to decide: --horizontal-pod-autoscaler-sync-period of the cluster.")
	c.Flags().DurationVar(&p.length, "for", 0, "How long; until interrupted if not given.")
}

// problem returns what is wrong with the flags.
func (p *pace) problem() error {
	switch {
	case p.interval <= 0:
		return fmt.Errorf("--interval %v: not positive", p.interval)
	case p.length < 0:
		return fmt.Errorf("--for %v: negative", p.length)
	}
	return nil
}

// each calls look at once and then at each interval until it fails, or the time
// is up, or the command is interrupted. The end of the time ends all looks but
// the first. It is no deadline, which a client's limit of requests would refuse
// to wait for, and call an error.
func (p *pace) each(ctx context.Context, look func(context.Context) error) error {
	timed, began := ctx, time.Now()
	if p.length > 0 {
		var cancel context.CancelFunc
		timed, cancel = context.WithCancel(ctx)
		defer cancel()
		defer time.AfterFunc(p.length, cancel).Stop()
	}
	tick := time.NewTicker(p.interval)
	defer tick.Stop()
	for err := look(ctx); ; err = look(timed) {
		if err != nil {
			return err
		}
		select {
		case <-timed.Done():
		case <-tick.C:
		}
		// The next look may be due at this very moment.
		if timed.Err() != nil || p.length > 0 && time.Since(began) >= p.length {
			return nil
		}
	}
}

func (t *tool) watchCommand() *cobra.Command {
	var p pace
	c := &cobra.Command{
		Use:               "watch NAME",
		Short:             "Decides again and again, and says what changes",
		Long:              watchLong,
		Example:           "  kubectl hpa watch web\n  kubectl hpa watch web --for 10m -o json",
		Args:              exactly("the name of an autoscaler"),
		ValidArgsFunction: t.completeName,
		RunE:              func(cmd *cobra.Command, args []string) error { return t.watch(cmd.Context(), &p, args[0]) },
	}
	p.addFlags(c)
	return c
}

func (t *tool) watch(ctx context.Context, p *pace, name string) error {
	if err := p.problem(); err != nil {
		return err
	}
	c, err := t.connect(ctx)
	if err != nil {
		return err
	}
	w := watcher{tool: t, interval: p.interval, redraws: terminal(t.Out) && t.output == ""}
	err = p.each(ctx, func(ctx context.Context) error {
		v, err := w.sync(ctx, c, name)
		switch {
		case ctx.Err() != nil:
			return nil // interrupted, or the time is up
		case err != nil && w.since.IsZero():
			return err
		case err != nil: // it may answer the next time
			w.clear()
			_, err = fmt.Fprintf(t.ErrOut, "%s\n", cli.OneLine(err.Error()))
			return err
		}
		return w.show(v)
	})
	w.end()
	return err
}

// watcher is what watch remembers.
type watcher struct {
	*tool
	interval time.Duration
	redraws  bool
	// seen is what was recommended and which changes of size were seen, since
	// since.
	recommended stabilize.History
	changes     []change
	since       time.Time
	// looked is when there was a scale last; uid, size and scaled are the last
	// scene's, shown the last line and its stages.
	looked time.Time
	uid    types.UID
	size   int32
	scaled time.Time
	shown  string
	stages []stage.Stage
	// notes are those on the last scene, which were printed.
	notes []string
}

// sync looks and decides with what was seen so far, and remembers.
func (w *watcher) sync(ctx context.Context, c *connection, name string) (*result, error) {
	c = c.forLook()
	a, err := c.get(ctx, name)
	if err != nil {
		return nil, err
	}
	s, err := c.observe(ctx, a)
	if err != nil {
		return nil, err
	}
	now := w.now()
	started, err := c.lease(ctx)
	if err != nil {
		s.noteUnknown("Whether the controller restarts is not known, and what was seen counts all the same", err)
	}
	w.notice(now, s, started)
	v, err := decide(now, &c.settings, s, w.known(now, s))
	if err != nil {
		return nil, err
	}
	w.remember(now, v)
	if notes := without(s.notes, w.notes); len(notes) > 0 {
		w.clear()
		w.tell(notes...)
	}
	w.notes = s.notes
	return v, nil
}

// notice notes a rescale since the last look. If there may have been several,
// or syncs of the controller without a look, or it or the autoscaler began
// anew, nothing from before counts.
func (w *watcher) notice(now time.Time, s *snapshot, started time.Time) {
	size, scaled := s.obs.SpecReplicas, s.Status.LastScaleTime
	rescaled := s.obs.ScaleError == nil && scaled.After(w.scaled)
	switch {
	case s.meta.UID != w.uid || started.After(w.since) || now.Sub(w.looked) > w.interval+max(w.interval/2, clockSkew) || rescaled && (size == w.size || !w.once(now, scaled)):
		w.recommended, w.changes, w.since = stabilize.History{}, nil, time.Time{}
	case rescaled:
		w.changes = append(w.changes, change{scaled, w.size, size})
	}
	w.uid = s.meta.UID
	if s.obs.ScaleError == nil {
		w.looked, w.size, w.scaled = now, size, scaled
	}
}

// once reports whether the last rescale is the only one since the last look:
// the controller's syncs are a period apart.
func (w *watcher) once(now, last time.Time) bool {
	next := w.looked.Add(w.interval)
	return now.Before(next) || last.Add(clockSkew).Before(next)
}

// known is what the cluster tells, and what was seen.
func (w *watcher) known(now time.Time, s *snapshot) *calculator.Known {
	p := s.past
	if seen := (past{Changes: w.changes, Since: w.since}); !w.since.IsZero() && (p.Since.IsZero() || p.Since.After(w.since)) {
		p = seen
	}
	p.dropNearPeriodEnd(now, s.Spec.Behavior)
	k := p.known(s, &s.Spec)
	if k.Since = w.since; k.Since.IsZero() {
		return k
	}
	k.Recommendations = stabilize.History{}
	for _, r := range s.made {
		if r.at.Before(w.since) {
			r.record(&k.Recommendations, s.Spec.Behavior)
		}
	}
	for _, e := range slices.SortedFunc(w.recommended.All(), func(a, b stabilize.Entry) int { return a.Time.Compare(b.Time) }) {
		k.Recommendations.Record(e.Time, e.Value, stabilize.Windows{Down: stabilize.LongestWindow})
	}
	return k
}

// remember adds the recommendation.
func (w *watcher) remember(now time.Time, v *result) {
	d := &v.r.High
	if w.since.IsZero() {
		w.since = now
	}
	if d.Stabilization.Reason != "" {
		w.recommended.Record(now, d.Choice.Replicas, d.Windows)
	}
}

// show prints what is new: a line, and the stages that are why. A terminal
// shows the last line always.
func (w *watcher) show(v *result) error {
	if w.output != "" {
		out, err := encodeOne(w.output, v)
		if err != nil {
			return err
		}
		_, err = w.Out.Write(out)
		return err
	}
	now := w.now()
	r := v.row(now)
	line := cli.OneLine(r.line(now, v.snapshot.Name))
	var b strings.Builder
	w.clear()
	if r.same() != w.shown {
		b.WriteString(w.paint().bold(line) + "\n")
		for _, c := range compare(w.stages, v.stages) {
			if slices.Contains(told, c.Stage) && c.After != "" {
				fmt.Fprintf(&b, "    %s: %s\n", c.Stage, strings.ReplaceAll(c.After, "\n", " "))
			}
		}
		w.shown, w.stages = r.same(), v.stages
	}
	if w.redraws {
		// A line that wraps could not be drawn over.
		b.WriteString(line[:min(len(line), width(w.Out)-1)])
	}
	_, err := fmt.Fprint(w.Out, w.paint().lines(b.String()))
	return err
}

// clear takes the line of a terminal away.
func (w *watcher) clear() {
	if w.redraws {
		fmt.Fprint(w.Out, "\r\x1b[K")
	}
}

// told are the stages that say why a size changes. Usage changes all the time.
var told = []string{
	stage.NameResult, stage.NameSize, stage.NameSelector, stage.NameChoice, stage.NameStabilization, stage.NameLimits, stage.NameCooldown, stage.NameError,
}

// end leaves the line of a terminal.
func (w *watcher) end() {
	if w.redraws {
		fmt.Fprintln(w.Out)
	}
}

// line is the row in words.
func (r row) line(now time.Time, name string) string {
	text := fmt.Sprintf("%s  %s  size %s, wanted %s, to be %s", now.UTC().Format(time.TimeOnly), name, r.size, r.wanted, r.next)
	if r.held != "" {
		text += ", held by " + r.held
	}
	if r.until != "" {
		text += " until " + r.until
	}
	return text
}

// same is what has to change for a new line.
func (r row) same() string { return strings.Join([]string{r.size, r.wanted, r.next, r.held}, " ") }
