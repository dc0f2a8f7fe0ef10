package kubejson

import (
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

type pod struct {
	object
	Spec struct {
		Containers     []container `json:"containers"`
		InitContainers []container `json:"initContainers"`
		Resources      resources   `json:"resources"`
		Overhead       requests    `json:"overhead"`
	} `json:"spec"`
	Status struct {
		Phase      string     `json:"phase"`
		StartTime  *time.Time `json:"startTime"`
		Conditions []struct {
			Type               string    `json:"type"`
			Status             string    `json:"status"`
			LastTransitionTime time.Time `json:"lastTransitionTime"`
		} `json:"conditions"`
	} `json:"status"`
}

type container struct {
	Name          string    `json:"name"`
	Resources     resources `json:"resources"`
	RestartPolicy string    `json:"restartPolicy"`
}

type resources struct {
	Requests requests `json:"requests"`
}

type requests map[string]request

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

// DecodePods appends the pods of a List, PodList or Pod of v1 to dst, as
// `kubectl get pods -o json` prints them. They must be in one namespace, and their
// names unique, those in dst included.
//
// On an error, which is an *Error, it returns dst unchanged.
func DecodePods(dst []podgroup.Pod, data []byte) ([]podgroup.Pod, error) {
	l, err := newPodList(dst).decode(data)
	return l.pods, err
}

// podList collects pods. Its names are those of the pods, to find repeated ones.
type podList struct {
	pods  []podgroup.Pod
	names map[string]bool
}

func newPodList(pods []podgroup.Pod) podList {
	l := podList{pods, make(map[string]bool, len(pods))}
	for i := range pods {
		l.names[pods[i].Name] = true
	}
	return l
}

func (l podList) decode(data []byte) (podList, error) {
	before, first := len(l.pods), ""
	return decode(podDocument, data, l, func(l *podList, p *pod) *Error {
		name, namespace := p.Metadata.Name, p.Metadata.Namespace
		if len(l.pods) == before {
			first = namespace
		}
		switch {
		case name == "":
			return errorAt(".metadata.name", "missing")
		case namespace != first:
			return errorAt(".metadata.namespace", "%s, but the first pod is in %s; an autoscaler has pods of one namespace",
				quote(namespace), quote(first))
		case l.names[name]:
			return errorAt(".metadata.name", "%s is the name of another pod, too", quote(name))
		}
		l.names[name] = true
		l.pods = append(l.pods, p.pod())
		return nil
	})
}

// pod returns what the autoscaler needs to know of the pod.
func (p *pod) pod() podgroup.Pod {
	out := podgroup.Pod{
		Name:    p.Metadata.Name,
		Phase:   podgroup.ParsePhase(p.Status.Phase),
		Deleted: p.Metadata.DeletionTimestamp != nil,
	}
	if t := p.Status.StartTime; t != nil {
		out.StartTime = metrics.At(*t)
	}
	for _, c := range p.Status.Conditions {
		if c.Type == "Ready" {
			out.Ready = podgroup.ParseReadiness(c.Status)
			out.ReadyTransition = metrics.At(c.LastTransitionTime)
			break
		}
	}
	for i := range p.Spec.Containers {
		out.Containers = append(out.Containers, p.Spec.Containers[i].container())
	}
	for i := range p.Spec.InitContainers {
		c := &p.Spec.InitContainers[i]
		out.InitContainers = append(out.InitContainers,
			podgroup.InitContainer{Container: c.container(), Restarts: c.RestartPolicy == "Always"})
	}
	if r, overhead := p.Spec.Resources.Requests, p.Spec.Overhead; len(r) > 0 || len(overhead) > 0 {
		out.PodLevel = &podgroup.PodLevel{Requests: r.requests(), Overhead: overhead.requests()}
	}
	return out
}

func (c *container) container() podgroup.Container {
	return podgroup.Container{Name: c.Name, Requests: c.Resources.Requests.requests()}
}

// requests returns the requests that are set, the others sorted by resource.
func (r requests) requests() podgroup.Requests {
	var out podgroup.Requests
	for name, q := range r {
		switch m := metrics.Quantity(q).Milli(); {
		case !metrics.Quantity(q).IsSet():
		case name == podgroup.CPU, name == podgroup.Memory:
			out.Set(name, m)
		default:
			out.Others = append(out.Others, podgroup.ResourceRequest{Resource: name, Milli: m})
		}
	}
	slices.SortFunc(out.Others, func(a, b podgroup.ResourceRequest) int { return strings.Compare(a.Resource, b.Resource) })
	return out
}
