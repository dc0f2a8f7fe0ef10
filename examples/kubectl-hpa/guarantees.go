package main

import (
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// guaranteed is an autoscaler with what its rules guarantee.
type guaranteed struct {
	Autoscaler string               `json:"autoscaler"`
	File       string               `json:"file,omitempty"`
	Guarantees guarantee.Guarantees `json:"guarantees"`
}

// guarantee prints what the rules guarantee, for syncs at Kubernetes' default
// period and pods that take the time to start.
func (t *tool) guarantee(documents []document, problems []problem, settings *calculator.Settings, startup time.Duration) error {
	all, text := []guaranteed{}, ""
	for i := range documents {
		d := &documents[i]
		g, err := guarantee.Compute(settings, &d.Spec, calculator.SyncPeriod, startup)
		if err != nil {
			problems = append(problems, d.problem(err))
			continue
		}
		all = append(all, guaranteed{key(&d.HorizontalPodAutoscaler), d.file, g})
		text += string(cli.Sprintf("\n%s: %s", cli.Text(t.paint().bold(d.where())), cli.Text(g.String())))
	}
	if err := t.print(map[string]any{"items": all, "problems": problems}, strings.TrimPrefix(text, "\n")); err != nil {
		return err
	}
	return t.report(problems)
}
