package simulate

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/stabilize"
)

// naiveSummary goes over the rows once for each figure.
func naiveSummary(rows []Row) Summary {
	total := func(of func(Row) (amount int64, d time.Duration)) *big.Rat {
		sum := new(big.Rat)
		for _, r := range rows {
			a, d := of(r)
			sum.Add(sum, new(big.Rat).Mul(big.NewRat(a, 1), big.NewRat(int64(d), int64(time.Hour))))
		}
		return sum
	}
	number := func(r *big.Rat, per int64) float64 {
		f, _ := new(big.Rat).Quo(r, big.NewRat(per, 1)).Float64()
		return f
	}
	count := func(is func(i int) bool) (n int) {
		for i := range rows {
			if is(i) {
				n++
			}
		}
		return n
	}
	duration := func(of func(Row) time.Duration) (d time.Duration) {
		for _, r := range rows {
			d += of(r)
		}
		return d
	}
	load := total(func(r Row) (int64, time.Duration) { return int64(r.Load), r.Span })
	unserved := total(func(r Row) (int64, time.Duration) { return int64(r.Unserved), r.Span })
	above := total(func(r Row) (int64, time.Duration) { return int64(r.AboveTarget), r.Span })
	s := Summary{
		Rows:            len(rows),
		Duration:        duration(func(r Row) time.Duration { return r.Span }),
		PodHours:        number(total(func(r Row) (int64, time.Duration) { return 1, r.PodTime }), 1),
		Load:            number(load, 1000),
		Unserved:        number(unserved, 1000),
		AboveTarget:     number(above, 1000),
		TimeUnserved:    duration(func(r Row) time.Duration { return r.TimeUnserved }),
		TimeAboveTarget: duration(func(r Row) time.Duration { return r.TimeAboveTarget }),
		HeldByWindow:    count(func(i int) bool { return rows[i].Stabilization != "ReadyForNewScale" }),
		HeldByLimit: count(func(i int) bool {
			return rows[i].Limit == "ScaleUpLimit" || rows[i].Limit == "ScaleDownLimit"
		}),
		HeldByMin: count(func(i int) bool { return rows[i].Limit == "TooFewReplicas" }),
		HeldByMax: count(func(i int) bool { return rows[i].Limit == "TooManyReplicas" }),
		Blocked:   count(func(i int) bool { return rows[i].Blocked }),
	}
	s.TargetUnknown = count(func(i int) bool { return rows[i].TargetUnknown }) > 0
	if load.Sign() > 0 {
		s.UnservedShare = number(new(big.Rat).Quo(unserved, load), 1)
		s.AboveTargetShare = number(new(big.Rat).Quo(above, load), 1)
	}
	for i, r := range rows {
		if i == 0 || r.DesiredReplicas < s.LowestReplicas {
			s.LowestReplicas = r.DesiredReplicas
		}
		if r.DesiredReplicas > s.HighestReplicas {
			s.HighestReplicas = r.DesiredReplicas
		}
	}

	var scales []Row
	for _, r := range rows {
		if r.CurrentReplicas != r.DesiredReplicas {
			scales = append(scales, r)
		}
	}
	s.Rescales = len(scales)
	for i := 1; i < len(scales); i++ {
		before, now := scales[i-1], scales[i]
		wentUp, goesUp := before.DesiredReplicas > before.CurrentReplicas, now.DesiredReplicas > now.CurrentReplicas
		if wentUp != goesUp && !now.Time.After(before.Time.Add(10*time.Minute)) {
			s.Reversals++
		}
	}

	isStep := func(i int) bool {
		return i > 0 && rows[i].EndLoad > rows[i-1].EndLoad && big.NewInt(0).Mul(big.NewInt(int64(rows[i].EndLoad)), big.NewInt(2)).
			Cmp(big.NewInt(0).Mul(big.NewInt(int64(rows[i-1].EndLoad)), big.NewInt(3))) >= 0
	}
	s.Steps = count(isStep)
	var all time.Duration
	for i := 0; i < len(rows); i++ {
		if !isStep(i) {
			continue
		}
		s.Recoveries++
		s.Recovering = true
		var took time.Duration
		for ; i < len(rows); i++ {
			took += rows[i].TimeAboveTarget
			if rows[i].TimeAboveTarget == 0 {
				s.Recovering = false
				break
			}
		}
		all += took
		s.LongestRecovery = max(s.LongestRecovery, took)
	}
	if s.Recoveries > 0 {
		s.MeanRecovery = all / time.Duration(s.Recoveries)
	}
	return s
}

