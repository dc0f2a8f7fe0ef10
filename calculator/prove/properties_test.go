package prove_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// slowUp are rules that add 2 pods a minute, up to 6, and remove any number that
// was not needed for a minute.
func slowUp() *prove.Setup {
	return rules(6, 15*time.Second, time.Minute, func(b *behavior.Behavior) { b.ScaleUp.Policies = pods(2, 60) })
}

func above(load float64) func(*prove.Transition) bool {
	return func(tr *prove.Transition) bool { return tr.Load > load }
}

func reaches(size int32) func(*prove.Transition) bool {
	return func(tr *prove.Transition) bool { return tr.After >= size }
}

func reachesOrGoes(tr *prove.Transition) bool { return tr.After >= 4 || tr.Load <= 4 }

// upsInARow claims that no more scale-ups follow one another.
func upsInARow(most int) prove.Property {
	return prove.Watch("Few scale-ups follow one another.", 0, func(ups int, tr *prove.Transition) (int, string) {
		switch {
		case tr.After <= tr.Size:
			return 0, ""
		case ups == most:
			return ups, fmt.Sprintf("scale-up %d in a row", ups+1)
		}
		return ups + 1, ""
	})
}

func addsAtMost(n int32) prove.Property {
	return prove.Always("A sync adds few.", func(tr *prove.Transition) string { return unless(tr.After <= tr.Size+n) })
}

// Each property holds for all loads up to its limit, and not beyond.
func TestProperties(t *testing.T) {
	search := prove.Search{Edges: []float64{4}}
	limits := []struct {
		holds, breaks prove.Property
		said          string
	}{
		{
			prove.CarriedWithin(135 * time.Second), prove.CarriedWithin(134 * time.Second),
			"A constant load is carried within 2m14s.\n.*At 1:45, the load has been 6 since 0:00, perhaps since -0:15, and the size is still too small.",
		}, {
			prove.SettledWithin(135 * time.Second), prove.SettledWithin(134 * time.Second),
			"A constant load settles within 2m14s.\n.*At 2:00, the load has been 6 since 0:00, perhaps since -0:15, and the size still changes.",
		}, {
			prove.ReleasedWithin(75*time.Second, 1.5), prove.ReleasedWithin(74*time.Second, 1.5),
			"A constant load has no more than 1.5 times the pods that it needs after 1m14s.\n.*At 0:45, the load has been 0 since 0:00, perhaps since -0:15, and the size is still too large.",
		}, {
			prove.NeverBelow(time.Minute), prove.NeverBelow(time.Minute + time.Second),
			"The size does not fall below what the load of the last 1m1s needs.\n.*At 1:00, the load of the last 1m1s needs 2, and 2 becomes 1.",
		}, {
			prove.RemovedAtMost(5, time.Minute), prove.RemovedAtMost(4, time.Minute),
			"No more than 4 pods are removed within 1m.\n.*At 1:00, 5 pods are removed within 1m.",
		}, {
			prove.AddedAtMost(5, time.Minute), prove.AddedAtMost(4, time.Minute),
			"No more than 4 pods are added within 1m.\n.*At 1:15, 5 pods are added within 1m.",
		}, {
			prove.TurnsWithin(2.5, 2.5, 0), prove.TurnsWithin(2, 4, 3),
			"A load from 2 to 4 makes the size turn at most 3 times.\n.*At 2:30, the size turns for the 4th time, from 2 to 3.",
		}, {
			prove.LeadsTo("A load above 4 is answered, or goes.", above(4), 0, reachesOrGoes, time.Minute),
			prove.LeadsTo("A load above 4 is answered, or goes.", above(4), 0, reachesOrGoes, 45*time.Second),
			"A load above 4 is answered, or goes.\n.*At 0:45, it does not.",
		}, {
			prove.LeadsTo("A load above 4 that lasts is answered.", above(4), time.Minute, reaches(4), 0),
			prove.LeadsTo("A load above 4 that lasts is answered.", above(4), 45*time.Second, reaches(4), 0),
			"A load above 4 that lasts is answered.\n.*At 0:45, it does not.",
		}, {
			upsInARow(3), upsInARow(2),
			"Few scale-ups follow one another.\n.*At 1:45, scale-up 3 in a row.",
		}, {
			addsAtMost(5), addsAtMost(4), // after removing 5
			"A sync adds few.\n.*, it does.",
		},
	}
	var hold, broken []prove.Property
	for _, l := range limits {
		hold, broken = append(hold, l.holds), append(broken, l.breaks)
	}
	calctest.Exhaust(t, slowUp(), search, append(hold, prove.Property{})...)
	x, err := search.Run(t.Context(), slowUp(), broken...)
	require.NoError(t, err)
	require.True(t, x.Complete)
	for i, l := range limits {
		v := &x.Verdicts[i]
		require.Equal(t, prove.Broken, v.Outcome, "%v", v.Claim)
		require.Equal(t, broken[i].String(), v.Claim)
		require.Regexp(t, "(?s)^"+l.said, v.String())
	}
}

