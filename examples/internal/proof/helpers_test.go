package proof

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
)

// utilization is an autoscaler without a behavior.
func utilization(least, most int32) *kubejson.HorizontalPodAutoscaler {
	return &kubejson.HorizontalPodAutoscaler{Namespace: "shop", Name: "web", Spec: autoscaling.NewSpec(least, most, autoscaling.ResourceUtilizationMetric("cpu", 60))}
}

// slow adds no more than a pod per minute.
func slow(most int32) *kubejson.HorizontalPodAutoscaler {
	a := utilization(1, most)
	a.Spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{
		Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}},
	}}
	return a
}

// queue scales to zero. It has no namespace.
func queue(most int32) *kubejson.HorizontalPodAutoscaler {
	metric := autoscaling.ExternalAverageValueMetric("queue", metrics.MustParseQuantity("30"))
	return &kubejson.HorizontalPodAutoscaler{Name: "worker", Spec: autoscaling.NewSpec(0, most, metric)}
}

// parsed returns the options of the arguments, for syncs of a minute, which have
// few states.
func parsed(t *testing.T, args ...string) *Options {
	t.Helper()
	o, f := New("-"), cli.NewFlagSet("proof")
	o.Define(f)
	f.Func("sync", "", cli.SyncPeriod(&o.Sync))
	f.Func("startup", "", cli.Duration(&o.Startup))
	require.NoError(t, f.Parse(append([]string{"-sync", "1m"}, args...)))
	require.Empty(t, f.Args())
	return o
}

// proved searches, which must succeed.
func proved(t *testing.T, a *kubejson.HorizontalPodAutoscaler, args ...string) *Proof {
	t.Helper()
	p, err := parsed(t, args...).Prove(t.Context(), calculator.DefaultSettings(), a)
	require.NoError(t, err)
	return p
}
