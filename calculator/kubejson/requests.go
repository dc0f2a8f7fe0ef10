package kubejson

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// requests are the requests that are set, the others sorted by resource.
type requests podgroup.Requests

// UnmarshalJSON implements json.Unmarshaler.
func (r *requests) UnmarshalJSON(data []byte) error {
	*r = requests{}
	if data[0] != '{' {
		return json.Unmarshal(data, new(struct{}))
	}
	for name, value := range members(data) {
		var q request
		if err := q.UnmarshalJSON(value); err != nil {
			return err
		}
		switch m := metrics.Quantity(q).Milli(); {
		case !metrics.Quantity(q).IsSet():
		case name == podgroup.CPU, name == podgroup.Memory:
			(*podgroup.Requests)(r).Set(name, m)
		default:
			if r.Others == nil {
				r.Others = make([]podgroup.ResourceRequest, 0, count(inner(data)))
			}
			r.Others = append(r.Others, podgroup.ResourceRequest{Resource: name, Milli: m})
		}
	}
	// The last of several values of a resource counts.
	slices.Reverse(r.Others)
	slices.SortStableFunc(r.Others, func(a, b podgroup.ResourceRequest) int { return strings.Compare(a.Resource, b.Resource) })
	r.Others = slices.CompactFunc(r.Others, func(a, b podgroup.ResourceRequest) bool { return a.Resource == b.Resource })
	return nil
}

// anyOf reports whether there are any.
func anyOf(r podgroup.Requests) bool { return r.CPU.Set || r.Memory.Set || len(r.Others) > 0 }

// request is a quantity that is not negative.
type request metrics.Quantity

// UnmarshalJSON implements json.Unmarshaler.
func (r *request) UnmarshalJSON(data []byte) error {
	q := (*metrics.Quantity)(r)
	if err := q.UnmarshalJSON(data); err != nil || q.Sign() >= 0 {
		return err
	}
	return errorAt("", "%s is negative", q)
}
