// Kubectl-hpa is a plugin of kubectl that says why a HorizontalPodAutoscaler
// does or does not scale, and what it would do under other rules. See
// README.md.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/examples/internal/cli"
)

// The exit statuses.
const (
	statusOK      = 0
	statusFound   = 1 // lint found something, or prove a broken promise
	statusInput   = 2 // arguments or files are wrong
	statusCluster = 3 // there is no answer: the cluster does not show what it needs, or a search ended before
)

// failure is an error with its exit status.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// clusterError marks err with exit status 3.
func clusterError(err error) error { return &failure{statusCluster, err} }

// These are no errors: the findings and verdicts are printed.
var (
	errFound     = &failure{statusFound, errors.New("there are findings")}
	errUndecided = &failure{statusCluster, errors.New("a promise is not decided")}
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // so that a second signal ends the process
	os.Exit(run(ctx, os.Args[1:], genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}))
}

// run is the command. Its errors are one line.
func run(ctx context.Context, args []string, streams genericiooptions.IOStreams) int {
	root := newTool(streams).root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return statusOK
	}
	f := &failure{status: statusInput}
	_ = errors.As(err, &f) // or it is one of the arguments
	if f == errFound || f == errUndecided {
		return f.status
	}
	return cli.Fail(streams.ErrOut, "kubectl hpa", f.status, err)
}

const rootLong = `Says why a HorizontalPodAutoscaler does or does not scale, and what it would do
under other rules. It decides as the kube-controller-manager of the cluster's release does,
and writes nothing to the cluster.

The exit status is 0 for an answer, even if metrics failed, 1 if lint finds anything or
prove a broken promise, 2 for arguments and files that are wrong, and 3 if there is no
answer: the cluster does not show what it needs, or prove ends before it has decided on
all promises.`

// root is the command that has all others.
func (t *tool) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "kubectl-hpa",
		Short:         "Says why a HorizontalPodAutoscaler does or does not scale",
		Long:          rootLong,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl hpa"},
		SilenceErrors: true,
		SilenceUsage:  true,

		PersistentPreRunE: func(*cobra.Command, []string) error { return t.checkOutput() },
	}
	root.SetIn(t.In)
	root.SetOut(t.Out)
	root.SetErr(t.ErrOut)
	t.addFlags(root.PersistentFlags())
	t.completeFlags(root)
	root.SetUsageTemplate(usageWithoutGlobals(root.UsageTemplate()))
	root.AddCommand(t.whyCommand(), t.watchCommand(), t.whatifCommand(), t.lintCommand(), t.proveCommand(), t.recordCommand(), t.replayCommand(), t.optionsCommand())
	return root
}
