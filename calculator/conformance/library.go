package conformance

import (
	"encoding/json"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/podgroup"
)

// Library runs the library on the same steps as [Upstream].
type Library struct {
	settings   calculator.Settings
	Spec       autoscaling.HorizontalPodAutoscalerSpec
	generation int64

	state    calculator.State
	decision calculator.Decision
	obs      calculator.Observation
	readings []calculator.Reading
	events   []calculator.Event
	status   autoscaling.HorizontalPodAutoscalerStatus
	pods     podConverter
}

// NewLibrary returns a Library with a zero State.
func NewLibrary(flags Flags) *Library { return &Library{settings: flags.Settings()} }

// SetSpec sets the spec, with defaults.
func (l *Library) SetSpec(raw *autoscalingv2.HorizontalPodAutoscalerSpec, generation int64, t tolerances) error {
	l.generation = generation
	err := l.takeSpec(raw, t)
	l.Spec.SetDefaults()
	return err
}

// takeSpec sets the spec without defaults.
func (l *Library) takeSpec(spec *autoscalingv2.HorizontalPodAutoscalerSpec, t tolerances) error {
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	l.Spec = autoscaling.HorizontalPodAutoscalerSpec{}
	if err := json.Unmarshal(text, &l.Spec); err != nil {
		return err
	}
	return t.complete(l.Spec.Behavior)
}

// Restart forgets all that is not in the autoscaler's status.
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

// Sync decides the step, and records the write.
func (l *Library) Sync(step *Step) *calculator.Decision {
	l.observe(step)
	l.decide(step)
	return &l.decision
}

// decide decides on what was observed, and records the write.
func (l *Library) decide(step *Step) {
	calculator.DecideInto(&l.decision, step.Now, &l.settings, &l.Spec, &l.obs, &l.state)
	switch {
	case !l.decision.Rescale:
	case step.UpdateError != nil:
		l.state.Failed(step.Now, &l.decision, step.UpdateError)
	default:
		l.state.Applied(step.Now, &l.decision)
	}
}

// observe fills l.obs.
func (l *Library) observe(step *Step) {
	pods, err := l.pods.appendTo(l.obs.Pods[:0], step.Pods)
	if err != nil {
		panic(err) // no pod drawn is one that cannot be converted
	}
	for i := range pods {
		pods[i].Foreign = len(step.Pods[i].OwnerReferences) > 0
	}
	for i := 1; i < len(pods); i += 2 {
		// Half of the pods are those of a caller who does not resolve them.
		pods[i].CPU, pods[i].Memory = podgroup.Request{}, podgroup.Request{}
	}
	l.obs = calculator.Observation{Pods: pods, ScaleError: step.ScaleError}
	observeScale(&l.obs, step.scale())
	if step.Rival && len(pods) > 0 && l.obs.SelectorError == nil {
		l.obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: step.Selector, Others: rivals}
	}
	for len(l.readings) < len(step.Readings) {
		l.readings = append(l.readings, calculator.Reading{})
	}
	l.obs.Readings = l.readings[:len(step.Readings)]
	for i := range l.obs.Readings {
		(*calculatorReading)(&l.obs.Readings[i]).read(&step.Readings[i], l.obs.Pods)
	}
}
