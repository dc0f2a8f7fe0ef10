// Command vectors prints recorded decisions of Kubernetes' controller, one
// vector of JSON a line.
//
//	go run ./cmd/vectors -seed 2 -n 160 | gzip -9n > kubernetes-1.37.1-seed2.jsonl.gz
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/purehpa/hpa/calculator/conformance"
)

func main() {
	flags := flag.NewFlagSet("vectors", flag.ExitOnError)
	n := flags.Uint64("n", 2000, "print this number of `vectors`")
	seed := flags.Uint64("seed", 1, "`number` that determines all vectors")
	gates := flags.String("gates", "", "set Kubernetes' feature `gates`, such as HPAScaleToZero=true; the others have the release's defaults")
	flags.Parse(os.Args[1:])
	if err := conformance.SetGates(*gates); err != nil {
		fmt.Fprintln(os.Stderr, "vectors: -gates:", err)
		os.Exit(2)
	}
	os.Args = []string{os.Args[0], "-test.timeout=0"}
	// The clock of testing/synctest needs a test around it.
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{
		Name: "vectors",
		F: func(t *testing.T) {
			if err := write(t, *seed, *n); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		},
	}}, nil, nil)
}

func write(t *testing.T, seed, n uint64) error {
	out := bufio.NewWriter(os.Stdout)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	syncs := 0
	for i := range n {
		v := conformance.Record(t, seed, i)
		syncs += len(v.Steps)
		if err := lines.Encode(v); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "%d vectors, %d syncs of Kubernetes %s\n", n, syncs, conformance.UpstreamVersion)
	return out.Flush()
}
