// Command explain says what the HorizontalPodAutoscaler decides on a cluster's
// state, and why. The state is a recorded scene or what kubectl printed; see
// README.md.
//
//	go run ./examples/explain
//	go run ./examples/explain -scene down-window
//	go run ./examples/explain hpa.json scale.json pods.json podmetrics.json
//	(kubectl get hpa web -o json; kubectl get pods -l app=web -o json; …) | go run ./examples/explain -
//	go run ./examples/explain -lint hpa.json
//	go run ./examples/explain -guarantees hpa.json
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/examples/internal/cli"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command. Its errors are one line on stderr.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int { return cli.Fail(stderr, "explain", status, err) }
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return cli.OK
	case err != nil:
		return fail(cli.BadInput, fmt.Errorf("%w (-help lists the flags)", err))
	}
	in, err := o.input(stdin)
	if err != nil {
		return fail(cli.BadInput, err)
	}
	var out []byte
	status := cli.OK
	switch {
	case o.lint:
		if out, status, err = o.lintSpec(in); err != nil {
			return fail(cli.BadInput, err)
		}
	case o.guarantees:
		if out, err = o.guaranteesOf(in); err != nil {
			return fail(cli.BadInput, err)
		}
	default:
		h, err := o.openHistory(in)
		if err != nil {
			return fail(cli.BadInput, err)
		}
		if out, err = o.decide(in, &h); err != nil {
			return fail(cli.BadInput, err)
		}
		if err := h.save(in); err != nil {
			return fail(cli.NotWritten, err)
		}
		// The explanation says so itself.
		if text := in.assumption(); text != "" && o.output == "json" {
			fail(cli.OK, errors.New(text))
		}
	}
	if _, err := stdout.Write(out); err != nil {
		return fail(cli.NotWritten, err)
	}
	return status
}

// decide decides and returns the output. It updates the history as if the size
// had been written to the scale.
func (o *options) decide(in *input, h *history) ([]byte, error) {
	a := &in.cluster.Autoscaler
	obs := in.cluster.Observation()
	r := h.known(a).Decide(in.now, &o.settings, &a.Spec, &obs)
	if err := r.Err(); errors.As(err, new(*field.Error)) {
		return nil, err
	}
	if o.history != "" {
		state := h.begin(in.now, a)
		d := calculator.Decide(in.now, &o.settings, &a.Spec, &obs, state)
		state.Applied(in.now, &d)
	}

	text := r.String()
	r.Applied(in.now)
	low, high := r.Statuses()
	if g := a.Generation; g != 0 && !o.settings.Release.Differences().Has(release.NoObservedGeneration) {
		low.ObservedGeneration, high.ObservedGeneration = &g, &g
	}
	if o.output == "json" {
		out, err := json.MarshalIndent(struct {
			Low  *autoscaling.HorizontalPodAutoscalerStatus `json:"low"`
			High *autoscaling.HorizontalPodAutoscalerStatus `json:"high"`
		}{&low, &high}, "", "  ")
		return append(out, '\n'), err
	}
	e := explanation{in: in, settings: &o.settings, obs: &obs, r: &r, decision: text, low: &low, high: &high}
	return e.appendText(nil), nil
}
