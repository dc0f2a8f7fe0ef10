package trial

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
)

var midnight = time.Date(2014, 4, 10, 0, 0, 0, 0, time.UTC)

// series returns values every half an hour, from midnight on.
func series(values ...metrics.Milli) *Series {
	s := &Series{Step: 30 * time.Minute, End: midnight.Add(time.Duration(len(values)) * 30 * time.Minute)}
	for i, v := range values {
		s.LoadSeries = append(s.LoadSeries, simulate.LoadPoint{Time: midnight.Add(time.Duration(i) * s.Step), Load: v})
	}
	return s
}

// parsed returns the flags of the arguments.
func parsed(t *testing.T, args ...string) *Flags {
	t.Helper()
	f, fs := Defaults(), cli.NewFlagSet("trial")
	f.Define(fs)
	require.NoError(t, fs.Parse(args))
	require.Empty(t, fs.Args())
	return f
}

func cpu(t *testing.T) *autoscaling.HorizontalPodAutoscalerSpec {
	t.Helper()
	spec := &autoscaling.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"},
		MaxReplicas:    20,
	}
	require.NoError(t, spec.ApplyAdmission(calculator.Settings{}.Release).Err())
	return spec
}

func TestSpan(t *testing.T) {
	load := series(100, 400, 100, 200)
	at := func(d time.Duration) time.Time { return midnight.Add(d) }
	for _, tt := range []struct {
		args                 []string
		begin, reported, end time.Duration
	}{
		{nil, 0, 0, 2 * time.Hour},
		{[]string{"-from", "2014-04-10 01:00"}, 0, time.Hour, 2 * time.Hour},
		{[]string{"-from", "2014-04-10 01:10", "-warm-up", "30m"}, 40 * time.Minute, 70 * time.Minute, 2 * time.Hour},
		{[]string{"-time-layout", "15h, 02.01.2006", "-from", "01h, 10.04.2014", "-to", "2014-04-10T02:00:00Z", "-warm-up", "0"}, time.Hour, time.Hour, 2 * time.Hour},
		{[]string{"-time-layout", "unix", "-from", "1397091599", "-to", "1397091600", "-warm-up", "0"}, time.Hour - time.Second, time.Hour - time.Second, time.Hour},
	} {
		got, err := parsed(t, tt.args...).Trial(load)
		require.NoError(t, err, tt.args)
		require.Equal(t, []time.Time{at(tt.begin), at(tt.reported), at(tt.end)}, []time.Time{got.Begin, got.Reported, got.End}, tt.args)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-from", "2014-04-09 23:59:59"}, "-from 2014-04-09 23:59:59 is not within the load, from 2014-04-10 00:00:00 to 2014-04-10 02:00:00"},
		{[]string{"-from", "2014-04-10 02:00"}, "-from 2014-04-10 02:00:00 is not within the load, from 2014-04-10 00:00:00 to 2014-04-10 02:00:00"},
		{[]string{"-to", "2014-04-10 02:00:01"}, "-to 2014-04-10 02:00:01 is not between 2014-04-10 00:00:00 and 2014-04-10 02:00:00"},
		{[]string{"-from", "2014-04-10 01:00", "-to", "2014-04-10 01:00"}, "-to 2014-04-10 01:00:00 is not between 2014-04-10 01:00:00 and 2014-04-10 02:00:00"},
	} {
		_, err := parsed(t, tt.args...).Trial(load)
		require.EqualError(t, err, tt.want)
	}
	_, err := Defaults().Trial(new(Series))
	require.EqualError(t, err, "the load has no values")
}

func TestCapacity(t *testing.T) {
	for _, tt := range []struct {
		highest metrics.Milli
		args    []string
		want    metrics.Milli
	}{
		{40_000, nil, 1000},
		{40_001, nil, 1001},
		{1, nil, 1},
		{0, []string{"-capacity", "0.001"}, 1},
		{1, []string{"-capacity", "12.3456"}, 12346},
		{1, []string{"-capacity", "1e300"}, 1e18},
	} {
		got, err := parsed(t, tt.args...).Trial(series(0, tt.highest))
		require.NoError(t, err)
		require.Equal(t, tt.want, got.Capacity)
	}
	for _, args := range [][]string{nil, {"-capacity", "0.0004"}} {
		_, err := parsed(t, args...).Trial(series(0, 0))
		require.EqualError(t, err, "-capacity is 0")
	}
}

