package prove

import (
	"slices"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// The requests of each container.
const (
	podCPU    metrics.Milli = 1000
	podOthers metrics.Milli = 1 << 30 * 1000
)

// PodsOf returns pods like those of timelines, running and with the containers
// that the spec names: plain with requests, bare without, and zero with requests
// of 0.
func PodsOf(spec *autoscaling.HorizontalPodAutoscalerSpec) (plain, bare, zero podgroup.Pod) {
	names, resources := []string{"app"}, []string{podgroup.CPU, podgroup.Memory}
	for i := range spec.Metrics {
		m := spec.Metrics[i].Resolve()
		if r := m.Resource(); r != "" {
			resources = append(resources, r)
		}
		if m.Container != "" && !slices.Contains(names, m.Container) {
			names = append(names, m.Container)
		}
	}
	plain = podgroup.Pod{Phase: podgroup.PhaseRunning}
	bare, zero = plain, plain
	for _, name := range names {
		full, none := podgroup.Container{Name: name}, podgroup.Container{Name: name}
		for _, resource := range resources {
			full.Requests.Set(resource, amount(resource))
			none.Requests.Set(resource, 0)
		}
		plain.Containers = append(plain.Containers, full)
		zero.Containers = append(zero.Containers, none)
		bare.Containers = append(bare.Containers, podgroup.Container{Name: name})
	}
	plain.Resolve()
	zero.Resolve()
	return plain, bare, zero
}

func amount(resource string) metrics.Milli {
	if resource == podgroup.CPU {
		return podCPU
	}
	return podOthers
}
