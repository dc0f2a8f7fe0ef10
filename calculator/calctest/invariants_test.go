package calctest_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

// Any rules keep these invariants.
func TestInvariantsHold(t *testing.T) {
	for _, i := range calctest.Invariants() {
		t.Run(i.Name, rapid.MakeCheck(func(t *rapid.T) {
			i.Check(t, calctest.Setups().Draw(t, "setup"))
		}))
	}
}

// So do other choices than the largest proposal, and fallbacks.
func TestInvariantsHoldForChoices(t *testing.T) {
	ten := metrics.MustParseQuantity("10")
	backlogs := autoscaling.NewSpec(1, 10, autoscaling.ExternalAverageValueMetric("a", ten), autoscaling.ExternalAverageValueMetric("b", ten))
	for i := range backlogs.Metrics {
		backlogs.Metrics[i].External.Fallback = &autoscaling.ExternalMetricFallback{Replicas: 1}
	}
	backlogs.Behavior = &behavior.Behavior{ScaleDown: &behavior.ScalingRules{StabilizationWindowSeconds: new(int32)}}
	for _, choosing := range []calculator.ChooseBy{calculator.ChooseMax, calculator.ChooseMin, calculator.ChooseFirst} {
		s := prove.NewSetup(&backlogs)
		s.SyncPeriod, s.Settings.ChooseBy = time.Minute, choosing
		for _, i := range calctest.Invariants() {
			t.Run(i.Name+" "+string(choosing), rapid.MakeCheck(func(t *rapid.T) { i.Check(t, s) }))
		}
	}
}

// decide is what a broken copy of the decision starts from.
type decide struct {
	d        *calculator.Decision
	now      time.Time
	settings calculator.Settings
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	obs      calculator.Observation
	st       *calculator.State
}

// broken is a copy of the decision that something is done to before, and to the
// size after.
func broken(before func(*decide), after func(*decide)) calctest.Option {
	return calctest.WithDecider(func(d *calculator.Decision, now time.Time, settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *calculator.Observation, st *calculator.State) {
		x := decide{d, now, *settings, spec.Clone(), *obs, st}
		x.obs.Readings = append([]calculator.Reading(nil), obs.Readings...)
		if before != nil {
			before(&x)
		}
		calculator.DecideInto(d, now, &x.settings, x.spec, &x.obs, st)
		if after != nil && d.Rescale {
			after(&x)
		}
	})
}