// A verdict says in words what was found.
func TestVerdictText(t *testing.T) {
	s := slowUp()
	x, err := prove.Search{}.Run(t.Context(), s, prove.NeverBelow(time.Minute))
	require.NoError(t, err)
	require.Equal(t, "The size does not fall below what the load of the last 1m needs.\n\nProved.\n", x.Verdicts[0].String())
	x, err = prove.Search{MaxStates: 20}.Run(t.Context(), s, prove.NeverBelow(time.Minute))
	require.NoError(t, err)
	require.Regexp(t, `^The size does not fall below what the load of the last 1m needs.\n\nNot decided: it holds for courses of up to \d+ syncs?, in \d+ states.\n$`, x.Verdicts[0].String())
}

// With syncs that do not happen, fewer of them see a load that has gone before
// its window ends.
func TestMissedSyncs(t *testing.T) {
	s := rules(2, 15*time.Second, time.Minute, nil)
	heldFor := func(syncs int) prove.Property {
		return prove.Watch("A load that has gone holds the size.", syncs, func(held int, tr *prove.Transition) (int, string) {
			switch {
			case tr.Load > 1:
				return 0, ""
			case tr.After < tr.Size && held < syncs:
				return held, fmt.Sprintf("%d syncs held it", held)
			}
			return min(held+1, syncs), ""
		})
	}
	for missed, held := range []int{3, 1, 1, 0} {
		search := prove.Search{Edges: []float64{1}, Missed: missed}
		x, err := search.Run(t.Context(), s, prove.NeverBelow(time.Minute), heldFor(held), heldFor(held+1))
		require.NoError(t, err)
		require.Equal(t, prove.Proved, x.Verdicts[0].Outcome)
		require.Equal(t, prove.Proved, x.Verdicts[1].Outcome, "%d missed", missed)
		require.Equal(t, prove.Broken, x.Verdicts[2].Outcome, "%d missed", missed)
		require.Contains(t, x.Verdicts[2].String(), fmt.Sprintf(", %d syncs held it.", held))
	}
}

// What comes after more than a time does not come within it, also if a sync did
// not happen.
func TestLeadsToCountsMissedSyncs(t *testing.T) {
	s := rules(3, 15*time.Second, time.Minute, func(b *behavior.Behavior) {
		b.ScaleUp.Policies, b.ScaleDown.SelectPolicy = pods(1, 60), behavior.SelectDisabled
	})
	stays := func(within time.Duration) prove.Property {
		return prove.LeadsTo("A size that grew stays.",
			func(tr *prove.Transition) bool { return tr.After > tr.Size }, 0,
			func(tr *prove.Transition) bool { return tr.After == tr.Size }, within)
	}
	for missed := range 3 {
		late := time.Duration(1+missed) * 15 * time.Second
		x, err := prove.Search{Missed: missed}.Run(t.Context(), s, stays(late), stays(late-15*time.Second))
		require.NoError(t, err)
		require.Equal(t, prove.Proved, x.Verdicts[0].Outcome, "%d missed", missed)
		require.Equal(t, prove.Broken, x.Verdicts[1].Outcome, "%d missed", missed)
	}
}

// Pods grow older while syncs do not happen.
func TestMissedSyncsAgePods(t *testing.T) {
	readyAfter := func(syncs int) prove.Property {
		return prove.Always("Pods are ready by then.", func(tr *prove.Transition) string {
			if n := podgroup.RunningAndReady(tr.Observation.Pods); tr.Since() >= syncs && n < int(tr.Size) {
				return fmt.Sprintf("%d of %d pods are ready", n, tr.Size)
			}
			return ""
		})
	}
	x, err := prove.Search{Missed: 3}.Run(t.Context(), cpuRules(0, 40*time.Second), readyAfter(3), readyAfter(2))
	require.NoError(t, err)
	require.Equal(t, prove.Proved, x.Verdicts[0].Outcome, "%v", &x.Verdicts[0])
	require.Equal(t, prove.Broken, x.Verdicts[1].Outcome)
	require.Contains(t, x.Verdicts[1].String(), "At 0:30, 1 of 2 pods are ready.")
}

// Where the autoscaler may scale to zero, the least load needs a replica, also if
// its metric is too low to be seen.
func TestNeverBelowOfLittleLoad(t *testing.T) {
	spec := autoscaling.NewSpec(0, 1, autoscaling.ExternalAverageValueMetric("jobs", metrics.MustParseQuantity("250m")))
	s := prove.NewSetup(&spec)
	s.Settings.DownscaleStabilization = 0
	x, err := prove.Search{Untimed: true}.Run(t.Context(), s, prove.NeverBelow(time.Second))
	require.NoError(t, err)
	require.Equal(t, prove.Broken, x.Verdicts[0].Outcome)
	require.Equal(t, 0.001, x.Verdicts[0].Counterexample.Timeline.Segments[len(x.Verdicts[0].Counterexample.Timeline.Segments)-1].Load)
}
