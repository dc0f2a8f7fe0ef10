package simulate

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// rough is a scenario in which everything goes on that can.
func rough(hours int) *Scenario {
	w := cpuPods()
	w.ProbePeriod = 10 * time.Second
	w.Gauges = []Gauge{
		{Metric: "cpu", Idle: 10, PerLoad: 30, Starting: 400, Period: 15 * time.Second, Lag: 5 * time.Second, Window: 15 * time.Second, MissingRate: 0.02, FailureRate: 0.01},
		{Metric: "rps", PerLoad: 1000, Period: 30 * time.Second, Window: time.Minute, MissingRate: 0.01},
	}
	w.Pending = Quantiles{{50, 2 * time.Second}, {99, 30 * time.Second}}
	w.Startup = Uniform{10 * time.Second, time.Minute}
	w.CrashAfter, w.Restart = Exponential{12 * time.Hour}, Fixed(10*time.Second)
	w.ScaleDelay, w.Grace = 2*time.Second, 20*time.Second
	var load LoadSeries
	r := NewRand(11)
	for i := range hours * 12 {
		load = append(load, LoadPoint{after(time.Duration(i) * 5 * time.Minute), metrics.Milli(30_000 + r.Below(300_000))})
		if i%100 == 50 {
			w.Rollouts = append(w.Rollouts, after(time.Duration(i)*5*time.Minute))
		}
	}
	return &Scenario{Start: epoch, Duration: time.Duration(hours) * time.Hour, Load: Interpolated{load, time.Minute}, Workload: w, Seed: 3}
}

func roughRules(t testing.TB, behavior string) *calculator.Autoscaler {
	return &calculator.Autoscaler{Spec: testSpec(t, `"minReplicas":6,"metrics":[
		{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}},
		{"type":"Pods","pods":{"metric":{"name":"rps"},"target":{"type":"AverageValue","averageValue":"9"}}}]`+behavior)}
}

// collect returns all rows, without their decisions and states.
func collect(t testing.TB, s *Scenario, a *calculator.Autoscaler) []Row {
	t.Helper()
	var rows []Row
	for row, err := range s.Run(a) {
		require.NoError(t, err)
		require.Equal(t, row.Time, row.Decision.Now)
		row.Decision, row.State = nil, nil
		rows = append(rows, row)
	}
	return rows
}

// TestRowsFollowEachOther: they cover the duration without a gap, each begins
// with the size that the one before ended with, and no more is served than was
// asked for.
func TestRowsFollowEachOther(t *testing.T) {
	s := rough(8)
	s.Duration -= 7 * time.Second
	rows := collect(t, s, roughRules(t, ""))
	at := epoch
	for i, r := range rows {
		require.Equal(t, at, r.Time)
		at = at.Add(r.Span)
		if i > 0 && i < len(rows)-1 {
			require.Equal(t, calculator.SyncPeriod, r.Span)
		}
		end, _ := s.Load.At(at.Add(-1))
		require.Equal(t, end, r.EndLoad)
		if i > 0 {
			require.Equal(t, rows[i-1].DesiredReplicas, r.CurrentReplicas)
		}
		require.LessOrEqual(t, r.Unserved, r.Load)
		require.LessOrEqual(t, r.AboveTarget, r.Load)
		require.LessOrEqual(t, r.TimeUnserved, r.TimeAboveTarget)
		require.LessOrEqual(t, r.TimeAboveTarget, r.Span)
		require.LessOrEqual(t, r.Ready, r.Pods)
		require.Equal(t, r.DesiredReplicas != r.CurrentReplicas, r.Rescaled())
	}
	require.Equal(t, epoch.Add(s.Duration), at)
	require.Equal(t, 8*time.Second, (rows[0].Span+rows[len(rows)-1].Span)%calculator.SyncPeriod, "the first and the last one are shorter")
}

