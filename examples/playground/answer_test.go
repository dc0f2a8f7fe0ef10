package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/examples/playground/engine"
)

// requests is how many random requests are held against the commands.
const requests = 50

// The figures are those that the commands of the answer print, and so is the
// reason of a sync.
func TestCommandsGiveTheSameAnswer(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	bin := t.TempDir()
	// go run, built once.
	programs := map[string]string{"go -C examples/simulate run .": "examples/simulate", "go run ./examples/explain": "."}
	for start, dir := range programs {
		out := filepath.Join(bin, strings.ReplaceAll(strings.ReplaceAll(start, " ", "_"), "/", "_"))
		c := exec.Command("go", "build", "-o", out, map[string]string{"examples/simulate": ".", ".": "./examples/explain"}[dir])
		c.Dir = filepath.Join(root, dir)
		text, err := c.CombinedOutput()
		require.NoError(t, err, string(text))
		programs[start] = out
	}
	simulated, explained := 0, 0
	for seed := range uint64(requests) {
		q := drawn(seed)
		q.Want = engine.Want{Summary: true, Rows: true, Commands: true, Defaults: true, Sync: someSync(q, seed), Recording: new(int)}
		r := q.Answer()
		require.Empty(t, r.Problems, "seed %d", seed)
		dir := t.TempDir()
		put := func(name, text string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		put("load.csv", q.Load)
		for i, a := range r.Autoscalers {
			put(a.File+".json", string(a.Object))
			if i == 0 {
				put(a.File+".rec", r.Recording)
			}
		}
		for _, command := range r.Commands {
			line := command.Line
			for start, program := range programs {
				if rest, ok := strings.CutPrefix(line, start); ok {
					line = program + rest
				}
			}
			isSync := strings.Contains(line, "-at ")
			if !isSync && !strings.Contains(line, "-load ") {
				continue // kubectl's plugin has tests of its own
			}
			if !isSync {
				line += ` -rows "$PWD/rows.csv"`
			}
			c := exec.Command("sh", "-c", line)
			c.Dir = dir
			var stderr strings.Builder
			c.Stderr = &stderr
			out, err := c.Output()
			require.NoError(t, err, "%s\n%s", command.Line, stderr.String())
			if isSync {
				_, why, _ := strings.Cut(r.Sync.Text, "\n") // explain writes no size
				require.Contains(t, string(out), "\n"+why, command.Line)
				explained++
				continue
			}
			names, rows, change := table(string(out))
			if len(r.Autoscalers) == len(names) && len(names) == 2 {
				require.Equal(t, r.Figures[0].Changes[0], change)
			}
			require.Len(t, rows, len(r.Figures), string(out))
			for i := range r.Autoscalers {
				column := slices.Index(names, r.Autoscalers[i].File)
				if column < 0 {
					continue // it has flags of its own, and so a command
				}
				for n, f := range r.Figures {
					require.Equal(t, append([]string{strings.TrimSpace(f.Name)}, f.Texts[i]), []string{rows[n][0], rows[n][1+column]}, "%s\n%s", command.Line, out)
				}
				require.Equal(t, logged(t, filepath.Join(dir, "rows.csv"), r.Autoscalers[i].File), lines(r.Runs[i].Rows), command.Line)
				simulated++
			}
		}
	}
	require.GreaterOrEqual(t, simulated, requests)
	require.Equal(t, requests, explained)
}

var columns = regexp.MustCompile(`\s{2,}`)

// logged returns the rows that the command has written of the autoscaler in that
// file.
func logged(t *testing.T, name, file string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		c := strings.Split(strings.TrimSpace(line), ",")
		if c[0] != `"`+file+`"` {
			continue
		}
		at, err := time.Parse(time.RFC3339Nano, c[2])
		require.NoError(t, err)
		all = append(all, strings.Join(append([]string{fmt.Sprint(at.UnixMilli())}, append(c[3:6], c[8:14]...)...), " "))
	}
	return all
}

// lines returns the rows of an answer in the same form.
func lines(r *engine.Rows) (all []string) {
	for i := range r.Time {
		all = append(all, fmt.Sprint(r.Start+r.Time[i], r.Current[i], r.Desired[i], r.Proposed[i], r.Pods[i], r.Ready[i], r.Load[i], r.Unserved[i], r.Capacity[i], r.Target[i]))
	}
	return all
}

// table returns the names above the columns that the command prints, its rows,
// with their names first, and by how much the pod-hours of the second one differ.
func table(text string) (names []string, rows [][]string, change string) {
	_, text, _ = strings.Cut(text, "\n\n")
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for _, line := range lines[1:] {
		row := columns.Split(strings.TrimSpace(line), -1)
		if row[0] == "against the first" {
			change = row[len(row)-1]
			continue
		}
		rows = append(rows, row)
	}
	return strings.Fields(lines[0]), rows, change
}

func answer(t *testing.T, q any) engine.Response {
	t.Helper()
	text, err := json.Marshal(q)
	require.NoError(t, err)
	var r engine.Response
	require.NoError(t, json.Unmarshal(engine.Answer(text), &r))
	return r
}

// What held the size is what the summary counts. Of the tolerance, the stages
// say so.
func TestHeld(t *testing.T) {
	var all [7]int
	for seed := range uint64(requests) {
		q := drawn(seed)
		q.Want = engine.Want{Rows: true, Summary: true}
		r := q.Answer()
		for n, run := range r.Runs {
			var got [7]int
			for i, h := range run.Rows.Held {
				for bit := range got {
					got[bit] += int(h >> bit & 1)
				}
				if i != len(run.Rows.Held)/2 {
					continue
				}
				q.Want = engine.Want{Sync: &engine.SyncOf{Autoscaler: n, Sync: i}}
				within := false
				stages := q.Answer().Sync.Stages
				for _, s := range stages {
					if s.Choice != nil && s.Choice.Metric > 0 && !s.Choice.Blocked {
						metric := slices.IndexFunc(stages, func(m stage.Stage) bool { return m.Metric != nil && m.Metric.Number == s.Choice.Metric })
						within = stages[metric].Bound == string(calculator.WithinTolerance)
					}
				}
				require.Equal(t, within, h&engine.ByTolerance != 0, "seed %d, sync %d", seed, i)
			}
			s := run.Summary
			require.Equal(t, []int{s.HeldByWindow, s.HeldByLimit, s.HeldByMin, s.HeldByMax, s.Blocked}, got[:5], "seed %d", seed)
			for bit, n := range got {
				all[bit] += n
			}
		}
	}
	for bit, n := range all[:6] {
		require.Positive(t, n, "bit %d", bit)
	}
	require.Zero(t, all[6]) // without a threshold
}
