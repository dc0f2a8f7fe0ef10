// Command agree runs Kubernetes' controller and the library through the same
// random histories, and counts the syncs in which they agree.
//
//	go run ./cmd/agree -n 100000 -seed 1
//
// At the first unexplained difference it prints how to reproduce it, and exits
// with 1.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purehpa/hpa/calculator/conformance"
)

func main() {
	flags := flag.NewFlagSet("agree", flag.ExitOnError)
	n := flags.Int64("n", 100_000, "run at least this number of `syncs`")
	seed := flags.Uint64("seed", 1, "`number` that determines all histories")
	parallel := flags.Int("parallel", runtime.GOMAXPROCS(0), "run this number of `histories` at a time")
	only := flags.Int64("history", -1, "run only this `history`, and print all that its last sync saw")
	survey := flags.Bool("survey", false, "go on after an unexplained difference, and count histories by what differs first")
	smaller := flags.Bool("smaller", true, "look for a smaller history with a difference")
	edges := flags.Int("edges", 0, "decide on this number of `ratios` at the edges of the tolerance instead")
	corrections := flags.Bool("corrections", false, "decide with each correction alone, too, and check that it is named where it matters")
	gates := flags.String("gates", "", "set Kubernetes' feature `gates`, such as HPAScaleToZero=true; the others have the release's defaults")
	flags.Parse(os.Args[1:])
	if err := conformance.SetGates(*gates); err != nil {
		fmt.Fprintln(os.Stderr, "agree: -gates:", err)
		os.Exit(2)
	}
	conformance.CorrectEach = *corrections
	os.Args = []string{os.Args[0], "-test.timeout=0"}
	// The clock of testing/synctest needs a test around it.
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{
		Name: "agree",
		F: func(t *testing.T) {
			if *edges > 0 {
				os.Exit(atEdges(t, *seed, *edges))
			}
			if *only >= 0 {
				os.Exit(again(t, *seed, uint64(*only), *smaller))
			}
			os.Exit(agree(t, *seed, *n, *parallel, *survey, *gates))
		},
	}}, nil, nil)
}

// batch is the number of histories that a worker takes at a time.
const batch = 64

func agree(t *testing.T, seed uint64, n int64, parallel int, goOn bool, gates string) int {
	if goOn {
		return survey(t, seed, n)
	}
	start := time.Now()
	var next, done atomic.Int64
	var mu sync.Mutex
	total := &conformance.Report{}
	var wg sync.WaitGroup
	for range max(parallel, 1) {
		wg.Go(func() {
			for done.Load() < n {
				r := conformance.Histories(t, seed, uint64(next.Add(batch)-batch), batch)
				done.Add(r.Syncs)
				mu.Lock()
				total.Add(r)
				if total.Failure != nil {
					done.Store(n)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	fmt.Fprintf(os.Stderr, "%d syncs in %v, %.0f a second\n", total.Syncs, took.Round(time.Millisecond), float64(total.Syncs)/took.Seconds())
	print(seed, total)
	if f := total.Failure; f != nil {
		if gates != "" {
			gates = " -gates " + gates
		}
		fmt.Printf("to reproduce: older/releases run %s agree -seed %d -history %d%s\n", conformance.UpstreamVersion, f.Seed, f.History, gates)
		return 1
	}
	return 0
}

// atEdges decides at the edges of the tolerance.
func atEdges(t *testing.T, seed uint64, n int) int {
	lower, upper, err := conformance.Edges(t, seed, n)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Printf("Kubernetes %s, seed %d: %d ratios at the edges of the tolerance, all decided alike\n", conformance.UpstreamVersion, seed, n)
	for i, e := range []conformance.Edge{lower, upper} {
		fmt.Printf("%s edge: %d at the edge, %d at its distance from 1, %d where the formulas up to 1.32 and from 1.33 disagree\n",
			[]string{"lower", "upper"}[i], e.Exact, e.ExactDistance, e.Apart)
	}
	return 0
}

// survey counts histories by what differs in them first.
func survey(t *testing.T, seed uint64, n int64) int {
	total := &conformance.Report{}
	counts, examples := map[string]int{}, map[string]*conformance.Failure{}
	for history := uint64(0); total.Syncs < n; history++ {
		r := conformance.Histories(t, seed, history, 1)
		if f := r.Failure; f != nil {
			kind := f.Kind()
			if counts[kind]++; examples[kind] == nil {
				examples[kind] = f
			}
			r.Failure = nil
		}
		total.Add(r)
	}
	print(seed, total)
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return counts[b] - counts[a] })
	for _, kind := range kinds {
		fmt.Printf("\n%d histories differ in %s, as history %d, %v", counts[kind], kind, examples[kind].History, examples[kind])
	}
	if len(kinds) > 0 {
		return 1
	}
	return 0
}

func print(seed uint64, r *conformance.Report) {
	fmt.Printf("Kubernetes %s, seed %d: %d histories, %d syncs\n", conformance.UpstreamVersion, seed, r.Histories, r.Syncs)
	fmt.Printf("%10d agree in everything\n", r.Agreed)
	for _, name := range slices.Sorted(maps.Keys(r.Deviated)) {
		fmt.Printf("%10d deviate on purpose: %s\n", r.Deviated[name], name)
	}
	fmt.Printf("%10d specs were created, %d of them refused, with the same complaints\n", r.Specs, r.Refused)
	if len(r.Named) > 0 {
		fmt.Println("Answers in which the newest release differs:")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Named)) {
		fmt.Printf("%10d times by %s, %d of them by nothing else\n", r.Named[name], name, r.Alone[name])
	}
	if r.Unseen > 0 {
		fmt.Printf("%10d times a difference is named that an API client does not see\n", r.Unseen)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Corrected)) {
		n := r.Corrected[name]
		fmt.Printf("%10d times the correction %s is named, %d of them the answer is another\n", n.Named, name, n.Seen)
	}
	if r.Failure == nil {
		fmt.Printf("%10d differ unexplained\n", 0)
		return
	}
	fmt.Printf("%10d differs unexplained: history %d, %v", 1, r.Failure.History, r.Failure)
}

// again runs one history, and prints all that its last sync saw.
func again(t *testing.T, seed, history uint64, smaller bool) int {
	r := conformance.Histories(t, seed, history, 1)
	print(seed, r)
	if r.Failure == nil {
		return 0
	}
	if smaller {
		log := &conformance.Logged{Dice: conformance.Random(seed, history)}
		conformance.History(t, log)
		if f := conformance.Shrink(t, log.Rolls); f != nil {
			fmt.Printf("the smallest like it:\n%v", f)
			r.Failure = f
		}
	}
	fmt.Println("the sync saw:", r.Failure.Input)
	return 1
}
