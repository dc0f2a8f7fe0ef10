// Command tally reads what go test -json prints, prints the packages' closing
// lines and whatever belongs to a failure, and counts the tests: functions, not
// their subtests.
//
// It exits with 1 when something failed, when no test passed although -any was
// given, or when no test passed in a package that -require names.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	counts := flag.String("counts", "", "append a line \"passed failed skipped\" to this `file`")
	need := flag.Bool("any", false, "fail when no test passed")
	require := flag.String("require", "", "fail when no test passed in one of these `packages`, separated by commas")
	flag.Parse()

	t := newTally()
	err := t.read(os.Stdin, os.Stdout)
	if err == nil {
		err = t.verdict(*need, strings.FieldsFunc(*require, func(r rune) bool { return r == ',' }))
	}
	if *counts != "" {
		if e := t.save(*counts); err == nil {
			err = e
		}
	}
	if err != nil {
		fmt.Println("tally:", err)
		os.Exit(1)
	}
}

type event struct {
	Action, Package, ImportPath, Test, Output string
}

type tally struct {
	passed, failed, skipped int
	broken                  int            // packages that failed
	passes                  map[string]int // tests passed, by package
	pending                 map[string][]string
}

func newTally() *tally {
	return &tally{passes: map[string]int{}, pending: map[string][]string{}}
}

func (t *tally) read(r io.Reader, w io.Writer) error {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil {
				fmt.Fprint(w, line) // the go command's own words, outside of JSON
			} else {
				t.event(e, w)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *tally) event(e event, w io.Writer) {
	top := e.Test != "" && !strings.Contains(e.Test, "/")
	// Output is kept by function, so that a failing subtest shows its parent's.
	name, _, _ := strings.Cut(e.Test, "/")
	key := e.Package + " " + name
	switch e.Action {
	case "build-output":
		fmt.Fprint(w, e.Output)
	case "output":
		if e.Test != "" {
			t.pending[key] = append(t.pending[key], e.Output)
		} else if e.Output != "PASS\n" {
			fmt.Fprint(w, e.Output)
		}
	case "pass":
		if top {
			t.passed++
			t.passes[e.Package]++
			delete(t.pending, key)
		}
	case "skip":
		if top {
			t.skipped++
			delete(t.pending, key)
		}
	case "fail":
		if top {
			t.failed++
			t.flush(key, w)
		}
		if e.Test == "" {
			t.broken++
			// Tests cut off by a panic or a timeout never report their end.
			for k := range t.pending {
				if strings.HasPrefix(k, e.Package+" ") {
					t.failed++
					t.flush(k, w)
				}
			}
		}
	}
}

func (t *tally) flush(key string, w io.Writer) {
	for _, s := range t.pending[key] {
		fmt.Fprint(w, s)
	}
	delete(t.pending, key)
}

func (t *tally) verdict(need bool, require []string) error {
	if t.failed > 0 || t.broken > 0 {
		return fmt.Errorf("%d tests failed, in %d packages", t.failed, t.broken)
	}
	if need && t.passed == 0 {
		return fmt.Errorf("no test ran")
	}
	for _, p := range require {
		if t.passes[p] == 0 {
			return fmt.Errorf("no test ran in %s", p)
		}
	}
	return nil
}

func (t *tally) save(file string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, t.passed, t.failed, t.skipped)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
