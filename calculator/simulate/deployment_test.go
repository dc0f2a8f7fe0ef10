package simulate

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// cpuPods are pods of 500m cpu that serve 15 units of load at most, at 30m for
// each.
func cpuPods() Deployment {
	w := DefaultDeployment()
	w.ProbePeriod = 0
	w.Capacity = 15_000
	w.Containers = []podgroup.Container{{Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(500)}}}
	w.Gauges = []Gauge{{Metric: "cpu", PerLoad: 30}}
	return w
}

func cpuSpec(t testing.TB, more string) *autoscaling.HorizontalPodAutoscalerSpec {
	return testSpec(t, `"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}}]`+more)
}

// plantOf returns the plant of w with as many pods, and a function that lets it
// live on until a time from its beginning and says what pods it has then:
// number, generation, and P for Pending, s for starting, R for ready, c for
// crashed or d for having to go.
func plantOf(t *testing.T, w Deployment, replicas int32) (*pods, func(time.Duration) string) {
	t.Helper()
	plant, err := w.Plant(&RunConfig{Start: epoch, Load: Steady(0), Replicas: replicas, Spec: cpuSpec(t, ""), Settings: &calculator.Settings{}})
	require.NoError(t, err)
	p := plant.(*pods)
	return p, func(until time.Duration) string {
		p.Advance(after(until), Steady(0))
		var obs calculator.Observation
		p.Observe(after(until), &obs)
		require.Equal(t, p.serving, podgroup.RunningAndReady(obs.Pods)-countDeleted(obs.Pods))
		var words []string
		for i := range p.pods {
			q, a := &p.pods[i], &obs.Pods[i]
			state := "R"
			switch {
			case a.Deleted:
				state = "d"
			case a.Phase == podgroup.PhasePending:
				state = "P"
			case a.Ready != podgroup.ReadyTrue && !q.runs:
				state = "c"
			case a.Ready != podgroup.ReadyTrue:
				state = "s"
			}
			words = append(words, fmt.Sprintf("%s.%d%s", strings.TrimPrefix(a.Name, "pod-"), q.generation, state))
		}
		return strings.Join(words, " ")
	}
}

func countDeleted(pods []podgroup.Pod) (n int) {
	for i := range pods {
		if pods[i].Deleted && pods[i].Ready == podgroup.ReadyTrue {
			n++
		}
	}
	return n
}

// TestLife is the life of a pod, from boundary to boundary.
func TestLife(t *testing.T) {
	w := cpuPods()
	w.Pending, w.Startup, w.ProbePeriod = Fixed(10*time.Second), Fixed(21*time.Second), 10*time.Second
	w.ScaleDelay, w.Grace = 5*time.Second, 30*time.Second
	p, at := plantOf(t, w, 1)
	require.Equal(t, "1.0R", at(time.Second))
	p.Scale(after(time.Second), 2)
	require.Equal(t, "1.0R", at(6*time.Second-1))
	require.Equal(t, "1.0R 2.0P", at(6*time.Second))
	require.Equal(t, "1.0R 2.0P", at(16*time.Second-1))
	require.Equal(t, "1.0R 2.0s", at(16*time.Second))
	require.Equal(t, metrics.At(after(6*time.Second)), p.api[1].ReadyTransition)
	require.Equal(t, "1.0R 2.0s", at(46*time.Second-1), "the third look")
	require.Equal(t, "1.0R 2.0R", at(46*time.Second))
	require.Equal(t, metrics.At(after(6*time.Second)), p.api[1].StartTime, "images are pulled after it")
	require.Equal(t, metrics.At(after(46*time.Second)), p.api[1].ReadyTransition)
	p.Scale(after(46*time.Second), 1)
	require.Equal(t, "1.0R 2.0R", at(51*time.Second-1))
	require.Equal(t, "1.0R 2.0d", at(51*time.Second))
	require.Equal(t, "1.0R 2.0d", at(81*time.Second-1))
	require.Equal(t, "1.0R", at(81*time.Second))
}

