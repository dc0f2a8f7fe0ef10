// Command replay replays recorded decisions of Kubernetes' controller, and
// compares what the library decides.
//
//	go run ./cmd/replay ../testdata/kubernetes-1.32.13.jsonl.gz
//
// Each vector is replayed as the release that it names. A file is plain or
// compressed by gzip; - is the standard input.
//
// It exits with 1 if a sync differs and nothing explains it, and with 2 if a
// file cannot be read or is not one of vectors.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/purehpa/hpa/calculator/conformance"
	"github.com/purehpa/hpa/calculator/release"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// The exit codes.
const (
	agrees = iota
	differs
	unreadable
)

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: replay [-release RELEASE] FILE...")
		flags.PrintDefaults()
	}
	name := flags.String("release", "", "decide as this `release`, such as 1.36,HPAScaleToZero=true, whatever the vectors name")
	if err := flags.Parse(args); err != nil {
		return unreadable
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return unreadable
	}
	var as *release.Release
	if *name != "" {
		parsed, err := release.Parse(*name)
		if err != nil {
			fmt.Fprintln(stderr, "replay: -release:", err)
			return unreadable
		}
		as = &parsed
	}
	code := agrees
	for _, file := range flags.Args() {
		replayed, err := replay(file, stdin, as)
		if err != nil {
			fmt.Fprintln(stderr, "replay:", err)
			code = unreadable
			continue
		}
		report(stdout, file, replayed)
		if replayed.First != nil {
			code = max(code, differs)
		}
	}
	return code
}

func replay(name string, stdin io.Reader, as *release.Release) (*conformance.Replayed, error) {
	in := stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	replayed := conformance.NewReplayed()
	err := conformance.EachVector(in, func(v *conformance.Vector) error { return replayed.Play(v, as) })
	if err == nil && replayed.Vectors == 0 {
		err = errors.New("no vectors")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return replayed, nil
}

func report(out io.Writer, file string, r *conformance.Replayed) {
	fmt.Fprintf(out, "%s, as Kubernetes %s: %d vectors, %d syncs\n", file, releases(r), r.Vectors, r.Syncs)
	fmt.Fprintf(out, "%10d agree in everything\n", r.Agreed)
	for _, name := range slices.Sorted(maps.Keys(r.Deviated)) {
		fmt.Fprintf(out, "%10d deviate on purpose: %s\n", r.Deviated[name], name)
	}
	fmt.Fprintf(out, "%10d differ\n", r.Differed)
	if r.Skipped > 0 {
		fmt.Fprintf(out, "%10d more are not compared: they come after one that left another memory\n", r.Skipped)
	}
	for _, d := range slices.Sorted(maps.Keys(r.Mattered)) {
		fmt.Fprintf(out, "%10d depend on %s (%s)\n", r.Mattered[d], d, d.Row().Kind)
	}
	if r.First != nil {
		fmt.Fprintf(out, "The first that differs is %v", r.First)
	}
}

// releases lists what the vectors were replayed as, the oldest first.
func releases(r *conformance.Replayed) string {
	all := slices.SortedFunc(maps.Keys(r.Releases), func(a, b release.Release) int {
		return cmp.Or(cmp.Compare(a.Minor(), b.Minor()), strings.Compare(a.String(), b.String()))
	})
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.String()
	}
	return strings.Join(names, " and ")
}
