// Command ratio times Kubernetes' calculator and controller against the library on
// the same inputs, and prints how many times faster the library is.
//
//	go run ./cmd/ratio
//	go run ./cmd/ratio -work "from Kubernetes' types, pods=1000"
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/purehpa/hpa/calculator/conformance"
)

func main() {
	testing.Init()
	rounds := flag.Int("rounds", 5, "measure each side this number of `times`, in turn; the best counts")
	only := flag.String("work", "", "measure only the work whose name has this `text`")
	if err := flag.Set("test.benchtime", "200ms"); err != nil {
		panic(err)
	}
	flag.Parse()
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "Kubernetes ns\tallocations\tlibrary ns\tallocations\tratio\t  work")
	for _, r := range conformance.Ratios() {
		if !strings.Contains(r.Name, *only) {
			continue
		}
		var up, lib testing.BenchmarkResult
		for range *rounds {
			lib = better(lib, r.Library)
			if r.Upstream != nil {
				up = better(up, r.Upstream)
			}
		}
		if r.Upstream == nil {
			fmt.Fprintf(out, "\t\t%.0f\t%d\t\t  %s\n", nanoseconds(lib), lib.AllocsPerOp(), r.Name)
			continue
		}
		fmt.Fprintf(out, "%.0f\t%d\t%.0f\t%d\t%.0f\t  %s\n", nanoseconds(up), up.AllocsPerOp(), nanoseconds(lib), lib.AllocsPerOp(), nanoseconds(up)/nanoseconds(lib), r.Name)
	}
	out.Flush()
}

// better measures once more, and returns the faster result.
func better(before testing.BenchmarkResult, work func(*testing.B)) testing.BenchmarkResult {
	if now := testing.Benchmark(work); before.N == 0 || nanoseconds(now) < nanoseconds(before) {
		return now
	}
	return before
}

func nanoseconds(r testing.BenchmarkResult) float64 {
	if r.N == 0 {
		fmt.Fprintln(os.Stderr, "a benchmark failed")
		os.Exit(1)
	}
	return float64(r.T.Nanoseconds()) / float64(r.N)
}
