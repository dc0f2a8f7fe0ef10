package podgroup

import (
	"slices"
	"strings"

	"github.com/purehpa/hpa/metrics"
)

// RequestError is the error of a pod without a request of a resource. Its text
// is that of upstream's calculateRequests.
type RequestError struct {
	// Pod is the pod's name.
	Pod string
	// Container is the container without the request, or the one not found.
	// It is "" if a pod-level request is missing.
	Container string
	// Resource is the resource's name.
	Resource string
	// NoContainer reports whether the container was not found.
	NoContainer bool
}

// Error returns a text such as "missing request for cpu in container app of Pod
// web-0".
func (e *RequestError) Error() string {
	text, _ := e.AppendText(nil)
	return string(text)
}

// AppendText appends what Error returns. The error is nil.
func (e *RequestError) AppendText(dst []byte) ([]byte, error) {
	parts := [...]string{"missing request for ", e.Resource, " in container ", e.Container, " of Pod ", e.Pod}
	switch {
	case e.NoContainer:
		parts = [6]string{"container ", e.Container, " not found in Pod ", e.Pod}
	case e.Container == "":
		parts = [6]string{"missing pod-level request for ", e.Resource, " in Pod ", e.Pod}
	}
	for _, p := range parts {
		dst = append(dst, p...)
	}
	return dst, nil
}

// Resolve sets CPU and Memory to what the containers and PodLevel request, so
// that counting does not have to sum it again. It unsets them if a request is
// missing. Call it again after a change of Containers, InitContainers or
// PodLevel.
func (p *Pod) Resolve() {
	p.CPU, _ = p.derive(CPU, "", &Options{})
	p.Memory, _ = p.derive(Memory, "", &Options{})
}

// Request returns what the pod requests of the resource, in milli-units.
//
// If container is not "", it is the request of that container or sidecar.
// If container is "", it is the first of these that applies:
//
//   - CPU or Memory, if set
//   - the pod-level request and overhead, if PodLevel requests cpu, memory or
//     huge pages
//   - the sum over containers and sidecars, saturated
//
// The error is a [*RequestError] for the first container without the request,
// or for the container that was not found.
func (p *Pod) Request(resource, container string) (metrics.Milli, error) {
	r := p.request(resource, container, &Options{})
	if !r.Set {
		e := p.requestError(resource, container, &Options{})
		return 0, &e
	}
	return r.Milli, nil
}

// request is Request by the options, without the error.
func (p *Pod) request(resource, container string, rules *Options) Request {
	if container == "" && !(rules.ContainersOnly && p.PodLevel != nil) && !(rules.RequestsInForce && p.resizing()) {
		switch {
		case resource == CPU && p.CPU.Set:
			return p.CPU
		case resource == Memory && p.Memory.Set:
			return p.Memory
		}
	}
	r, _ := p.derive(resource, container, rules)
	return r
}

// derive is request without regard to p.CPU and p.Memory. It also returns the
// container that the request is of or that lacks it, if there is one.
func (p *Pod) derive(resource, container string, rules *Options) (Request, *Container) {
	if container == "" && p.PodLevel != nil && p.PodLevel.requests(rules).supported() && !rules.ContainersOnly {
		return p.podLevel(resource, rules), nil
	}
	// A pod without containers requests zero.
	sum := Request{Set: container == "" || rules.AbsentIsZero}
	for i := range len(p.Containers) + len(p.InitContainers) {
		c := p.counted(i)
		if c == nil || container != "" && c.Name != container {
			continue
		}
		r := c.requests(rules).For(resource)
		if !r.Set || container != "" {
			return r, c
		}
		sum = sum.plus(r)
	}
	return sum, nil
}

// counted returns the i-th of the containers and init containers, or nil if it
// is neither a container nor a sidecar.
func (p *Pod) counted(i int) *Container {
	if i < len(p.Containers) {
		return &p.Containers[i]
	}
	if c := &p.InitContainers[i-len(p.Containers)]; c.Restarts {
		return &c.Container
	}
	return nil
}

// requestError returns why request is not set.
func (p *Pod) requestError(resource, container string, rules *Options) RequestError {
	e := RequestError{Pod: p.Name, Container: container, Resource: resource}
	if _, c := p.derive(resource, container, rules); c != nil {
		e.Container = c.Name
	} else {
		e.NoContainer = container != ""
	}
	return e
}

// podLevel returns the request of a pod with pod-level requests: that of the
// resource, or else the aggregate, plus overhead. It is PodRequests of
// k8s.io/component-helpers/resource.
func (p *Pod) podLevel(resource string, rules *Options) Request {
	r := p.aggregate(resource, rules)
	if whole := p.PodLevel.requests(rules).For(resource); whole.Set && podLevelResource(resource) {
		r = whole
	}
	return r.plus(p.PodLevel.Overhead.For(resource))
}

// aggregate returns the most that the containers need at any time: either all
// containers and sidecars, or an init container and the sidecars before it.
func (p *Pod) aggregate(resource string, rules *Options) Request {
	var running, sidecars, starting Request
	for i := range p.Containers {
		running = running.plus(p.Containers[i].requests(rules).For(resource))
	}
	for i := range p.InitContainers {
		c := &p.InitContainers[i]
		r := c.requests(rules).For(resource)
		if c.Restarts {
			running = running.plus(r)
			sidecars = sidecars.plus(r)
			r = Request{}
		}
		starting = starting.atLeast(r.plus(sidecars))
	}
	return running.atLeast(starting)
}

// supported reports whether r has a request that pods can make as a whole.
func (r *Requests) supported() bool {
	return r.CPU.Set || r.Memory.Set ||
		slices.ContainsFunc(r.Others, func(o ResourceRequest) bool { return podLevelResource(o.Resource) })
}

// podLevelResource reports whether a pod can request the resource as a whole.
func podLevelResource(resource string) bool {
	return resource == CPU || resource == Memory || strings.HasPrefix(resource, "hugepages-")
}

// requests returns the container's requests by the options.
func (c *Container) requests(rules *Options) *Requests {
	if rules.RequestsInForce && c.InForce != nil {
		return c.InForce
	}
	return &c.Requests
}

// requests returns the pod-level requests by the options.
func (l *PodLevel) requests(rules *Options) *Requests {
	if rules.RequestsInForce && l.InForce != nil {
		return l.InForce
	}
	return &l.Requests
}

// resizing reports whether requests other than those of the spec are in force.
func (p *Pod) resizing() bool {
	return p.PodLevel != nil && p.PodLevel.InForce != nil ||
		slices.ContainsFunc(p.Containers, func(c Container) bool { return c.InForce != nil }) ||
		slices.ContainsFunc(p.InitContainers, func(c InitContainer) bool { return c.InForce != nil })
}