// Pending pods are removed first, then pods that start, then the newest.
func TestScaleDownOrder(t *testing.T) {
	w := cpuPods()
	// The nth pod takes as long as its number says.
	durations := map[uint64]time.Duration{}
	w.Pending = byPod{durations, drawPending}
	w.Startup = Fixed(time.Minute)
	p, at := plantOf(t, w, 3)
	for n := range 6 {
		r := NewRand(0, drawPending, uint64(4+n), 0)
		durations[r.state] = time.Duration(n%3) * 20 * time.Second
	}
	p.Scale(epoch, 9)
	require.Equal(t, "1.0R 2.0R 3.0R 4.0s 5.0P 6.0P 7.0s 8.0P 9.0P", at(0))
	require.Equal(t, "1.0R 2.0R 3.0R 4.0R 5.0s 6.0s 7.0R 8.0s 9.0s", at(time.Minute))
	p.Scale(after(time.Minute), 12)
	for n := range 3 {
		r := NewRand(0, drawPending, uint64(10+n), 0)
		durations[r.state] = time.Hour
	}
	for _, step := range []struct {
		size int32
		left string
	}{
		{11, "1.0R 2.0R 3.0R 4.0R 5.0s 6.0s 7.0R 8.0s 9.0s 10.0s 11.0s"},
		{8, "1.0R 2.0R 3.0R 4.0R 5.0s 6.0s 7.0R 8.0s"},
		{6, "1.0R 2.0R 3.0R 4.0R 5.0s 7.0R"},
		{4, "1.0R 2.0R 3.0R 4.0R"},
		{1, "1.0R"},
		{0, ""},
	} {
		p.Scale(after(time.Minute), step.size)
		require.Equal(t, step.left, at(time.Minute), "to %d", step.size)
	}
}

// byPod takes as long as the map says of the generator.
type byPod struct {
	of   map[uint64]time.Duration
	what uint64
}

func (b byPod) Draw(r *Rand) time.Duration { return b.of[r.state] }

// TestRollout is the story of one with a surge of 1 and 1 unavailable of 4.
func TestRollout(t *testing.T) {
	w := cpuPods()
	w.Startup = Fixed(10 * time.Second)
	w.Rollouts = []time.Time{after(-time.Hour), after(5 * time.Second)}
	p, at := plantOf(t, w, 4)
	require.Equal(t, "1.0R 2.0R 3.0R 4.0R", at(5*time.Second-1), "what was before the start is over")
	// One new pod beyond the size; one old pod goes, and makes room for
	// another.
	require.Equal(t, "1.0R 2.0R 3.0R 5.1s 6.1s", at(5*time.Second))
	require.Equal(t, int32(5), func() int32 {
		var obs calculator.Observation
		p.Observe(after(5*time.Second), &obs)
		require.Equal(t, int32(4), obs.SpecReplicas)
		return obs.StatusReplicas
	}(), "a surge shows in the status")
	require.Equal(t, "1.0R 5.1R 6.1R 7.1s 8.1s", at(15*time.Second))
	require.Equal(t, "5.1R 6.1R 7.1R 8.1R", at(25*time.Second))
	require.Equal(t, "5.1R 6.1R 7.1R 8.1R", at(time.Hour))
}

// TestRolloutAtOnce: pods that start at once are replaced at once.
func TestRolloutAtOnce(t *testing.T) {
	w := cpuPods()
	w.MaxSurge, w.MaxUnavailable = Extent{}, Extent{}
	w.Rollouts = []time.Time{after(0), after(1)}
	_, at := plantOf(t, w, 3)
	require.Equal(t, "4.1R 5.1R 6.1R", at(0))
	require.Equal(t, "7.2R 8.2R 9.2R", at(1))
}

