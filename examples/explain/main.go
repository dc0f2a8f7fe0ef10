// Command explain says what the HorizontalPodAutoscaler decides on a cluster's
// state, and why. The state is a recorded scene or what kubectl printed; see
// README.md.
//
//	go run ./examples/explain
//	go run ./examples/explain -scene down-window
//	go run ./examples/explain hpa.json scale.json pods.json podmetrics.json
//	(kubectl get hpa web -o json; kubectl get pods -l app=web -o json; …) | go run ./examples/explain -
//	go run ./examples/explain -lint hpa.json
//	go run ./examples/explain -commands hpa.json
//	go run ./examples/explain -recording web.rec -at 12
//	go run ./examples/explain -guarantees hpa.json
//	go run ./examples/explain -prove -settled-within 10m hpa.json
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/proof"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command. Its errors and notes are one line each on stderr.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int { return cli.Fail(stderr, "explain", status, err) }
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return cli.OK
	case errors.Is(err, errNothing):
		return fail(nothing, err)
	case err != nil:
		return fail(cli.BadInput, fmt.Errorf("%w (-help lists the flags)", err))
	}
	o.proof.Progress = proof.Terminal(stderr)
	out, status, err := o.answer(stdin, func(note error) { fail(cli.OK, note) })
	if err != nil {
		return fail(status, err)
	}
	if o.output != "json" {
		out = []byte(cli.Lines(string(out)))
	}
	if _, err := stdout.Write(out); err != nil {
		return fail(cli.NotWritten, err)
	}
	return status
}

// answer returns the output and the exit status, also that of an error.
func (o *options) answer(stdin io.Reader, note func(error)) (out []byte, status int, err error) {
	if o.recording != "" {
		out, err = o.recorded(note)
		return out, unless(err), err
	}
	in, err := o.input(stdin, note)
	switch {
	case err != nil:
		return nil, cli.BadInput, err
	case o.commands:
		out, err = in.commands()
		return out, unless(err), err
	case o.lint:
		if out, status, err = o.lintSpec(in); err != nil {
			status = cli.BadInput
		}
		return out, status, err
	case o.guarantees:
		out, err = o.guaranteesOf(in)
		return out, unless(err), err
	case o.prove:
		return o.proofOf(in)
	}
	return o.decideOn(in, note)
}

// unless returns the exit status of input that gave the error, if there is one.
func unless(err error) int {
	if err != nil {
		return cli.BadInput
	}
	return cli.OK
}

// decideOn decides, and writes the history.
func (o *options) decideOn(in *input, note func(error)) (out []byte, status int, err error) {
	h, err := o.openHistory(in)
	if err == nil {
		out, err = o.decide(in, &h)
	}
	if err != nil {
		return nil, cli.BadInput, err
	}
	if err := h.save(in); err != nil {
		return nil, cli.NotWritten, err
	}
	// The explanation says so itself.
	if text := in.assumption(); text != "" && o.output == "json" {
		note(errors.New(text))
	}
	return out, cli.OK, nil
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

	stages := r.Stages()
	r.Applied(in.now)
	low, high := r.Statuses()
	e := explanation{in: in, settings: &o.settings, obs: &obs, r: &r, stages: stages, low: &low, high: &high}
	return e.print(o.output)
}