// requireSame compares fractions to 12 digits and all else exactly.
func requireSame(t require.TestingT, want, got Summary) {
	for _, f := range []struct{ want, got *float64 }{
		{&want.PodHours, &got.PodHours}, {&want.Load, &got.Load}, {&want.Unserved, &got.Unserved}, {&want.AboveTarget, &got.AboveTarget},
		{&want.UnservedShare, &got.UnservedShare}, {&want.AboveTargetShare, &got.AboveTargetShare},
	} {
		require.InEpsilon(t, 1+*f.want, 1+*f.got, 1e-12)
		*f.want = *f.got
	}
	require.Equal(t, want, got)
}

// TestSummaryOfRuns recomputes each figure from the rows of simulations.
func TestSummaryOfRuns(t *testing.T) {
	tried := map[string]bool{}
	for _, rules := range []string{
		``,
		`,"behavior":{"scaleDown":{"stabilizationWindowSeconds":30},"scaleUp":{"policies":[{"type":"Pods","value":2,"periodSeconds":60}]}}`,
	} {
		a := roughRules(t, rules)
		a.Spec.MaxReplicas = 30
		rows := collect(t, rough(12), a)
		got, err := Summarize(rough(12).Run(a))
		require.NoError(t, err)
		requireSame(t, naiveSummary(rows), got)
		for name, yes := range map[string]bool{
			"Rescales": got.Rescales > 0, "Reversals": got.Reversals > 0, "Steps": got.Steps > 0, "Recoveries": got.Recoveries > 0,
			"HeldByWindow": got.HeldByWindow > 0, "HeldByLimit": got.HeldByLimit > 0, "HeldByMin": got.HeldByMin > 0, "HeldByMax": got.HeldByMax > 0,
			"Blocked": got.Blocked > 0, "TimeUnserved": got.TimeUnserved > 0, "TimeAboveTarget": got.TimeAboveTarget > 0, "LongestRecovery": got.LongestRecovery > 0,
		} {
			tried[name] = tried[name] || yes
		}
	}
	for name, yes := range tried {
		require.True(t, yes, "%s is always zero", name)
	}
}

// TestSummaryOfAnyRows does so for rows that no simulation may yield.
func TestSummaryOfAnyRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []Row
		at := epoch
		for range rapid.IntRange(0, 40).Draw(t, "rows") {
			span := time.Duration(rapid.IntRange(1, 300).Draw(t, "span")) * time.Second
			r := Row{Time: at, Span: span,
				CurrentReplicas: int32(rapid.IntRange(0, 3).Draw(t, "current")), DesiredReplicas: int32(rapid.IntRange(0, 3).Draw(t, "desired")),
				Blocked: rapid.Bool().Draw(t, "blocked"),
			}
			r.Stabilization = rapid.SampledFrom([]stabilize.Reason{stabilize.NotStabilized, stabilize.ScaleUpStabilized, stabilize.ScaleDownStabilized}).Draw(t, "stabilization")
			r.Limit = rapid.SampledFrom([]behavior.LimitReason{behavior.DesiredWithinRange, behavior.TooFewReplicas, behavior.TooManyReplicas, behavior.ScaleUpLimit, behavior.ScaleDownLimit}).Draw(t, "limit")
			amount := func(name string) metrics.Milli { return metrics.Milli(rapid.Int64Range(0, 1<<40).Draw(t, name)) }
			r.Load, r.Unserved, r.AboveTarget = amount("load"), amount("unserved"), amount("above")
			r.TargetUnknown = rapid.IntRange(0, 20).Draw(t, "target") == 0
			r.EndLoad = metrics.Milli(rapid.SampledFrom([]int64{0, 1, 2, 3, 100, 149, 150, 151, 1 << 40}).Draw(t, "end load"))
			r.TimeUnserved = rapid.SampledFrom([]time.Duration{0, span / 3, span}).Draw(t, "time unserved")
			r.TimeAboveTarget = rapid.SampledFrom([]time.Duration{0, span / 3, span}).Draw(t, "time above")
			r.PodTime = time.Duration(rapid.IntRange(0, 9).Draw(t, "pods")) * span
			rows = append(rows, r)
			at = at.Add(span)
		}
		var l Ledger
		for i := range rows {
			l.Add(&rows[i])
		}
		requireSame(t, naiveSummary(rows), l.Summary())
	})
}

// TestReversalWindow at its boundary.
func TestReversalWindow(t *testing.T) {
	for _, tt := range []struct {
		apart    time.Duration
		from, to int32
		want     int
	}{
		{ReversalWindow - 1, 5, 4, 1},
		{ReversalWindow, 5, 4, 1},
		{ReversalWindow + 1, 5, 4, 0},
		{time.Second, 5, 6, 0},
	} {
		var l Ledger
		l.Add(&Row{Time: epoch, CurrentReplicas: 3, DesiredReplicas: 5})
		l.Add(&Row{Time: epoch.Add(time.Second / 2), CurrentReplicas: 5, DesiredReplicas: 5})
		l.Add(&Row{Time: epoch.Add(tt.apart), CurrentReplicas: tt.from, DesiredReplicas: tt.to})
		require.Equal(t, tt.want, l.Summary().Reversals, "%v apart to %d", tt.apart, tt.to)
		require.Equal(t, 2, l.Summary().Rescales)
	}
}

