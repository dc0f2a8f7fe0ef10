// Command step decides line by line: a program in any language asks it, over a pipe,
// what the HorizontalPodAutoscaler does. It reads a recording of package
// calculator/recording from its standard input and answers each sync with a line of
// JSON; see README.md.
//
//	go run ./examples/step <web.rec
//	go run ./examples/step -stages <web.rec
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/purehpa/hpa/examples/internal/cli"
)

const usage = `Usage: step [-stages] [-state] <lines

Answers each sync of a recording with a line of JSON, as soon as it has the line of
the sync. A line {"recording":1,…} begins anew, with another autoscaler. A line
{"failed":"…"} says that the size of the last answer could not be written.

  -stages  with the stages of each decision: why it is what it is
  -state   with the state after each decision, for the header of another recording
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command. An error is one line on stderr, and ends it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var with extras
	f := cli.NewFlagSet("step")
	f.BoolVar(&with.stages, "stages", false, "")
	f.BoolVar(&with.state, "state", false, "")
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return cli.OK
	case err == nil && f.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err != nil {
		return cli.Fail(stderr, "step", cli.BadInput, fmt.Errorf("%w (-help lists the flags)", err))
	}
	out := bufio.NewWriterSize(stdout, 64<<10)
	err = answerAll(bufio.NewReaderSize(stdin, 64<<10), out, with)
	if failed := out.Flush(); failed != nil {
		return cli.Fail(stderr, "step", cli.NotWritten, failed)
	}
	if err != nil {
		return cli.Fail(stderr, "step", cli.BadInput, err)
	}
	return cli.OK
}
