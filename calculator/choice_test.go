package calculator_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

func TestChoosing(t *testing.T) {
	const failed = -1
	for _, tt := range []struct {
		by        calculator.ChooseBy
		proposals []int32 // at a size of 5
		want      int32   // failed if blocked
		metric    int
	}{
		{calculator.ChooseMax, []int32{3, 7, 7, 4}, 7, 1},
		{calculator.ChooseMin, []int32{7, 3, 3, 4}, 3, 1},
		{calculator.ChooseFirst, []int32{4, 9, 1}, 4, 0},
		{calculator.ChooseMin, []int32{0, 0}, 0, 0},
		{calculator.ChooseMax, []int32{0, 0}, 0, 1}, // Kubernetes' way
		{calculator.ChooseMax, []int32{failed, 6}, 6, 1},
		{calculator.ChooseMax, []int32{failed, 5}, 5, 1},
		{calculator.ChooseMax, []int32{failed, 4}, failed, -1},
		{calculator.ChooseMin, []int32{failed, 6}, failed, -1},
		{calculator.ChooseMin, []int32{failed, 5}, 5, 1},
		{calculator.ChooseMin, []int32{failed, 4}, 4, 1},
		{calculator.ChooseFirst, []int32{failed, 6}, 6, 1},
		{calculator.ChooseFirst, []int32{failed, 5}, 5, 1},
		{calculator.ChooseFirst, []int32{failed, 4}, failed, -1},
		{calculator.ChooseFirst, []int32{4, failed}, 4, 0},
		{calculator.ChooseFirst, []int32{6, failed}, 6, 0},
		{calculator.ChooseFirst, []int32{failed, failed}, failed, -1},
		{calculator.ChooseMin, nil, failed, -1},
	} {
		var proposals []calculator.Proposal
		for _, n := range tt.proposals {
			p := calculator.Proposal{Replicas: n}
			if n == failed {
				p = calculator.Proposal{Failure: calculator.Failure{Kind: calculator.MetricUnavailable}}
			}
			proposals = append(proposals, p)
		}
		c := tt.by.Choose(5, proposals)
		require.Equal(t, tt.want == failed, c.Blocked, "%+v", tt)
		require.Equal(t, tt.metric, c.Metric, "%+v", tt)
		require.Equal(t, max(tt.want, 0), c.Replicas, "%+v", tt)
	}
}

// A metric that failed causes no change that it might have prevented, whatever
// it would have asked for. With the first, that is so of scaling down.
func TestChoosingWithFailures(t *testing.T) {
	const failed, most = -1, 4
	for _, by := range []calculator.ChooseBy{calculator.ChooseMax, calculator.ChooseMin, calculator.ChooseFirst} {
		moved := false
		var check func(current int32, proposals []calculator.Proposal)
		check = func(current int32, proposals []calculator.Proposal) {
			if len(proposals) < 3 {
				for n := int32(failed); n <= most; n++ {
					p := calculator.Proposal{Replicas: max(n, 0)}
					if n == failed {
						p.Failure.Kind = calculator.MetricUnavailable
					}
					check(current, append(slices.Clone(proposals), p))
				}
			}
			if len(proposals) == 0 {
				return
			}
			c := by.Choose(current, proposals)
			direction := cmp.Compare(c.Replicas, current)
			if c.Blocked || direction == 0 || by == calculator.ChooseFirst && direction > 0 {
				return
			}
			moved = moved || c.Invalid > 0
			for _, asks := range []int32{0, current, math.MaxInt32} {
				answered := slices.Clone(proposals)
				for i := range answered {
					if answered[i].Failed() {
						answered[i] = calculator.Proposal{Replicas: asks}
					}
				}
				require.Equal(t, direction, cmp.Compare(by.Choose(current, answered).Replicas, current),
					"%v of %+v, if those that failed asked for %d", by, proposals, asks)
			}
		}
		for current := range int32(most + 1) {
			check(current, nil)
		}
		require.True(t, moved, "%v never moves where a metric failed", by)
	}
}

// A single metric that fails blocks, and so does an unknown way of choosing.
func TestChoosingOfTheSettings(t *testing.T) {
	spec := specOf(t, `{`+webRef+`,"maxReplicas":20,"metrics":[
		{"type":"External","external":{"metric":{"name":"a"},"target":{"type":"AverageValue","averageValue":"1"}}},
		{"type":"External","external":{"metric":{"name":"b"},"target":{"type":"AverageValue","averageValue":"1"}}}]}`)
	obs := backlogOf(5, 7000)
	obs.Readings = append(obs.Readings, calculator.Reading{Values: []metrics.Milli{9000}})
	settings := calculator.DefaultSettings()
	for by, want := range map[calculator.ChooseBy]int32{calculator.ChooseMax: 9, calculator.ChooseMin: 7, calculator.ChooseFirst: 7} {
		var st calculator.State
		settings.ChooseBy = by
		d := calculator.Decide(noon, &settings, spec, obs, &st)
		require.Equal(t, want, d.DesiredReplicas)
		require.Equal(t, by, d.ChooseBy)
	}
	var st calculator.State
	settings.ChooseBy = "Median"
	d := calculator.Decide(noon, &settings, spec, obs, &st)
	require.EqualError(t, d.Err(), `settings.chooseBy: Unsupported value: "Median": supported values: "", "Min", "First"`)
	require.True(t, st.Equal(&calculator.State{}))
}