// TestScaleWithinRollout: growing makes new pods, shrinking takes old ones.
func TestScaleWithinRollout(t *testing.T) {
	w := cpuPods()
	w.Startup = Fixed(time.Minute)
	w.MaxSurge, w.MaxUnavailable = Extent{Pods: 1}, Extent{}
	w.Rollouts = []time.Time{after(time.Second)}
	p, at := plantOf(t, w, 4)
	require.Equal(t, "1.0R 2.0R 3.0R 4.0R 5.1s", at(time.Second))
	p.Scale(after(time.Second), 6)
	require.Equal(t, "1.0R 2.0R 3.0R 4.0R 5.1s 6.1s 7.1s", at(time.Second))
	// Two of the old ones stay, since none may be unavailable.
	p.Scale(after(time.Second), 2)
	require.Equal(t, "1.0R 2.0R 8.1s", at(time.Second))
	p.Scale(after(time.Second), 1)
	require.Equal(t, "1.0R 9.1s", at(time.Second))
	require.Equal(t, "9.1R", at(time.Hour))
	p.Scale(after(time.Hour), 0)
	require.Equal(t, "", at(time.Hour))
}

func TestCrash(t *testing.T) {
	w := cpuPods()
	w.Startup, w.CrashAfter, w.Restart = Fixed(5*time.Second), Fixed(time.Minute), Fixed(20*time.Second)
	w.Gauges[0].Starting = 700
	p, at := plantOf(t, w, 1)
	require.Equal(t, "1.0R", at(time.Minute-1))
	require.Equal(t, "1.0c", at(time.Minute))
	require.Equal(t, metrics.At(after(time.Minute)), p.api[0].ReadyTransition)
	require.Equal(t, "1.0c", at(80*time.Second-1))
	require.Equal(t, "1.0s", at(80*time.Second))
	require.Equal(t, metrics.At(after(time.Minute)), p.api[0].ReadyTransition, "it has not been ready since")
	var obs calculator.Observation
	p.Observe(after(80*time.Second), &obs)
	require.False(t, obs.Readings[0].Samples[0].Present, "its container has not run before the scrape")
	at(81 * time.Second)
	p.Observe(after(81*time.Second), &obs)
	require.Equal(t, metrics.Milli(700), obs.Readings[0].Samples[0].Value)
	require.Equal(t, "1.0R", at(85*time.Second))
	require.Equal(t, "1.0c", at(145*time.Second))

	// Crashes without any time between them are a second apart.
	w.Startup, w.CrashAfter, w.Restart = nil, Fixed(0), nil
	p, at = plantOf(t, w, 1)
	require.Equal(t, "1.0R", at(3*time.Second))
	require.Equal(t, uint64(3), p.pods[0].crashes)
}

func TestMissingAndFailing(t *testing.T) {
	w := cpuPods()
	w.Gauges[0].MissingRate, w.Gauges[0].FailureRate = 0.25, 0.5
	p, at := plantOf(t, w, 100)
	failed, missing, seen := 0, 0, 0
	for i := range 200 {
		at(time.Duration(i) * time.Second)
		var obs calculator.Observation
		p.Observe(after(time.Duration(i)*time.Second), &obs)
		if r := obs.Readings[0]; r.Err != nil {
			require.Equal(t, ErrUnavailable, r.Err)
			failed++
			continue
		}
		for _, s := range obs.Readings[0].Samples {
			seen++
			if !s.Present {
				missing++
			}
		}
	}
	require.InDelta(t, 100, failed, 30)
	require.InDelta(t, 0.25, float64(missing)/float64(seen), 0.02)
}

func TestExtent(t *testing.T) {
	for _, tt := range []struct {
		e           Extent
		size        int
		up, rounded int
	}{
		{Extent{}, 10, 0, 0},
		{Extent{Pods: 3}, 10, 3, 3},
		{Extent{Percent: 25}, 10, 3, 2},
		{Extent{Percent: 25}, 4, 1, 1},
		{Extent{Pods: 1, Percent: 25}, 1, 2, 1},
		{Extent{Percent: 100}, 7, 7, 7},
		{Extent{Pods: math.MaxInt32, Percent: math.MaxInt32}, MaxPods, MaxPods, MaxPods},
	} {
		require.Equal(t, tt.up, tt.e.of(tt.size, 99), "%v of %d", tt.e, tt.size)
		require.Equal(t, tt.rounded, tt.e.of(tt.size, 0), "%v of %d", tt.e, tt.size)
	}
}

