package prove_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/prove"
)

// A search that ends early decides nothing that a whole one does not: each
// verdict is that, or open.
func TestProgressEndsSearch(t *testing.T) {
	s := rules(3, 15*time.Second, 45*time.Second, nil)
	properties := []prove.Property{
		prove.SettledWithin(time.Minute), prove.SettledWithin(30 * time.Second), prove.CarriedWithin(time.Minute),
		prove.NeverBelow(45 * time.Second), prove.NeverBelow(time.Minute), prove.RemovedAtMost(1, time.Minute),
		prove.Always("The size is below 3.", func(tr *prove.Transition) string { return unless(tr.After < 3) }),
		prove.Always("The size is below 4.", func(tr *prove.Transition) string { return unless(tr.After < 4) }),
	}
	claims, calls := map[string]bool{}, 0
	whole, err := prove.Search{Progress: func(p prove.Progress) bool {
		require.LessOrEqual(t, 0, p.Depth)
		require.Less(t, 0, p.States)
		claims[p.Claim] = true
		calls++
		return true
	}}.Run(t.Context(), s, properties...)
	require.NoError(t, err)
	require.True(t, whole.Complete && whole.Timed)
	require.Equal(t, map[string]bool{"": true, properties[3].String(): true, properties[4].String(): true, properties[5].String(): true}, claims)
	ended := map[bool]int{}
	for most := range calls {
		left := most
		x, err := prove.Search{Progress: func(prove.Progress) bool {
			left--
			return left >= 0
		}}.Run(t.Context(), s, properties...)
		require.NoError(t, err)
		require.False(t, x.Timed, "%d of %d calls", most, calls)
		ended[x.Complete]++
		for i := range x.Verdicts {
			if v := &x.Verdicts[i]; v.Outcome != prove.Undecided {
				require.Equal(t, whole.Verdicts[i].String(), v.String())
			}
		}
	}
	require.Less(t, 1, ended[false])
	require.Less(t, 1, ended[true], "the last calls are about constant loads")
}

// A search that ends at once has decided nothing, and says so.
func TestProgressEndsSearchAtOnce(t *testing.T) {
	search := prove.Search{Progress: func(prove.Progress) bool { return false }}
	x, err := search.Run(t.Context(), rules(3, 15*time.Second, 45*time.Second, nil), prove.SettledWithin(time.Minute), prove.NeverBelow(time.Minute))
	require.NoError(t, err)
	require.False(t, x.Complete)
	require.Equal(t, "3 states, 0 decisions, incomplete after 0 syncs\nnext, try a MaxStates above 4000000, a copy of the rules with fewer than 3 replicas, some Levels, or a SyncPeriod longer than 15s\n", x.String())
	require.Equal(t, "A constant load settles within 1m.\n\nNot decided: the search ended with 3 states.\n", x.Verdicts[0].String())
	require.Equal(t, "The size does not fall below what the load of the last 1m needs.\n\nNot decided: the search ended with 3 states.\n", x.Verdicts[1].String())
}

// The longest times are not those of a search that ends with MaxStates, or that
// leaves them out.
func TestTimesThatAreLeftOut(t *testing.T) {
	s := rules(3, 15*time.Second, 45*time.Second, nil)
	x, err := prove.Search{Untimed: true}.Run(t.Context(), s, prove.SettledWithin(time.Minute))
	require.NoError(t, err)
	require.True(t, x.Complete)
	require.False(t, x.Timed)
	require.Equal(t, fmt.Sprintf("%d states, %d decisions, all within %d syncs\n", x.States, x.Transitions, x.Depth), x.String())
	require.Equal(t, prove.Proved, x.Verdicts[0].Outcome)
	x, err = prove.Search{MaxStates: x.States}.Run(t.Context(), s)
	require.NoError(t, err)
	require.True(t, x.Complete)
	require.False(t, x.Timed, "constant loads have more states")
	require.Zero(t, x.WorstSettle)
	require.Contains(t, x.String(), fmt.Sprintf("all within %d syncs\nthe longest times were not found\nnext, try a MaxStates above %d, ", x.Depth, x.States))
}

func TestTimelineText(t *testing.T) {
	tl := &prove.Timeline{Setup: setupOf(t, cpu60, ""), Size: 3, Segments: []prove.Segment{
		{Syncs: 4, Load: 2.5},
		{Syncs: 1, Load: 4, Troubles: []prove.Trouble{{Kind: prove.MetricEmpty}, {Kind: prove.PodsMute, N: 2}}},
	}}
	require.Equal(t, "3 replicas of 2 to 20, load 2.5 for 1m, load 4 for 15s (metric 1 empty) (2 without sample)", tl.String())
	require.Equal(t, tl.String(), fmt.Sprintf("%#v", tl))
}