// TestRowIsWhatTheSyncSaw: a row has the pods of the sync, not those that its
// change of size left.
func TestRowIsWhatTheSyncSaw(t *testing.T) {
	s := rough(8)
	w := s.Workload.(Deployment)
	w.Pending, w.Startup, w.CrashAfter, w.Rollouts, w.ScaleDelay, w.Grace = nil, nil, nil, nil, 0, 0
	s.Workload = w
	down := 0
	for _, r := range collect(t, s, roughRules(t, "")) {
		if r.DesiredReplicas < r.CurrentReplicas {
			down++
			require.Equal(t, int(r.CurrentReplicas), r.Ready, "%v", r.Time)
		}
	}
	require.Positive(t, down)

	// A plant may do what it likes with the memory of its observation.
	s.Workload = factory{plant: &scribbler{pods: make([]podgroup.Pod, 5), samples: make([]metrics.Sample, 5)}}
	a := &calculator.Autoscaler{Spec: cpuSpec(t, "")}
	for row, err := range s.Run(a) {
		require.NoError(t, err)
		require.Equal(t, []int{5, 5}, []int{row.Pods, row.Ready})
		require.Equal(t, int32(5), row.CurrentReplicas)
		require.Equal(t, int32(9), row.DesiredReplicas)
		require.Equal(t, metrics.Milli(500), row.Decision.Proposals[0].Sum)
	}
}

// scribbler is a plant of five busy pods that overwrites what it showed.
type scribbler struct {
	pods    []podgroup.Pod
	samples []metrics.Sample
	obs     *calculator.Observation
}

func (s *scribbler) Observe(now time.Time, obs *calculator.Observation) {
	for i := range s.pods {
		s.pods[i] = podgroup.RunningPod(fmt.Sprint("pod-", i), now.Add(-time.Hour), podgroup.Requests{CPU: podgroup.Requested(100)})
		s.samples[i] = metrics.NewSample(100, now, time.Second)
	}
	*obs = calculator.Observation{SpecReplicas: 5, StatusReplicas: 5, Pods: s.pods, Readings: []calculator.Reading{{Samples: s.samples}}}
	s.obs = obs
}

func (s *scribbler) Scale(time.Time, int32) {
	clear(s.pods)
	clear(s.samples)
	*s.obs = calculator.Observation{SpecReplicas: 99, Pods: s.pods[:1]}
}

func (s *scribbler) Advance(time.Time, Load) Performance {
	s.Scale(time.Time{}, 0)
	return Performance{}
}

// TestSameBytes: the same arguments give the same rows, on every processor and
// in every release that decides the same.
func TestSameBytes(t *testing.T) {
	digest := func(s *Scenario) string {
		h := sha256.New()
		var l Ledger
		for _, row := range collect(t, s, roughRules(t, `,"behavior":{"scaleUp":{"policies":[{"type":"Percent","value":50,"periodSeconds":60}]}}`)) {
			l.Add(&row)
			fmt.Fprintln(h, row.Time.UnixNano(), row.CurrentReplicas, row.DesiredReplicas, row.Proposed, row.Stabilization,
				row.Limit, row.Failed, row.Blocked, row.Pods, row.Ready, row.Load, row.Unserved, row.Capacity, row.TargetLoad,
				row.AboveTarget, int64(row.TimeUnserved), int64(row.TimeAboveTarget), int64(row.PodTime))
		}
		sum, err := json.Marshal(l.Summary())
		require.NoError(t, err)
		h.Write(sum)
		return fmt.Sprintf("%x", h.Sum(nil))[:16]
	}
	require.Equal(t, "3e1ec43080c13463", digest(rough(24)))
	require.Equal(t, digest(rough(24)), digest(rough(24)))
	other := rough(24)
	other.Seed++
	require.NotEqual(t, digest(rough(24)), digest(other), "another seed is another day")
}

