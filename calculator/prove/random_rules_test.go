package prove_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// pick returns one of the choices.
func pick[T any](r *rand.Rand, choices ...T) T { return choices[r.IntN(len(choices))] }

// randomSmallSetup returns rules of all kinds for a few replicas, with windows
// and periods of a few syncs.
func randomSmallSetup(r *rand.Rand) *prove.Setup {
	period := pick(r, 15, 30, 60)
	spec := autoscaling.NewSpec(1, 2+r.Int32N(5), randomMetric(r))
	if r.IntN(6) == 0 {
		spec.Metrics = append(spec.Metrics, randomMetric(r))
	}
	if r.IntN(4) == 0 {
		least := 1 + r.Int32N(spec.MaxReplicas)
		spec.MinReplicas = &least
	} else if len(spec.Metrics) == 1 && spec.HasObjectOrExternalMetric() && r.IntN(3) == 0 {
		spec.MinReplicas = new(int32)
	}
	if r.IntN(4) > 0 {
		spec.Behavior = &behavior.Behavior{
			ScaleUp:   randomSmallRules(r, period, 2),
			ScaleDown: randomSmallRules(r, period, 4),
		}
	}
	s := prove.NewSetup(&spec)
	s.SyncPeriod = time.Duration(period) * time.Second
	s.Startup = pick(r, 0, 0, 20*time.Second, 40*time.Second)
	s.Settings.Tolerance = pick(r, 0, 0.05, 0.1, 0.1, 0.4)
	s.Settings.DownscaleStabilization = time.Duration(r.IntN(4)) * s.SyncPeriod
	return s
}

func randomMetric(r *rand.Rand) autoscaling.MetricSpec {
	amount := metrics.MustParseQuantity(pick(r, "10", "7", "250m", "1"))
	web := autoscaling.CrossVersionObjectReference{Kind: "Service", Name: "web"}
	switch r.IntN(8) {
	case 0:
		return autoscaling.PodsAverageValueMetric("qps", amount)
	case 1:
		return autoscaling.ExternalAverageValueMetric("jobs", amount)
	case 2:
		return autoscaling.ExternalValueMetric("latency", amount)
	case 3:
		return autoscaling.ObjectValueMetric(web, "latency", amount)
	case 4:
		return autoscaling.ObjectAverageValueMetric(web, "requests", amount)
	}
	return autoscaling.ResourceUtilizationMetric("cpu", pick[int32](r, 50, 60, 100))
}

// randomSmallRules returns rules with a window of up to so many syncs.
func randomSmallRules(r *rand.Rand, period, most int) *behavior.ScalingRules {
	window := int32(r.IntN(1+most*2) * period / 2)
	rules := &behavior.ScalingRules{
		StabilizationWindowSeconds: &window,
		SelectPolicy:               pick(r, behavior.SelectMax, behavior.SelectMax, behavior.SelectMin, behavior.SelectDisabled),
	}
	if r.IntN(4) == 0 {
		rules.Tolerance = metrics.MustParseQuantity(pick(r, "0", "0.05", "0.4"))
	}
	for range r.IntN(3) {
		p := behavior.Policy{Type: behavior.PodsPolicy, Value: 1 + r.Int32N(3), PeriodSeconds: int32(period*(2+r.IntN(6))) / 2}
		if r.IntN(2) == 0 {
			p.Type, p.Value = behavior.PercentPolicy, pick[int32](r, 10, 25, 50, 100, 200)
		}
		rules.Policies = append(rules.Policies, p)
	}
	return rules
}

// seeded returns a source of random numbers of its own for each case.
func seeded(test, i int) *rand.Rand { return rand.New(rand.NewPCG(uint64(test), uint64(i))) }

// textOf returns the setup, with what it takes to draw it again.
func textOf(i int, s *prove.Setup) string { return fmt.Sprintf("case %d: %#v", i, s) }
