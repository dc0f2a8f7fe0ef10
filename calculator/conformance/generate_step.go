package conformance

import (
	"errors"
	"fmt"
	"math"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// podNames are the names of the pods listed.
var podNames = func() (names [64]string) {
	for i := range names {
		names[i] = fmt.Sprintf("web-%03d", i)
	}
	return
}()

var podLabels = map[string]string{"app": "web"}

// selector is the scale's selector.
const selector = "app=web"

var (
	errMetrics = []error{
		errors.New("no metrics returned from resource metrics API"),
		errors.New("the server could not find the requested resource (get pods.metrics.k8s.io)"),
		errors.New(`unable to fetch metrics: %!d(string=x) "quoted" é`),
		errors.New("100% of 3 requests failed: %s, %v, 50%"), // some releases format texts twice
	}
	errScale  = errors.New(`deployments.apps "web" not found`)
	errUpdate = errors.New("injected failure")
)

// drawStep draws what the sync at now sees.
func (w *World) drawStep(now time.Time) *Step {
	d := w.dice
	s := &Step{Now: now, SpecReplicas: w.size, Selector: selector}
	// Now and then someone changes the size by hand.
	if one(d, 8) {
		switch d.Roll(5) {
		case 0:
			s.SpecReplicas = int32(d.Roll(25))
		case 1:
			s.SpecReplicas = 0
		case 2:
			s.SpecReplicas = w.hpa.Spec.MaxReplicas
			if s.SpecReplicas < math.MaxInt32 {
				s.SpecReplicas += int32(d.Roll(2))
			}
		case 3:
			s.SpecReplicas = max(*w.hpa.Spec.MinReplicas-int32(d.Roll(2)), 0)
		case 4:
			if w.mood == Huge {
				s.SpecReplicas = pick[int32](d, math.MaxInt32, 1<<30, 1<<30+1, math.MaxInt32-1)
			}
		}
	}
	// A rollout has more or fewer pods than the scale asks for.
	s.StatusReplicas = s.SpecReplicas
	if one(d, 4) {
		s.StatusReplicas = max(s.StatusReplicas+int32(between(d, -2, 2)), 0)
	}
	if one(d, 50) {
		s.StatusReplicas = 0
	}
	if one(d, 16) {
		s.UpdateError = errUpdate
	}
	if w.wide && one(d, 40) {
		switch d.Roll(4) {
		case 0:
			s.ScaleError = errScale
		case 1:
			s.Selector = ""
		case 2:
			s.Selector = pick(d, "a b", "app in (web", "=x", "a,,b", "app=%d%")
		case 3:
			s.Rival = true
		}
	}
	w.drawPods(s)
	s.Readings = make([]Reading, len(w.hpa.Spec.Metrics))
	for i := range s.Readings {
		w.drawReading(s, &s.Readings[i], &w.hpa.Spec.Metrics[i])
	}
	return s
}

// factors are usage ratios: near 1, at the edge of a tolerance, or far off.
var factors = []float64{1, 0.5, 2, 0.9, 1.1, 1.05, 0.95, 0.8, 1.2, 0, 3, 1.3, 0.7, 1.01, 0.99, 10, 0.1, 4.0 / 3, 2.0 / 3, 25}

func (w *World) drawReading(s *Step, r *Reading, m *autoscalingv2.MetricSpec) {
	d := w.dice
	if one(d, 20) {
		r.Err = pick(d, errMetrics...)
		return
	}
	r.Time = s.Now.Add(-time.Duration(d.Roll(60)) * time.Second).Truncate(time.Second)
	factor := factors[d.Roll(len(factors))]
	if *w.hpa.Spec.MinReplicas == 0 && one(d, 3) {
		factor = 0
	}
	switch m.Type {
	case autoscalingv2.ObjectMetricSourceType:
		r.Values = []int64{w.drawWhole(s, &m.Object.Target, factor, 1)}
	case autoscalingv2.ExternalMetricSourceType:
		n := 1
		if one(d, 3) {
			n = d.Roll(5)
		}
		for range n {
			r.Values = append(r.Values, w.drawWhole(s, &m.External.Target, factor, n))
		}
		// Right where a sum becomes the largest float64 below 2^63.
		last := func() int64 { return math.MaxInt64 - pick[int64](d, 0, 1, 511, 512, 513, 1024) }
		average := m.External.Target.AverageValue
		switch {
		case w.mood == Huge && n > 0 && one(d, 3):
			r.Values[0] = last()
		case w.mood == Plain && average != nil && average.Cmp(vast[0]) >= 0:
			r.Values = []int64{last()}
		}
	case autoscalingv2.ContainerResourceMetricSourceType:
		w.drawSamples(s, r, m, factor)
		w.dropContainers(r)
	default:
		w.drawSamples(s, r, m, factor)
	}
}

// dropContainers makes some or all pods lack the container. An empty answer is
// upstream's error.
func (w *World) dropContainers(r *Reading) {
	d := w.dice
	n := len(r.Samples)
	if n == 0 {
		r.Err = errMetrics[0]
		return
	}
	if !one(d, 10) {
		return
	}
	first, last := 0, n
	if !one(d, 4) {
		first = d.Roll(n)
		last = first + 1
	}
	for i := first; i < last; i++ {
		r.Samples[i].Value, r.Samples[i].NoContainer = 0, true
	}
}

func (w *World) drawWhole(s *Step, t *autoscalingv2.MetricTarget, factor float64, n int) int64 {
	var whole float64
	switch {
	case t.AverageValue != nil:
		whole = float64(t.AverageValue.MilliValue()) * float64(s.StatusReplicas)
	case t.Value != nil:
		whole = float64(t.Value.MilliValue())
	}
	return w.near(whole * factor / float64(n))
}

// near returns v or a neighbour, or something else in some moods.
func (w *World) near(v float64) int64 {
	d := w.dice
	i := int64(math.MaxInt64)
	if v < math.MaxInt64 {
		i = int64(v)
	}
	if i == 0 && !one(d, 4) {
		return 0
	}
	switch d.Roll(4) {
	case 1:
		if i < math.MaxInt64 {
			i++
		}
	case 2:
		if i > 0 {
			i--
		}
	case 3:
		if i < math.MaxInt64/4 {
			i = int64(float64(i+1000) * float64(d.Roll(1<<16)) / (1 << 15))
		}
	}
	switch {
	case w.mood == Negative && one(d, 3):
		i = -i
	case w.mood == Huge && one(d, 4):
		i = pick[int64](d, math.MaxInt64, math.MaxInt64/100, math.MaxInt64/2, math.MaxInt64-1, 1<<62, 1<<53+1)
	}
	return i
}

func (w *World) drawSamples(s *Step, r *Reading, m *autoscalingv2.MetricSpec, factor float64) {
	d := w.dice
	var name corev1.ResourceName
	var container string
	var average *resource.Quantity
	var percent *int32
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		name, average, percent = m.Resource.Name, m.Resource.Target.AverageValue, m.Resource.Target.AverageUtilization
	case autoscalingv2.ContainerResourceMetricSourceType:
		name, container = m.ContainerResource.Name, m.ContainerResource.Container
		average, percent = m.ContainerResource.Target.AverageValue, m.ContainerResource.Target.AverageUtilization
	case autoscalingv2.PodsMetricSourceType:
		average = m.Pods.Target.AverageValue
	}
	window := pick(d, 30*time.Second, 10*time.Second, time.Minute)
	all := one(d, 2)
	if one(d, 40) {
		return
	}
	r.Samples = make([]Sample, 0, len(s.Pods)+2)
	for _, p := range s.Pods {
		if !all && one(d, 5) {
			continue
		}
		var target float64
		switch {
		case average != nil:
			target = float64(average.MilliValue())
		case percent != nil:
			target = float64(*percent) / 100 * w.requestOf(p, name, container)
		}
		at := s.Now.Add(-time.Duration(d.Roll(60)) * time.Second)
		if name == corev1.ResourceCPU && len(p.Status.Conditions) > 0 && one(d, 4) {
			// Right at the edge of the window after it became ready.
			last := p.Status.Conditions[len(p.Status.Conditions)-1].LastTransitionTime
			edge := time.Duration(between(d, -1, 1))
			if w.exact {
				edge *= time.Second
			}
			at = last.Add(window + edge)
		}
		value := w.near(target * factor)
		if name == corev1.ResourceMemory && one(d, 2) {
			value -= value % (1 << 20 * 1000) // shown as 7Mi
		}
		r.Samples = append(r.Samples, Sample{Pod: p.Name, Value: value, Time: at, Window: window})
	}
	if one(d, 12) {
		for i := range between(d, 1, 2) {
			r.Samples = append(r.Samples, Sample{Pod: "gone-" + podNames[i], Value: w.near(1000 * factor), Time: s.Now, Window: window})
		}
	}
}

// requestOf returns roughly what the pod requests.
func (w *World) requestOf(p *corev1.Pod, name corev1.ResourceName, container string) float64 {
	sum := 0.0
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		if container == "" || container == c.Name {
			q := c.Resources.Requests[name]
			sum += float64(q.MilliValue())
		}
	}
	return sum
}
