package trial

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func positiveDuration(d *time.Duration) func(string) error {
	return func(s string) error {
		if err := cli.Duration(d)(s); err != nil || *d == 0 {
			return errors.New("not a positive duration such as 5m or 30s")
		}
		return nil
	}
}

// durations is a flag for a duration that may be repeated.
func durations(all *[]time.Duration) func(string) error {
	return func(s string) error {
		var d time.Duration
		if err := cli.Duration(&d)(s); err != nil {
			return err
		}
		*all = append(*all, d)
		return nil
	}
}

func share(f *float64) func(string) error {
	return func(s string) error {
		if err := cli.Fraction(f)(s); err != nil || *f > 1 {
			return errors.New("not a fraction from 0 to 1")
		}
		return nil
	}
}

func extent(e *simulate.Extent) func(string) error {
	return func(s string) error {
		digits, percent := strings.CutSuffix(s, "%")
		var n int32
		if err := cli.Replicas(&n)(digits); err != nil {
			return errors.New("not a number of pods such as 1 or 25%")
		}
		*e = simulate.Extent{Pods: n}
		if percent {
			*e = simulate.Extent{Percent: n}
		}
		return nil
	}
}

// distribution is a flag for a random duration.
func distribution(d *simulate.Distribution) func(string) error {
	return func(s string) error {
		v, err := parseDistribution(s)
		if err != nil {
			return err
		}
		*d = v
		return nil
	}
}

var errDistribution = errors.New("not a time such as 30s, 20s..1m, p50:20s/p99:2m, exp:12h or none")

func parseDistribution(s string) (simulate.Distribution, error) {
	var a, b time.Duration
	if s == "none" {
		return nil, nil
	}
	if low, high, ok := strings.Cut(s, ".."); ok {
		if cli.Duration(&a)(low) != nil || cli.Duration(&b)(high) != nil || b < a {
			return nil, errDistribution
		}
		return simulate.Uniform{Min: a, Max: b}, nil
	}
	if mean, ok := strings.CutPrefix(s, "exp:"); ok {
		if cli.Duration(&a)(mean) != nil {
			return nil, errDistribution
		}
		return simulate.Exponential{Mean: a}, nil
	}
	if !strings.HasPrefix(s, "p") {
		if cli.Duration(&a)(s) != nil {
			return nil, errDistribution
		}
		return simulate.Fixed(a), nil
	}
	var q simulate.Quantiles
	for part := range strings.SplitSeq(s, "/") {
		percent, d, ok := strings.Cut(strings.TrimPrefix(part, "p"), ":")
		p, err := strconv.ParseFloat(percent, 64)
		if !ok || err != nil || !(p >= 0 && p <= 100) || cli.Duration(&a)(d) != nil {
			return nil, errDistribution
		}
		if n := len(q); n > 0 && (q[n-1].Percent >= p || q[n-1].Duration > a) {
			return nil, errors.New("the quantiles are not in ascending order")
		}
		q = append(q, simulate.Quantile{Percent: p, Duration: a})
	}
	return q, nil
}

// amount is a flag for an amount of a metric that is not negative.
func amount(m *metrics.Milli) func(string) error {
	return func(s string) error {
		v, err := metrics.ParseMilli(s)
		if err != nil || v < 0 {
			return errors.New("not an amount such as 500m or 1Gi")
		}
		*m = v
		return nil
	}
}

// requests is a flag for the requests of a pod.
func requests(r *[]podgroup.ResourceRequest) func(string) error {
	return func(s string) error {
		*r = nil
		for part := range strings.SplitSeq(s, ",") {
			name, value, ok := strings.Cut(part, "=")
			var m metrics.Milli
			if !ok || name == "" || amount(&m)(value) != nil {
				return errors.New("not a list such as cpu=500m,memory=1Gi")
			}
			*r = append(*r, podgroup.ResourceRequest{Resource: name, Milli: m})
		}
		return nil
	}
}
