package calctest

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Find looks for a counterexample as rapid.Check does, with this seed and
// number of checks. It returns what the property logs for the smallest one, or
// "". Use it for golden texts: the same arguments give the same text, however
// slow the machine is.
//
// If the property logs nothing, panics, or rejects too many draws, Find returns
// rapid's report instead. It sets rapid's flags while it runs, so no other
// property may run at the same time.
func Find(seed uint64, checks int, property func(*rapid.T)) string {
	// Shrinking ends long before that.
	return find(seed, checks, time.Hour, property)
}

func find(seed uint64, checks int, shrinking time.Duration, property func(*rapid.T)) string {
	if testing.Short() {
		checks *= 5 // rapid makes a fifth of them
	}
	for name, value := range map[string]string{
		"rapid.seed":       fmt.Sprint(seed),
		"rapid.checks":     fmt.Sprint(checks),
		"rapid.failfile":   "",
		"rapid.nofailfile": "true",
		"rapid.shrinktime": shrinking.String(),
	} {
		f := flag.Lookup(name)
		before := f.Value.String()
		if f.Value.Set(value) == nil {
			defer f.Value.Set(before)
		}
	}
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		rapid.Check(r, property)
	}()
	<-done
	switch {
	case !r.failed:
		return ""
	case len(r.log) == 0 || !strings.HasPrefix(r.report, "[rapid] failed after"):
		return r.report
	}
	// The last log of an invariant repeats a line of the one before.
	if n := len(r.log); n > 1 && strings.Contains(r.log[n-2], r.log[n-1]) {
		r.log = r.log[:n-1]
	}
	return strings.Join(r.log, "")
}

// recorder is a rapid.TB that keeps what it logs.
type recorder struct {
	log    []string
	report string
	failed bool
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "calctest.Find" }

// Logf keeps the logs of the property, not those of rapid.
func (r *recorder) Logf(format string, args ...any) { r.Log(fmt.Sprintf(format, args...)) }

func (r *recorder) Log(args ...any) {
	if s := fmt.Sprint(args...); !strings.HasPrefix(s, "[rapid]") {
		r.log = append(r.log, strings.TrimRight(s, "\n")+"\n")
	}
}

// Errorf keeps rapid's report.
func (r *recorder) Errorf(format string, args ...any) {
	r.report, r.failed = fmt.Sprintf(format, args...), true
}

func (r *recorder) Error(args ...any)                 { r.Errorf("%s", fmt.Sprint(args...)) }
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...); r.FailNow() }
func (r *recorder) Fatal(args ...any)                 { r.Error(args...); r.FailNow() }
func (r *recorder) Skipf(format string, args ...any)  { r.Errorf(format, args...); r.FailNow() }
func (r *recorder) Skip(args ...any)                  { r.Error(args...); r.FailNow() }
func (r *recorder) SkipNow()                          { r.Skip("skipped") }
func (r *recorder) Fail()                             { r.failed = true }
func (r *recorder) Failed() bool                      { return r.failed }

func (r *recorder) FailNow() {
	r.failed = true
	runtime.Goexit()
}
