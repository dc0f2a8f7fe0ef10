package main

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/proof"
)

const proveLong = `Proves promises for every load, or shows the shortest course of load that breaks one,
for autoscalers of the cluster or in files: YAML or JSON, as lint reads them. Without a
promise, it prints the longest times of loads that stay constant. Promises may be repeated;
--for and --states are for each autoscaler. The exit status is 0 if all promises
are proved, 1 if one is broken, 2 if a file or document cannot be used, and 3 if the search
ends before all are decided.`

func (t *tool) proveCommand() *cobra.Command {
	var l lintOptions
	o := proof.New("--")
	c := &cobra.Command{
		Use:               "prove NAME... | -A | -l SELECTOR | -f FILE...",
		Short:             "Proves promises for every load",
		Long:              proveLong,
		Example:           "  kubectl hpa prove web\n  kubectl hpa prove web --settled-within 10m --removed-at-most 2/1m\n  kubectl hpa prove -f hpa.yaml --carried-within 2m --record broken.rec",
		ValidArgsFunction: t.completeNames,
		RunE:              func(cmd *cobra.Command, args []string) error { return t.prove(cmd.Context(), o, l, args) },
	}
	l.addFlags(c)
	flags := cli.NewFlagSet("")
	o.Define(flags)
	flags.Func("startup", "How long a new pod takes to be ready, a `DURATION`; 30s if not given.", cli.Duration(&o.Startup))
	flags.Func("sync", "The sync period of the controller, a `DURATION`; 15s if not given.", cli.SyncPeriod(&o.Sync))
	flags.VisitAll(func(f *flag.Flag) { c.Flags().AddGoFlag(f) })
	return c
}

// proved is an autoscaler with its proof.
type proved struct {
	Autoscaler string       `json:"autoscaler"`
	File       string       `json:"file,omitempty"`
	Proof      *proof.Proof `json:"proof"`
}

func (t *tool) prove(ctx context.Context, o *proof.Options, l lintOptions, names []string) error {
	documents, problems, settings, err := t.toLint(ctx, l, names)
	if err != nil {
		return err
	}
	if len(documents)+len(problems) == 0 {
		return errNone
	}
	if len(documents) > 1 && o.Records() {
		return errors.New("--record: takes one autoscaler, not several")
	}
	if terminal(t.ErrOut) {
		o.Progress = t.ErrOut
	}
	all, text, status := []proved{}, "", statusOK
	for i := range documents {
		d := &documents[i]
		p, err := o.Prove(ctx, settings, &d.HorizontalPodAutoscaler)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, new(*fs.PathError)):
			return err
		case err != nil:
			problems = append(problems, d.problem(err))
			continue
		}
		all = append(all, proved{key(&d.HorizontalPodAutoscaler), d.file, p})
		text += string(cli.Sprintf("\n%s\n\n%s", cli.Text(t.paint().bold(d.where())), cli.Text(p.AppendText(nil))))
		if s := p.Status(); s == statusFound || status == statusOK {
			status = s
		}
	}
	if err := t.print(map[string]any{"items": all, "problems": problems}, strings.TrimPrefix(text, "\n")); err != nil {
		return err
	}
	if err := t.report(problems); err != nil {
		return err
	}
	switch status {
	case proof.Broken:
		return errFound
	case proof.Undecided:
		return errUndecided
	}
	return nil
}