// TestMaxPods: what is beyond is asked for, and not there.
func TestMaxPods(t *testing.T) {
	p, _ := plantOf(t, cpuPods(), 1)
	p.Scale(epoch, math.MaxInt32)
	require.Len(t, p.pods, MaxPods)
	require.Equal(t, int32(math.MaxInt32), p.asked)
	p.Scale(epoch, -1)
	require.Empty(t, p.pods)
}

// TestFirstSize: without a size, a run begins with the one that fits.
func TestFirstSize(t *testing.T) {
	for _, tt := range []struct {
		load metrics.Milli
		want int32
	}{
		// 60% and 10% of that tolerated, in whole percents: below 67% of 500m,
		// 334m, is 11.1666 units of load.
		{0, 1}, {11_166, 1}, {11_167, 2}, {22_333, 2}, {22_334, 3}, {9_000_000, 100},
	} {
		plant, err := cpuPods().Plant(&RunConfig{Start: epoch, Load: Steady(tt.load), Spec: cpuSpec(t, ""), Settings: &calculator.Settings{Tolerance: 0.1}})
		require.NoError(t, err)
		require.Equal(t, tt.want, plant.(*pods).asked, "load %v", tt.load)
	}
	noMin := cpuSpec(t, "")
	noMin.MinReplicas = nil
	plant, err := cpuPods().Plant(&RunConfig{Start: epoch, Load: Steady(0), Spec: noMin, Settings: &calculator.Settings{}})
	require.NoError(t, err)
	require.Equal(t, int32(1), plant.(*pods).asked)
}

