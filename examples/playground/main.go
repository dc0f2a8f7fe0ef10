// Command playground serves a page on which to paste an autoscaler, to draw a
// load, and to see why at every sync. See README.md.
//
//	go run .               # serves the page and prints its address
//	go run . -export DIR   # writes it as a static site
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/purehpa/hpa/examples/internal/cli"
)

const usage = `playground serves a page that runs autoscalers on a load, in the browser.

Usage:
  playground [-addr ADDRESS]
  playground -export FOLDER

It is for the folder of its module: it compiles the engine with the go command.

  -addr ADDRESS    where to serve (127.0.0.1:8080)
  -export FOLDER   write the site there instead, for any server of static files

The exit status is 0 for success, 1 if the site cannot be built, written or
served, and 2 for a wrong flag.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. Its errors are on stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := cli.NewFlagSet("playground")
	addr := f.String("addr", "127.0.0.1:8080", "")
	export := f.String("export", "", "")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return cli.OK
	case err != nil:
		return cli.Fail(stderr, "playground", cli.BadInput, err)
	case f.NArg() > 0:
		return cli.Fail(stderr, "playground", cli.BadInput, fmt.Errorf("%q is no flag", f.Arg(0)))
	}
	s, err := build(ctx, *export != "")
	if err == nil && *export != "" {
		err = s.write(*export)
	} else if err == nil {
		err = serve(ctx, s, *addr, stdout)
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(stderr, "playground: %v\n", err) // the compiler's errors have lines
		return cli.NotWritten
	}
	return cli.OK
}

// serve serves the site until the context ends, after printing its address.
func serve(ctx context.Context, s site, addr string, stdout io.Writer) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "http://%s/\n", l.Addr())
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
