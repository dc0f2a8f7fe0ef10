package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
)

var most = flag.Int("most", 4, "maxReplicas of the default rules; with 50, README.md has the table")

// forms are those in which Kubernetes' default rules are written.
var forms = []struct {
	name     string
	behavior func() *behavior.Behavior
}{
	{"no `behavior`", func() *behavior.Behavior { return nil }},
	{"`behavior: {}`", func() *behavior.Behavior { return &behavior.Behavior{} }},
	{"the documented block", behavior.Default},
}

// defaults are promises that the default rules keep, or break, for every load.
var defaults = []prove.Property{
	prove.CarriedWithin(3 * time.Minute),
	prove.CarriedWithin(time.Minute),
	prove.SettledWithin(15 * time.Minute),
	prove.SettledWithin(6 * time.Minute),
	prove.ReleasedWithin(6*time.Minute, 2),
	prove.RemovedAtMost(2, time.Minute),
	prove.TurnsWithin(3, 3.2, 1),
}

// table returns what the forms keep, as a table of Markdown.
func table(t *testing.T, most int32) string {
	rows := make([]string, len(defaults))
	for i, p := range defaults {
		rows[i] = "| " + p.String()
	}
	head, rule := "| up to "+fmt.Sprint(most)+" replicas", "|---"
	for _, f := range forms {
		head, rule = head+" | "+f.name, rule+"|---"
		spec := autoscaling.NewSpec(1, most, autoscaling.ResourceUtilizationMetric("cpu", 60))
		spec.Behavior = f.behavior()
		setup := prove.NewSetup(&spec)
		x, err := prove.Search{Untimed: true}.Run(t.Context(), setup, defaults...)
		require.NoError(t, err)
		for i := range x.Verdicts {
			rows[i] += " | " + cell(&x.Verdicts[i])
		}
	}
	return head + " |\n" + rule + "|\n" + strings.Join(rows, " |\n") + " |\n"
}

// cell returns a verdict, with the length of the course that breaks the promise.
func cell(v *prove.Verdict) string {
	if v.Outcome != prove.Broken {
		return strings.ToLower(string(v.Outcome))
	}
	syncs := 0
	for _, s := range v.Counterexample.Timeline.Segments {
		syncs += s.Syncs
	}
	return fmt.Sprintf("broken by a course of %d syncs", syncs)
}

// The default rules keep and break the same promises in each form. The table of
// 4 replicas is in testdata, that of 50 in README.md.
func TestDefaultRules(t *testing.T) {
	got := table(t, int32(*most))
	golden := filepath.Join("testdata", fmt.Sprintf("default-%d.md", *most))
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// README.md has the table of 50 replicas, which takes minutes to make.
func TestREADMEHasTheTable(t *testing.T) {
	table, err := os.ReadFile(filepath.Join("testdata", "default-50.md"))
	require.NoError(t, err)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), string(table))
	for _, p := range defaults {
		require.Contains(t, string(table), p.String())
	}
}
