package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/examples/internal/cli"
)

const lintLong = `Finds settings that are valid but probably mistakes, each with a case that shows
it, in autoscalers of the cluster or in files: YAML or JSON, many documents, Lists, and
what kustomize and Helm print. Documents of other kinds are left out, those of
autoscaling/v1 are converted, and those that the API server refuses with strict
validation are named. The exit status is 1 if there are findings, and 2 if a file or
document cannot be used; the others are linted all the same. With --guarantees it prints what the rules guarantee instead: times
from size to size, growth, peaks, waves.`

// lintOptions are the flags of lint.
type lintOptions struct {
	files    []string
	all      bool
	selector string
	// guarantees asks for what the rules guarantee instead.
	guarantees bool
	// startup is the time until a new pod counts, for the guarantees.
	startup time.Duration
}

func (t *tool) lintCommand() *cobra.Command {
	var o lintOptions
	c := &cobra.Command{
		Use:               "lint NAME... | -A | -l SELECTOR | -f FILE...",
		Short:             "Finds settings that are probably mistakes",
		Long:              lintLong,
		Example:           "  kubectl hpa lint web\n  kubectl hpa lint web --guarantees\n  kubectl hpa lint -f deploy/\n  helm template . | kubectl hpa lint -f -",
		ValidArgsFunction: t.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("startup") && !o.guarantees {
				return errors.New("--startup goes with --guarantees")
			}
			return t.lint(cmd.Context(), o, args)
		},
	}
	o.addFlags(c)
	c.Flags().BoolVar(&o.guarantees, "guarantees", false, "Print what the rules guarantee, in numbers, instead of findings.")
	c.Flags().DurationVar(&o.startup, "startup", 30*time.Second, "With --guarantees, the time until a new pod is ready and its metrics count; 0s if that is before the next sync.")
	return c
}

// addFlags defines the flags that say what to look at.
func (o *lintOptions) addFlags(c *cobra.Command) {
	c.Flags().StringArrayVarP(&o.files, "filename", "f", nil, "A file or folder of manifests; - is standard input.")
	c.Flags().BoolVarP(&o.all, "all-namespaces", "A", false, "All autoscalers of all namespaces.")
	c.Flags().StringVarP(&o.selector, "selector", "l", "", "Those with these labels.")
}

// linted is an autoscaler with its findings.
type linted struct {
	Autoscaler string         `json:"autoscaler"`
	File       string         `json:"file,omitempty"`
	Findings   []lint.Finding `json:"findings"`
}

func (t *tool) lint(ctx context.Context, o lintOptions, names []string) error {
	documents, problems, settings, err := t.toLint(ctx, o, names)
	if err != nil {
		return err
	}
	if o.guarantees {
		return t.guarantee(documents, problems, &settings, o.startup)
	}
	all, found := []linted{}, 0
	for _, d := range documents {
		l, err := lintOne(&d, &settings)
		if err != nil {
			problems = append(problems, d.problem(err))
			continue
		}
		found += len(l.Findings)
		all = append(all, *l)
	}
	text := ""
	if len(all) > 0 || len(problems) == 0 {
		text = lintText(all, t.paint())
	}
	if err := t.print(map[string]any{"checks": len(lint.Kinds()), "items": all, "problems": problems}, text); err != nil {
		return err
	}
	if err := t.report(problems); err != nil {
		return err
	}
	if found > 0 {
		return errFound
	}
	return nil
}

// report names what cannot be used, and returns the error of that.
func (t *tool) report(problems []problem) error {
	switch len(problems) {
	case 0:
		return nil
	case 1:
		return &problems[0]
	}
	for i := range problems {
		t.tell(problems[i].Error())
	}
	return fmt.Errorf("%d files or documents cannot be used", len(problems))
}

// toLint returns the documents to lint, what cannot be read, and the settings.
func (t *tool) toLint(ctx context.Context, o lintOptions, names []string) (all []document, problems []problem, settings calculator.Settings, err error) {
	problems = []problem{}
	cluster := len(names) > 0 || o.all || o.selector != ""
	switch {
	case len(o.files) > 0 && cluster:
		return nil, nil, settings, errors.New("give files or autoscalers of the cluster, not both")
	case len(o.files) > 0:
		all, unread, err := t.readAll(ctx, o.files)
		return all, append(problems, unread...), t.settings, err
	case len(names) > 0 && (o.all || o.selector != ""):
		return nil, nil, settings, fmt.Errorf("give %s, or -A or -l", names[0])
	case !cluster:
		return nil, nil, settings, errors.New("say what to look at: NAME, -A, -l SELECTOR or -f FILE")
	}
	c, err := t.connect(ctx)
	if err != nil {
		return nil, nil, settings, err
	}
	t.tell(c.notes...)
	found, err := c.find(ctx, o, names)
	for _, a := range found {
		all = append(all, document{HorizontalPodAutoscaler: a.HorizontalPodAutoscaler})
	}
	return all, problems, c.settings, err
}

// find reads the autoscalers of the names, or of the flags.
func (c *connection) find(ctx context.Context, o lintOptions, names []string) (all []*autoscaler, err error) {
	for _, name := range names {
		a, err := c.get(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	if len(names) > 0 {
		return all, nil
	}
	namespace := c.namespace
	if o.all {
		namespace = ""
	}
	return c.list(ctx, namespace, o.selector)
}

func lintOne(d *document, settings *calculator.Settings) (*linted, error) {
	facts := lint.DefaultFacts()
	if n := d.Status.CurrentReplicas; n > 0 {
		facts.UsualReplicas = n
	}
	name := key(&d.HorizontalPodAutoscaler)
	findings, err := lint.Lint(settings, &d.Spec, facts)
	if err != nil {
		return nil, err
	}
	return &linted{name, d.file, append([]lint.Finding{}, findings...)}, nil
}

// problem is that of a document that can be read.
func (d *document) problem(err error) problem {
	return problem{File: d.file, Autoscaler: key(&d.HorizontalPodAutoscaler), Problem: err.Error()}
}

// where names the autoscaler and its file.
func (d *document) where() string {
	return strings.TrimPrefix(d.file+": "+key(&d.HorizontalPodAutoscaler), ": ")
}

// key names an autoscaler, which in a file may have no namespace.
func key(a *kubejson.HorizontalPodAutoscaler) string {
	return strings.TrimPrefix(a.Namespace+"/"+a.Name, "/")
}

func lintText(all []linted, p paint) string {
	var b strings.Builder
	found := 0
	for _, l := range all {
		for _, f := range l.Findings {
			if found++; found > 1 {
				b.WriteString("\n")
			}
			cli.Fprintf(&b, "%s: %s\n", cli.Text(p.bold(strings.TrimPrefix(l.File+": "+l.Autoscaler, ": "))), f)
			for _, m := range f.Case {
				cli.Fprintf(&b, "    %s\n", m)
			}
		}
	}
	if found == 0 {
		fmt.Fprintf(&b, "None of the %d checks found anything in %s.\n", len(lint.Kinds()), count(len(all), "autoscaler"))
	}
	return b.String()
}

// count is a number with its unit.
func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