// TestCompareIsRunBesideRun: autoscalers beside each other fare as they do
// alone.
func TestCompareIsRunBesideRun(t *testing.T) {
	s := rough(6)
	a, b := roughRules(t, ""), roughRules(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":60}}`)
	one, two := collect(t, s, a), collect(t, s, b)
	i := 0
	for rows, err := range s.Compare(a, b) {
		require.NoError(t, err)
		require.Len(t, rows, 2)
		require.NotSame(t, rows[0].Decision, rows[1].Decision)
		require.NotSame(t, rows[0].State, rows[1].State)
		for j, want := range []Row{one[i], two[i]} {
			got := rows[j]
			got.Decision, got.State = nil, nil
			require.Equal(t, want, got)
		}
		i++
	}
	require.Len(t, one, i)
	sums, err := SummarizeAll(s.Compare(a, b))
	require.NoError(t, err)
	first, err := Summarize(s.Run(a))
	require.NoError(t, err)
	second, err := Summarize(s.Run(b))
	require.NoError(t, err)
	require.Equal(t, []Summary{first, second}, sums)
}

func TestNothingToCompare(t *testing.T) {
	for range rough(1).Compare() {
		t.Fatal("a row of nobody")
	}
	sums, err := SummarizeAll(rough(1).Compare())
	require.NoError(t, err)
	require.Empty(t, sums)
}

// TestMostSteps: the bound itself is fine.
func TestMostSteps(t *testing.T) {
	s := rough(1)
	s.SyncPeriod = 36*time.Microsecond + 1
	s.Load = Interpolated{Step: s.SyncPeriod}
	for _, err := range s.Run(roughRules(t, "")) {
		require.NoError(t, err)
		break
	}
}

// TestBreak: a caller may stop anywhere.
func TestBreak(t *testing.T) {
	n := 0
	for range rough(1).Run(roughRules(t, "")) {
		if n++; n == 3 {
			break
		}
	}
	for range rough(1).Compare(roughRules(t, "")) {
		if n++; n == 6 {
			break
		}
	}
	require.Equal(t, 6, n)
}

// TestStateStays: what the caller hands over stays as it is.
func TestStateStays(t *testing.T) {
	a := roughRules(t, "")
	a.State.Recommendations.Start(epoch.Add(-time.Second), 40)
	a.State.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionFalse}}
	before := a.State.Clone()
	rows := collect(t, rough(1), a)
	require.True(t, before.Equal(&a.State))
	require.Equal(t, rows, collect(t, rough(1), a))
	require.Equal(t, int32(26), rows[0].DesiredReplicas, "it remembers 40 replicas, and doubles the size at most")
	require.Equal(t, int32(13), collect(t, rough(1), roughRules(t, ""))[0].DesiredReplicas)
}

// TestMemoryIsFlat: it does not grow with the length of the series.
func TestMemoryIsFlat(t *testing.T) {
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	s := rough(24)
	s.SyncPeriod, s.Duration = time.Minute, 60*24*time.Hour
	day := s.Load
	s.Load = LoadFunc(func(t time.Time) (metrics.Milli, time.Time) {
		since := t.Sub(epoch) % (23 * time.Hour)
		load, until := day.At(epoch.Add(since))
		return load, t.Add(until.Sub(epoch.Add(since)))
	})
	var before uint64
	n := 0
	for _, err := range s.Run(roughRules(t, "")) {
		require.NoError(t, err)
		if n++; n == 3*24*60 {
			before = live()
		}
	}
	require.Equal(t, 60*24*60+1, n)
	// The rows alone would take 16 MB.
	require.Less(t, live(), before+1<<20)
}

