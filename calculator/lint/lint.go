package lint

import (
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
)

// Lint returns the settings of the spec that are valid but probably mistakes,
// in the order of its fields. It looks at the spec as the API server of the
// settings' release admits it. What that refuses is an error, a
// [field.ErrorList], but for a missing scaleTargetRef. It is a [*field.Error]
// if the spec is nil, or if calculator.Decide refuses the settings. Nil
// settings mean [calculator.DefaultSettings].
func Lint(settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, f Facts) ([]Finding, error) {
	set, err := settings.OrDefault()
	switch {
	case err != nil:
		return nil, err
	case spec == nil:
		return nil, field.Required("spec", "")
	}
	settings, spec = &set, spec.Clone()
	// A target decides nothing, and autoscaling.NewSpec leaves it out.
	if err := spec.ApplyAdmission(settings.Release).Without("spec.scaleTargetRef").Err(); err != nil {
		return nil, err
	}
	l := newLinter(settings, spec, f)
	if l.selectors() || l.neverScales() {
		return l.found, nil
	}
	if l.decisive {
		if !settings.Corrections.Has(correction.Truncation) {
			l.sizes()
		}
		for i := range l.metrics {
			l.idle(i)
			l.outOfReach(i)
			l.memory(i)
			l.headroom(i)
		}
	}
	for _, d := range []*direction{&l.up, &l.down} {
		if d.disabled {
			l.disabled(d)
			continue
		}
		l.window(d)
		l.pace(d)
		l.policies(d)
		l.wideTolerance(d)
	}
	return l.found, nil
}
