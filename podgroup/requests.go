package podgroup

import (
	"slices"
	"strings"

	"github.com/purehpa/hpa/metrics"
)

// The resources that have fields of their own in Requests.
const (
	CPU    = "cpu"
	Memory = "memory"
)

// Requests are amounts by resource. The zero Requests have no request, which is
// not a request of zero.
type Requests struct {
	CPU    Request
	Memory Request
	// Others are the other resources, such as "hugepages-2Mi" or
	// "example.com/gpu", each once.
	Others []ResourceRequest
}

// Request is an amount that may be absent.
type Request struct {
	// Milli is in milli-units: thousandths of a core or of a byte.
	Milli metrics.Milli
	// Set reports whether there is a request. A request of 0 is one.
	Set bool
}

// Requested returns a request of m milli-units.
func Requested(m metrics.Milli) Request { return Request{Milli: m, Set: true} }

// ResourceRequest is the request of a named resource.
type ResourceRequest struct {
	Resource string
	// Milli is in milli-units.
	Milli metrics.Milli
}

// Of returns the request of the resource. It is not set if there is none.
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

// Set sets the request of the resource to m milli-units.
func (r *Requests) Set(resource string, m metrics.Milli) {
	switch resource {
	case CPU:
		r.CPU = Requested(m)
	case Memory:
		r.Memory = Requested(m)
	default:
		i := slices.IndexFunc(r.Others, func(o ResourceRequest) bool { return o.Resource == resource })
		if i < 0 {
			i = len(r.Others)
			r.Others = append(r.Others, ResourceRequest{Resource: resource})
		}
		r.Others[i].Milli = m
	}
}

// Equal reports whether both have the same requests, the other resources in the same
// order. Nil is equal to nil alone.
func (r *Requests) Equal(s *Requests) bool {
	if r == nil || s == nil {
		return r == s
	}
	return r.CPU == s.CPU && r.Memory == s.Memory && slices.Equal(r.Others, s.Others)
}

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
	p.CPU, _ = p.derive(CPU, "", &Rules{})
	p.Memory, _ = p.derive(Memory, "", &Rules{})
}

// Request returns what the pod requests of the resource, in milli-units.
//
// If container is not "", it is the request of that container or sidecar.
// Otherwise it is the first of these that applies:
//
//   - CPU or Memory, if set
//   - the pod-level request and overhead, if PodLevel requests cpu, memory or
//     huge pages
//   - the sum over containers and sidecars, saturated
//
// The error is a [*RequestError] for the first container without the request, or
// for the container that was not found.
func (p *Pod) Request(resource, container string) (metrics.Milli, error) {
	r := p.request(resource, container, &Rules{})
	if !r.Set {
		e := p.requestError(resource, container, &Rules{})
		return 0, &e
	}
	return r.Milli, nil
}

// request is Request by the rules, without the error.
func (p *Pod) request(resource, container string, rules *Rules) Request {
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
func (p *Pod) derive(resource, container string, rules *Rules) (Request, *Container) {
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
		r := c.requests(rules).Of(resource)
		if !r.Set || container != "" {
			return r, c
		}
		sum = sum.plus(r)
	}
	return sum, nil
}

// counted returns the i-th of the containers and init containers, or nil if it is
// neither a container nor a sidecar.
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
func (p *Pod) requestError(resource, container string, rules *Rules) RequestError {
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
func (p *Pod) podLevel(resource string, rules *Rules) Request {
	r := p.aggregate(resource, rules)
	if whole := p.PodLevel.requests(rules).Of(resource); whole.Set && podLevelResource(resource) {
		r = whole
	}
	return r.plus(p.PodLevel.Overhead.Of(resource))
}

// aggregate returns the most that the containers need at any time: either all
// containers and sidecars, or an init container and the sidecars before it.
func (p *Pod) aggregate(resource string, rules *Rules) Request {
	var running, sidecars, starting Request
	for i := range p.Containers {
		running = running.plus(p.Containers[i].requests(rules).Of(resource))
	}
	for i := range p.InitContainers {
		c := &p.InitContainers[i]
		r := c.requests(rules).Of(resource)
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

// plus returns the saturated sum, which is set if one of the two is.
func (r Request) plus(s Request) Request {
	if !s.Set {
		return r
	}
	var sum metrics.Sum
	sum.Add(r.Milli)
	sum.Add(s.Milli)
	return Requested(sum.Milli())
}

func (r Request) atLeast(s Request) Request {
	if s.Set && (!r.Set || s.Milli > r.Milli) {
		return s
	}
	return r
}

// requests returns the container's requests by the rules.
func (c *Container) requests(rules *Rules) *Requests {
	if rules.RequestsInForce && c.InForce != nil {
		return c.InForce
	}
	return &c.Requests
}

// requests returns the pod-level requests by the rules.
func (l *PodLevel) requests(rules *Rules) *Requests {
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