func TestDeploymentErrors(t *testing.T) {
	for _, tt := range []struct {
		break_ func(*Deployment)
		want   string
	}{
		{func(w *Deployment) { w.Capacity = -1 }, `deployment.capacity: Invalid value: "-1m": must not be negative`},
		{func(w *Deployment) { w.Gauges[0].Metric = "" }, `deployment.gauges[0].metric: Required value`},
		{func(w *Deployment) { w.Gauges[0].Metric = "rps" }, `spec.metrics[0]: Invalid value: "cpu": no gauge has this metric`},
		{func(w *Deployment) { w.Gauges = append(w.Gauges, w.Gauges[0]) }, `deployment.gauges[1].metric: Invalid value: "cpu": has a gauge already`},
		{func(w *Deployment) { w.Gauges[0].Idle = -1 }, `deployment.gauges[0].idle: Invalid value: "-1m": must not be negative`},
		{func(w *Deployment) { w.Gauges[0].PerLoad = -1 }, `deployment.gauges[0].perLoad: Invalid value: "-1m": must not be negative`},
		{func(w *Deployment) { w.Gauges[0].Starting = -1 }, `deployment.gauges[0].starting: Invalid value: "-1m": must not be negative`},
		{func(w *Deployment) { w.Gauges[0].LoadUnit = -1 }, `deployment.gauges[0].loadUnit: Invalid value: "-1m": must not be negative`},
		{func(w *Deployment) { w.Gauges[0].Target = metrics.Value(0) }, `deployment.gauges[0].target: Invalid value: "0": must be a positive Value or AverageValue`},
		{func(w *Deployment) { w.Gauges[0].Target = metrics.Utilization(60) }, `deployment.gauges[0].target: Invalid value: "60%": must be a positive Value or AverageValue`},
		{func(w *Deployment) { w.Gauges[0].MissingRate = 1.1 }, `deployment.gauges[0].missingRate: Invalid value: 1.1: must be between 0 and 1`},
		{func(w *Deployment) { w.Gauges[0].FailureRate = math.NaN() }, `deployment.gauges[0].failureRate: Invalid value: NaN: must be between 0 and 1`},
		{func(w *Deployment) { w.Gauges[0].Period = -1 }, `deployment.gauges[0].period: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.Gauges[0].Lag = -1 }, `deployment.gauges[0].lag: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.Gauges[0].Window = 12*time.Hour + 1 }, `deployment.gauges[0].window: Invalid value: "12h0m0.000000001s": must not be longer than 12h0m0s`},
		{func(w *Deployment) { w.ProbePeriod = -1 }, `deployment.probePeriod: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.ScaleDelay = -1 }, `deployment.scaleDelay: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.Grace = -1 }, `deployment.grace: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.Pending = Fixed(-1) }, `deployment.pending: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.Pending = (*Uniform)(nil) }, `deployment.pending: Required value`},
		{func(w *Deployment) { w.Restart = Multiple{(*Fixed)(nil), 2} }, `deployment.restart.of: Required value`},
		{func(w *Deployment) { w.Startup = &Uniform{2, 1} }, `deployment.startup.max: Invalid value: "1ns": must not be less than min, 2ns`},
		{func(w *Deployment) { w.Startup = Uniform{2, 1} }, `deployment.startup.max: Invalid value: "1ns": must not be less than min, 2ns`},
		{func(w *Deployment) { w.Startup = Uniform{-1, 1} }, `deployment.startup.min: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.CrashAfter = Exponential{-1} }, `deployment.crashAfter.mean: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.Restart = Quantiles{{101, 1}} }, `deployment.restart[0].percent: Invalid value: 101: must be between 0 and 100`},
		{func(w *Deployment) { w.Restart = Quantiles{{math.NaN(), 1}} }, `deployment.restart[0].percent: Invalid value: NaN: must be between 0 and 100`},
		{func(w *Deployment) { w.Restart = Quantiles{{1, -1}} }, `deployment.restart[0].duration: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.Restart = Quantiles{{1, 1}, {1, 1}} }, `deployment.restart[1].percent: Invalid value: 1: must be greater than the one before it`},
		{func(w *Deployment) { w.Restart = Quantiles{{1, 2}, {2, 1}} }, `deployment.restart[1].duration: Invalid value: "1ns": must not be less than the one before it`},
		{func(w *Deployment) { w.Startup = Multiple{Fixed(1), -2} }, `deployment.startup.factor: Invalid value: -2: must not be negative`},
		{func(w *Deployment) { w.Startup = Multiple{Fixed(-1), 2} }, `deployment.startup.of: Invalid value: "-1ns": must not be negative`},
		{func(w *Deployment) { w.Rollouts = []time.Time{epoch, epoch} }, `deployment.rollouts[1]: Invalid value: "2026-05-04T00:00:00Z": must be after the one before it`},
		{func(w *Deployment) { w.MaxSurge.Pods = -1 }, `deployment.maxSurge.pods: Invalid value: -1: must not be negative`},
		{func(w *Deployment) { w.MaxUnavailable.Percent = -1 }, `deployment.maxUnavailable.percent: Invalid value: -1: must not be negative`},
	} {
		w := cpuPods()
		tt.break_(&w)
		_, err := w.Plant(&RunConfig{Start: epoch, Load: Steady(0), Replicas: 1, Spec: cpuSpec(t, ""), Settings: &calculator.Settings{}})
		require.EqualError(t, err, tt.want)
		var input *field.Error
		require.ErrorAs(t, err, &input)
	}
	w := cpuPods()
	container := testSpec(t, `"metrics":[{"type":"ContainerResource","containerResource":{"name":"cpu","container":"app","target":{"type":"Utilization","averageUtilization":77}}}]`)
	_, err := w.Plant(&RunConfig{Start: epoch, Load: Steady(0), Spec: container, Settings: &calculator.Settings{}})
	require.EqualError(t, err, `spec.metrics[0]: Invalid value: "cpu": no gauge has this metric of container "app"`)

	// A load whose end is not after its beginning stays until it is asked
	// again.
	stuck := LoadFunc(func(t time.Time) (metrics.Milli, time.Time) { return -5, t })
	plant, err := w.Plant(&RunConfig{Start: epoch, Load: stuck, Replicas: 1, Spec: cpuSpec(t, ""), Settings: &calculator.Settings{}})
	require.NoError(t, err)
	require.Equal(t, Performance{Capacity: 15_000, TargetLoad: 10_166, PodTime: time.Minute}, plant.Advance(after(time.Minute), stuck))
}
