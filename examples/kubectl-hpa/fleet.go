package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/purehpa/hpa/examples/internal/cli"
)

// maxParallel is how many autoscalers are read at once.
const maxParallel = 8

// looked is an autoscaler of many, with its verdict or an error.
type fleetResult struct {
	*autoscaler
	verdict *result
	err     error
}

// fleet prints a line for each autoscaler, those first that deserve a look.
func (t *tool) fleet(ctx context.Context, c *connection, o whyOptions) error {
	namespace := c.namespace
	if o.all {
		namespace = ""
	}
	all, err := c.list(ctx, namespace, o.selector)
	if err != nil {
		return err
	}
	found := t.lookAt(ctx, c.forFleet(namespace, all, o.selector == ""), all)
	if ctx.Err() != nil {
		return clusterError(context.Cause(ctx))
	}
	if len(found) == 0 && t.output == "" {
		_, err := fmt.Fprintln(t.ErrOut, "There are no HorizontalPodAutoscalers.")
		return err
	}
	t.tell(c.notes...)
	table := t.table(found)
	t.tell(fleetNotes(found, len(c.notes))...)
	return t.print(fleetJSON(found), table)
}

// fleetNotes returns the notes on autoscalers without the first ones, which are
// about the cluster. A note on several stands once.
func fleetNotes(found []fleetResult, first int) (all []string) {
	about := map[string][]string{}
	for _, l := range found {
		if l.err != nil {
			continue
		}
		for _, note := range l.verdict.snapshot.notes[first:] {
			if about[note] == nil {
				all = append(all, note)
			}
			about[note] = append(about[note], l.key())
		}
	}
	for i, note := range all {
		keys := about[note]
		if all[i] = keys[0] + ": " + note; len(keys) > 1 {
			all[i] = fmt.Sprintf("%s and %s: %s", keys[0], count(len(keys)-1, "other"), note)
		}
	}
	return all
}

// lookAt looks at all, some at once.
func (t *tool) lookAt(ctx context.Context, c *connection, all []*autoscaler) []fleetResult {
	found := make([]fleetResult, len(all))
	progress := t.progress(len(all))
	defer progress.end()
	inParallel(len(all), func(i int) {
		v, _, err := t.decideOn(ctx, c, all[i])
		found[i] = fleetResult{all[i], v, err}
		progress.one()
	})
	return found
}

// inParallel calls do with 0 to n-1, some at once.
func inParallel(n int, do func(int)) {
	slots := make(chan struct{}, maxParallel)
	var wait sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wait.Go(func() {
			do(i)
			<-slots
		})
	}
	wait.Wait()
}

// table returns the lines.
func (t *tool) table(found []fleetResult) string {
	now := t.now()
	rows := make(map[string]row, len(found))
	for _, l := range found {
		if l.err != nil {
			rows[l.key()] = row{size: "?", wanted: "?", next: "?", held: cli.OneLine(l.err.Error())}
		} else {
			rows[l.key()] = l.verdict.row(now)
		}
	}
	slices.SortStableFunc(found, func(a, b fleetResult) int {
		return cmp.Or(cmp.Compare(rows[a.key()].rank, rows[b.key()].rank), cmp.Compare(a.key(), b.key()))
	})
	lines := [][]string{{"NAMESPACE", "NAME", "SIZE", "WANTED", "TO BE", "HELD BY", "UNTIL"}}
	for _, l := range found {
		r := rows[l.key()]
		lines = append(lines, []string{l.Namespace, l.Name, r.size, r.wanted, r.next, cmp.Or(r.held, "-"), cmp.Or(r.until, "-")})
	}
	wide := unlimited
	if terminal(t.Out) {
		wide = width(t.Out)
	}
	return columns(lines, wide)
}

// fleetJSON is the same for machines.
func fleetJSON(found []fleetResult) any {
	type item struct {
		Autoscaler string `json:"autoscaler"`
		Error      string `json:"error"`
	}
	items := []any{}
	for _, l := range found {
		if l.err != nil {
			items = append(items, item{l.key(), l.err.Error()})
		} else {
			items = append(items, l.verdict)
		}
	}
	return map[string]any{"items": items}
}
