package trial

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func TestWorldFlags(t *testing.T) {
	w := parsed(t, "-pending", "1s..2s", "-startup", "p50:20s/p90:45s/p99.5:2m", "-probe", "5s", "-delay", "3s", "-grace", "30s",
		"-crash-after", "exp:12h", "-restart", "none", "-surge", "1", "-unavailable", "10%",
		"-horizontal-pod-autoscaler-tolerance", "0.2").World
	d := w.Deployment(cpu(t), 1000, midnight, midnight)
	want := simulate.Deployment{
		Capacity:    1000,
		Containers:  d.Containers,
		Gauges:      d.Gauges,
		Pending:     simulate.Uniform{Min: time.Second, Max: 2 * time.Second},
		Startup:     simulate.Quantiles{{Percent: 50, Duration: 20 * time.Second}, {Percent: 90, Duration: 45 * time.Second}, {Percent: 99.5, Duration: 2 * time.Minute}},
		ProbePeriod: 5 * time.Second, ScaleDelay: 3 * time.Second, Grace: 30 * time.Second,
		CrashAfter: simulate.Exponential{Mean: 12 * time.Hour},
		MaxSurge:   simulate.Extent{Pods: 1}, MaxUnavailable: simulate.Extent{Percent: 10},
	}
	require.Equal(t, want, d)
	require.Equal(t, 0.2, w.Settings.Tolerance)
}

func TestBadFlags(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"sync", "0s", "not a positive duration such as 5m or 30s"},
		{"max-gap", "-1s", "not a positive duration such as 5m or 30s"},
		{"rollout", "-1s", "not a duration such as 5m or 30s"},
		{"from", "noon", "not a time such as 2014-11-02 or 2014-11-02 01:30"},
		{"capacity", "0", "not a positive number"},
		{"usage", "NaN", "not a positive number"},
		{"missing", "1.1", "not a fraction from 0 to 1"},
		{"failing", "-0.1", "not a fraction from 0 to 1"},
		{"surge", "some", "not a number of pods such as 1 or 25%"},
		{"unavailable", "-1%", "not a number of pods such as 1 or 25%"},
		{"startup", "soon", errDistribution.Error()},
		{"startup", "1m..x", errDistribution.Error()},
		{"startup", "2m..1m", errDistribution.Error()},
		{"startup", "exp:x", errDistribution.Error()},
		{"startup", "p50", errDistribution.Error()},
		{"startup", "p101:1s", errDistribution.Error()},
		{"startup", "pNaN:1s", errDistribution.Error()},
		{"startup", "p50:-1s", errDistribution.Error()},
		{"startup", "p50:2m/p50:3m", "the quantiles are not in ascending order"},
		{"startup", "p50:2m/p60:1m", "the quantiles are not in ascending order"},
		{"requests", "cpu", "not a list such as cpu=500m,memory=1Gi"},
		{"requests", "=1", "not a list such as cpu=500m,memory=1Gi"},
		{"requests", "cpu=-1", "not a list such as cpu=500m,memory=1Gi"},
		{"gauge", "cpu", errGauge.Error()},
		{"gauge", ":idle=1", errGauge.Error()},
		{"gauge", "cpu:idle", errGauge.Error()},
		{"gauge", "cpu:x=1", "x=1: " + errGauge.Error()},
		{"gauge", "cpu:idle=1,idle=-1", "idle=-1: not an amount such as 500m or 1Gi"},
		{"gauge", "cpu:missing=2", "missing=2: not a fraction from 0 to 1"},
	} {
		f := cli.NewFlagSet("trial")
		Defaults().Define(f)
		require.EqualError(t, f.Set(tt.name, tt.value), tt.want, "-%s %s", tt.name, tt.value)
	}
}

