package proof

import (
	"context"
	"encoding/json"
	"flag"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// Each bound of the search changes what is found.
func TestBoundsMatter(t *testing.T) {
	found := map[string]string{}
	for _, args := range []string{"", "-startup 3m", "-lag 1s", "-missed 1", "-load 0..2", "-sync 30s"} {
		data, err := json.Marshal(proved(t, slow(3), strings.Fields(args)...))
		require.NoError(t, err)
		require.Empty(t, found[string(data)], args)
		found[string(data)] = "the same as with " + args
	}
	settings := calculator.DefaultSettings()
	settings.Tolerance = 0.5
	p, err := parsed(t).Prove(t.Context(), settings, slow(3))
	require.NoError(t, err)
	data, err := json.Marshal(p)
	require.NoError(t, err)
	require.Empty(t, found[string(data)], "the settings")
}

// One broken promise decides the status, and then one that is not decided.
func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		args string
		want int
	}{
		{"", cli.OK},
		{"-carried-within 1h", cli.OK},
		{"-carried-within 1h -settled-within 0s", Broken},
		{"-settled-within 0s -carried-within 1h", Broken},
		{"-states 1", Undecided},
		{"-for 1ns", Undecided},
		{"-states 1 -carried-within 1h", Undecided},
		{"-removed-at-most 0/1m -states 1", Undecided},
		{"-removed-at-most 9/1m", cli.OK},
		{"-removed-at-most 0/1m", Broken},
		{"-added-at-most 0/1m", Broken},
		{"-released-within 10m", cli.OK},
		{"-released-within 0s", Broken},
		{"-released-within 0s -released-factor 3", cli.OK},
		{"-never-below-last 2h", Broken},
	} {
		p := proved(t, slow(3), strings.Fields(tt.args)...)
		require.Equal(t, tt.want, p.Status(), "%s\n%s", tt.args, p.AppendText(nil))
	}
}

// A search that ends early says what ended it, and what it did not look for.
func TestEnds(t *testing.T) {
	for args, want := range map[string]string{"-states 1": "states", "-for 1ns": "for"} {
		p := proved(t, slow(3), append(strings.Fields(args), "-carried-within", "1h", "-removed-at-most", "1/1m")...)
		text := string(p.AppendText(nil))
		require.Contains(t, text, "ended by "+args+"\n")
		require.Contains(t, text, "1. Not decided: A constant load is carried within 1h.\n\nLoads that stay constant are tried from all states; the search ended before.\n")
		require.Contains(t, text, "2. Not decided: No more than 1 pod")
		require.Contains(t, text, "No course of load breaks it in 3 states, up to 0 syncs deep.\n")

		var j proofJSON
		decoded(t, p, &j)
		require.False(t, j.Complete)
		require.Equal(t, want, j.EndedBy)
		require.Nil(t, j.Worst)
		require.Len(t, j.Promises, 2)
	}
	require.NotContains(t, string(proved(t, slow(3)).AppendText(nil)), "ended")
	// Of several, one is broken soon, and one has many states.
	p := proved(t, slow(3), "-added-at-most", "0/1m", "-removed-at-most", "90/1h", "-states", "1000")
	require.True(t, p.result.Complete)
	require.Equal(t, Broken, p.Status())
	require.Equal(t, prove.Undecided, p.result.Verdicts[1].Outcome)
	require.Contains(t, string(p.AppendText(nil)), "; ended by -states 1000\n")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := parsed(t).Prove(ctx, calculator.DefaultSettings(), slow(3))
	require.ErrorIs(t, err, context.Canceled)
}

func decoded(t *testing.T, p *Proof, j *proofJSON) {
	t.Helper()
	data, err := json.Marshal(p)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, j))
}

