package podgroup

import (
	"math"
	"strings"

	"github.com/purehpa/hpa/metrics"
)

// The resources that have a place of their own in Requests.
const (
	CPU    = "cpu"
	Memory = "memory"
)

// Requests are amounts by resource. The zero Requests request nothing, which is
// not the same as requesting zero.
type Requests struct {
	CPU    Request
	Memory Request
	// Others are all other resources, such as "ephemeral-storage",
	// "hugepages-2Mi" or "example.com/gpu". A name stands once.
	Others []ResourceRequest
}

// Request is an amount that may be left out.
type Request struct {
	// Milli is in milli-units: thousandths of a core or of a byte.
	Milli metrics.Milli
	// Set tells a request from none, whatever its amount.
	Set bool
}

// Requested returns the request of m milli-units.
func Requested(m metrics.Milli) Request { return Request{Milli: m, Set: true} }

// ResourceRequest is the request of a resource by name.
type ResourceRequest struct {
	Resource string
	// Milli is in milli-units.
	Milli metrics.Milli
}

// Of returns the request of the resource.
func (r *Requests) Of(resource string) Request {
	switch resource {
	case CPU:
		return r.CPU
	case Memory:
		return r.Memory
	}
	for i := range r.Others {
		if r.Others[i].Resource == resource {
			return Requested(r.Others[i].Milli)
		}
	}
	return Request{}
}

// Set requests m milli-units of the resource.
func (r *Requests) Set(resource string, m metrics.Milli) {
	switch resource {
	case CPU:
		r.CPU = Requested(m)
		return
	case Memory:
		r.Memory = Requested(m)
		return
	}
	for i := range r.Others {
		if r.Others[i].Resource == resource {
			r.Others[i].Milli = m
			return
		}
	}
	r.Others = append(r.Others, ResourceRequest{resource, m})
}

// RequestError says why a pod has no request of a resource, in the words of
// upstream's calculateRequests.
type RequestError struct {
	// Pod is the pod's name.
	Pod string
	// Container is the container that lacks the request, or that the pod
	// lacks; "" where the pod requests as a whole.
	Container string
	// Resource is the resource's name.
	Resource string
	// NoContainer tells that the pod lacks the container itself.
	NoContainer bool
}

// Error returns upstream's text.
func (e *RequestError) Error() string {
	switch {
	case e.NoContainer:
		return "container " + e.Container + " not found in Pod " + e.Pod
	case e.Container == "":
		return "missing pod-level request for " + e.Resource + " in Pod " + e.Pod
	}
	return "missing request for " + e.Resource + " in container " + e.Container + " of Pod " + e.Pod
}

// Resolve sets CPU and Memory to what the containers and PodLevel come to, so
// that no pass over the pods has to look for it again. Where these come to
// nothing, for a container lacks a request, they are unset.
//
// It is called after Containers, InitContainers and PodLevel were filled, and
// again after they were changed.
func (p *Pod) Resolve() {
	p.CPU, p.Memory = p.derive(CPU, ""), p.derive(Memory, "")
}

// Request returns what the pod requests of the resource, in milli-units.
//
// With a container named, it is that container's request, be it a container or
// an init container that restarts. Without, it is the pod's CPU or Memory where
// that is set; else the sum over these containers, or, where the pod requests
// cpu, memory or huge pages as a whole, what it requests as a whole, with the
// overhead. A sum beyond int64 stops there.
//
// The error is a *RequestError: the first container without the request, or the
// container that is not there.
func (p *Pod) Request(resource, container string) (metrics.Milli, error) {
	r := p.request(resource, container)
	if !r.Set {
		e := p.requestError(resource, container)
		return 0, &e
	}
	return r.Milli, nil
}

func (p *Pod) request(resource, container string) Request {
	if container == "" {
		switch {
		case resource == CPU && p.CPU.Set:
			return p.CPU
		case resource == Memory && p.Memory.Set:
			return p.Memory
		}
	}
	return p.derive(resource, container)
}