func TestScenarioErrors(t *testing.T) {
	good := roughRules(t, "")
	for _, tt := range []struct {
		want  string
		spoil func(s *Scenario, a *calculator.Autoscaler)
	}{
		{`autoscaler.settings: Required value: all flags are zero: use calculator.DefaultSettings() or nil, or set ZeroFlags`, func(s *Scenario, a *calculator.Autoscaler) { a.Settings = new(calculator.Settings) }},
		{`scenario.duration: Invalid value: "0s": must be positive`, func(s *Scenario, a *calculator.Autoscaler) { s.Duration = 0 }},
		{`scenario.syncPeriod: Invalid value: "-1ns": must not be negative`, func(s *Scenario, a *calculator.Autoscaler) { s.SyncPeriod = -1 }},
		{`scenario.syncPeriod: Invalid value: "1ns": makes more than 100000000 steps in 1h0m0s`, func(s *Scenario, a *calculator.Autoscaler) { s.SyncPeriod = 1 }},
		{`scenario.syncPeriod: Invalid value: "15s": makes more than 100000000 steps in 438000h0m0s`, func(s *Scenario, a *calculator.Autoscaler) { s.Duration = 50 * 365 * 24 * time.Hour }},
		{`scenario.load.step: Invalid value: "1ns": makes more than 100000000 steps in 1h0m0s`, func(s *Scenario, a *calculator.Autoscaler) { s.Load = Interpolated{Step: 1} }},
		{`scenario.load.step: Invalid value: "36µs": makes more than 100000000 steps in 1h0m0s`, func(s *Scenario, a *calculator.Autoscaler) { s.Load = Interpolated{Step: 36 * time.Microsecond} }},
		{`scenario.replicas: Invalid value: -1: must not be negative`, func(s *Scenario, a *calculator.Autoscaler) { s.Replicas = -1 }},
		{`scenario.start: Invalid value: "0001-01-01T00:00:00Z": out of range`, func(s *Scenario, a *calculator.Autoscaler) { s.Start = time.Time{} }},
		{`scenario.duration: Invalid value: "2562047h47m16.854775807s": the end is out of range`, func(s *Scenario, a *calculator.Autoscaler) { s.Duration = 1<<63 - 1 }},
		{`scenario.workload: Required value`, func(s *Scenario, a *calculator.Autoscaler) { s.Workload = nil }},
		{`scenario.workload: Required value: its plant is nil`, func(s *Scenario, a *calculator.Autoscaler) { s.Workload = factory{} }},
		{"barren", func(s *Scenario, a *calculator.Autoscaler) { s.Workload = factory{err: errors.New("barren")} }},
		{`scenario.workload: Required value`, func(s *Scenario, a *calculator.Autoscaler) { s.Workload = (*Deployment)(nil) }},
		{`scenario.load: Required value`, func(s *Scenario, a *calculator.Autoscaler) { s.Load = nil }},
		{`scenario.load: Required value`, func(s *Scenario, a *calculator.Autoscaler) { s.Load = LoadFunc(nil) }},
		{`scenario.load: Required value`, func(s *Scenario, a *calculator.Autoscaler) { s.Load = (*LoadSeries)(nil) }},
		{`scenario.load: Invalid value: "-1m": must not be negative`, func(s *Scenario, a *calculator.Autoscaler) { l := Steady(-1); s.Load = &l }},
		{`scenario.load[0].load: Invalid value: "-1m": must not be negative`, func(s *Scenario, a *calculator.Autoscaler) { s.Load = &LoadSeries{{epoch, -1}} }},
		{`scenario.load: Invalid value: "-1m": must not be negative`, func(s *Scenario, a *calculator.Autoscaler) { s.Load = Steady(-1) }},
		{`scenario.load[0].load: Invalid value: "-1m": must not be negative`, func(s *Scenario, a *calculator.Autoscaler) { s.Load = LoadSeries{{epoch, -1}} }},
		{`scenario.load.series[1].time: Invalid value: "2026-05-04T00:00:00Z": must be after the one before it`, func(s *Scenario, a *calculator.Autoscaler) {
			s.Load = Interpolated{Series: LoadSeries{{epoch, 1}, {epoch, 1}}}
		}},
		{`autoscaler.spec: Required value`, func(s *Scenario, a *calculator.Autoscaler) { a.Spec = nil }},
		{`spec.metrics[1]: Invalid value: "rps": no gauge has this metric`, func(s *Scenario, a *calculator.Autoscaler) {
			w := s.Workload.(Deployment)
			w.Gauges = w.Gauges[:1]
			s.Workload = w
		}},
	} {
		s, a := rough(1), *good
		tt.spoil(s, &a)
		n := 0
		for row, err := range s.Run(&a) {
			n++
			require.EqualError(t, err, tt.want)
			require.Zero(t, row)
		}
		require.Equal(t, 1, n, tt.want)
		sum, err := Summarize(s.Run(&a))
		require.EqualError(t, err, tt.want)
		require.Zero(t, sum)
	}
	var none *Scenario
	_, err := Summarize(none.Run(good))
	require.EqualError(t, err, "scenario: Required value")
	_, err = Summarize(rough(1).Run(nil))
	require.EqualError(t, err, "autoscaler: Required value")
	_, err = SummarizeAll(rough(1).Compare(good, nil))
	require.EqualError(t, err, "autoscalers[1]: Required value")

	// A spec that is not valid is the decision's to complain about.
	bad := *good
	bad.Spec = good.Spec.Clone()
	bad.Spec.MaxReplicas = 1
	n := 0
	for _, err := range rough(1).Run(&bad) {
		require.ErrorContains(t, err, "maxReplicas")
		n++
	}
	require.Equal(t, 1, n)
	_, err = SummarizeAll(rough(1).Compare(good, &bad))
	require.ErrorContains(t, err, "autoscalers[1]: ")
}

type factory struct {
	plant Plant
	err   error
}

