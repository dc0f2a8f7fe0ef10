// Command explain tells what the HorizontalPodAutoscaler decides on a cluster's
// state, and why: on a recorded scene that ships with it, or on what kubectl
// printed.
//
//	go run ./examples/explain
//	go run ./examples/explain -scene down-window
//	go run ./examples/explain -hpa hpa.json -scale scale.json -pods pods.json -podmetrics podmetrics.json
//	(kubectl get hpa web -o json; kubectl get pods -l app=web -o json; …) | go run ./examples/explain -
//	go run ./examples/explain -lint -hpa hpa.json
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/purehpa/hpa/calculator"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit statuses.
const (
	decided    = 0
	notWritten = 1
	badInput   = 2
)

// run is the command. What it says on stderr is one line.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return decided
	case err != nil:
		return fail(stderr, badInput, fmt.Errorf("%w (-help lists the flags)", err))
	}
	in, err := o.input(stdin)
	if err != nil {
		return fail(stderr, badInput, err)
	}
	if o.lint {
		if _, err := stdout.Write(o.appendLint(nil, in)); err != nil {
			return fail(stderr, notWritten, err)
		}
		return decided
	}
	h, err := o.openHistory(in)
	if err != nil {
		return fail(stderr, badInput, err)
	}

	state := in.cluster.Autoscaler.State()
	h.restore(&state)
	obs := in.cluster.Observation()
	d := calculator.Decide(in.now, &o.settings, &in.cluster.Autoscaler.Spec, &obs, &state)
	if input := (*calculator.InputError)(nil); errors.As(d.Err(), &input) {
		return fail(stderr, badInput, input)
	}
	text := d.AppendText(nil)
	// What follows is that of a sync whose write succeeds.
	state.Applied(in.now, &d)

	status := d.Status(&state)
	if g := in.cluster.Autoscaler.Generation; g != 0 {
		status.ObservedGeneration = &g
	}
	var out []byte
	if o.output == "json" {
		out, err = json.MarshalIndent(status, "", "  ")
		if err != nil {
			return fail(stderr, badInput, err)
		}
		out = append(out, '\n')
	} else {
		e := explanation{in: in, settings: &o.settings, obs: &obs, d: &d, decision: text, status: &status}
		out = e.appendText(nil)
	}
	if err := h.save(in, &state); err != nil {
		return fail(stderr, notWritten, err)
	}
	if _, err := stdout.Write(out); err != nil {
		return fail(stderr, notWritten, err)
	}
	return decided
}

// fail reports an error in one line.
func fail(stderr io.Writer, status int, err error) int {
	line := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, err.Error())
	fmt.Fprintf(stderr, "explain: %s\n", line)
	return status
}

// options are the command line.
type options struct {
	scene, dir string
	files      files
	stream     bool
	current    *int32
	namespace  string
	history    string
	now        time.Time
	output     string
	settings   calculator.Settings
	// lint is to look for what is to be regretted, by these facts, instead of
	// deciding.
	lint  bool
	facts calculator.LintFacts
}

// defaultScene is what is decided on if nothing is given.
const defaultScene = "unready-up"

const usage = `explain tells what the HorizontalPodAutoscaler decides, and why.

Usage:
  explain [flags]              decide on the recorded scene "` + defaultScene + `"
  explain [flags] -scene NAME  decide on another recorded scene
  explain [flags] -dir DIR     decide on a folder laid out like the scenes
  explain [flags] -hpa FILE -pods FILE ...
                               decide on what kubectl printed into files
  explain [flags] -            decide on what kubectl prints: JSON documents one
                               after another on standard input, told apart by kind
  explain [flags] -lint -hpa FILE
                               do not decide, but look for settings that are legal
                               and likely to be regretted; also with -scene, -dir, -

Files, as kubectl prints them with -o json or --raw:
  -hpa FILE         the HorizontalPodAutoscaler (autoscaling/v2)
  -pods FILE        the pods of its target
  -scale FILE       the target's scale: kubectl get deployment NAME --subresource=scale
  -podmetrics FILE  /apis/metrics.k8s.io/v1beta1/namespaces/NS/pods
  -custom FILE      an answer of custom.metrics.k8s.io; may be repeated
  -external FILE    an answer of external.metrics.k8s.io; may be repeated

A folder (-dir) holds hpa.json and pods.json, and whichever it has of scale.json,
podmetrics.json, pods-NAME.json and object-NAME.json (custom metrics) and
external-NAME.json. A metric without an answer is one whose API failed.

  -current N        the current size, where there is no scale; the default is
                    status.currentReplicas of the autoscaler
  -namespace NS     the autoscaler's namespace, where its document names none
  -now TIME         the time of the decision, in RFC 3339; the default is the
                    newest moment that the input tells of
  -history FILE     the state that earlier runs left, with recommendations and
                    scale events; it is read, and written with this decision
                    added as if its size was written to the scale; a file that
                    is not there is empty
  -o text|json      an explanation (the default), or the status of the autoscaler
                    after the decision

  -lint             decide nothing; -now, -history and -o do not matter
  -lint-peak DURATION (5m)
                    the shortest peak of load that is to be answered
  -lint-growth FRACTION (0.1)
                    how much the load may grow within 15 seconds
  -lint-memory-kept FRACTION (1)
                    how much of its memory a pod keeps when the load is gone
With -lint, the size that is usual is the current one, if it is known.

Flags of kube-controller-manager:
  -horizontal-pod-autoscaler-tolerance FRACTION (0.1)
  -horizontal-pod-autoscaler-downscale-stabilization DURATION (5m)
  -horizontal-pod-autoscaler-cpu-initialization-period DURATION (5m)
  -horizontal-pod-autoscaler-initial-readiness-delay DURATION (30s)

Scenes:
` + sceneList + `
The exit status is 0 for a decision, also for one that metrics failed for, 2 for
input that cannot be decided on, and 1 if the output or the history cannot be
written.
`

