package main

import (
	"errors"
	"flag"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// options are the command line.
type options struct {
	scene, dir string
	files      []string // "-" is standard input
	current    *int32
	namespace  string
	autoscaler string
	history    string
	now        time.Time
	output     string
	settings   calculator.Settings
	// releaseGiven reports that the release is not that of the input.
	releaseGiven bool
	// lint asks for the findings, by these facts, instead of a decision.
	lint  bool
	facts lint.Facts
	// guarantees asks for what the rules guarantee, synced each period.
	guarantees bool
	sync       time.Duration
}

// specOnly reports whether nothing but the autoscaler is needed.
func (o *options) specOnly() bool { return o.lint || o.guarantees }

// defaultScene is the scene if nothing is given.
const defaultScene = "unready-up"

const usage = `explain says what the HorizontalPodAutoscaler decides, and why.

Usage:
  explain [flags] [-scene NAME]  decide on a recorded scene (` + defaultScene + `)
  explain [flags] FILE...        decide on files; - is standard input
  explain [flags] -dir DIR       decide on every *.json of a folder but the history
  explain [flags] -lint FILE...  find settings that are legal and likely to be
                                 regretted; also with -dir and -scene
  explain [flags] -guarantees FILE...
                                 say what the rules guarantee, in numbers; also with
                                 -dir and -scene

Files hold JSON documents in any order, each told by its kind: the autoscaler
(autoscaling/v2), the pods and the scale of its target, and the answers of
metrics.k8s.io, custom.metrics.k8s.io and external.metrics.k8s.io. The autoscaler is
needed, and the pods unless no metric reads them or for -lint and -guarantees. Pods
that the scale does not select are refused. A metric without an answer counts as
failed. The version of the API server, if it is there, says which release to decide
as.

Decision:
  -current N        the current size if there is no scale (status.currentReplicas)
  -namespace NS     the namespace of all documents; they may name none
  -autoscaler NAME  the autoscaler to decide for, if the input has several
  -now TIME         the time of the decision, in RFC 3339 (the newest in the input)
  -history FILE     recommendations and scale events of earlier runs; the file is
                    read if it exists, and written with this decision added, as if
                    its size had been written to the scale
  -o text|json      an explanation, or the autoscaler's statuses after the smallest and
                    the largest size that it may decide on, low and high (text)

` + lintUsage + `
` + guaranteesUsage + `Flags of kube-controller-manager:
` + cli.SettingsUsage + `
Scenes:
` + sceneList + `
The exit status is 0 for a decision, even if metrics failed, 1 if the output or the
history cannot be written or -lint finds anything, and 2 for input that cannot be
decided on.
`

// parse reads the command line.
func parse(args []string) (*options, error) {
	o := &options{output: "text", settings: calculator.DefaultSettings(), facts: lint.DefaultFacts(), sync: calculator.SyncPeriod}
	f := cli.NewFlagSet("explain")
	for name, to := range map[string]*string{
		"scene": &o.scene, "dir": &o.dir, "namespace": &o.namespace, "history": &o.history, "autoscaler": &o.autoscaler,
	} {
		f.Func(name, "", func(s string) error {
			if s == "" {
				return errors.New("empty")
			}
			*to = s
			return nil
		})
	}
	f.Func("current", "", func(s string) error {
		o.current = new(int32)
		return cli.Replicas(o.current)(s)
	})
	f.Func("now", "", o.setNow)
	f.Func("o", "", o.setOutput)
	f.BoolVar(&o.lint, "lint", false, "")
	f.BoolVar(&o.guarantees, "guarantees", false, "")
	f.Func("sync", "", o.setSync)
	lintFlags(f, &o.facts)
	cli.Settings(f, &o.settings)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.files = f.Args()
	if slices.ContainsFunc(o.files, func(s string) bool { return s != "-" && strings.HasPrefix(s, "-") }) {
		return nil, errors.New("flags go before the files")
	}
	if o.lint && o.guarantees {
		return nil, errors.New("give -lint or -guarantees, not both")
	}
	f.Visit(func(set *flag.Flag) { o.releaseGiven = o.releaseGiven || set.Name == "release" })
	if o.scene == "" && o.dir == "" && len(o.files) == 0 {
		o.scene = defaultScene
	}
	return o, nil
}

func (o *options) setNow(s string) error {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.IsZero() {
		return errors.New("not a time in RFC 3339, such as 2026-11-20T05:16:08Z")
	}
	o.now = t.UTC()
	return nil
}

func (o *options) setOutput(s string) error {
	if s != "text" && s != "json" {
		return errors.New("not text or json")
	}
	o.output = s
	return nil
}
