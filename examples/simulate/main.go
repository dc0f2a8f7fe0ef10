// Command simulate tries HorizontalPodAutoscalers on a measured load: what they
// would cost and what they would lose. See README.md.
//
//	go run . -load traces/elb_request_count.csv -capacity 15 -hpa hpa/default.json -hpa hpa/window-60s.json
//	go run . -load traces/nyc_taxi.csv -capacity 1000 -hpa hpa/default.json -picture taxi.svg
//	go run . -hpa hpa/percent-10.json -times times.svg -flaps flaps.svg
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

	"golang.org/x/term"

	"github.com/purehpa/hpa/examples/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, term.IsTerminal(int(os.Stderr.Fd()))))
}

// interrupted is the exit status after an interrupt.
const interrupted = 130

// run is the command. Its errors are one line on stderr. A terminal also gets
// the progress.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, terminal bool) int {
	fail := func(status int, err error) int { return cli.Fail(stderr, "simulate", status, err) }
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return cli.OK
	case err != nil:
		return fail(cli.BadInput, fmt.Errorf("%w (-help lists the flags)", err))
	}
	var out bytes.Buffer
	if o.mapsAsked() {
		err = o.drawMaps(ctx, &out)
	} else {
		err = o.runLoad(ctx, &out, stderr, terminal && !o.quiet)
	}
	if err == nil {
		if _, err = stdout.Write(out.Bytes()); err != nil {
			err = &writeError{err}
		}
	}
	switch {
	case err == nil:
		return cli.OK
	case ctx.Err() != nil:
		return fail(interrupted, errors.New("interrupted"))
	case errors.As(err, new(*writeError)):
		return fail(cli.NotWritten, err)
	}
	return fail(cli.BadInput, err)
}

// runLoad runs the autoscalers on the load, with the progress on stderr if
// asked.
func (o *options) runLoad(ctx context.Context, out, stderr io.Writer, progress bool) error {
	p, err := o.plan()
	if err != nil {
		return err
	}
	if progress {
		p.progress = newProgress(stderr, p.rows())
	}
	results, err := p.run(ctx)
	p.progress.end()
	if err != nil {
		return err
	}
	if len(o.sweeps) > 0 {
		p.writeTradeOff(out, results)
	} else {
		p.writeComparison(out, results)
	}
	return p.draw(results)
}
