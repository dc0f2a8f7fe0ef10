package proposers_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/examples/proposers"
	"github.com/purehpa/hpa/metrics"
)

// The example of AWS's documentation: 10% from 60 and from 40 on, 30% from 70
// and from 30 on.
var documented = proposers.Steps{
	Target: 50_000,
	Up:     []proposers.Step{{From: 10_000, Type: behavior.PercentPolicy, Value: 10}, {From: 20_000, Type: behavior.PercentPolicy, Value: 30}},
	Down:   []proposers.Step{{From: 10_000, Type: behavior.PercentPolicy, Value: 10}, {From: 20_000, Type: behavior.PercentPolicy, Value: 30}},
}

// Its course there: 60 adds 1 to 10, 70 adds 3 to 11, 40 removes 1 of 14, 30
// removes 3 of 13.
func TestStepsAsDocumented(t *testing.T) {
	size := int32(10)
	for _, tt := range []struct {
		value metrics.Milli
		want  int32
		text  string
	}{
		{59_999, 10, "no step from the target of 50 reaches to 59999m"},
		{60_000, 11, "60 is 10 above the target of 50: the step from 10 adds 10%, 1 pod"},
		{70_000, 14, "70 is 20 above the target of 50: the step from 20 adds 30%, 3 pods"},
		{40_001, 14, "no step from the target of 50 reaches to 40001m"},
		{40_000, 13, "40 is 10 below the target of 50: the step from 10 removes 10%, 1 pod"},
		{30_000, 10, "30 is 20 below the target of 50: the step from 20 removes 30%, 3 pods"},
	} {
		p, err := documented.Propose(tt.value, size)
		require.NoError(t, err)
		require.Equal(t, tt.want, p.Replicas)
		require.Equal(t, tt.text, p.Text)
		size = p.Replicas
	}
}

// Each boundary, by hand.
func TestSteps(t *testing.T) {
	least := documented
	least.MinAdjustment = 3
	pods := proposers.Steps{
		Target: 50_000,
		Up:     []proposers.Step{{From: 0, Type: behavior.PodsPolicy, Value: 0}, {From: 5_000, Type: behavior.PodsPolicy, Value: 4}},
		Down:   []proposers.Step{{From: 5_000, Type: behavior.PodsPolicy, Value: 4}},
	}
	onTarget := proposers.Steps{Target: 50_000, Down: []proposers.Step{{Type: behavior.PodsPolicy, Value: 1}}}
	none := proposers.Steps{Target: 50_000, Up: []proposers.Step{{Type: behavior.PercentPolicy, Value: 0}}, MinAdjustment: 3}
	low := proposers.Steps{Target: math.MinInt64, Up: []proposers.Step{{From: math.MaxInt64, Type: behavior.PodsPolicy, Value: 1}}}
	whole := proposers.Steps{Up: []proposers.Step{{Type: behavior.PercentPolicy, Value: math.MaxInt32}}, Down: []proposers.Step{{From: 1, Type: behavior.PercentPolicy, Value: 100}}}
	for _, tt := range []struct {
		s        *proposers.Steps
		value    metrics.Milli
		replicas int32
		want     int32
	}{
		// Where the steps begin, for a size at which 10% is 10 and 30% is 30.
		{&documented, 59_999, 100, 100},
		{&documented, 60_000, 100, 110},
		{&documented, 60_001, 100, 110},
		{&documented, 69_999, 100, 110},
		{&documented, 70_000, 100, 130},
		{&documented, 70_001, 100, 130},
		{&documented, math.MaxInt64, 100, 130},
		{&documented, 50_000, 100, 100},
		{&documented, 40_001, 100, 100},
		{&documented, 40_000, 100, 90},
		{&documented, 39_999, 100, 90},
		{&documented, 30_001, 100, 90},
		{&documented, 30_000, 100, 70},
		{&documented, 29_999, 100, 70},
		{&documented, math.MinInt64, 100, 70},
		// A percentage is rounded down, but to 1 at least: 10% of 9, 10, 11,
		// 19, 20, 21.
		{&documented, 60_000, 0, 0},
		{&documented, 60_000, 1, 2},
		{&documented, 60_000, 9, 10},
		{&documented, 60_000, 10, 11},
		{&documented, 60_000, 11, 12},
		{&documented, 60_000, 19, 20},
		{&documented, 60_000, 20, 22},
		{&documented, 60_000, 21, 23},
		{&documented, 40_000, 0, 0},
		{&documented, 40_000, 1, 0},
		{&documented, 40_000, 9, 8},
		{&documented, 40_000, 20, 18},
		// At least 3, of a percentage: 10% of 29, 30, 39, 40.
		{&least, 60_000, 0, 3},
		{&least, 60_000, 29, 32},
		{&least, 60_000, 30, 33},
		{&least, 60_000, 39, 42},
		{&least, 60_000, 40, 44},
		{&least, 40_000, 2, 0},
		{&least, 40_000, 3, 0},
		{&least, 40_000, 4, 1},
		// Pods, and a step that keeps the size.
		{&pods, 50_000, 5, 5},
		{&pods, 54_999, 5, 5},
		{&pods, 55_000, 5, 9},
		{&pods, 45_001, 5, 5},
		{&pods, 45_000, 5, 1},
		{&pods, 45_000, 4, 0},
		{&pods, 45_000, 3, 0},
		{&pods, 55_000, math.MaxInt32 - 5, math.MaxInt32 - 1},
		{&pods, 55_000, math.MaxInt32 - 4, math.MaxInt32},
		{&pods, 55_000, math.MaxInt32 - 3, math.MaxInt32},
		{&none, 50_000, 5, 5},
		// A step down that begins on the target, and none up.
		{&onTarget, 50_001, 5, 5},
		{&onTarget, 50_000, 5, 4},
		{&onTarget, 49_999, 5, 4},
		// The ends.
		{&whole, 0, math.MaxInt32, math.MaxInt32},
		{&whole, -1, math.MaxInt32, 0},
		{&low, -2, 5, 5},
		{&low, -1, 5, 6},
		{&low, math.MaxInt64, 5, 6},
		{&proposers.Steps{}, 1, 5, 5},
	} {
		p, err := tt.s.Propose(tt.value, tt.replicas)
		require.NoError(t, err)
		require.Equal(t, tt.want, p.Replicas, "%+v", tt)
		require.Equal(t, tt.value, p.Value)
		require.NotEmpty(t, p.Text)
		require.Zero(t, p.Until)
	}
}

