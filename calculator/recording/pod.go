package recording

import (
	"reflect"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize/codec"
)

// podJSON is a pod in JSON, or which pods of the line before stand here.
type podJSON struct {
	Keep            string             `json:"keep,omitempty"`
	Name            string             `json:"name,omitempty"`
	Phase           podgroup.Phase     `json:"phase,omitzero"`
	Ready           podgroup.Readiness `json:"ready,omitzero"`
	Deleted         bool               `json:"deleted,omitempty"`
	Foreign         bool               `json:"foreign,omitempty"`
	StartTime       *codec.Timestamp   `json:"startTime,omitempty"`
	ReadyTransition *codec.Timestamp   `json:"readyTransition,omitempty"`
	Template        *int               `json:"template,omitempty"`
}

// written returns the pod in JSON, with the number of its template.
func written(p *podgroup.Pod, template int) podJSON {
	return podJSON{
		Name: p.Name, Phase: p.Phase, Ready: p.Ready, Deleted: p.Deleted, Foreign: p.Foreign,
		StartTime: timestamp(p.StartTime), ReadyTransition: timestamp(p.ReadyTransition), Template: &template,
	}
}

// pod returns the pod, which requests what the template does and shares its
// memory.
func (j *podJSON) pod(t *template) podgroup.Pod {
	return podgroup.Pod{
		Name: j.Name, Phase: j.Phase, Ready: j.Ready, Deleted: j.Deleted, Foreign: j.Foreign,
		StartTime: instant(j.StartTime), ReadyTransition: instant(j.ReadyTransition),
		CPU: t.CPU, Memory: t.Memory, Containers: t.Containers, InitContainers: t.InitContainers, PodLevel: t.PodLevel,
	}
}

// timestamp returns nil for an instant that is not set.
func timestamp(i metrics.Instant) *codec.Timestamp {
	if !i.IsSet() {
		return nil
	}
	t := codec.Timestamp(i.Time())
	return &t
}

// instant is the opposite of timestamp. Unlike metrics.At it gives back the
// instants at the very ends of the range, too.
func instant(t *codec.Timestamp) metrics.Instant {
	if t == nil {
		return 0
	}
	epoch := time.Unix(0, 0).UTC()
	return max(metrics.At(epoch).Add(time.Time(*t).Sub(epoch)), 1)
}

// template is what pods request.
type template struct {
	CPU            podgroup.Request         `json:"cpu,omitzero"`
	Memory         podgroup.Request         `json:"memory,omitzero"`
	Containers     []podgroup.Container     `json:"containers,omitempty"`
	InitContainers []podgroup.InitContainer `json:"initContainers,omitempty"`
	PodLevel       *podgroup.PodLevel       `json:"podLevel,omitempty"`
}

// templateOf returns what the pod requests, and shares its memory.
func templateOf(p *podgroup.Pod) template {
	return template{p.CPU, p.Memory, p.Containers, p.InitContainers, p.PodLevel}
}

// fits reports whether the pod requests what the template does.
func (t *template) fits(p *podgroup.Pod) bool {
	return p.CPU == t.CPU && p.Memory == t.Memory &&
		reflect.DeepEqual(p.Containers, t.Containers) &&
		reflect.DeepEqual(p.InitContainers, t.InitContainers) &&
		reflect.DeepEqual(p.PodLevel, t.PodLevel)
}
