package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

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
	found := t.lookAt(ctx, c, all)
	if ctx.Err() != nil {
		return clusterError(context.Cause(ctx))
	}
	if len(found) == 0 && t.output == "" {
		_, err := fmt.Fprintln(t.ErrOut, "There are no HorizontalPodAutoscalers.")
		return err
	}
	t.tell(c.notes...)
	table := t.table(found)
	for _, l := range found {
		if l.err == nil {
			for _, note := range l.verdict.snapshot.notes[len(c.notes):] {
				t.tell(l.key() + ": " + note)
			}
		}
	}
	return t.print(fleetJSON(found), table)
}

// lookAt looks at all, some at once.
func (t *tool) lookAt(ctx context.Context, c *connection, all []*autoscaler) []fleetResult {
	c.neighbours = &neighbours{all: map[string]func() (*selectorsInNamespace, error){}}
	found := make([]fleetResult, len(all))
	slots := make(chan struct{}, maxParallel)
	var wait sync.WaitGroup
	for i, a := range all {
		slots <- struct{}{}
		wait.Go(func() {
			v, err := t.decideOn(ctx, c, a)
			found[i] = fleetResult{a, v, err}
			<-slots
		})
	}
	wait.Wait()
	return found
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
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "NAMESPACE\tNAME\tSIZE\tWANTED\tTO BE\tHELD BY\tUNTIL")
	for _, l := range found {
		r := rows[l.key()]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Namespace, l.Name, r.size, r.wanted, r.next, cmp.Or(r.held, "-"), cmp.Or(r.until, "-"))
	}
	w.Flush()
	return b.String()
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
