package clustertest

import (
	"context"
	"errors"
	"flag"
	"log"
	"os"
	"testing"

	"k8s.io/klog/v2"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
)

// Main runs the tests of a package beside a cluster that they share, and ends
// the process. prepare gets the cluster before upstream's controllers start,
// whose syncs then wait at its turnstile.
func Main(m *testing.M, o Options, prepare func(context.Context, *Cluster) error) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run()) // only names
	}
	logf.SetLogger(klog.Background())
	code, err := run(m, o, prepare)
	if err != nil {
		log.Print(err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M, o Options, prepare func(context.Context, *Cluster) error) (code int, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c, err := Start(ctx, o)
	defer func() { err = errors.Join(err, c.Stop()) }()
	if err != nil {
		return 1, err
	}
	if err := prepare(ctx, c); err != nil {
		return 1, err
	}
	if err := c.Gate(SyncFlags(GatedPeriod, GatedStabilization)...); err != nil {
		return 1, err
	}
	return m.Run(), nil
}