func TestScenario(t *testing.T) {
	load := series(100_000, 400_000, 100_000, 200_000)
	f := parsed(t, "-seed", "7", "-sync", "20s", "-replicas", "3", "-from", "2014-04-10 01:00", "-warm-up", "10m", "-capacity", "50")
	trial, err := f.Trial(load)
	require.NoError(t, err)
	got, err := trial.Scenario(&f.World, cpu(t))
	require.NoError(t, err)
	d := got.Workload.(simulate.Deployment)
	require.Equal(t, simulate.Scenario{
		Start: midnight.Add(50 * time.Minute), Duration: 70 * time.Minute, SyncPeriod: 20 * time.Second,
		Load: load.LoadSeries, Workload: d, Replicas: 3, Seed: 7,
	}, got)
	require.EqualValues(t, 50_000, d.Capacity)

	// A sweep has a world of its own, on the same span.
	world := f.World
	world.Capacity, world.Sync = 40, time.Minute
	got, err = trial.Scenario(&world, cpu(t))
	require.NoError(t, err)
	require.EqualValues(t, 40_000, got.Workload.(simulate.Deployment).Capacity)
	require.Equal(t, time.Minute, got.SyncPeriod)
	sum, err := simulate.Summarize(got.Run(&calculator.Autoscaler{Settings: &world.Settings, Spec: cpu(t)}))
	require.NoError(t, err)
	require.Positive(t, sum.PodHours)

	f.Load.Slope = true
	trial, err = f.Trial(load)
	require.NoError(t, err)
	got, err = trial.Scenario(&f.World, cpu(t))
	require.NoError(t, err)
	require.Equal(t, simulate.Interpolated{Series: load.LoadSeries, Step: 20 * time.Second}, got.Load)

	world.Capacity = 0.0001
	_, err = trial.Scenario(&world, cpu(t))
	require.EqualError(t, err, "-capacity is 0")
}

func TestRollouts(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string // times from midnight on
	}{
		{[]string{"-rollouts", "0s"}, "[]"},
		{[]string{"-rollouts", "59m59s"}, "[59m59s]"},
		{[]string{"-rollouts", "30m"}, "[30m0s]"}, // none at the end
		{[]string{"-rollouts", "25m"}, "[25m0s 50m0s]"},
		{[]string{"-rollout", "0s"}, "[0s]"},
		{[]string{"-rollout", "59m59.999999999s"}, "[59m59.999999999s]"},
		{[]string{"-rollout", "5m", "-from", "2014-04-10 00:30"}, "[35m0s]"},
		{[]string{"-rollout", "20m", "-rollout", "5m"}, "[5m0s 20m0s]"},
		{[]string{"-rollout", "20m", "-rollout", "20m"}, "[20m0s]"},
		{[]string{"-rollouts", "25m", "-rollout", "30m", "-rollout", "25m", "-rollout", "1m"}, "[1m0s 25m0s 30m0s 50m0s]"},
	} {
		f := parsed(t, tt.args...)
		trial, err := f.Trial(series(1, 2))
		require.NoError(t, err)
		s, err := trial.Scenario(&f.World, cpu(t))
		require.NoError(t, err)
		var got []time.Duration
		for _, at := range s.Workload.(simulate.Deployment).Rollouts {
			got = append(got, at.Sub(midnight))
		}
		require.Equal(t, tt.want, fmt.Sprint(got), tt.args)
	}
	for _, tt := range []struct {
		after, from time.Duration
		want        string
	}{
		{time.Hour, 0, "-rollout 1h0m0s is not within the report, which ends after 1h0m0s"},
		{30 * time.Minute, 30 * time.Minute, "-rollout 30m0s is not within the report, which ends after 30m0s"},
		{-1, time.Minute, "-rollout -1ns is not within the report, which ends after 59m0s"},
		{math.MaxInt64, 0, "-rollout 2562047h47m16.854775807s is not within the report, which ends after 1h0m0s"},
	} {
		f := Defaults()
		f.From, f.Rollouts = midnight.Add(tt.from), []time.Duration{time.Second, tt.after}
		_, err := f.Trial(series(1, 2))
		require.EqualError(t, err, tt.want)
	}
	f := parsed(t, "-rollouts", "3599us")
	trial, err := f.Trial(series(1, 2))
	require.NoError(t, err)
	_, err = trial.Scenario(&f.World, cpu(t))
	require.EqualError(t, err, "-rollouts 3.599ms: more than 1000000 rollouts")
}

// TestUsage: the help has each flag.
func TestUsage(t *testing.T) {
	f := cli.NewFlagSet("trial")
	Defaults().Define(f)
	usage := LoadUsage + SpanUsage + SeedUsage + ControllerUsage + PodUsage + MetricUsage
	f.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(usage, "-"+f.Name+" ") {
			t.Errorf("no help for -%s", f.Name)
		}
	})
}

// TestDefaults: the flags are defined with the fields as their defaults.
func TestDefaults(t *testing.T) {
	want := Defaults()
	want.Settings.ZeroFlags = true
	require.Equal(t, want, parsed(t))
}