// Each invariant finds copies of the decision that break it.
func TestInvariantsFindBrokenDecisions(t *testing.T) {
	rulesOf := func(x *decide, change func(*behavior.ScalingRules)) {
		if x.spec.Behavior != nil {
			change(x.spec.Behavior.ScaleUp)
			change(x.spec.Behavior.ScaleDown)
		}
	}
	for name, c := range map[string]struct {
		check  func(*rapid.T, *prove.Setup, ...calctest.Option)
		option calctest.Option
		says   string
	}{
		"one too many": {
			calctest.WithinBounds,
			broken(nil, func(x *decide) { x.d.DesiredReplicas++ }),
			"is above maxReplicas",
		},
		"minReplicas forgotten": {
			calctest.WithinBounds,
			broken(func(x *decide) { x.spec.MinReplicas = new(int32) }, nil),
			"is below minReplicas",
		},
		"policies that are wider": {
			calctest.WithinPolicies,
			broken(func(x *decide) {
				rulesOf(x, func(r *behavior.ScalingRules) {
					for i := range r.Policies {
						r.Policies[i].Value++
					}
				})
			}, nil),
			"lets the size go to",
		},
		"periods that end too soon": {
			calctest.WithinPolicies,
			broken(func(x *decide) {
				rulesOf(x, func(r *behavior.ScalingRules) {
					for i := range r.Policies {
						r.Policies[i].PeriodSeconds = max(r.Policies[i].PeriodSeconds/2, 1)
					}
				})
			}, nil),
			"lets the size go to",
		},
		"Min taken for Max": {
			calctest.WithinPolicies,
			broken(func(x *decide) {
				rulesOf(x, func(r *behavior.ScalingRules) {
					if r.SelectPolicy == behavior.SelectMin {
						r.SelectPolicy = behavior.SelectMax
					}
				})
			}, nil),
			"lets the size go to",
		},
		"Disabled ignored": {
			calctest.WithinPolicies,
			broken(func(x *decide) {
				rulesOf(x, func(r *behavior.ScalingRules) {
					if r.SelectPolicy == behavior.SelectDisabled {
						r.SelectPolicy = behavior.SelectMax
					}
				})
			}, nil),
			"is disabled",
		},
		"events forgotten": {
			calctest.WithinPolicies,
			broken(func(x *decide) { x.st.Events = behavior.Events{} }, nil),
			"lets the size go to",
		},
		"no doubling limit": {
			calctest.WithinPolicies,
			broken(func(x *decide) {
				if x.spec.Behavior == nil {
					x.spec.Behavior = &behavior.Behavior{ScaleUp: &behavior.ScalingRules{
						Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 5, PeriodSeconds: 1}},
					}}
					x.spec.SetDefaults()
				}
			}, nil),
			"at most, and becomes",
		},
		"recommendations forgotten": {
			calctest.AboveWindow,
			broken(func(x *decide) {
				x.st.Recommendations.Reset()
				x.st.Recommendations.Start(x.now.Add(-24*time.Hour), 0)
			}, nil),
			"was asked for at",
		},
		"a window that is a second short": {
			calctest.AboveWindow,
			broken(func(x *decide) {
				rulesOf(x, func(r *behavior.ScalingRules) {
					if w := r.StabilizationWindowSeconds; w != nil && *w > 0 {
						*w--
					}
				})
			}, nil),
			"was asked for at",
		},
		"a flag that is a nanosecond short": {
			calctest.AboveWindow,
			broken(func(x *decide) {
				if x.spec.Behavior == nil {
					x.settings.DownscaleStabilization--
				}
			}, nil),
			"was asked for at",
		},
		"half the tolerance": {
			calctest.StaysWithinTolerance,
			broken(func(x *decide) { x.settings.Tolerance /= 2 }, nil),
			"is within the tolerance of",
		},
		"tolerance that is open at its ends": {
			calctest.StaysWithinTolerance,
			broken(func(x *decide) { x.settings.Tolerance -= 1e-12 }, nil),
			"is within the tolerance of",
		},
		"samples that wrap around": {
			calctest.MoreLoadNeverFewer,
			broken(func(x *decide) {
				for i := range x.obs.Readings {
					r := &x.obs.Readings[i]
					r.Samples = append([]metrics.Sample(nil), r.Samples...)
					for j := range r.Samples {
						r.Samples[j].Value %= 1200
					}
				}
			}, nil),
			"more on each of them",
		},
		"metrics that fail are left out": {
			calctest.MissingNeverDown,
			broken(func(x *decide) {
				for i, r := range x.obs.Readings {
					if r.Err != nil && len(x.spec.Metrics) > 1 {
						x.spec.Metrics = append(x.spec.Metrics[:i:i], x.spec.Metrics[i+1:]...)
						x.obs.Readings = append(x.obs.Readings[:i:i], x.obs.Readings[i+1:]...)
						return
					}
				}
			}, nil),
			"is missing",
		},
		"metrics that fail read as zero": {
			calctest.MissingNeverDown,
			broken(func(x *decide) {
				for i, r := range x.obs.Readings {
					if r.Err != nil {
						x.obs.Readings[i] = calculator.Reading{Values: []metrics.Milli{0}}
					}
				}
			}, nil),
			"metric 1 is missing",
		},
		"a bad selector overlooked": {
			calctest.MissingNeverDown,
			broken(func(x *decide) { x.obs.SelectorError = nil }, nil),
			"the selector is at fault",
		},
		"a restart that forgets events": {
			calctest.RestartChangesNothing,
			calctest.WithRestart(func(st *calculator.State) error {
				st.Events = behavior.Events{}
				return nil
			}),
			"after a restart",
		},
		"nothing missed where it might count": {
			func(t *rapid.T, s *prove.Setup, opts ...calctest.Option) {
				s.Settings.ChooseBy = calculator.ChooseFirst
				calctest.MissingNeverDown(t, s, opts...)
			},
			broken(func(x *decide) {
				for i := range x.obs.Readings {
					if x.obs.Readings[i].Err != nil {
						x.obs.Readings[i] = calculator.Reading{Values: []metrics.Milli{0}}
					}
				}
			}, nil),
			"is missing, and",
		},
		"a restart that forgets recommendations": {
			calctest.RestartChangesNothing,
			calctest.WithRestart(func(st *calculator.State) error {
				st.Recommendations.Reset()
				return nil
			}),
			"after a restart",
		},
		"a restart that keeps the status alone": {
			calctest.RestartChangesNothing,
			calctest.WithRestart(func(st *calculator.State) error {
				*st = calculator.State{Conditions: st.Conditions, LastScaleTime: st.LastScaleTime, DesiredReplicas: st.DesiredReplicas}
				return nil
			}),
			"after a restart",
		},
		"a restart that fails": {
			calctest.RestartChangesNothing,
			calctest.WithRestart(func(st *calculator.State) error { return json.Unmarshal([]byte("{"), st) }),
			"does not survive a restart",
		},
		"the last pod not looked at": {
			calctest.OrderChangesNothing,
			broken(func(x *decide) {
				if n := len(x.obs.Pods); n > 1 {
					x.obs.Pods = x.obs.Pods[:n-1]
					for i := range x.obs.Readings {
						if r := &x.obs.Readings[i]; len(r.Samples) == n {
							r.Samples = r.Samples[:n-1]
						}
					}
				}
			}, nil),
			"in another order of the pods",
		},
		"one series for all": {
			calctest.OrderChangesNothing,
			broken(func(x *decide) {
				for i := range x.obs.Readings {
					if r := &x.obs.Readings[i]; len(r.Values) > 1 {
						r.Values = r.Values[:1]
					}
				}
			}, nil),
			"in another order of the pods",
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := calctest.FindAny(1, 3000, func(t *rapid.T) {
				c.check(t, calctest.Setups().Draw(t, "setup"), c.option)
			})
			require.Contains(t, text, c.says)
			require.Contains(t, text, "<<<")
		})
	}
}
