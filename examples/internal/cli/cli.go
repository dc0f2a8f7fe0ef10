// Package cli has what the commands of the examples share: flags, and errors of
// one line.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/release"
)

// The exit statuses.
const (
	OK         = 0
	NotWritten = 1 // the output could not be written
	BadInput   = 2
)

// Fail prints the error as one line and returns the status.
func Fail(stderr io.Writer, name string, status int, err error) int {
	fmt.Fprintf(stderr, "%s: %s\n", name, OneLine(strings.TrimPrefix(err.Error(), name+": ")))
	return status
}

// NewFlagSet returns a flag set that prints nothing.
func NewFlagSet(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// SettingsUsage is the help for the flags of [Settings].
const SettingsUsage = `  -release RELEASE  the release to decide as, and gates that are not at its defaults:
                    1.32, v1.32.13, or 1.36,HPAScaleToZero=true (1.37)
  -horizontal-pod-autoscaler-tolerance FRACTION (0.1)
  -horizontal-pod-autoscaler-downscale-stabilization DURATION (5m)
  -horizontal-pod-autoscaler-cpu-initialization-period DURATION (5m)
  -horizontal-pod-autoscaler-initial-readiness-delay DURATION (30s)
`

// Settings defines the flags of kube-controller-manager, and its release.
func Settings(f *flag.FlagSet, s *calculator.Settings) {
	s.ZeroFlags = true // each flag may be set to zero, and so may all
	f.Func("release", "", func(text string) error {
		r, err := release.Parse(text)
		if problem := (*release.ParseError)(nil); errors.As(err, &problem) {
			return errors.New(problem.Problem)
		}
		s.Release = r
		return err
	})
	f.Func("horizontal-pod-autoscaler-tolerance", "", Fraction(&s.Tolerance))
	f.Func("horizontal-pod-autoscaler-downscale-stabilization", "", Duration(&s.DownscaleStabilization))
	f.Func("horizontal-pod-autoscaler-cpu-initialization-period", "", Duration(&s.CPUInitializationPeriod))
	f.Func("horizontal-pod-autoscaler-initial-readiness-delay", "", Duration(&s.InitialReadinessDelay))
}

// List is a flag that may be repeated.
func List(list *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return errors.New("empty")
		}
		*list = append(*list, s)
		return nil
	}
}

// Duration is a flag for a duration that is not negative.
func Duration(d *time.Duration) func(string) error {
	return func(s string) error {
		v, err := time.ParseDuration(s)
		if err != nil || v < 0 {
			return errors.New("not a duration such as 5m or 30s")
		}
		*d = v
		return nil
	}
}

// SyncPeriod is a flag for the sync period of the controller.
func SyncPeriod(d *time.Duration) func(string) error {
	return func(s string) error {
		var v time.Duration
		if err := Duration(&v)(s); err != nil || v < time.Second || v > time.Hour {
			return errors.New("not a duration such as 15s, from 1s to 1h")
		}
		*d = v
		return nil
	}
}

// Fraction is a flag for a number that is not negative.
func Fraction(f *float64) func(string) error {
	return func(s string) error {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v >= 0 && v <= math.MaxFloat64) {
			return errors.New("not a fraction such as 0.1")
		}
		*f = v
		return nil
	}
}

// Positive is a flag for a number above zero.
func Positive(f *float64) func(string) error {
	return func(s string) error {
		if err := Fraction(f)(s); err != nil || *f == 0 {
			return errors.New("not a positive number")
		}
		return nil
	}
}

// Replicas is a flag for a number of replicas.
func Replicas(n *int32) func(string) error {
	return func(s string) error {
		v, err := strconv.ParseInt(s, 10, 32)
		if err != nil || v < 0 {
			return errors.New("not a number of replicas")
		}
		*n = int32(v)
		return nil
	}
}
