// Measure runs the example controller and Kubernetes' own HPA controller one
// after the other on the same API server with the same load, and prints what
// they take. In the controller's folder, after testcluster/build.sh:
//
//	go run ./measure -autoscalers 200,1000
//
// Each autoscaler has a Deployment of 10 pods, which exist only in the API server.
// Their metrics come from this program. It needs Linux, for the CPU times.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"k8s.io/klog/v2"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
)

// syncPeriod is that of both controllers.
const syncPeriod = 15 * time.Second

type options struct {
	autoscalers  []int
	perNamespace int
	workers      int
	span         time.Duration
	profiles     string
	json         bool
}

const help = `Measures the example controller beside Kubernetes' own HPA controller on a real API
server, and prints a Markdown table. Run it in examples/controller, after
testcluster/build.sh.

Each side has three phases:
  still     the load is constant, exactly at the target
  moving    usage changes by a few percent after each scrape, within the tolerance
  changes   each load doubles once, at its own time; the latency is the time until a
            watch shows the new size

`

func parse() (o options, err error) {
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, help)
		flag.PrintDefaults()
	}
	numbers := flag.String("autoscalers", "200", "how many autoscalers there are, one cluster for each `number`, with commas between")
	seconds := flag.Int("seconds", 60, "how long a phase is, in seconds")
	flag.IntVar(&o.perNamespace, "per-namespace", 10, "how many autoscalers a namespace has")
	flag.IntVar(&o.workers, "workers", 20, "how many autoscalers each controller syncs at once")
	flag.StringVar(&o.profiles, "profiles", "", "the `folder` to save the controllers' CPU profiles in")
	flag.BoolVar(&o.json, "json", false, "print all numbers as JSON instead of tables")
	flag.Parse()
	o.span = time.Duration(*seconds) * time.Second
	for _, text := range strings.Split(*numbers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("-autoscalers: %q is no number of autoscalers", text)
		}
		o.autoscalers = append(o.autoscalers, n)
	}
	if o.perNamespace < 1 || o.workers < 1 || *seconds < 1 || flag.NArg() > 0 {
		return o, errors.New("-per-namespace, -workers and -seconds have to be 1 or more, and there are no arguments")
	}
	return o, nil
}

func main() {
	o, err := parse()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v\n\nSee -help.\n", err)
		os.Exit(2)
	}
	logf.SetLogger(klog.Background())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.run(ctx); err != nil {
		log.Fatal(err)
	}
}

// run builds the controller, measures, and prints.
func (o *options) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "measure")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	controller := filepath.Join(dir, "controller")
	if out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", controller, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	if o.profiles != "" {
		if err := os.MkdirAll(o.profiles, 0o755); err != nil {
			return err
		}
	}
	all, err := o.measureAll(ctx, controller)
	if len(all) == 0 {
		return err
	}
	return errors.Join(err, o.write(all))
}

// measureAll measures with each number of autoscalers. With an error, it returns
// those before.
func (o *options) measureAll(ctx context.Context, controller string) (all []*result, err error) {
	for _, n := range o.autoscalers {
		results, err := o.measure(ctx, controller, n)
		if err != nil {
			return all, err
		}
		all = append(all, results...)
	}
	return all, nil
}

func (o *options) write(all []*result) error {
	if o.json {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	writeTables(os.Stdout, all)
	return nil
}

// timed logs how long a step takes.
func timed(step string, f func() error) error {
	start := time.Now()
	err := f()
	log.Printf("%s: %.1f s", step, time.Since(start).Seconds())
	return err
}

// freeAddress returns an address of this host that nothing listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
