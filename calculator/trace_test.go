package calculator_test

import (
	"math"
	"math/big"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// retrace computes the size from the trace of a decision alone, stage by stage,
// each from what the stage before came to. The arithmetic is the test's own; of
// the library it takes nothing but the fields. Where the trace has a value that
// can be computed from others, both have to agree.
type retrace struct {
	t *testing.T
	d *calculator.Decision
}

func (r *retrace) size() int32 {
	d := r.d
	switch d.Zone {
	case calculator.ZoneAboveMax:
		require.Greater(r.t, d.CurrentReplicas, d.MaxReplicas)
		return d.MaxReplicas
	case calculator.ZoneBelowMin:
		require.Less(r.t, d.CurrentReplicas, d.MinReplicas)
		return d.MinReplicas
	case calculator.ZoneDisabled:
		require.Zero(r.t, d.CurrentReplicas)
		return 0
	}
	require.Contains(r.t, []calculator.Zone{calculator.ZoneNormal, calculator.ZoneFromZero}, d.Zone)
	require.NotEmpty(r.t, d.Proposals)
	chosen, ok := r.choice()
	if !ok {
		return d.CurrentReplicas
	}
	stabilized := r.stabilization(chosen)
	limited := r.limits(stabilized)
	size := limited
	if d.Zone == calculator.ZoneFromZero && limited < d.MinReplicas {
		require.True(r.t, d.RaisedToMin)
		size = d.MinReplicas
	}
	return size
}

// choice returns the largest proposal, and whether there is a choice at all.
func (r *retrace) choice() (int32, bool) {
	d := r.d
	want := calculator.ChooseResult{Metric: -1, FirstFailed: -1}
	for i := range d.Proposals {
		if d.Proposals[i].Failure.Kind != calculator.NoFailure {
			want.Invalid++
			if want.FirstFailed < 0 {
				want.FirstFailed = i
			}
			continue
		}
		if n := r.proposal(&d.Proposals[i]); n > want.Replicas || want.Replicas == 0 {
			want.Replicas, want.Metric = n, i
		}
	}
	if want.Metric < 0 || want.Invalid > 0 && want.Replicas < d.CurrentReplicas {
		want.Replicas, want.Metric, want.Blocked = 0, -1, true
	}
	require.Equal(r.t, want, d.Choice)
	return want.Replicas, !want.Blocked
}

// ceiling is the number of replicas that f comes to.
func ceiling(f float64) int32 {
	return int32(min(max(math.Ceil(f), 0), math.MaxInt32))
}

// quotient is a/b truncated.
func quotient(a, b *big.Int) int64 { return new(big.Int).Quo(a, b).Int64() }

func percentOf(sum, whole metrics.Milli) int32 {
	return int32(quotient(new(big.Int).Mul(big.NewInt(int64(sum)), big.NewInt(100)), big.NewInt(int64(whole))))
}

func average(sum metrics.Milli, n int) metrics.Milli {
	return metrics.Milli(quotient(big.NewInt(int64(sum)), big.NewInt(int64(n))))
}

func (r *retrace) tolerated(ratio float64) bool {
	t := r.d.Tolerance
	return ratio >= 1.0-t.Down && ratio <= 1.0+t.Up
}

// proposal returns the size that the metric asks for.
func (r *retrace) proposal(p *calculator.Proposal) int32 {
	t := r.t
	var rule calculator.Rule
	var size int32
	switch {
	case p.Metric.Target.Type() == metrics.ValueTarget:
		require.Equal(t, p.Sum, p.Usage)
		ratio := float64(p.Sum) / float64(p.Metric.Target.Milli())
		require.Equal(t, ratio, p.Ratio)
		switch {
		case p.Current == 0:
			rule, size = calculator.RatioFromZero, ceiling(ratio)
		case r.tolerated(ratio):
			rule, size = calculator.WithinTolerance, p.Current
		default:
			rule, size = calculator.RatioTimesPods, ceiling(ratio*float64(p.Counted))
		}
	case p.Pods == calculator.PodCounts{}:
		// An Object or External metric, with an average over all there are.
		ratio := float64(p.Sum) / (float64(p.Metric.Target.Milli()) * float64(p.Current))
		if math.IsNaN(ratio) {
			require.True(t, math.IsNaN(p.Ratio))
		} else {
			require.Equal(t, ratio, p.Ratio)
		}
		if r.tolerated(ratio) {
			rule, size = calculator.WithinTolerance, p.Current
		} else {
			rule, size = calculator.UsagePerTarget, ceiling(float64(p.Sum)/float64(p.Metric.Target.Milli()))
		}
	default:
		rule, size = r.podProposal(p)
	}
	require.Equal(t, rule, p.Rule)
	require.Equal(t, size, p.Replicas)
	return size
}

// podProposal is that of a metric that each pod has.
func (r *retrace) podProposal(p *calculator.Proposal) (calculator.Rule, int32) {
	t, pods := r.t, &p.Pods
	utilization := p.Metric.Target.Type() == metrics.UtilizationTarget
	var ratio float64
	measured := pods.Ready
	if utilization {
		require.Equal(t, percentOf(p.Sum, p.Requests), p.Utilization)
		ratio = float64(p.Utilization) / float64(p.Metric.Target.Percent())
	} else {
		measured += pods.Strays
		ratio = float64(p.Usage) / float64(p.Metric.Target.Milli())
	}
	if measured > 0 {
		require.Equal(t, average(p.Sum, measured), p.Usage)
	}
	require.Equal(t, ratio, p.Ratio)

	if pods.Missing == 0 && (pods.Unready == 0 || ratio <= 1) {
		require.Equal(t, ratio, p.CorrectedRatio)
		require.Equal(t, p.Sum, p.CorrectedSum)
		if r.tolerated(ratio) {
			return calculator.WithinTolerance, p.Current
		}
		require.Equal(t, pods.Ready, p.Counted)
		return calculator.RatioTimesPods, ceiling(ratio * float64(pods.Ready))
	}

	counted := pods.Ready + pods.Strays
	switch {
	case ratio < 1 && utilization:
		require.Equal(t, calculator.AsRequest, p.MissingAs)
		counted += pods.Missing
	case ratio < 1:
		require.Equal(t, calculator.AsTarget, p.MissingAs)
		require.Equal(t, p.Sum+p.Metric.Target.Milli()*metrics.Milli(pods.Missing), p.CorrectedSum)
		counted += pods.Missing
	case ratio > 1:
		if pods.Missing > 0 {
			require.Equal(t, calculator.AsZero, p.MissingAs)
		}
		if pods.Unready > 0 {
			require.Equal(t, calculator.AsZero, p.UnreadyAs)
		}
		require.Equal(t, p.Sum, p.CorrectedSum)
		counted += pods.Missing + pods.Unready
	}
	var corrected float64
	if utilization {
		require.Equal(t, percentOf(p.CorrectedSum, p.CorrectedRequests), p.CorrectedUtilization)
		corrected = float64(p.CorrectedUtilization) / float64(p.Metric.Target.Percent())
	} else {
		require.Equal(t, average(p.CorrectedSum, counted), p.CorrectedUsage)
		corrected = float64(p.CorrectedUsage) / float64(p.Metric.Target.Milli())
	}
	require.Equal(t, corrected, p.CorrectedRatio)
	switch {
	case r.tolerated(corrected):
		return calculator.CorrectedWithinTolerance, p.Current
	case ratio < 1 && corrected > 1, ratio > 1 && corrected < 1:
		return calculator.DirectionWouldChange, p.Current
	}
	require.Equal(t, counted, p.Counted)
	n := ceiling(corrected * float64(counted))
	if corrected < 1 && n > p.Current || corrected > 1 && n < p.Current {
		return calculator.CountWouldChangeDirection, p.Current
	}
	return calculator.CorrectedRatioTimesPods, n
}

// hasBehavior reports whether the spec has a behavior: without one, there is
// always a limit, and none was selected.
func (r *retrace) hasBehavior() bool {
	return r.d.Limits.Rate.Select != "" || r.d.Limits.Rate == behavior.RateLimit{}
}

// stabilization returns the size that the windows let through.
func (r *retrace) stabilization(chosen int32) int32 {
	t, d, s := r.t, r.d, &r.d.Stabilization
	require.Equal(t, chosen, s.Desired)
	size := chosen
	switch {
	case s.Bound == stabilize.Entry{}:
		require.Equal(t, stabilize.NotStabilized, s.Reason)
		require.Zero(t, s.Until)
	case !r.hasBehavior():
		require.Equal(t, stabilize.ScaleDownStabilized, s.Reason)
		require.Equal(t, s.Bound.Time.Add(d.Windows.Down+1), s.Until)
		size = max(chosen, s.Bound.Value)
	case chosen < d.CurrentReplicas:
		require.Equal(t, stabilize.ScaleDownStabilized, s.Reason)
		require.Equal(t, s.Bound.Time.Add(d.Windows.Down), s.Until)
		size = max(chosen, min(s.Bound.Value, d.CurrentReplicas))
	default:
		require.Equal(t, stabilize.ScaleUpStabilized, s.Reason)
		require.Equal(t, s.Bound.Time.Add(d.Windows.Up), s.Until)
		size = min(chosen, max(s.Bound.Value, d.CurrentReplicas))
	}
	if s.Until != (time.Time{}) {
		require.True(t, s.Until.After(d.Now))
		require.NotEqual(t, chosen, size)
	}
	require.Equal(t, size, s.Replicas)
	return size
}

// limits returns the size that policies and bounds let through.
func (r *retrace) limits(stabilized int32) int32 {
	t, d, l := r.t, r.d, &r.d.Limits
	require.Equal(t, stabilized, l.Desired)
	current := d.CurrentReplicas
	size, reason := stabilized, behavior.DesiredWithinRange
	up := stabilized > current
	rate := current
	switch {
	case !r.hasBehavior():
		rate = max(2*current, 4)
		up = true // the limit counts, whatever the direction
	case stabilized != current:
		rate = r.rate(up)
	}
	if stabilized != current || !r.hasBehavior() {
		require.Equal(t, rate, l.Rate.Replicas)
		switch {
		case !r.hasBehavior() && stabilized < d.MinReplicas:
			size, reason = d.MinReplicas, behavior.TooFewReplicas
		case up && stabilized > min(d.MaxReplicas, rate):
			size, reason = d.MaxReplicas, behavior.TooManyReplicas
			if rate < d.MaxReplicas {
				size, reason = rate, behavior.ScaleUpLimit
			}
		case !up && stabilized < max(d.MinReplicas, rate):
			size, reason = d.MinReplicas, behavior.TooFewReplicas
			if rate > d.MinReplicas {
				size, reason = rate, behavior.ScaleDownLimit
			}
		}
	}
	require.Equal(t, reason, l.Reason)
	require.Equal(t, size, l.Replicas)
	return size
}

// rate returns how far the policies let the size go.
func (r *retrace) rate(up bool) int32 {
	t, d, l := r.t, r.d, &r.d.Limits.Rate
	if l.Select == behavior.SelectDisabled {
		require.True(t, l.Disabled)
		return d.CurrentReplicas
	}
	require.NotEmpty(t, d.Policies)
	selected := -1
	var far int32
	for i, p := range d.Policies {
		start := int64(d.CurrentReplicas) - p.Added + p.Removed
		require.Equal(t, start, p.Start)
		value, sign := float64(p.Policy.Value), int64(1)
		if !up {
			value, sign = -value, -1
		}
		var limit int32
		switch {
		case p.Policy.Type == behavior.PodsPolicy:
			limit = int32(start + sign*int64(p.Policy.Value))
		case up:
			limit = int32(math.Ceil(float64(start) * (1 + value/100)))
		default:
			limit = int32(float64(start) * (1 + value/100))
		}
		require.Equal(t, limit, p.Limit)
		// More is higher on the way up, and lower on the way down.
		more, less := limit > far, limit < far
		if !up {
			more, less = less, more
		}
		if i == 0 || l.Select == behavior.SelectMax && more || l.Select == behavior.SelectMin && less {
			selected, far = i, limit
		}
	}
	require.Equal(t, selected, l.Selected)
	if up {
		return max(far, d.CurrentReplicas)
	}
	return min(far, d.CurrentReplicas)
}

var negativeSize = regexp.MustCompile(`(?m)^ *Polic.* -\d`)

// TestTraceLeadsToTheSize recomputes the size of every recorded sync from the
// trace alone, and reads a sample of the texts.
func TestTraceLeadsToTheSize(t *testing.T) {
	t.Parallel()
	syncs, changes := 0, 0
	rules := map[calculator.Rule]int{}
	reasons := map[string]int{}
	eachVector(t, func(v *vector) {
		settings := v.settings()
		var st calculator.State
		var d calculator.Decision
		for i := range v.Steps {
			s := &v.Steps[i]
			s.sync(&d, &settings, &v.DefaultedSpec, &st)
			r := retrace{t, &d}
			size := r.size()
			require.Equal(t, size, d.DesiredReplicas, "vector %s, step %d", v.Name, i)
			require.Equal(t, size != d.CurrentReplicas, d.Rescale)
			if s.Want.Rescaled {
				require.Equal(t, s.Want.Replicas, size, "vector %s, step %d", v.Name, i)
				changes++
			} else if !s.ScaleUpdateFails {
				require.Equal(t, d.CurrentReplicas, size, "vector %s, step %d", v.Name, i)
			}
			if syncs++; syncs%5 == 0 {
				holdText(t, &d)
				holdStages(t, &d)
				require.NotRegexp(t, negativeSize, d.String())
			}
			for j := range d.Proposals {
				rules[d.Proposals[j].Rule]++
			}
			reasons[string(d.Stabilization.Reason)]++
			reasons[string(d.Limits.Reason)]++
		}
	})
	require.Equal(t, vectorsSyncs, syncs)
	t.Logf("%d syncs, %d changes, rules %v, reasons %v", syncs, changes, rules, reasons)
	for _, r := range []calculator.Rule{
		calculator.NoProposal, calculator.WithinTolerance, calculator.CorrectedWithinTolerance, calculator.DirectionWouldChange,
		calculator.CountWouldChangeDirection, calculator.RatioTimesPods, calculator.CorrectedRatioTimesPods,
		calculator.RatioFromZero, calculator.UsagePerTarget,
	} {
		require.NotZero(t, rules[r], "no metric ended with %q", r)
	}
}