// TestGauges: a flag changes the gauges of its metric alone.
func TestGauges(t *testing.T) {
	f := parsed(t, "-gauge", "memory:idle=256Mi,busy=1Gi,starting=100Mi,scrape=1m,lag=30s,window=0s,missing=0.5,failing=0.25", "-gauge", "cpu/app:lag=1s", "-requests", "memory=2Gi,cpu=1", "-usage", "50")
	amount := autoscaling.MetricTarget{Type: autoscaling.ValueMetricType}
	utilization := autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: new(int32)}
	memory := autoscaling.MetricSpec{Type: autoscaling.ResourceMetricSourceType, Resource: &autoscaling.ResourceMetricSource{Name: "memory", Target: utilization}}
	spec := &autoscaling.HorizontalPodAutoscalerSpec{Metrics: []autoscaling.MetricSpec{
		memory, memory,
		{Type: autoscaling.ContainerResourceMetricSourceType, ContainerResource: &autoscaling.ContainerResourceMetricSource{Name: "cpu", Container: "app", Target: utilization}},
		{Type: autoscaling.ContainerResourceMetricSourceType, ContainerResource: &autoscaling.ContainerResourceMetricSource{Name: "cpu", Container: "proxy", Target: utilization}},
		{Type: autoscaling.ContainerResourceMetricSourceType, ContainerResource: &autoscaling.ContainerResourceMetricSource{Name: "gpu", Container: "proxy", Target: utilization}},
		{Type: autoscaling.PodsMetricSourceType, Pods: &autoscaling.PodsMetricSource{Metric: autoscaling.MetricIdentifier{Name: "rps"}, Target: amount}},
		{Type: autoscaling.ExternalMetricSourceType, External: &autoscaling.ExternalMetricSource{Metric: autoscaling.MetricIdentifier{Name: "queue"}, Target: amount}},
	}}
	const second, unit = time.Second, metrics.Milli(15000)
	d := f.Deployment(spec, unit, midnight, midnight)
	require.Equal(t, []simulate.Gauge{
		{Metric: "memory", Idle: 256 << 20 * 1000, PerLoad: 768 << 20 * 1000, Starting: 100 << 20 * 1000, LoadUnit: unit, Period: 60 * second, Lag: 30 * second, MissingRate: 0.5, FailureRate: 0.25},
		{Metric: "cpu", Container: "app", PerLoad: 500, LoadUnit: unit, Period: 15 * second, Lag: second, Window: 15 * second},
		{Metric: "cpu", Container: "proxy", PerLoad: 500, LoadUnit: unit, Period: 15 * second, Lag: 5 * second, Window: 15 * second},
		{Metric: "gpu", Container: "proxy", LoadUnit: unit, Period: 15 * second, Lag: 5 * second, Window: 15 * second},
		{Metric: "rps", PerLoad: unit, LoadUnit: unit, Period: 15 * second, Lag: 5 * second, Window: 15 * second},
		{Metric: "queue", PerLoad: unit, LoadUnit: unit, Period: 15 * second, Lag: 5 * second, Window: 15 * second},
	}, d.Gauges)
	var app, proxy podgroup.Container
	app.Name, proxy.Name = "app", "proxy"
	app.Requests.Set("memory", 2<<30*1000)
	app.Requests.Set("cpu", 1000)
	proxy.Requests.Set("memory", 0)
	proxy.Requests.Set("cpu", 0)
	require.Equal(t, []podgroup.Container{app, proxy}, d.Containers)
}

func TestEmptiesMemory(t *testing.T) {
	for _, tt := range []struct {
		gauge simulate.Gauge
		want  bool
	}{
		{simulate.Gauge{Metric: "memory", PerLoad: 1}, true},
		{simulate.Gauge{Metric: "memory", PerLoad: 1, Idle: 1}, false},
		{simulate.Gauge{Metric: "memory"}, false},
		{simulate.Gauge{Metric: "cpu", PerLoad: 1}, false},
	} {
		s := simulate.Scenario{Workload: simulate.Deployment{Gauges: []simulate.Gauge{{Metric: "cpu"}, tt.gauge}}}
		require.Equal(t, tt.want, EmptiesMemory(&s), "%v", tt.gauge)
	}
	require.False(t, EmptiesMemory(new(simulate.Scenario)))
}

// TestCopies: copies of a world may have gauges of their own.
func TestCopies(t *testing.T) {
	f := parsed(t, "-gauge", "a:idle=1", "-gauge", "b:idle=1", "-gauge", "c:idle=1")
	var copies []World
	for _, value := range []string{"d:idle=1", "e:idle=1"} {
		w, fs := f.World, cli.NewFlagSet("copy")
		w.Define(fs)
		require.NoError(t, fs.Set("gauge", value))
		copies = append(copies, w)
	}
	require.Equal(t, "d", copies[0].Gauges[3].metric)
	require.Equal(t, "e", copies[1].Gauges[3].metric)
}
