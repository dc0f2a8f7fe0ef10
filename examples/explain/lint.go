package main

import (
	"encoding/json"
	"errors"
	"flag"
	"strconv"

	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
)

// found is the exit status if there are findings.
const found = 1

const lintUsage = `Lint:
  -lint-peak DURATION             the shortest peak of load that needs an answer (5m)
  -lint-pause DURATION             the shortest pause in which pods should go (30m)
  -lint-rise DURATION             how long maxReplicas may take to reach (15m)
  -lint-fall DURATION             how long minReplicas may take to reach (12h)
  -lint-growth FRACTION           how much the load may grow between two syncs (0.1)
  -lint-memory-kept FRACTION      how much memory a pod keeps without load (1)
  -lint-idle-cpu QUANTITY         how much cpu a pod uses without load (5m)
  -lint-idle-utilization PERCENT  how much of its requests a pod uses without load (2)
  -sync DURATION                  the sync period of the controller (15s)
  -o text|json                    findings for people or for machines (text)
The size that is usually needed is the current one, or maxReplicas if it is not known.
`

// lintFlags defines the flags of the facts.
func lintFlags(f *flag.FlagSet, facts *lint.Facts) {
	f.Func("lint-peak", "", cli.Duration(&facts.Peak))
	f.Func("lint-pause", "", cli.Duration(&facts.Pause))
	f.Func("lint-rise", "", cli.Duration(&facts.Rise))
	f.Func("lint-fall", "", cli.Duration(&facts.Fall))
	f.Func("lint-growth", "", cli.Fraction(&facts.Growth))
	f.Func("lint-memory-kept", "", cli.Fraction(&facts.MemoryKept))
	f.Func("lint-idle-cpu", "", func(s string) error {
		q, err := metrics.ParseQuantity(s)
		if err != nil || q.Sign() < 0 {
			return errors.New("not a quantity such as 5m")
		}
		facts.IdleCPU = q.Milli()
		return nil
	})
	f.Func("lint-idle-utilization", "", func(s string) error {
		percent, err := strconv.ParseInt(s, 10, 32)
		if err != nil || percent < 0 {
			return errors.New("not a whole percentage such as 2")
		}
		facts.IdleUtilization = int32(percent)
		return nil
	})
}

// lintSpec returns the probable mistakes in the spec, and the exit
// status.
func (o *options) lintSpec(in *input) (out []byte, status int, err error) {
	a := &in.cluster.Autoscaler
	facts := o.facts
	facts.SyncPeriod = o.sync
	switch {
	case in.cluster.Scale != nil:
		facts.UsualReplicas = in.cluster.Scale.SpecReplicas
	case o.current != nil || a.Status.CurrentReplicas > 0:
		facts.UsualReplicas = a.Status.CurrentReplicas
	}
	findings, err := lint.Lint(&o.settings, &a.Spec, facts)
	if err != nil {
		return nil, cli.BadInput, err
	}
	if len(findings) > 0 {
		status = found
	}
	if o.output == "json" {
		out, err = json.MarshalIndent(struct {
			Autoscaler string         `json:"autoscaler"`
			Checks     int            `json:"checks"`
			Findings   []lint.Finding `json:"findings"`
		}{in.key(), len(lint.Kinds()), append([]lint.Finding{}, findings...)}, "", "  ")
		return append(out, '\n'), status, err
	}
	out = cli.Appendf(nil, "%s of %s %s\n", in.key(), a.Spec.ScaleTargetRef.Kind, a.Spec.ScaleTargetRef.Name)
	for _, f := range findings {
		out = cli.Appendf(out, "\n%s: %s\n  %s\n", f.Field, f.Kind, f.Message)
		for _, m := range f.Case {
			out = cli.Appendf(out, "    %s\n", m)
		}
	}
	if len(findings) == 0 {
		out = cli.Appendf(out, "\nNone of the %d checks found anything.\n", len(lint.Kinds()))
	}
	return out, status, nil
}
