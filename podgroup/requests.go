package podgroup

import (
	"encoding/json"
	"slices"

	"github.com/purehpa/hpa/metrics"
)

// The resources that have fields of their own in Requests.
const (
	CPU    = "cpu"
	Memory = "memory"
)

// Requests are amounts by resource. The zero Requests are empty, which differs
// from requests of zero.
type Requests struct {
	CPU    Request `json:"cpu,omitzero"`
	Memory Request `json:"memory,omitzero"`
	// Others are the other resources, such as "hugepages-2Mi" or
	// "example.com/gpu", each once.
	Others []ResourceRequest `json:"others,omitempty"`
}

// Request is an amount that may be absent. In JSON it is the number of
// milli-units; null or no field if it is absent.
type Request struct {
	// Milli is in milli-units: thousandths of a core or of a byte.
	Milli metrics.Milli
	// Set reports whether there is a request. A request of 0 is one.
	Set bool
}

// Requested returns a request of m milli-units.
func Requested(m metrics.Milli) Request { return Request{Milli: m, Set: true} }

// IsZero reports whether there is no request.
func (r Request) IsZero() bool { return !r.Set }

// MarshalJSON implements json.Marshaler.
func (r Request) MarshalJSON() ([]byte, error) {
	if !r.Set {
		return []byte("null"), nil
	}
	return json.Marshal(r.Milli)
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Request) UnmarshalJSON(data []byte) error {
	var m *metrics.Milli
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	*r = Request{}
	if m != nil {
		*r = Requested(*m)
	}
	return nil
}

// ResourceRequest is the request of a named resource.
type ResourceRequest struct {
	Resource string `json:"resource"`
	// Milli is in milli-units.
	Milli metrics.Milli `json:"milli"`
}

// For returns the request of the resource. It is not set if the resource has no
// request.
func (r *Requests) For(resource string) Request {
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

// Equal reports whether both have the same requests, the other resources in the
// same order. Nil is equal to nil alone.
func (r *Requests) Equal(s *Requests) bool {
	if r == nil || s == nil {
		return r == s
	}
	return r.CPU == s.CPU && r.Memory == s.Memory && slices.Equal(r.Others, s.Others)
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