// parse reads the command line.
func parse(args []string) (*options, error) {
	o := &options{output: "text", settings: calculator.DefaultSettings(), facts: calculator.DefaultLintFacts()}
	f := flag.NewFlagSet("explain", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.StringVar(&o.scene, "scene", "", "")
	f.StringVar(&o.dir, "dir", "", "")
	f.StringVar(&o.files.hpa, "hpa", "", "")
	f.StringVar(&o.files.pods, "pods", "", "")
	f.StringVar(&o.files.scale, "scale", "", "")
	f.StringVar(&o.files.podMetrics, "podmetrics", "", "")
	f.Func("custom", "", appendTo(&o.files.custom))
	f.Func("external", "", appendTo(&o.files.external))
	f.StringVar(&o.namespace, "namespace", "", "")
	f.StringVar(&o.history, "history", "", "")
	f.Func("current", "", o.setCurrent)
	f.Func("now", "", o.setNow)
	f.Func("o", "", o.setOutput)
	f.BoolVar(&o.lint, "lint", false, "")
	f.Func("lint-peak", "", length(&o.facts.Peak))
	f.Func("lint-growth", "", fraction(&o.facts.Growth))
	f.Func("lint-memory-kept", "", fraction(&o.facts.MemoryKept))
	f.Func("horizontal-pod-autoscaler-tolerance", "", fraction(&o.settings.Tolerance))
	f.Func("horizontal-pod-autoscaler-downscale-stabilization", "", length(&o.settings.DownscaleStabilization))
	f.Func("horizontal-pod-autoscaler-cpu-initialization-period", "", length(&o.settings.CPUInitializationPeriod))
	f.Func("horizontal-pod-autoscaler-initial-readiness-delay", "", length(&o.settings.InitialReadinessDelay))
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	empty := ""
	f.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" && isName(f.Name) {
			empty = f.Name
		}
	})
	if empty != "" {
		return nil, fmt.Errorf("-%s is empty", empty)
	}
	switch rest := f.Args(); {
	case len(rest) == 1 && rest[0] == "-":
		o.stream = true
	case len(rest) > 1 && rest[0] == "-":
		return nil, errors.New("flags go before -")
	case len(rest) > 0:
		return nil, fmt.Errorf("%q is no flag", rest[0])
	}
	return o, o.checkSources()
}

// isName reports whether the flag names a file, a folder or the like.
func isName(flag string) bool {
	switch flag {
	case "scene", "dir", "hpa", "pods", "scale", "podmetrics", "namespace", "history":
		return true
	}
	return false
}

// checkSources sees to it that there is one place to read from.
func (o *options) checkSources() error {
	n := &o.files
	files := n.hpa != "" || n.pods != "" || n.scale != "" || n.podMetrics != "" || len(n.custom) > 0 || len(n.external) > 0
	sources := 0
	for _, given := range []bool{o.scene != "", o.dir != "", files, o.stream} {
		if given {
			sources++
		}
	}
	switch {
	case sources > 1:
		return errors.New("give one of -scene, -dir, the files, and - for standard input")
	case sources == 0:
		o.scene = defaultScene
	case files && n.hpa == "":
		return errors.New("-hpa is missing")
	case files && n.pods == "" && !o.lint:
		return errors.New("-pods is missing")
	}
	return nil
}