func (f factory) Plant(*RunConfig) (Plant, error) { return f.plant, f.err }

// unseen is a workload whose scale cannot be read each other time.
type unseen struct{ n int }

func (u *unseen) Observe(now time.Time, obs *calculator.Observation) {
	u.n++
	*obs = calculator.Observation{SpecReplicas: 1, StatusReplicas: 1, Readings: make([]calculator.Reading, 2)}
	if u.n%2 == 0 {
		obs.ScaleError = errors.New("no scale")
	}
}
func (u *unseen) Scale(time.Time, int32)              {}
func (u *unseen) Advance(time.Time, Load) Performance { return Performance{} }

// TestScaleError: a sync that cannot read the scale is a row like any other.
func TestScaleError(t *testing.T) {
	s := rough(1)
	s.Workload = factory{plant: &unseen{}}
	a := roughRules(t, "")
	a.Spec.MinReplicas = nil
	n := 0
	for row, err := range s.Run(a) {
		require.NoError(t, err)
		require.Error(t, row.Decision.Err())
		n++
	}
	require.Equal(t, 241, n)
}

// TestStateIsThatAfterTheSync: with it, a row's decision has the status that
// the controller would write.
func TestStateIsThatAfterTheSync(t *testing.T) {
	s, a := rough(2), roughRules(t, "")
	beside := &witness{autoscaler: a.Clone()}
	s.Workload = witnessed{s.Workload, beside}
	rescales := 0
	for row, err := range s.Run(a) {
		require.NoError(t, err)
		require.True(t, row.State.Equal(&beside.autoscaler.State))
		require.Equal(t, beside.d.Status(&beside.autoscaler.State), row.Decision.Status(row.State))
		if row.Rescaled() {
			rescales++
			require.Equal(t, row.Time, row.State.LastScaleTime)
		}
	}
	require.Positive(t, rescales)
}

// witnessed is a workload with an autoscaler that decides on all that the run's
// observes.
type witnessed struct {
	Workload
	w *witness
}

func (w witnessed) Plant(c *RunConfig) (p Plant, err error) {
	w.w.Plant, err = w.Workload.Plant(c)
	return w.w, err
}

type witness struct {
	Plant
	autoscaler calculator.Autoscaler
	d          calculator.Decision
}

func (w *witness) Observe(now time.Time, obs *calculator.Observation) {
	w.Plant.Observe(now, obs)
	if w.d = w.autoscaler.Decide(now, obs); w.d.Rescale {
		w.autoscaler.Applied(now, &w.d)
	}
}

// TestAboveMaximum: a sync that computes no size is neither stabilized nor
// limited.
func TestAboveMaximum(t *testing.T) {
	s := rough(1)
	s.Replicas, s.Duration = 101, time.Second
	rows := collect(t, s, roughRules(t, ""))
	require.Len(t, rows, 1)
	require.Equal(t, []int32{101, 101, 100}, []int32{rows[0].CurrentReplicas, rows[0].Proposed, rows[0].DesiredReplicas})
	require.Equal(t, stabilize.NotStabilized, rows[0].Stabilization)
	require.Equal(t, behavior.DesiredWithinRange, rows[0].Limit)
}

// TestScaleToZero: an External metric brings a workload back that has no pods.
func TestScaleToZero(t *testing.T) {
	spec := testSpec(t, `"minReplicas":0,"metrics":[{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"10"}}}]`)
	w := Deployment{Capacity: 12_000, Gauges: []Gauge{{Metric: "queue", PerLoad: 1000}}, Containers: []podgroup.Container{{Name: "app"}}}
	load := LoadSeries{{epoch, 20_000}, {after(10 * time.Minute), 0}, {after(time.Hour), 20_000}}
	s := Scenario{Start: epoch, Duration: 2 * time.Hour, Load: load, Workload: w}
	sum, err := Summarize(s.Run(&calculator.Autoscaler{Spec: spec}))
	require.NoError(t, err)
	require.Equal(t, int32(0), sum.LowestReplicas)
	require.Equal(t, int32(2), sum.HighestReplicas)
	require.Less(t, sum.TimeUnserved, 15*time.Second, "until the first sync that sees the load")
	require.InDelta(t, sum.TimeUnserved.Hours()*20, sum.Unserved, 1e-5)
}
