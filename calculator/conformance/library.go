package conformance

import (
	"encoding/json"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
)

// Library is the library with the same surroundings.
type Library struct {
	settings   calculator.Settings
	Spec       calculator.Spec
	generation int64

	state    calculator.State
	decision calculator.Decision
	obs      calculator.Observation
	readings []calculator.Reading
	events   []calculator.Event
	status   calculator.Status
}

// NewLibrary returns the library with the state of an autoscaler that has never
// run.
func NewLibrary(flags Flags) *Library { return &Library{settings: flags.Settings()} }

// SetSpec takes the spec as the user wrote it, and sets its defaults.
func (l *Library) SetSpec(raw *autoscalingv2.HorizontalPodAutoscalerSpec, generation int64) error {
	l.generation = generation
	err := l.takeSpec(raw)
	l.Spec.SetDefaults()
	return err
}

// takeSpec takes the spec as it is.
func (l *Library) takeSpec(spec *autoscalingv2.HorizontalPodAutoscalerSpec) error {
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	l.Spec = calculator.Spec{}
	return json.Unmarshal(text, &l.Spec)
}

// Restart forgets all that the autoscaler's status does not tell.
func (l *Library) Restart(hpa *autoscalingv2.HorizontalPodAutoscaler) error {
	whole := *hpa
	whole.APIVersion, whole.Kind = "autoscaling/v2", "HorizontalPodAutoscaler"
	text, err := json.Marshal(&whole)
	if err != nil {
		return err
	}
	read, err := kubejson.DecodeAutoscaler(text)
	if err != nil {
		return err
	}
	l.state, l.status = read.State(), read.Status
	return nil
}

// Sync decides on the step.
func (l *Library) Sync(step *Step) *calculator.Decision {
	l.observe(step)
	calculator.DecideInto(&l.decision, step.Now, &l.settings, &l.Spec, &l.obs, &l.state)
	switch {
	case !l.decision.Rescale:
	case step.UpdateError != nil:
		l.state.Failed(step.Now, &l.decision, step.UpdateError)
	default:
		l.state.Applied(step.Now, &l.decision)
	}
	return &l.decision
}

// observe fills l.obs.
func (l *Library) observe(step *Step) {
	l.obs = calculator.Observation{
		Namespace:      Namespace,
		SpecReplicas:   step.SpecReplicas,
		StatusReplicas: step.StatusReplicas,
		Pods:           Pods(l.obs.Pods[:0], step.Pods),
		ScaleError:     step.ScaleError,
		SelectorError:  step.selectorError(),
	}
	for len(l.readings) < len(step.Readings) {
		l.readings = append(l.readings, calculator.Reading{})
	}
	l.obs.Readings = l.readings[:len(step.Readings)]
	for i := range l.obs.Readings {
		(*calculatorReading)(&l.obs.Readings[i]).read(&step.Readings[i], l.obs.Pods)
	}
}
