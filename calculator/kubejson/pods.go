package kubejson

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

type objectMeta struct {
	Name              string    `json:"name"`
	Namespace         string    `json:"namespace"`
	Generation        int64     `json:"generation"`
	CreationTimestamp time.Time `json:"creationTimestamp"`
	DeletionTimestamp time.Time `json:"deletionTimestamp"`
}

type resourceList map[string]metrics.Quantity

type resources struct {
	Requests resourceList `json:"requests"`
}

type container struct {
	Name          string    `json:"name"`
	Resources     resources `json:"resources"`
	RestartPolicy string    `json:"restartPolicy"`
}

type podCondition struct {
	Type               string    `json:"type"`
	Status             string    `json:"status"`
	LastTransitionTime time.Time `json:"lastTransitionTime"`
}

type pod struct {
	Metadata objectMeta `json:"metadata"`
	Spec     struct {
		Containers     []container  `json:"containers"`
		InitContainers []container  `json:"initContainers"`
		Resources      resources    `json:"resources"`
		Overhead       resourceList `json:"overhead"`
	} `json:"spec"`
	Status struct {
		Phase      string         `json:"phase"`
		StartTime  time.Time      `json:"startTime"`
		Conditions []podCondition `json:"conditions"`
	} `json:"status"`
}

func podDocument() *document {
	return &document{name: "pods", kind: "Pod", versions: []string{"v1"}}
}

// DecodePods appends the pods of a List, PodList or Pod of v1, as
// `kubectl get pods -o json` prints them, to dst. They are pods of one
// namespace with a name each, no two alike, those in dst included.
//
// On an error, which is an *Error, it returns dst as it is.
func DecodePods(dst []podgroup.Pod, data []byte) ([]podgroup.Pod, error) {
	d := podDocument()
	items, list, err := decode[pod](d, data)
	if err != nil {
		return dst, err
	}
	names := make(map[string]bool, len(dst)+len(items))
	for i := range dst {
		names[dst[i].Name] = true
	}
	pods := slices.Grow(dst, len(items))
	for i := range items {
		p, path := &items[i], itemPath(list, i)
		switch meta := &p.Metadata; {
		case meta.Name == "":
			return dst, d.errorf(join(path, "metadata.name"), "missing")
		case meta.Namespace != items[0].Metadata.Namespace:
			return dst, d.errorf(join(path, "metadata.namespace"), "%s, but the first pod is in %s; an autoscaler has pods of one namespace",
				quote(meta.Namespace), quote(items[0].Metadata.Namespace))
		case names[meta.Name]:
			return dst, d.errorf(join(path, "metadata.name"), "%s is the name of another pod, too", quote(meta.Name))
		}
		names[p.Metadata.Name] = true
		converted, err := p.pod(d, path)
		if err != nil {
			return dst, err
		}
		pods = append(pods, converted)
	}
	return pods, nil
}

// pod returns what the autoscaler needs to know of the pod.
func (p *pod) pod(d *document, path string) (podgroup.Pod, error) {
	out := podgroup.Pod{
		Name:      p.Metadata.Name,
		StartTime: metrics.At(p.Status.StartTime),
		Phase:     podgroup.ParsePhase(p.Status.Phase),
		Deleted:   !p.Metadata.DeletionTimestamp.IsZero(),
	}
	for _, c := range p.Status.Conditions {
		if c.Type == "Ready" {
			out.Ready = podgroup.ParseReadiness(c.Status)
			out.ReadyTransition = metrics.At(c.LastTransitionTime)
			break
		}
	}
	spec := join(path, "spec")
	for i := range p.Spec.Containers {
		c, err := p.Spec.Containers[i].container(d, spec, "containers", i)
		if err != nil {
			return out, err
		}
		out.Containers = append(out.Containers, c)
	}
	for i := range p.Spec.InitContainers {
		c, err := p.Spec.InitContainers[i].container(d, spec, "initContainers", i)
		if err != nil {
			return out, err
		}
		restarts := p.Spec.InitContainers[i].RestartPolicy == "Always"
		out.InitContainers = append(out.InitContainers, podgroup.InitContainer{Container: c, Restarts: restarts})
	}
	if len(p.Spec.Resources.Requests) == 0 && len(p.Spec.Overhead) == 0 {
		return out, nil
	}
	requests, err := p.Spec.Resources.Requests.requests(d, join(spec, "resources.requests"))
	if err != nil {
		return out, err
	}
	overhead, err := p.Spec.Overhead.requests(d, join(spec, "overhead"))
	if err != nil {
		return out, err
	}
	out.PodLevel = &podgroup.PodLevel{Requests: requests, Overhead: overhead}
	return out, nil
}

func (c *container) container(d *document, spec, field string, i int) (podgroup.Container, error) {
	requests, err := c.Resources.Requests.requests(d, spec+"."+field+itemPath(true, i)[len("items"):]+".resources.requests")
	return podgroup.Container{Name: c.Name, Requests: requests}, err
}

// requests returns the amounts, in the order of the names of their resources.
func (l resourceList) requests(d *document, path string) (podgroup.Requests, error) {
	var r podgroup.Requests
	for _, name := range sortedKeys(l) {
		q := l[name]
		if q.Sign() < 0 {
			return podgroup.Requests{}, d.errorf(path+keyStep(name), "%s is negative", q)
		}
		if q.IsSet() {
			r.Set(name, q.Milli())
		}
	}
	return r, nil
}
