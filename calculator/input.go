package calculator

import (
	"fmt"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// usable returns what makes a decision impossible, whatever its zone: an argument
// that is nil, or a negative size.
func usable(settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) error {
	switch {
	case settings == nil:
		return field.Required("settings", "")
	case spec == nil:
		return field.Required("spec", "")
	case obs == nil:
		return field.Required("observation", "")
	case st == nil:
		return field.Required("state", "")
	case obs.ScaleError == nil && obs.SpecReplicas < 0:
		return field.Invalid("observation.specReplicas", obs.SpecReplicas, "must not be negative")
	case obs.ScaleError == nil && obs.StatusReplicas < 0:
		return field.Invalid("observation.statusReplicas", obs.StatusReplicas, "must not be negative")
	}
	return nil
}

// decidable returns what the arithmetic cannot stand about the spec. That is
// less than Validate asks for, and costs nothing where all is well.
func (d *Decision) decidable(spec *autoscaling.HorizontalPodAutoscalerSpec) error {
	ok := d.MaxReplicas >= 1 && d.MinReplicas >= 0 && d.MinReplicas <= d.MaxReplicas && len(d.Proposals) > 0
	for i := range d.Proposals {
		m := &d.Proposals[i].Metric
		// Kubernetes has an answer to an Object source with a target of
		// another type: a failure of the metric.
		noTarget := m.Source == autoscaling.ObjectMetricSourceType && m.Target.Type() == metrics.NoTarget
		ok = ok && (m.Target.Valid() || noTarget)
	}
	problem := spec.Behavior.Problem()
	if ok && problem == nil {
		return nil
	}
	if err := spec.Validate().Err(); err != nil {
		return err
	}
	if problem != nil {
		return problem
	}
	return field.Invalid("spec", spec.String(), "not valid")
}

// readable returns what is wrong with the shape of the readings.
func (d *Decision) readable(obs *Observation) error {
	if len(obs.Readings) != len(d.Proposals) {
		return field.Invalid("observation.readings", len(obs.Readings),
			fmt.Sprintf("%d readings for %d metrics", len(obs.Readings), len(d.Proposals)))
	}
	for i := range obs.Readings {
		r := &obs.Readings[i]
		if r.Err != nil {
			continue
		}
		if n := len(r.Samples); n != 0 && n != len(obs.Pods) {
			return field.Invalid(fmt.Sprintf("observation.readings[%d].samples", i), n,
				fmt.Sprintf("%d samples for %d pods", n, len(obs.Pods)))
		}
		if n := len(r.Values); n != 1 && d.Proposals[i].Metric.Source == autoscaling.ObjectMetricSourceType {
			return field.Invalid(fmt.Sprintf("observation.readings[%d].values", i), n,
				fmt.Sprintf("%d values of one object", n))
		}
	}
	return nil
}