// A course in JSON is that of the search, and a time that is never has no
// seconds.
func TestJSON(t *testing.T) {
	p := proved(t, slow(3), "-settled-within", "0s", "-carried-within", "1h")
	var j proofJSON
	decoded(t, p, &j)
	require.True(t, j.Complete)
	require.Empty(t, j.EndedBy)
	require.Equal(t, []int{p.result.States, p.result.Transitions, p.result.Depth}, []int{j.States, j.Decisions, j.Depth})
	require.Nil(t, j.Promises[1].Counterexample)
	x := j.Promises[0].Counterexample
	require.NotEmpty(t, x.Broken)
	last := x.Syncs[len(x.Syncs)-1]
	require.NotEqual(t, last.CurrentReplicas, last.DesiredReplicas, "the size still changes")
	for i := 1; i < len(x.Syncs); i++ {
		require.Equal(t, x.Syncs[i-1].DesiredReplicas, x.Syncs[i].CurrentReplicas)
		require.Equal(t, x.Syncs[i-1].AtSeconds+60, x.Syncs[i].AtSeconds)
	}
	require.Nil(t, j.Worst, "with promises")

	p = proved(t, slow(3))
	j = proofJSON{}
	decoded(t, p, &j)
	require.True(t, j.Worst.ScaledUp.Never, "within tolerance")
	require.Nil(t, j.Worst.ScaledUp.Seconds)
	require.NotEmpty(t, j.Worst.ScaledUp.Course.Syncs)
	require.Equal(t, p.result.WorstSettle.Time.Seconds(), *j.Worst.Settled.Seconds)
	require.Equal(t, p.result.WorstSettle.Size, j.Worst.Settled.CurrentReplicas)
}

// What cannot be searched is an error of one line that names the flag or field.
func TestErrors(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"-startup 100h", "-startup: 100h0m0s is too long for a search"},
		{"-removed-at-most 1/9000h", `-removed-at-most: Invalid value: "9000h0m0s": must not be longer than a year`},
		{"-sync 1500ms", "-sync: 1.5s is not a number of seconds"},
		{"-sync 1s", "299 syncs in a window are too many for a search; name a longer -sync"},
		{"-lag 100h", "-lag: 100h0m0s is too long for a search"},
		{"-lag 1s -jitter 1s", "-jitter and -missed do not go with -lag"},
		{"-jitter 30s", "-jitter: 30s is not less than half of a sync period"},
		{"-released-factor 2", "-released-factor goes with -released-within"},
		{"-record nowhere/web.rec", "-record nowhere/web.rec: no such file or directory"},
	} {
		_, err := parsed(t, strings.Fields(tt.args)...).Prove(t.Context(), calculator.DefaultSettings(), slow(3))
		require.EqualError(t, err, tt.want)
	}
	_, err := parsed(t).Prove(t.Context(), calculator.DefaultSettings(), utilization(1, 256))
	require.EqualError(t, err, "spec.maxReplicas: 256 is too many to search, at most 255; try a copy with fewer, its policies of Pods scaled down alike")
	require.Equal(t, Undecided, proved(t, utilization(1, 255), "-states", "1").Status())
	a := utilization(1, 3)
	a.Spec.Metrics[0].Resource.Target.AverageUtilization = new(int32)
	_, err = parsed(t).Prove(t.Context(), calculator.DefaultSettings(), a)
	require.ErrorContains(t, err, "spec.metrics[0].resource.target.averageUtilization: ")
}

func TestBadFlags(t *testing.T) {
	for flag, values := range map[string][]string{
		"carried-within":   {"", "2", "-1s"},
		"settled-within":   {"", "2", "-1s"},
		"released-within":  {"", "2", "-1s"},
		"released-factor":  {"", "0.5", "NaN", "256", "-1"},
		"never-below-last": {"", "2", "-1s"},
		"removed-at-most":  {"", "2", "2/", "/1m", "-2/1m", "2/-1m", "2/1m/1m", "2147483648/1m"},
		"added-at-most":    {"", "2"},
		"load":             {"", "5", "7..3", "0..0", "-1..5", "0..NaN", "0..1e300", ".."},
		"jitter":           {"", "-1s"},
		"lag":              {"", "-1s"},
		"missed":           {"", "-1", "9", "1.5"},
		"for":              {"", "0s", "-1m"},
		"states":           {"", "0", "-1", "2147483648"},
		"record":           {"", "-"},
	} {
		for _, value := range values {
			o, f := New("-"), cli.NewFlagSet("proof")
			o.Define(f)
			require.ErrorContains(t, f.Parse([]string{"-" + flag, value}), "for flag -"+flag+": not ", value)
		}
	}
}

// Both helps have all flags.
func TestUsage(t *testing.T) {
	f := cli.NewFlagSet("proof")
	New("-").Define(f)
	f.VisitAll(func(f *flag.Flag) {
		name, _ := flag.UnquoteUsage(f)
		require.Contains(t, Usage, "\n  -"+f.Name+" "+strings.NewReplacer("NUMBER", "N").Replace(name)+"  ")
		require.NotEmpty(t, f.Usage)
	})
}