// derive finds the request in the containers and PodLevel.
func (p *Pod) derive(resource, container string) Request {
	if container != "" {
		if c := p.container(container); c != nil {
			return c.Requests.Of(resource)
		}
		return Request{}
	}
	if p.PodLevel != nil && p.PodLevel.Requests.supported() {
		return p.podLevel(resource)
	}
	// A pod without containers requests zero, as the sum over none.
	sum := Requested(0)
	for i := range p.Containers {
		r := p.Containers[i].Requests.Of(resource)
		if !r.Set {
			return r
		}
		sum = sum.plus(r)
	}
	for i := range p.InitContainers {
		c := &p.InitContainers[i]
		if !c.Restarts {
			continue
		}
		r := c.Requests.Of(resource)
		if !r.Set {
			return r
		}
		sum = sum.plus(r)
	}
	return sum
}

// requestError says why request is not set.
func (p *Pod) requestError(resource, container string) RequestError {
	e := RequestError{Pod: p.Name, Container: container, Resource: resource}
	if container != "" {
		e.NoContainer = p.container(container) == nil
		return e
	}
	if p.PodLevel != nil && p.PodLevel.Requests.supported() {
		return e
	}
	for i := range p.Containers {
		if !p.Containers[i].Requests.Of(resource).Set {
			e.Container = p.Containers[i].Name
			return e
		}
	}
	for i := range p.InitContainers {
		if c := &p.InitContainers[i]; c.Restarts && !c.Requests.Of(resource).Set {
			e.Container = c.Name
			return e
		}
	}
	return e
}

// container returns the container, or init container that restarts, of that
// name.
func (p *Pod) container(name string) *Container {
	for i := range p.Containers {
		if p.Containers[i].Name == name {
			return &p.Containers[i]
		}
	}
	for i := range p.InitContainers {
		if c := &p.InitContainers[i]; c.Restarts && c.Name == name {
			return &c.Container
		}
	}
	return nil
}

// podLevel returns what a pod with pod-level requests requests of the resource:
// the pod-level request, or else what the containers need at most at any time,
// and the overhead. It is PodRequests of k8s.io/component-helpers/resource.
func (p *Pod) podLevel(resource string) Request {
	r := p.aggregate(resource)
	if whole := p.PodLevel.Requests.Of(resource); whole.Set && podLevelResource(resource) {
		r = whole
	}
	return r.plus(p.PodLevel.Overhead.Of(resource))
}

// aggregate returns what the containers need at most at any time: all that stay
// together, or, before that, an init container beside the sidecars that have
// started.
func (p *Pod) aggregate(resource string) Request {
	var running, sidecars, starting Request
	for i := range p.Containers {
		running = running.plus(p.Containers[i].Requests.Of(resource))
	}
	for i := range p.InitContainers {
		c := &p.InitContainers[i]
		r := c.Requests.Of(resource)
		if c.Restarts {
			running = running.plus(r)
			sidecars = sidecars.plus(r)
			starting = starting.atLeast(sidecars)
		} else {
			starting = starting.atLeast(r.plus(sidecars))
		}
	}
	return running.atLeast(starting)
}

// supported reports whether a resource is among r that pods can request as a
// whole.
func (r *Requests) supported() bool {
	if r.CPU.Set || r.Memory.Set {
		return true
	}
	for i := range r.Others {
		if podLevelResource(r.Others[i].Resource) {
			return true
		}
	}
	return false
}

// podLevelResource reports whether pods can request the resource as a whole.
func podLevelResource(resource string) bool {
	return resource == CPU || resource == Memory || strings.HasPrefix(resource, "hugepages-")
}

func (r Request) plus(s Request) Request {
	if !s.Set {
		return r
	}
	return Requested(addSaturating(r.Milli, s.Milli))
}

func (r Request) atLeast(s Request) Request {
	if s.Set && (!r.Set || s.Milli > r.Milli) {
		return s
	}
	return r
}

func addSaturating(a, b metrics.Milli) metrics.Milli {
	c := a + b
	switch {
	case a > 0 && b > 0 && c < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && c >= 0:
		return math.MinInt64
	}
	return c
}
