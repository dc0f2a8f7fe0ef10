package recording

import (
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
	StartTime       *codec.Timestamp   `json:"startTime,omitempty"`
	ReadyTransition *codec.Timestamp   `json:"readyTransition,omitempty"`
	Template        *int               `json:"template,omitempty"`
}

// written returns the pod in JSON, with the number of its template.
func written(p *podgroup.Pod, template int) podJSON {
	return podJSON{
		Name: p.Name, Phase: p.Phase, Ready: p.Ready, Deleted: p.Deleted,
		StartTime: timestamp(p.StartTime), ReadyTransition: timestamp(p.ReadyTransition), Template: &template,
	}
}

// pod returns the pod, which requests what the template does and shares its memory.
func (j *podJSON) pod(template *podgroup.Pod) podgroup.Pod {
	p := *template
	p.Name, p.Phase, p.Ready, p.Deleted = j.Name, j.Phase, j.Ready, j.Deleted
	p.StartTime, p.ReadyTransition = instant(j.StartTime), instant(j.ReadyTransition)
	return p
}

// timestamp returns nil for an instant that is not set.
func timestamp(i metrics.Instant) *codec.Timestamp {
	if !i.IsSet() {
		return nil
	}
	t := codec.Timestamp(i.Time())
	return &t
}

// instant is the opposite of timestamp. Unlike metrics.At it gives back the instants
// at the very ends of the range, too.
func instant(t *codec.Timestamp) metrics.Instant {
	if t == nil {
		return 0
	}
	epoch := time.Unix(0, 0).UTC()
	return max(metrics.At(epoch).Add(time.Time(*t).Sub(epoch)), 1)
}

// templateJSON is what pods request, in JSON.
type templateJSON struct {
	CPU            *metrics.Milli      `json:"cpu,omitempty"`
	Memory         *metrics.Milli      `json:"memory,omitempty"`
	Containers     []containerJSON     `json:"containers,omitempty"`
	InitContainers []initContainerJSON `json:"initContainers,omitempty"`
	PodLevel       *podLevelJSON       `json:"podLevel,omitempty"`
}

type containerJSON struct {
	Name     string       `json:"name,omitempty"`
	Requests requestsJSON `json:"requests,omitzero"`
}

type initContainerJSON struct {
	containerJSON
	Restarts bool `json:"restarts,omitempty"`
}

type podLevelJSON struct {
	Requests requestsJSON `json:"requests,omitzero"`
	Overhead requestsJSON `json:"overhead,omitzero"`
}

type requestsJSON struct {
	CPU    *metrics.Milli `json:"cpu,omitempty"`
	Memory *metrics.Milli `json:"memory,omitempty"`
	Others []otherJSON    `json:"others,omitempty"`
}

type otherJSON struct {
	Resource string        `json:"resource"`
	Milli    metrics.Milli `json:"milli"`
}

// templateOf returns what the pod requests.
func templateOf(p *podgroup.Pod) templateJSON {
	t := templateJSON{CPU: milli(p.CPU), Memory: milli(p.Memory)}
	for i := range p.Containers {
		t.Containers = append(t.Containers, containerOf(&p.Containers[i]))
	}
	for i := range p.InitContainers {
		c := &p.InitContainers[i]
		t.InitContainers = append(t.InitContainers, initContainerJSON{containerOf(&c.Container), c.Restarts})
	}
	if l := p.PodLevel; l != nil {
		t.PodLevel = &podLevelJSON{requestsOf(&l.Requests), requestsOf(&l.Overhead)}
	}
	return t
}

func containerOf(c *podgroup.Container) containerJSON {
	return containerJSON{c.Name, requestsOf(&c.Requests)}
}

func requestsOf(r *podgroup.Requests) requestsJSON {
	j := requestsJSON{CPU: milli(r.CPU), Memory: milli(r.Memory)}
	for _, o := range r.Others {
		j.Others = append(j.Others, otherJSON(o))
	}
	return j
}

// milli returns nil for a request that is not set.
func milli(r podgroup.Request) *metrics.Milli {
	if !r.Set {
		return nil
	}
	return &r.Milli
}

// pod returns a pod that requests it, and is nothing else.
func (t *templateJSON) pod() podgroup.Pod {
	p := podgroup.Pod{CPU: request(t.CPU), Memory: request(t.Memory)}
	for i := range t.Containers {
		p.Containers = append(p.Containers, t.Containers[i].container())
	}
	for i := range t.InitContainers {
		c := &t.InitContainers[i]
		p.InitContainers = append(p.InitContainers, podgroup.InitContainer{Container: c.container(), Restarts: c.Restarts})
	}
	if l := t.PodLevel; l != nil {
		p.PodLevel = &podgroup.PodLevel{Requests: l.Requests.requests(), Overhead: l.Overhead.requests()}
	}
	return p
}

func (c *containerJSON) container() podgroup.Container {
	return podgroup.Container{Name: c.Name, Requests: c.Requests.requests()}
}

func (j *requestsJSON) requests() podgroup.Requests {
	r := podgroup.Requests{CPU: request(j.CPU), Memory: request(j.Memory)}
	for _, o := range j.Others {
		r.Others = append(r.Others, podgroup.ResourceRequest(o))
	}
	return r
}

func request(m *metrics.Milli) podgroup.Request {
	if m == nil {
		return podgroup.Request{}
	}
	return podgroup.Requested(*m)
}