func TestStepsText(t *testing.T) {
	s := proposers.Steps{Target: 50_000, Up: []proposers.Step{{From: 500, Type: behavior.PodsPolicy, Value: 4}}}
	p, err := s.Propose(51_000, 5)
	require.NoError(t, err)
	require.Equal(t, "51 is 1 above the target of 50: the step from 500m adds 4 pods", p.Text)
}

func TestStepsErrors(t *testing.T) {
	pods := behavior.PodsPolicy
	for problem, s := range map[string]proposers.Steps{
		`steps.up[0].from: Invalid value: "-1m": must not be negative`:                                        {Up: []proposers.Step{{From: -1, Type: pods}}},
		`steps.up[1].from: Invalid value: "1": must be further from the target than the step before`:          {Up: []proposers.Step{{From: 1000, Type: pods}, {From: 1000, Type: pods}}},
		`steps.down[1].from: Invalid value: "999m": must be further from the target than the step before`:     {Down: []proposers.Step{{From: 1000, Type: pods}, {From: 999, Type: pods}}},
		`steps.down[0].type: Unsupported value: "": supported values: "Percent", "Pods"`:                      {Down: []proposers.Step{{From: 1000}}},
		`steps.down[0].value: Invalid value: -1: must not be negative`:                                        {Down: []proposers.Step{{Type: pods, Value: -1}}},
		`steps.down[0].from: Invalid value: "0": must be positive, since a step up begins on the target, too`: {Up: []proposers.Step{{Type: pods}}, Down: []proposers.Step{{Type: pods}}},
		`steps.minAdjustment: Invalid value: -1: must not be negative`:                                        {MinAdjustment: -1},
	} {
		p, err := s.Propose(50_000, 5)
		require.EqualError(t, err, problem)
		var e *field.Error
		require.ErrorAs(t, err, &e)
		require.Zero(t, p)
	}
	_, err := documented.Propose(50_000, -1)
	require.EqualError(t, err, `replicas: Invalid value: -1: must not be negative`)
}
