package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/proof"
)

// options are the command line.
type options struct {
	scene, dir string
	files      []string // "-" is standard input
	current    *int32
	namespace  string
	autoscaler string
	history    string
	// recording is a file, of which at says the sync.
	recording string
	at        moment
	now       time.Time
	output    string
	settings  calculator.Settings
	// releaseGiven reports that the release is not that of the input.
	releaseGiven bool
	// commands asks for how to get what lacks, instead of a decision.
	commands bool
	// lint asks for the findings, by these facts, instead of a decision.
	lint  bool
	facts lint.Facts
	// guarantees asks for what the rules guarantee, synced each period.
	guarantees bool
	sync       time.Duration // of lint and prove, too
	startup    time.Duration // of prove, too
	// prove asks for what the rules do under every load.
	prove bool
	proof *proof.Options
}

// specOnly reports whether nothing but the autoscaler is needed.
func (o *options) specOnly() bool { return o.lint || o.guarantees || o.prove }

// nothing is the exit status if there is nothing to look at, as where a pattern
// of a pipeline matches no file. Like proof.Undecided, it means no verdict.
const nothing = 3

var errNothing = errors.New("nothing to look at: give files, -dir or -scene")

// defaultScene is the scene if nothing is given.
const defaultScene = "unready-up"

const usage = `explain says what the HorizontalPodAutoscaler decides, and why.

Usage:
  explain [flags] [-scene NAME]  decide on a recorded scene (` + defaultScene + `)
  explain [flags] FILE...        decide on files; - is standard input
  explain [flags] -dir DIR       decide on every *.json of a folder but the history;
                                 YAML, which it skips, is named
  explain [flags] -lint FILE...  find settings that are legal and likely to be
                                 regretted; also with -dir and -scene
  explain -commands FILE...      print the commands of kubectl that get what an
                                 autoscaler's metrics need; also with -dir and -scene
  explain -recording FILE [-at SYNC] [-o text|json]
                                 explain a sync of a recording of an autoscaler
  explain [flags] -guarantees FILE...
                                 say what the rules guarantee, in numbers; also with
                                 -dir and -scene
  explain [flags] -prove FILE...
                                 prove promises for every load, or show the shortest
                                 course of load that breaks one; also with -dir and
                                 -scene

Files hold JSON documents in any order, each told by its kind: the autoscaler
(autoscaling/v2), the pods and the scale of its target, and the answers of
metrics.k8s.io, custom.metrics.k8s.io and external.metrics.k8s.io. The autoscaler is
needed, and the pods unless no metric reads them or for -lint, -guarantees and -prove.
Pods that the scale does not select are refused. A metric without an answer counts as
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
                    the largest size that it may decide on, low and high, and the
                    explanation as data, stages (text)

Recording:
  -recording FILE   a recording of package calculator/recording; it holds the autoscaler
                    and the settings, so that no other input or flag goes with it
  -at N|TIME        sync N, from 1, or the last one until a time in RFC 3339 (the last)

` + lintUsage + `
` + guaranteesUsage + proof.Usage + `
Flags of kube-controller-manager:
` + cli.SettingsUsage + `
Scenes:
` + sceneList + `
The exit status is 0 for a decision, even if metrics failed, 1 if the output or the
history cannot be written, -lint finds anything or -prove a broken promise, 2 for input
that cannot be decided on, and 3 if there is no verdict: -lint, -guarantees, -prove or
-commands are given no input, or -prove ends before it has decided on all promises.
`

// parse reads the command line.
func parse(args []string) (*options, error) {
	o := &options{
		output: "text", settings: calculator.DefaultSettings(), facts: lint.DefaultFacts(), sync: calculator.SyncPeriod, startup: defaultStartup,
		proof: proof.New("-"),
	}
	f := cli.NewFlagSet("explain")
	for name, to := range map[string]*string{
		"scene": &o.scene, "dir": &o.dir, "namespace": &o.namespace, "history": &o.history, "autoscaler": &o.autoscaler, "recording": &o.recording,
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
	f.Func("at", "", o.at.set)
	f.Func("o", "", o.setOutput)
	f.BoolVar(&o.commands, "commands", false, "")
	f.BoolVar(&o.lint, "lint", false, "")
	f.BoolVar(&o.guarantees, "guarantees", false, "")
	f.BoolVar(&o.prove, "prove", false, "")
	o.proof.Define(f)
	f.Func("sync", "", cli.SyncPeriod(&o.sync))
	f.Func("startup", "", cli.Duration(&o.startup))
	lintFlags(f, &o.facts)
	cli.Settings(f, &o.settings)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.files = f.Args()
	if slices.ContainsFunc(o.files, func(s string) bool { return s != "-" && strings.HasPrefix(s, "-") }) {
		return nil, errors.New("flags go before the files")
	}
	f.Visit(func(set *flag.Flag) { o.releaseGiven = o.releaseGiven || set.Name == "release" })
	if err := o.fits(f); err != nil || o.recording != "" {
		return o, err
	}
	if o.scene == "" && o.dir == "" && len(o.files) == 0 {
		if o.commands || o.specOnly() {
			return nil, errNothing
		}
		o.scene = defaultScene
	}
	return o, nil
}

// decision is the mode that has no flag. The others are called as theirs is.
const decision = ""

// readFor has the modes that read a flag, or all that begin with the word.
// Others are read for all but a recording.
var readFor = map[string][]string{
	"recording": {"recording"}, "lint": {"lint"}, "guarantees": {"guarantees"}, "commands": {"commands"},
	"at": {"recording"}, "now": {decision}, "history": {decision}, "current": {decision, "lint"}, "sync": {"lint", "guarantees", "prove"}, "startup": {"guarantees", "prove"},
	"horizontal": {decision, "lint", "guarantees", "prove"}, "o": {decision, "lint", "guarantees", "prove", "recording"},
	"prove": {"prove"}, "carried": {"prove"}, "settled": {"prove"}, "released": {"prove"}, "never": {"prove"}, "removed": {"prove"}, "added": {"prove"},
	"load": {"prove"}, "lag": {"prove"}, "jitter": {"prove"}, "missed": {"prove"}, "for": {"prove"}, "states": {"prove"}, "record": {"prove"},
}

// fits returns what does not go together.
func (o *options) fits(f *flag.FlagSet) (err error) {
	mode := decision
	f.Visit(func(set *flag.Flag) {
		if modes := readFor[set.Name]; len(modes) == 1 && modes[0] == set.Name && set.Value.String() != "false" {
			mode = set.Name
		}
	})
	if mode == "recording" && len(o.files) > 0 {
		return errors.New("files do not go with -recording")
	}
	f.Visit(func(set *flag.Flag) {
		word, _, _ := strings.Cut(set.Name, "-")
		switch modes, some := readFor[word]; {
		case !some && mode != "recording", slices.Contains(modes, mode), set.Value.String() == "false":
		case set.Name == "history" && o.dir != "": // which leaves it out
		case some && mode == decision:
			err = fmt.Errorf("-%s goes with -%s", set.Name, strings.Join(modes, " or -"))
		default:
			err = fmt.Errorf("-%s does not go with -%s", set.Name, mode)
		}
	})
	return err
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