// TestStepBoundary: a rise by half is a step, one by less is not.
func TestStepBoundary(t *testing.T) {
	for _, tt := range []struct {
		from, to metrics.Milli
		want     int
	}{
		{100, 149, 0}, {100, 150, 1}, {101, 151, 0}, {101, 152, 1}, {0, 0, 0}, {0, 1, 1}, {1, 1, 0}, {1, 2, 1}, {5, 0, 0},
		{math.MaxInt64 - 1, math.MaxInt64, 0}, {math.MaxInt64 / 3 * 2, math.MaxInt64, 1},
	} {
		var l Ledger
		l.Add(&Row{Span: 1, EndLoad: tt.from})
		l.Add(&Row{Span: 1, EndLoad: tt.to})
		require.Equal(t, tt.want, l.Summary().Steps, "from %d to %d", tt.from, tt.to)
	}
}

// TestStepOfAnyPhase: a rise by 60% is one step, wherever it is between two
// syncs.
func TestStepOfAnyPhase(t *testing.T) {
	for _, at := range []time.Duration{0, 1, 4 * time.Second, 8 * time.Second, 12 * time.Second, 15 * time.Second} {
		s := rough(1)
		s.Load = LoadSeries{{epoch, 50_000}, {after(10*time.Minute + at), 80_000}}
		sum, err := Summarize(s.Run(roughRules(t, "")))
		require.NoError(t, err)
		require.Equal(t, 1, sum.Steps, "%v", at)
		require.Equal(t, 1, sum.Recoveries, "%v", at)
		require.Positive(t, sum.LongestRecovery, "%v", at)
	}
}

// TestRecovery is the story of two steps, of which the second comes while the
// workload recovers from the first.
func TestRecovery(t *testing.T) {
	var l Ledger
	for _, r := range []struct {
		load  metrics.Milli
		above time.Duration
	}{
		{100, 5}, {100, 15}, {160, 15}, {160, 15}, {240, 15}, {240, 7}, {240, 0}, {240, 15}, {400, 0}, {600, 15},
	} {
		l.Add(&Row{Span: 15, EndLoad: r.load, Performance: Performance{TimeAboveTarget: r.above}})
	}
	s := l.Summary()
	require.Equal(t, 4, s.Steps)
	require.Equal(t, 3, s.Recoveries)
	require.Equal(t, time.Duration(52), s.LongestRecovery)
	require.Equal(t, time.Duration((52+0+15)/3), s.MeanRecovery)
	require.True(t, s.Recovering)
	l.Add(&Row{Span: 15, EndLoad: 600})
	require.False(t, l.Summary().Recovering)
}

func TestEmptyLedger(t *testing.T) {
	var l Ledger
	require.Equal(t, Summary{}, l.Summary())
}

// TestIntegral is exact where 64 bits are not enough, and stops where 128 are
// not.
func TestIntegral(t *testing.T) {
	var i integral
	i.add(math.MaxInt64, math.MaxInt64)
	i.add(-1, 1)
	i.add(1, -1)
	require.Equal(t, metrics.Milli(math.MaxInt64), i.average(math.MaxInt64))
	require.Equal(t, metrics.Milli(math.MaxInt64), i.average(1), "it does not fit")
	require.Zero(t, i.average(0))
	require.InEpsilon(t, math.Pow(2, 126), i.float64(), 1e-15)
	require.Equal(t, 1.0, i.share(i))
	require.Zero(t, i.share(integral{}))
	for range 10 {
		i.plus(i)
	}
	require.Equal(t, integral{math.MaxUint64, math.MaxUint64}, i)

	require.Equal(t, metrics.Milli(math.MaxInt64), scale(math.MaxInt64, 2, 1))
	require.Equal(t, metrics.Milli(math.MaxInt64), scale(math.MaxInt64, math.MaxInt64, 1))
	require.Equal(t, metrics.Milli(2), scale(math.MaxInt64, 2, math.MaxInt64))
	require.Equal(t, metrics.Milli(math.MaxInt64), times(metrics.Milli(math.MaxInt64/2), 3))
	require.Equal(t, metrics.Milli(math.MaxInt64), times(metrics.Milli(math.MaxInt64), MaxPods))
	require.Equal(t, time.Duration(math.MaxInt64), addSat(time.Duration(math.MaxInt64), 1))
	require.Equal(t, 20*time.Second, roundUp(20*time.Second, 10*time.Second))
	require.Equal(t, 30*time.Second, roundUp(20*time.Second+1, 10*time.Second))
	require.Equal(t, time.Duration(math.MaxInt64), roundUp(math.MaxInt64, time.Hour))
}
