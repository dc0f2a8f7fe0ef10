package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/spf13/cobra"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/examples/internal/cli"
)

const recordLong = `Looks at an autoscaler at each sync, as watch does, and writes what it saw: a line for
each sync, in the format of calculator/recording. The syncs are this command's own: the
controller's are up to an interval later. A recording ends when the spec changes, or the
autoscaler is created anew.`

// errChanged ends a recording.
var errChanged = errors.New("the spec has changed, or the autoscaler is a new one: the recording ends here")

func (t *tool) recordCommand() *cobra.Command {
	var p pace
	var file string
	c := &cobra.Command{
		Use:               "record NAME -o FILE",
		Short:             "Records what an autoscaler sees, to be replayed",
		Long:              recordLong,
		Example:           "  kubectl hpa record web --for 1h -o web.rec",
		Args:              exactly("the name of an autoscaler"),
		ValidArgsFunction: t.completeName,
		RunE:              func(cmd *cobra.Command, args []string) error { return t.record(cmd.Context(), &p, args[0], file) },
	}
	p.addFlags(c)
	c.Flags().StringVarP(&file, "output", "o", "", "The file to write, which must not exist; - is standard output.")
	return c
}

func (t *tool) record(ctx context.Context, p *pace, name, file string) error {
	if file == "" {
		return errors.New("say where to: -o FILE")
	}
	if err := p.problem(); err != nil {
		return err
	}
	c, err := t.connect(ctx)
	if err != nil {
		return err
	}
	r := recorder{tool: t, connection: c, name: name, file: file}
	err = p.each(ctx, r.sync)
	if errors.Is(err, errChanged) {
		fmt.Fprintf(t.ErrOut, "%v\n", err)
		err = nil
	}
	if r.w == nil {
		return err
	}
	fmt.Fprintf(t.ErrOut, "%s recorded\n", count(r.syncs, "sync"))
	return errors.Join(err, r.out.Close())
}

func (t *tool) create(file string) (io.WriteCloser, error) {
	if file == "-" {
		return nopCloser{t.Out}, nil
	}
	return os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
}

// unclosed is an output that stays open.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// recorder writes one recording.
type recorder struct {
	*tool
	*connection
	name, file string
	// out is nil until the recording begins: a first look that fails leaves no
	// file.
	out   io.WriteCloser
	w     *recording.Writer
	first *autoscaler
	syncs int
	// notes are those on the last scene, which were printed.
	notes []string
}

// sync records one. Once the recording has begun, a cluster that does not
// answer is no reason to end it.
func (r *recorder) sync(ctx context.Context) error {
	c := r.forLook()
	c.everything = true
	a, err := c.get(ctx, r.name)
	var s *snapshot
	if err == nil {
		s, err = c.observe(ctx, a)
	}
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil && r.w == nil:
		return err
	case err != nil:
		fmt.Fprintf(r.ErrOut, "a sync is missing: %s\n", cli.OneLine(err.Error()))
		return nil
	case r.w == nil:
		if err := r.begin(a); err != nil {
			return err
		}
	case a.meta.UID != r.first.meta.UID || !reflect.DeepEqual(a.Spec, r.first.Spec):
		// The generation of the spec is 0 before Kubernetes 1.37.
		return errChanged
	}
	r.tell(without(s.notes, r.notes)...)
	r.notes = s.notes
	err = r.w.Write(replay.Sync{Time: r.now(), Observation: &s.obs})
	if problem := (*field.Error)(nil); errors.As(err, &problem) { // the clock was set back
		r.tell("a sync is missing: " + problem.Error())
		return nil
	}
	r.syncs++
	return err
}

// begin creates the file, and writes the header.
func (r *recorder) begin(a *autoscaler) (err error) {
	h := recording.Header{
		Namespace: a.Namespace, Name: a.Name, Generation: a.Generation,
		Spec: &a.Spec, Settings: &r.connection.settings, Status: a.Status,
	}
	if len(a.Status.Conditions) == 0 {
		h.State = new(calculator.State) // it was never synced
	}
	if r.out == nil {
		if r.out, err = r.create(r.file); err != nil {
			return err
		}
	}
	r.first = a
	r.w, err = recording.NewWriter(r.out, h)
	return err
}
