package lint_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// linted is a case being decided.
type linted struct {
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	settings calculator.Settings
	state    calculator.State
}

// newLinted is for the case of a finding. Where it is only said what the
// metrics ask for, it is an External one that does, without tolerance.
func newLinted(spec *autoscaling.HorizontalPodAutoscalerSpec, settings calculator.Settings, f lint.Finding) *linted {
	l := &linted{spec: spec.Clone(), settings: settings}
	if len(f.Case) == 0 {
		return l
	}
	if f.Case[0].Current == 0 {
		l.state.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.ScaledToZero, Status: autoscaling.ConditionTrue}}
	}
	if f.Case[0].Metric >= 0 {
		return l
	}
	l.spec.Metrics = []autoscaling.MetricSpec{autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("1"))}
	l.settings.Tolerance = 0
	if b := l.spec.Behavior; b != nil {
		b.ScaleUp.Tolerance, b.ScaleDown.Tolerance = metrics.Quantity{}, metrics.Quantity{}
	}
	return l
}

// observe returns n ready pods of which the metric reads as the moment says,
// and all others zero. For a moment of no metric, it is the first one that
// asks.
func (l *linted) observe(m lint.Moment) *calculator.Observation {
	obs := &calculator.Observation{SpecReplicas: m.Current, StatusReplicas: m.Current}
	now := noon.Add(m.At)
	for i := range m.Current {
		p := podgroup.Pod{
			Name:            fmt.Sprintf("web-%d", i),
			Phase:           podgroup.PhaseRunning,
			Ready:           podgroup.ReadyTrue,
			StartTime:       metrics.At(now.Add(-time.Hour)),
			ReadyTransition: metrics.At(now.Add(-time.Hour)),
		}
		for _, name := range []string{"app", "proxy", "sidecar"} {
			c := podgroup.Container{Name: name}
			for _, resource := range []string{podgroup.CPU, podgroup.Memory, "ephemeral-storage"} {
				c.Requests.Set(resource, 1000)
			}
			p.Containers = append(p.Containers, c)
		}
		p.Resolve()
		obs.Pods = append(obs.Pods, p)
	}
	for i := range l.spec.Metrics {
		value := metrics.Milli(0)
		switch {
		case i == m.Metric:
			value = m.Usage
		case m.Metric < 0 && i == 0:
			value = metrics.Milli(m.Proposed) * 1000
		}
		obs.Readings = append(obs.Readings, l.answer(&l.spec.Metrics[i], value, m.Current, now))
	}
	return obs
}

func (l *linted) answer(spec *autoscaling.MetricSpec, value metrics.Milli, n int32, now time.Time) calculator.Reading {
	percent := metrics.Milli(1)
	switch {
	case spec.External != nil || spec.Object != nil:
		return calculator.Reading{Values: []metrics.Milli{value}}
	case spec.Resource != nil && spec.Resource.Target.AverageUtilization != nil:
		percent = 30 // of 3,000, by all containers
	case spec.ContainerResource != nil && spec.ContainerResource.Target.AverageUtilization != nil:
		percent = 10
	}
	var r calculator.Reading
	for range n {
		r.Samples = append(r.Samples, metrics.Sample{Value: value * percent, Time: metrics.At(now), Window: time.Minute, Present: true})
	}
	return r
}

// decide decides the case, and returns what it was found not to be, "" if it is
// as the finding says.
func (l *linted) decide(f lint.Finding) string {
	for _, m := range f.Case {
		now := noon.Add(m.At)
		d := calculator.Decide(now, &l.settings, l.spec, l.observe(m), &l.state)
		switch {
		case d.Err() != nil:
			return fmt.Sprintf("%v: %v", m, d.Err())
		case d.Choice.Replicas != m.Proposed || d.DesiredReplicas != m.Desired:
			return fmt.Sprintf("%v\n%v", m, d)
		}
		l.state.Applied(now, &d)
	}
	return ""
}

// mustLint lints the spec, which must be valid.
func mustLint(t require.TestingT, spec *autoscaling.HorizontalPodAutoscalerSpec, settings calculator.Settings, f lint.Facts) []lint.Finding {
	found, err := lint.Lint(&settings, spec, f)
	require.NoError(t, err)
	return found
}

// lintAll lints the spec, and requires that each case is decided as it says.
func lintAll(t testing.TB, spec *autoscaling.HorizontalPodAutoscalerSpec, settings calculator.Settings, f lint.Facts) []lint.Finding {
	t.Helper()
	found := mustLint(t, spec, settings, f)
	for _, x := range found {
		require.Equal(t, x.Kind == lint.InvalidSelector, len(x.Case) == 0, "%v", x)
		require.Empty(t, newLinted(spec, settings, x).decide(x), "%v", x)
	}
	return found
}

func texts(found []lint.Finding) []string {
	var s []string
	for _, f := range found {
		s = append(s, f.String())
	}
	return s
}
