package prove_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
)

// A walk from node to node sees and decides what a timeline of the same loads
// and troubles does: the classes of pods, the usage and the sizes of each sync.
func TestExhaustWalksLikeTimelines(t *testing.T) {
	some := func(kind prove.TroubleKind, least, most int32) *rapid.Generator[prove.Trouble] {
		return rapid.Custom(func(t *rapid.T) prove.Trouble { return prove.Trouble{kind, rapid.Int32Range(least, most).Draw(t, "N")} })
	}
	for name, troubles := range map[string]func(t *rapid.T, s *prove.Setup) []prove.Trouble{
		"any": func(t *rapid.T, s *prove.Setup) []prove.Trouble {
			var all []prove.Trouble
			for _, p := range calctest.Timelines(s, calctest.SegmentsUpTo(2)).Draw(t, "timeline with the troubles").Segments {
				all = append(all, p.Troubles...)
			}
			return all[:min(len(all), 3)]
		},
		// Pods that replace deleted ones have no samples of these.
		"resized and late": func(t *rapid.T, s *prove.Setup) []prove.Trouble {
			ofCPU(s)
			return []prove.Trouble{some(prove.Resized, 0, 8).Draw(t, "resized"), some(prove.MetricsLate, 1, 3).Draw(t, "late")}
		},
		// Without a delay, only young pods are unready while they are not
		// ready.
		"unready": func(t *rapid.T, s *prove.Setup) []prove.Trouble {
			ofCPU(s)
			s.Settings.InitialReadinessDelay = 0
			return []prove.Trouble{some(prove.PodsUnready, 1, 4).Draw(t, "unready")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := calctest.Setups(calctest.ReplicasUpTo(6)).Draw(t, "setup")
				if rapid.Bool().Draw(t, "agile") { // for the size to change often
					least := int32(1)
					s.Spec.MinReplicas, s.Spec.MaxReplicas, s.Spec.Behavior = &least, 8, nil
					s.Settings.DownscaleStabilization, s.Settings.ZeroFlags = 0, true
				}
				s.Startup = time.Duration(rapid.IntRange(0, 90).Draw(t, "startup")) * time.Second
				s.Lag = time.Duration(rapid.IntRange(0, 45).Draw(t, "lag")) * time.Second
				search := prove.Search{Troubles: troubles(t, s), Around: rapid.IntRange(0, 2).Draw(t, "around")}
				prove.Walk(t, s, search)
			})
		})
	}
}

func ofCPU(s *prove.Setup) {
	least := int32(1)
	s.Spec.MinReplicas = &least
	s.Spec.Metrics = []autoscaling.MetricSpec{autoscaling.ResourceUtilizationMetric("cpu", 60)}
}
