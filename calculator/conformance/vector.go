package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// Vector is one autoscaler followed through several syncs of the real
// controller, for implementations in any language to test themselves with. The
// README of this module describes the fields.
type Vector struct {
	Name          string                                     `json:"name"`
	Config        vectorConfig                               `json:"config"`
	Spec          *autoscalingv2.HorizontalPodAutoscalerSpec `json:"spec"`
	DefaultedSpec *autoscalingv2.HorizontalPodAutoscalerSpec `json:"defaultedSpec"`
	Steps         []vectorStep                               `json:"steps"`
}

type vectorConfig struct {
	// Release is upstream's, with the gates that are not at their defaults:
	// "1.36.3,HPAScaleToZero=true". Empty is the newest.
	Release                 string  `json:"release,omitempty"`
	Tolerance               float64 `json:"tolerance"`
	DownscaleStabilization  string  `json:"downscaleStabilization"`
	CPUInitializationPeriod string  `json:"cpuInitializationPeriod"`
	InitialReadinessDelay   string  `json:"initialReadinessDelay"`
}

type vectorScale struct {
	SpecReplicas   int32 `json:"specReplicas"`
	StatusReplicas int32 `json:"statusReplicas"`
}

type vectorStep struct {
	Now              time.Time      `json:"now"`
	Scale            vectorScale    `json:"scale"`
	Pods             []*corev1.Pod  `json:"pods"`
	Metrics          []vectorMetric `json:"metrics"`
	ScaleUpdateFails bool           `json:"scaleUpdateFails,omitempty"`
	Want             vectorWant     `json:"want"`
}

type vectorMetric struct {
	Error     string         `json:"error,omitempty"`
	Timestamp time.Time      `json:"timestamp,omitzero"`
	Samples   []vectorSample `json:"samples,omitempty"`
	Values    []int64        `json:"values,omitempty"`
}

type vectorSample struct {
	Pod         string    `json:"pod"`
	Value       *int64    `json:"value,omitempty"`
	NoContainer bool      `json:"noContainer,omitempty"`
	Timestamp   time.Time `json:"timestamp"`
	Window      string    `json:"window"`
}

type vectorWant struct {
	Rescaled bool                                         `json:"rescaled"`
	Replicas int32                                        `json:"replicas"`
	Error    string                                       `json:"error,omitempty"`
	Status   *autoscalingv2.HorizontalPodAutoscalerStatus `json:"status"`
	Events   []string                                     `json:"events,omitempty"`
}

// recordedRelease returns upstream's release, with its patch, as release.Parse
// reads it.
func recordedRelease() string {
	return UpstreamVersion + strings.TrimLeft(Release().String(), "0123456789.")
}

// Record returns a vector of the seed. Kubernetes has a sound answer to its
// inputs, except for the average over zero pods.
func Record(t *testing.T, seed, number uint64) *Vector {
	v := &Vector{Name: fmt.Sprintf("seed%d-%05d", seed, number)}
	bubble(t, func() {
		w := &World{dice: Random(seed, number), exact: true}
		time.Sleep(3 * time.Minute)
		w.begin()
		f := &w.flags
		v.Config = vectorConfig{recordedRelease(), f.Tolerance, f.DownscaleStabilization.String(), f.CPUInitializationPeriod.String(), f.InitialReadinessDelay.String()}
		v.Spec, v.DefaultedSpec = w.raw, w.hpa.Spec.DeepCopy()
		up := NewUpstream(w.flags)
		for sync := range 1 + w.dice.Roll(14) {
			if sync > 0 {
				w.advance()
			}
			s := w.drawStep(time.Now())
			a := up.Sync(w.hpa, s)
			v.Steps = append(v.Steps, s.vector(&a))
			w.size = a.Size
		}
	})
	return v
}

func (s *Step) vector(a *Answer) vectorStep {
	out := vectorStep{
		Now:              s.Now.UTC(),
		Scale:            vectorScale{s.SpecReplicas, s.StatusReplicas},
		Pods:             make([]*corev1.Pod, len(s.Pods)),
		Metrics:          make([]vectorMetric, len(s.Readings)),
		ScaleUpdateFails: s.UpdateError != nil,
		Want:             vectorWant{Rescaled: a.Rescaled, Replicas: a.Size, Error: a.Error, Status: a.Status.DeepCopy()},
	}
	for i, p := range s.Pods {
		// Annotations hold what the release's API lacks.
		shown := *p
		shown.Annotations = nil
		out.Pods[i] = &shown
	}
	for _, e := range a.Events {
		// The reason is empty if no metric asked for the change.
		out.Want.Events = append(out.Want.Events, strings.TrimRight(e, " "))
	}
	for i := range s.Readings {
		r, m := &s.Readings[i], &out.Metrics[i]
		if r.Err != nil {
			m.Error = r.Err.Error()
			continue
		}
		m.Timestamp, m.Values = r.Time.UTC(), r.Values
		for _, s := range r.Samples {
			v := vectorSample{Pod: s.Pod, NoContainer: s.NoContainer, Timestamp: s.Time.UTC(), Window: s.Window.String()}
			if !s.NoContainer {
				v.Value = &s.Value
			}
			m.Samples = append(m.Samples, v)
		}
	}
	return out
}
