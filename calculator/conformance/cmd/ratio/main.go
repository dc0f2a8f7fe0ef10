// Command ratio times Kubernetes' calculator and controller against the library
// on the same inputs, and prints how many times faster the library is, and how
// many bare passes over its input it takes. The ratios are good on any machine,
// the times on none but this one.
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
	fmt.Fprintln(out, "Kubernetes ns\tallocations\tlibrary ns\tallocations\tratio\tbare passes\t  work")
	for _, r := range conformance.Ratios() {
		if !strings.Contains(r.Name, *only) {
			continue
		}
		var up, lib, bare testing.BenchmarkResult
		for range *rounds {
			lib, up, bare = better(lib, r.Library), better(up, r.Upstream), better(bare, r.Bare)
		}
		var kubernetes, allocations, ratio, passes string
		if r.Upstream != nil {
			kubernetes, allocations = fmt.Sprintf("%.0f", nanoseconds(up)), fmt.Sprint(up.AllocsPerOp())
			ratio = fmt.Sprintf("%.0f", nanoseconds(up)/nanoseconds(lib))
		}
		if r.Bare != nil {
			passes = fmt.Sprintf("%.1f", nanoseconds(lib)/nanoseconds(bare))
		}
		fmt.Fprintf(out, "%s\t%s\t%.0f\t%d\t%s\t%s\t  %s\n", kubernetes, allocations, nanoseconds(lib), lib.AllocsPerOp(), ratio, passes, r.Name)
	}
	out.Flush()
}

// better measures once more, unless there is nothing to measure, and returns
// the faster result.
func better(before testing.BenchmarkResult, work func(*testing.B)) testing.BenchmarkResult {
	if work == nil {
		return before
	}
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
