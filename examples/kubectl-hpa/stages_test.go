package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/stage"
)

// What two explanations say differently is listed stage by stage. A metric that
// one of them lacks has an empty side, and leaves the others as they are.
func TestCompareStages(t *testing.T) {
	of := func(name string, size int32, s stage.Stage) stage.Stage {
		s.Name, s.Now, s.Current, s.Low, s.High = name, noon, 5, size, size
		return s
	}
	metric := func(number, of int) *stage.Metric {
		return &stage.Metric{Number: number, Of: of, Failure: &stage.Failure{Message: "gone"}}
	}
	before := []stage.Stage{
		of("Result", 5, stage.Stage{Result: &stage.Result{Outcome: stage.Unchanged}}),
		of("Metric 1", 0, stage.Stage{Metric: metric(1, 1)}),
		of("Limits", 5, stage.Stage{Limits: &stage.Limits{DesiredLow: 5, DesiredHigh: 5}}),
	}
	after := []stage.Stage{
		of("Result", 4, stage.Stage{Result: &stage.Result{Outcome: stage.Pending, Why: "All metrics below target"}}),
		of("Metric 1", 0, stage.Stage{Metric: metric(1, 2)}),
		of("Metric 2", 0, stage.Stage{Metric: metric(2, 2)}),
		of("Limits", 5, stage.Stage{Limits: &stage.Limits{DesiredLow: 5, DesiredHigh: 5}}),
	}
	all := compare(before, after)
	require.Equal(t, []changed{
		{"Result", "the size stays at 5 replicas.", "the size should change from 5 to 4 replicas: All metrics below target."},
		{"Metric 2 of 2", "", "it failed: gone."},
	}, all)
	require.Empty(t, compare(before, before))
	require.Equal(t, `Stage          before                    after
Result         the size stays at 5       the size should change
               replicas.                 from 5 to 4 replicas:
                                         All metrics below
                                         target.
Metric 2 of 2                            it failed: gone.
`, sideBySide(all, 65))
}

// The JSON of an answer has the stages.
func TestStagesInJSON(t *testing.T) {
	data, err := json.Marshal(rowOf(t, 5))
	require.NoError(t, err)
	var answer struct {
		Stages []struct{ Name, Text string }
	}
	require.NoError(t, json.Unmarshal(data, &answer))
	require.Equal(t, "Result", answer.Stages[0].Name)
	require.Contains(t, answer.Stages[0].Text, "the size should change from 5 to 8 replicas")
}

// A row says until when the decision stays the same, and what holds the size,
// as the stages have it.
func TestRowOfStages(t *testing.T) {
	v := rowOf(t, 5)
	require.Empty(t, v.row(noon).until, "the size changes")
	v = rowOf(t, 10)
	r := v.row(noon)
	require.Equal(t, "ScaleDownStabilized", r.held)
	require.Equal(t, "12:05:00Z (5m0s)", r.until)
}
