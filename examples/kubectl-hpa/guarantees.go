package main

import (
	"fmt"
	"strings"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/guarantee"
)

// guaranteed is an autoscaler with what its rules guarantee.
type guaranteed struct {
	Autoscaler string               `json:"autoscaler"`
	File       string               `json:"file,omitempty"`
	Guarantees guarantee.Guarantees `json:"guarantees"`
}

// guarantee prints what the rules guarantee, for syncs at Kubernetes' default
// period.
func (t *tool) guarantee(documents []document, settings *calculator.Settings) error {
	all, text := []guaranteed{}, ""
	for i := range documents {
		d := &documents[i]
		g, err := guarantee.Compute(settings, &d.Spec, calculator.SyncPeriod)
		if err != nil {
			return fmt.Errorf("%s: %w", d.where(), err)
		}
		all = append(all, guaranteed{key(&d.HorizontalPodAutoscaler), d.file, g})
		text += fmt.Sprintf("\n%s: %s", t.paint().bold(d.where()), g)
	}
	return t.print(map[string]any{"items": all}, strings.TrimPrefix(text, "\n"))
}
