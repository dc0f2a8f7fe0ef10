// Command simulate rehearses HorizontalPodAutoscalers on a load that was
// measured: what they would cost, what they would lose, and when.
//
//	go run . -load traces/elb_request_count.csv -capacity 15 -hpa hpa/default.json -hpa hpa/window-60s.json
//	go run . -load traces/nyc_taxi.csv -capacity 1000 -hpa hpa/default.json -picture taxi.svg
//	go run . -load traces/nyc_taxi.csv -capacity 1000 -sweep scaleDown.stabilizationWindowSeconds=0,60,300,900
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"unicode"

	"golang.org/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, term.IsTerminal(int(os.Stderr.Fd()))))
}

// The exit statuses.
const (
	simulated   = 0
	notWritten  = 1
	badInput    = 2
	interrupted = 130
)

// run is the command. What it says on stderr is one line, and the progress if
// that is a terminal.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, terminal bool) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return simulated
	case err != nil:
		return fail(stderr, badInput, fmt.Errorf("%w (-help lists the flags)", err))
	}
	p, err := o.plan()
	if err != nil {
		return fail(stderr, badInput, err)
	}
	if terminal && !o.quiet {
		p.progress = newProgress(stderr, p.rows())
	}
	results, err := p.run(ctx)
	p.progress.end()
	switch {
	case ctx.Err() != nil:
		return fail(stderr, interrupted, errors.New("interrupted"))
	case errors.As(err, new(*writeError)):
		return fail(stderr, notWritten, err)
	case err != nil:
		return fail(stderr, badInput, err)
	}
	var out bytes.Buffer
	if len(o.sweeps) > 0 {
		p.writeTradeOff(&out, results)
	} else {
		p.writeComparison(&out, results)
	}
	if err := p.draw(results); err != nil {
		return fail(stderr, notWritten, err)
	}
	if _, err := stdout.Write(out.Bytes()); err != nil {
		return fail(stderr, notWritten, err)
	}
	return simulated
}

// fail reports an error in one line.
func fail(stderr io.Writer, status int, err error) int {
	line := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.TrimPrefix(err.Error(), "simulate: "))
	fmt.Fprintf(stderr, "simulate: %s\n", line)
	return status
}
