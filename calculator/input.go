package calculator

import (
	"fmt"
	"math"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// usable returns the error that makes a decision impossible in any zone: a nil
// argument, or a negative size.
func usable(settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, obs *Observation, st *State) error {
	switch {
	case spec == nil:
		return field.Required("spec", "")
	case obs == nil:
		return field.Required("observation", "")
	case st == nil:
		return field.Required("state", "")
	case obs.ScaleError == nil && min(obs.SpecReplicas, obs.StatusReplicas) < 0:
		if obs.SpecReplicas < 0 {
			return field.Invalid("observation.specReplicas", obs.SpecReplicas, "must not be negative")
		}
		return field.Invalid("observation.statusReplicas", obs.StatusReplicas, "must not be negative")
	case !settings.ChooseBy.known():
		return field.NotSupported("settings.chooseBy", settings.ChooseBy, `"", "Min", "First"`)
	case obs.ScaleError == nil && !(obs.Calibration >= 0 && obs.Calibration <= math.MaxFloat64):
		return field.Invalid("observation.calibration", obs.Calibration, "must be a number and not negative")
	}
	return nil
}

// decidable returns the error of bounds or a behavior that the arithmetic
// cannot handle. It checks less than Validate, and costs nothing for a valid
// spec.
func (s *sync) decidable() error {
	problem := s.spec.Behavior.Problem()
	if d := s.d; problem == nil && d.MaxReplicas >= 1 && d.MinReplicas >= 0 && d.MinReplicas <= d.MaxReplicas {
		return nil
	}
	return invalid(s.spec, problem)
}

// computable is decidable for the metrics. Kubernetes has an answer to a metric
// of an unknown type, and to most sources without a target: a failure of the
// metric.
func (s *sync) computable() error {
	d := s.d
	ok := len(d.Proposals) > 0
	for i := range d.Proposals {
		m := &d.Proposals[i].Metric
		if m.Target.Valid() {
			continue
		}
		switch row := sourceOf(m.Source); {
		case sources[row].untargeted:
		case m.Target.Type() != metrics.NoTarget:
			ok = false
		case m.Source == "": // its field is not set, or the type is the unknown ""
			ok = ok && s.spec.Metrics[i].Type == ""
		case sources[row].targetRequired:
			ok = false
		}
	}
	if ok {
		return nil
	}
	return invalid(s.spec, nil)
}

// invalid returns the error of a spec with a problem: of all that Validate
// finds, if it does.
func invalid(spec *autoscaling.HorizontalPodAutoscalerSpec, problem error) error {
	if err := spec.Validate().Err(); err != nil {
		return err
	}
	if problem != nil {
		return problem
	}
	return field.Invalid("spec", spec.String(), "not valid")
}

// readable returns what is wrong with the shape of the readings.
func (s *sync) readable() error {
	d, obs := s.d, s.obs
	if len(obs.Readings) != len(d.Proposals) {
		return field.Invalid("observation.readings", len(obs.Readings),
			fmt.Sprintf("%d readings for %d metrics", len(obs.Readings), len(d.Proposals)))
	}
	for i := range obs.Readings {
		r, m := &obs.Readings[i], &d.Proposals[i].Metric
		switch {
		case r.Err != nil:
			continue
		case r.Proposed != nil:
			if err := r.Proposed.check(i); err != nil {
				return err
			}
			continue
		case m.Target.Type() == metrics.NoTarget:
			continue
		}
		if n := len(r.Samples); n != 0 && n != len(obs.Pods) {
			return field.Invalid(fmt.Sprintf("observation.readings[%d].samples", i), n,
				fmt.Sprintf("%d samples for %d pods", n, len(obs.Pods)))
		}
		if m.Source == autoscaling.ExternalMetricSourceType && r.Values == nil {
			return field.Required(fmt.Sprintf("observation.readings[%d].values", i), "nil is no answer; an answer without series is an empty slice")
		}
		if n := len(r.Values); n != 1 && !m.OfPods() && sources[sourceOf(m.Source)].ofObject {
			return field.Invalid(fmt.Sprintf("observation.readings[%d].values", i), n,
				fmt.Sprintf("%d values of one object", n))
		}
	}
	return nil
}
