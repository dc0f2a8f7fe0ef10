package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// tool is what all commands share.
type tool struct {
	genericiooptions.IOStreams
	cluster *genericclioptions.ConfigFlags
	// settings are the flags of the cluster's kube-controller-manager; of them,
	// the release is the cluster's unless the flag is given.
	settings calculator.Settings
	flags    *pflag.FlagSet
	output   string
	// qps is the most requests a second of a client, and metricsTimeout how
	// long one autoscaler's metrics may take.
	qps            float32
	metricsTimeout time.Duration
	now            func() time.Time
}

func newTool(streams genericiooptions.IOStreams) *tool {
	return &tool{
		IOStreams: streams,
		cluster:   genericclioptions.NewConfigFlags(true).WithDiscoveryBurst(300).WithDiscoveryQPS(50),
		settings:  calculator.DefaultSettings(),
		now:       time.Now,
	}
}

// controllerFlags are the flags of kube-controller-manager, with what they are.
var controllerFlags = map[string]string{
	"release":                             "The release to decide as, with feature gates that are not at its defaults, such as 1.32 or 1.36,HPAScaleToZero=true; that of the cluster if not given.",
	"horizontal-pod-autoscaler-tolerance": "This flag of the cluster's kube-controller-manager, if it is not 0.1.",
	"horizontal-pod-autoscaler-downscale-stabilization":   "This flag of the cluster's kube-controller-manager, if it is not 5m.",
	"horizontal-pod-autoscaler-cpu-initialization-period": "This flag of the cluster's kube-controller-manager, if it is not 5m.",
	"horizontal-pod-autoscaler-initial-readiness-delay":   "This flag of the cluster's kube-controller-manager, if it is not 30s.",
}

func (t *tool) addFlags(fs *pflag.FlagSet) {
	t.flags = fs
	t.cluster.AddFlags(fs)
	controller := cli.NewFlagSet("")
	cli.Settings(controller, &t.settings)
	controller.VisitAll(func(f *flag.Flag) { f.Usage = controllerFlags[f.Name] })
	fs.AddGoFlagSet(controller)
	fs.Float32Var(&t.qps, "kube-api-qps", 50, "The most requests a second to an API, after six times as many at once; negative for no limit.")
	fs.DurationVar(&t.metricsTimeout, "metrics-timeout", 10*time.Second, "How long to wait for the metrics of an autoscaler; 0 for as long as the API server does.")
	fs.StringVarP(&t.output, "output", "o", "", "json or yaml, for machines; text if not given.")
}

// checkOutput refuses formats that there are not.
func (t *tool) checkOutput() error {
	switch t.output {
	case "", "json", "yaml":
		return nil
	}
	return fmt.Errorf("-o %q: json or yaml", t.output)
}

// terminal reports whether w is a terminal.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is how wide the output may be.
func width(w io.Writer) int {
	const other = 120
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return other
}

// exactly is cobra.ExactArgs with an error that says what is missing.
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("give %s", names[len(args)])
		case len(args) > len(names):
			return fmt.Errorf("unknown argument %q", args[len(names)])
		}
		return nil
	}
}

// errNone is for an object that is not there.
var errNone = errors.New("there is no HorizontalPodAutoscaler")
