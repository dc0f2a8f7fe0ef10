package conformance

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Pods appends what the library needs to know of the pods.
func Pods(dst []podgroup.Pod, pods []*corev1.Pod) []podgroup.Pod {
	for _, p := range pods {
		// What dst held before gives its memory.
		var o podgroup.Pod
		if n := len(dst); n < cap(dst) {
			o = dst[:n+1][n]
		}
		containers, inits := o.Containers[:0], o.InitContainers[:0]
		o = podgroup.Pod{
			Name:    p.Name,
			Phase:   podgroup.ParsePhase(string(p.Status.Phase)),
			Deleted: p.DeletionTimestamp != nil,
		}
		if p.Status.StartTime != nil {
			o.StartTime = metrics.At(p.Status.StartTime.Time)
		}
		for i := range p.Status.Conditions {
			if c := &p.Status.Conditions[i]; c.Type == corev1.PodReady {
				o.Ready = podgroup.ParseReadiness(string(c.Status))
				o.ReadyTransition = metrics.At(c.LastTransitionTime.Time)
				break
			}
		}
		for i := range p.Spec.Containers {
			c := &p.Spec.Containers[i]
			containers = append(containers, podgroup.Container{Name: c.Name, Requests: requests(c.Resources.Requests)})
		}
		for i := range p.Spec.InitContainers {
			c := &p.Spec.InitContainers[i]
			inits = append(inits, podgroup.InitContainer{
				Container: podgroup.Container{Name: c.Name, Requests: requests(c.Resources.Requests)},
				Restarts:  c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways,
			})
		}
		o.Containers, o.InitContainers = containers, inits
		if p.Spec.Resources != nil && len(p.Spec.Resources.Requests) > 0 || len(p.Spec.Overhead) > 0 {
			o.PodLevel = &podgroup.PodLevel{Overhead: requests(p.Spec.Overhead)}
			if p.Spec.Resources != nil {
				o.PodLevel.Requests = requests(p.Spec.Resources.Requests)
			}
		}
		dst = append(dst, o)
	}
	return dst
}

func requests(list corev1.ResourceList) podgroup.Requests {
	var r podgroup.Requests
	for name, q := range list {
		r.Set(string(name), milli(&q))
	}
	return r
}

const mostUnits = math.MaxInt64 / 1000

// milli returns the quantity in milli-units. MilliValue wraps around.
func milli(q *resource.Quantity) metrics.Milli {
	switch {
	case q.CmpInt64(mostUnits) > 0:
		return math.MaxInt64
	case q.CmpInt64(-mostUnits) < 0:
		return math.MinInt64
	}
	return metrics.Milli(q.MilliValue())
}

// read fills the reading from what the metrics API answers, with the samples in
// the order of the pods.
func (r *calculatorReading) read(from *Reading, pods []podgroup.Pod) {
	*r = calculatorReading{Err: from.Err, Samples: r.Samples[:0], Strays: r.Strays[:0], Values: r.Values[:0]}
	if from.Err != nil {
		return
	}
	for _, v := range from.Values {
		r.Values = append(r.Values, metrics.Milli(v))
	}
	if len(from.Samples) == 0 {
		return
	}
	for range pods {
		r.Samples = append(r.Samples, metrics.Sample{})
	}
	at := 0 // samples come in the order of the pods, more or less
	for i := range from.Samples {
		s := &from.Samples[i]
		sample := metrics.Sample{Value: metrics.Milli(s.Value), Time: metrics.At(s.Time), Window: s.Window, Present: true}
		found := false
		for range pods {
			if at++; at >= len(pods) {
				at = 0
			}
			if pods[at].Name == s.Pod {
				r.Samples[at], found = sample, true
				break
			}
		}
		if !found {
			r.Strays = append(r.Strays, sample)
		}
	}
}

type calculatorReading calculator.Reading

// selectorError is what is wrong with the step's selector, as a caller of the
// library would find it.
func (s *Step) selectorError() *calculator.SelectorError {
	if s.Selector == "" {
		return &calculator.SelectorError{Reason: calculator.SelectorRequired}
	}
	if _, err := labels.Parse(s.Selector); err != nil {
		return &calculator.SelectorError{Reason: calculator.SelectorInvalid, Err: err}
	}
	if s.Rival && len(s.Pods) > 0 {
		return &calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: s.Selector, Others: rivals}
	}
	return nil
}

// rivals and slavir are the two autoscalers that share pods, in the order in
// which they are compared here, and in the other one: upstream's is random.
const (
	rivals = "[" + key + " " + Namespace + "/rival]"
	slavir = "[" + Namespace + "/rival " + key + "]"
)
