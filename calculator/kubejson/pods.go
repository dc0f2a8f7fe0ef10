package kubejson

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

type pod struct {
	object
	Spec struct {
		Containers     counted[container] `json:"containers"`
		InitContainers counted[container] `json:"initContainers"`
		Resources      resources          `json:"resources"`
		Overhead       requests           `json:"overhead"`
	} `json:"spec"`
	Status struct {
		Phase      string             `json:"phase"`
		StartTime  instant            `json:"startTime"`
		Conditions counted[condition] `json:"conditions"`
		// What of the requests is in force, while the pod is resized.
		ContainerStatuses     counted[containerStatus] `json:"containerStatuses"`
		InitContainerStatuses counted[containerStatus] `json:"initContainerStatuses"`
		Resources             resources                `json:"resources"`
	} `json:"status"`
}

type container struct {
	Name          string    `json:"name"`
	Resources     resources `json:"resources"`
	RestartPolicy string    `json:"restartPolicy"`
}

type containerStatus struct {
	Name      string    `json:"name"`
	Resources resources `json:"resources"`
}

type condition struct {
	Type               string  `json:"type"`
	Status             string  `json:"status"`
	LastTransitionTime instant `json:"lastTransitionTime"`
}

type resources struct {
	Requests *requests `json:"requests"`
}

func (r *resources) requests() podgroup.Requests {
	if r.Requests == nil {
		return podgroup.Requests{}
	}
	return podgroup.Requests(*r.Requests)
}

// DecodePods appends the pods of a List, PodList or Pod of v1 to dst, as
// `kubectl get pods -o json` prints them. They must be in one namespace, and
// their names unique, those in dst included.
//
// On an error, which is an *Error, it returns dst unchanged.
func DecodePods(dst []podgroup.Pod, data []byte) ([]podgroup.Pod, error) {
	in, err := podDocument.read(data)
	if err != nil {
		return dst, err
	}
	l := newPodList(dst, nil)
	l.grow(in)
	l, err = decodeItems(podDocument, in, l, l.next, new(string), (*podList).add)
	return l.pods, err
}

// podList collects pods.
type podList struct {
	pods []podgroup.Pod
	// labels are those of each pod by its name.
	labels map[string]labels
	// next is what the pods are decoded into.
	next *pod
}

func newPodList(pods []podgroup.Pod, known map[string]labels) podList {
	l := podList{pods, make(map[string]labels, len(pods)), new(pod)}
	for i := range pods {
		l.labels[pods[i].Name] = known[pods[i].Name]
	}
	return l
}

// grow makes room for the pods among the items, and at least twofold, as
// append's smaller steps copy pods more often.
func (l *podList) grow(in items) {
	const shortest = len(`{"metadata":{"name":"a"}}`) // what is shorter is no pod
	if n := min(in.n, len(in.text)/shortest); n > cap(l.pods)-len(l.pods) {
		l.pods = slices.Grow(l.pods, max(n, len(l.pods)))
	}
}

func (l *podList) add(p *pod) *Error {
	name := p.Metadata.Name
	if _, ok := l.labels[name]; ok {
		return errorAt(".metadata.name", "%s is the name of another pod, too", quote(name))
	}
	out, err := p.pod()
	if err = cmp.Or(errorIf(name == "", ".metadata.name", "missing"), err); err == nil {
		l.labels[name] = cmp.Or(p.Metadata.Labels, "{}")
		l.pods = append(l.pods, out)
	}
	return err
}

// pod returns what the autoscaler needs to know of the pod.
func (p *pod) pod() (podgroup.Pod, *Error) {
	out := podgroup.Pod{
		Name:      p.Metadata.Name,
		StartTime: metrics.Instant(p.Status.StartTime),
		Phase:     podgroup.ParsePhase(p.Status.Phase),
		Deleted:   metrics.Instant(p.Metadata.DeletionTimestamp).IsSet(),
	}
	for _, c := range p.Status.Conditions {
		if c.Type == "Ready" {
			out.Ready = podgroup.ParseReadiness(c.Status)
			out.ReadyTransition = metrics.Instant(c.LastTransitionTime)
			break
		}
	}
	containers, inits := p.Spec.Containers, p.Spec.InitContainers
	if err := cmp.Or(named("containers", containers), named("initContainers", inits)); err != nil {
		return out, err
	}
	inForce := p.inForce()
	out.Containers = slices.Grow(out.Containers, len(containers))
	for i := range containers {
		out.Containers = append(out.Containers, containers[i].container(inForce))
	}
	out.InitContainers = slices.Grow(out.InitContainers, len(inits))
	for i := range inits {
		out.InitContainers = append(out.InitContainers,
			podgroup.InitContainer{Container: inits[i].container(inForce), Restarts: inits[i].RestartPolicy == "Always"})
	}
	if whole, overhead := p.Spec.Resources.requests(), podgroup.Requests(p.Spec.Overhead); anyOf(whole) || anyOf(overhead) {
		out.PodLevel = &podgroup.PodLevel{Requests: whole, Overhead: overhead, InForce: other(p.Status.Resources.Requests, &whole)}
	}
	return out, nil
}

// named returns the error of a container without a name.
func named(path string, containers []container) *Error {
	i := slices.IndexFunc(containers, func(c container) bool { return c.Name == "" })
	return errorIf(i >= 0, fmt.Sprintf(".spec.%s[%d].name", path, i), "missing")
}

// inForce returns the requests in force by container, nil if no status has any.
func (p *pod) inForce() map[string]*requests {
	var all map[string]*requests
	for _, list := range [...]counted[containerStatus]{p.Status.ContainerStatuses, p.Status.InitContainerStatuses} {
		for i := range list {
			if s := &list[i]; s.Resources.Requests != nil {
				if all == nil {
					all = make(map[string]*requests, len(list))
				}
				all[s.Name] = s.Resources.Requests
			}
		}
	}
	return all
}

// other returns the requests in force if they are other ones, and else nil. A
// status without any says nothing: a resize takes no request away.
func other(inForce *requests, than *podgroup.Requests) *podgroup.Requests {
	if r := (*podgroup.Requests)(inForce); r != nil && anyOf(*r) && !r.Equal(than) {
		return r
	}
	return nil
}

func (c *container) container(inForce map[string]*requests) podgroup.Container {
	out := podgroup.Container{Name: c.Name, Requests: c.Resources.requests()}
	out.InForce = other(inForce[c.Name], &out.Requests)
	return out
}
