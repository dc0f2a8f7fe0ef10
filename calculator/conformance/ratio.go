//go:build !kubernetes132

// Only the newest release is timed. Those before 1.33 have other functions.

package conformance

import (
	"context"
	"fmt"
	"testing"
	"time"
	"unsafe"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	podmetrics "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

// Ratio is a piece of work as benchmarks. Upstream is nil for work that
// Kubernetes does not need. Bare reads and adds what the library has to, and
// nothing else; it is nil where that is not all that takes time.
type Ratio struct {
	Name                    string
	Upstream, Library, Bare func(*testing.B)
}

// Ratios returns the pieces of work, with the same inputs for both. Upstream's
// lister and metrics client return what was made before the clock started.
func Ratios() []Ratio {
	var list []Ratio
	for _, n := range []int{1000, 100, 10} {
		for _, shape := range []string{"healthy", "tenth"} {
			s, f := ratioStep(n, shape == "tenth"), DefaultFlags()
			for prepared, name := range []string{
				unprepared: "cpu utilization, pods=%d/%s",
				resolved:   "the same, requests resolved before, pods=%d/%s",
				grouped:    "the same, a group prepared before, pods=%d/%s",
			} {
				p := preparation(prepared)
				list = append(list, Ratio{fmt.Sprintf(name, n, shape), upstreamUtilization(s, f), libraryUtilization(s, f, p), barePass(s, f, p)})
			}
		}
	}
	s, f := ratioStep(100, false), DefaultFlags()
	list = append(list, Ratio{Name: "whole sync, pods=100/metrics=3, behavior and history", Upstream: upstreamSync(s, f), Library: librarySync(s, f)})
	for _, n := range []int{1000, 100, 10} {
		list = append(list, Ratio{Name: fmt.Sprintf("conversion of pods and samples from Kubernetes' types, pods=%d", n), Library: conversion(ratioStep(n, false), f)})
		list = append(append(list, typedRatios(n)...), wireRatios(n)...)
	}
	return list
}

// DefaultFlags returns kube-controller-manager's defaults.
func DefaultFlags() Flags {
	return Flags{Tolerance: 0.1, DownscaleStabilization: 5 * time.Minute, CPUInitializationPeriod: 5 * time.Minute, InitialReadinessDelay: 30 * time.Second}
}

// ratioStep returns n ready pods at 70% of their cpu request. With tenth, one
// in ten has no sample and another one is Pending.
func ratioStep(n int, tenth bool) *Step {
	now := time.Now().Truncate(time.Second)
	s := &Step{Now: now, SpecReplicas: int32(n), StatusReplicas: int32(n), Selector: selector}
	for i := range n {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("web-7d4b9c6f5-%05d", i), Namespace: Namespace, Labels: podLabels}}
		p.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("256Mi")}}}}
		start := now.Add(-time.Hour)
		p.Status = corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &metav1.Time{Time: start},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: start.Add(10 * time.Second)}}}}
		if tenth && i%10 == 7 {
			p.Status.Phase = corev1.PodPending
		}
		s.Pods = append(s.Pods, p)
	}
	cpu := Reading{Time: now}
	for i, p := range s.Pods {
		if !tenth || i%10 != 3 {
			cpu.Samples = append(cpu.Samples, Sample{Pod: p.Name, Value: int64(350 + i%7), Time: now.Add(-10 * time.Second), Window: 15 * time.Second})
		}
	}
	s.Readings = []Reading{cpu, cpu, {Time: now, Values: []int64{int64(n) * 30_000}}}
	return s
}

const ratioTarget = 50

func (c *metricsClient) info(i int) podmetrics.PodMetricsInfo {
	c.queue = []int{i}
	info, _, _ := c.next().samples()
	return info
}

func upstreamUtilization(s *Step, f Flags) func(*testing.B) {
	return func(b *testing.B) {
		u := NewUpstream(f)
		u.step = s
		// The calculator deletes the samples of pods that do not count. If
		// there are such pods, it gets a fresh map each time, made while the
		// timer is stopped.
		most := 64_000 / len(s.Pods)
		maps := make([]podmetrics.PodMetricsInfo, most)
		fill := func(n int) {
			for i := range n {
				maps[i] = (*metricsClient)(u).info(0)
			}
		}
		mutates := len(s.Readings[0].Samples) < len(s.Pods)
		c := &mapClient{at: s.Now}
		calc := newCalculator(c, (*podLister)(u), &f)
		tolerances := upstreamTolerances(metrics.Symmetric(f.Tolerance))
		everything := labels.Everything()
		fill(1)
		c.info = maps[0]
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			if mutates {
				if i%most == 0 {
					b.StopTimer()
					fill(min(most, b.N-i))
					b.StartTimer()
				}
				c.info = maps[i%most]
			}
			if n, _, _, _, err := calc.GetResourceReplicas(u.ctx, s.SpecReplicas, ratioTarget, corev1.ResourceCPU, tolerances, Namespace, everything, ""); err != nil || n <= s.SpecReplicas {
				b.Fatal(n, err)
			}
		}
	}
}

// preparation is what the caller prepared once for many metrics and syncs.
type preparation int

const (
	// unprepared: nothing. Each pass adds up the containers' requests.
	unprepared preparation = iota
	// resolved: each pod's requests, as package kube does.
	resolved
	// grouped: a podgroup.Group of the resolved pods.
	grouped
)

func libraryUtilization(s *Step, f Flags, prepared preparation) func(*testing.B) {
	return func(b *testing.B) {
		l := NewLibrary(f)
		l.observe(s)
		for i := range l.obs.Pods {
			p := &l.obs.Pods[i]
			p.CPU, p.Memory = podgroup.Request{}, podgroup.Request{}
			if prepared != unprepared {
				p.Resolve()
			}
		}
		m := calculator.PodMetric{
			Resource: podgroup.CPU, CurrentReplicas: s.SpecReplicas, Pods: l.obs.Pods, Samples: l.obs.Readings[0].Samples,
			Tolerance: metrics.Symmetric(f.Tolerance), ReadinessSettings: l.settings.ReadinessSettings,
		}
		if prepared == grouped {
			m.Group = new(podgroup.Group)
			m.Group.Prepare(m.Pods)
		}
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			if p, err := calculator.ProposeResourceUtilization(s.Now, &m, ratioTarget); err != nil || p.Replicas <= s.SpecReplicas {
				b.Fatal(p, err)
			}
		}
	}
}

// barePass adds the samples and, unless a group did so before, the pods'
// requests. It is nil where those have to be found first.
func barePass(s *Step, f Flags, prepared preparation) func(*testing.B) {
	if prepared == unprepared {
		return nil
	}
	return func(b *testing.B) {
		l := NewLibrary(f)
		l.observe(s)
		pods, samples := l.obs.Pods, l.obs.Readings[0].Samples
		if prepared == grouped {
			pods = nil
		}
		var sum metrics.Milli
		b.ResetTimer()
		for range b.N {
			for i := range samples {
				sum += samples[i].Value
			}
			for i := range pods {
				sum += pods[i].CPU.Milli
			}
		}
		if sum == 0 {
			b.Fatal("nothing was added")
		}
	}
}

// upstreamTolerances returns upstream's value of the tolerance.
func upstreamTolerances(t metrics.Tolerance) podautoscaler.Tolerances {
	both := [2]float64{t.Down, t.Up}
	return *(*podautoscaler.Tolerances)(unsafe.Pointer(&both))
}

// mapClient has answers that were made before.
type mapClient struct {
	podmetrics.MetricsClient
	info   podmetrics.PodMetricsInfo
	values []int64
	at     time.Time
}

func (c *mapClient) GetResourceMetric(context.Context, corev1.ResourceName, string, labels.Selector, string) (podmetrics.PodMetricsInfo, time.Time, error) {
	return c.info, c.at, nil
}

func (c *mapClient) GetRawMetric(string, string, labels.Selector, labels.Selector) (podmetrics.PodMetricsInfo, time.Time, error) {
	return c.info, c.at, nil
}

func (c *mapClient) GetExternalMetric(string, string, labels.Selector) ([]int64, time.Time, error) {
	return c.values, c.at, nil
}

// ratioSpec has three metrics. The first asks for more than the policies allow
// now.
func ratioSpec(s *Step) *autoscalingv2.HorizontalPodAutoscalerSpec {
	policies := []autoscalingv2.HPAScalingPolicy{
		{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: 1800},
		{Type: autoscalingv2.PercentScalingPolicy, Value: 10, PeriodSeconds: 600},
		{Type: autoscalingv2.PodsScalingPolicy, Value: 20, PeriodSeconds: 60},
	}
	smallest := autoscalingv2.MinChangePolicySelect
	return &autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"},
		MinReplicas:    ptr[int32](1),
		MaxReplicas:    10 * s.SpecReplicas,
		Metrics: []autoscalingv2.MetricSpec{
			{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
				Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: ptr[int32](ratioTarget)}}},
			{Type: autoscalingv2.PodsMetricSourceType, Pods: &autoscalingv2.PodsMetricSource{
				Metric: autoscalingv2.MetricIdentifier{Name: "requests"},
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: resource.NewMilliQuantity(350, resource.DecimalSI)}}},
			{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{
				Metric: autoscalingv2.MetricIdentifier{Name: "queue"},
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: resource.NewQuantity(30, resource.DecimalSI)}}},
		},
		Behavior: &autoscalingv2.HorizontalPodAutoscalerBehavior{
			ScaleUp:   &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: ptr[int32](0), Policies: policies, SelectPolicy: &smallest},
			ScaleDown: &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: ptr[int32](3600), Policies: policies, SelectPolicy: &smallest},
		},
	}
}

// The history of the whole sync: an hour of recommendations, and events within
// the longest period.
const (
	ratioRecommendations = 240
	ratioEvents          = 30 // of each direction
)

func upstreamSync(s *Step, f Flags) func(*testing.B) {
	return func(b *testing.B) {
		u := NewUpstream(f)
		hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: Name, Namespace: Namespace}, Spec: *ratioSpec(s)}
		u.step, u.hpa = s, hpa
		c := &mapClient{at: s.Now, info: (*metricsClient)(u).info(0)}
		set(u.controller, "replicaCalc", newCalculator(c, (*podLister)(u), &f))
		c.values = s.Readings[2].Values
		at := func(name string) unsafe.Pointer { return fieldOf(u.controller, name).Addr().UnsafePointer() }
		recommendations := *(*map[string][]dated)(at("recommendations"))
		added, removed := *(*map[string][]datedEvent)(at("scaleUpEvents")), *(*map[string][]datedEvent)(at("scaleDownEvents"))
		var history []dated
		var events []datedEvent
		now := time.Now()
		for i := range ratioRecommendations {
			history = append(history, dated{s.SpecReplicas, now.Add(time.Duration(i-ratioRecommendations) * 14 * time.Second)})
		}
		for i := range ratioEvents {
			events = append(events, datedEvent{1, now.Add(time.Duration(i-ratioEvents) * 30 * time.Second), false})
		}
		history = append(history, make([]dated, 64)...)[:ratioRecommendations]
		more := append(events[:ratioEvents:ratioEvents], datedEvent{4, now, false})
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			// Undo what the last sync remembered.
			recommendations[key], added[key], removed[key] = history, more, events
			u.events, u.wrote = u.events[:0], false
			if err := reconcileAutoscaler(u.controller, u.ctx, hpa, key); err != nil || u.wrote {
				b.Fatal(u.wrote, err)
			}
		}
		b.StopTimer()
		if c := hpa.Status.Conditions[2]; c.Reason != "ScaleUpLimit" {
			b.Fatal(c)
		}
	}
}

func librarySync(s *Step, f Flags) func(*testing.B) {
	return func(b *testing.B) {
		l := NewLibrary(f)
		if err := l.SetSpec(ratioSpec(s), 0, tolerances{}); err != nil {
			b.Fatal(err)
		}
		l.observe(s)
		for i := range l.obs.Pods {
			l.obs.Pods[i].Resolve() // as package kube does
		}
		now := s.Now
		// The same history.
		full := *l.Spec.Behavior
		for i := range ratioRecommendations {
			l.state.Recommendations.Record(now.Add(time.Duration(i-ratioRecommendations)*14*time.Second), s.SpecReplicas, windowsOfAnHour)
		}
		for i := range ratioEvents {
			at := now.Add(time.Duration(i-ratioEvents) * 30 * time.Second)
			l.state.Events.Record(at, 1, 2, &full)
			l.state.Events.Record(at, 2, 1, &full)
		}
		l.state.Events.Record(now, 1, 5, &full)
		calculator.DecideInto(&l.decision, now, &l.settings, &l.Spec, &l.obs, &l.state)
		before := l.state.Clone()
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			// Undo what the last sync remembered.
			l.state = before
			calculator.DecideInto(&l.decision, now, &l.settings, &l.Spec, &l.obs, &l.state)
			if l.decision.Rescale || l.decision.Err() != nil {
				b.Fatal(l.decision.DesiredReplicas, l.decision.Err())
			}
		}
		b.StopTimer()
		if c := l.state.Conditions[2]; c.Reason != "ScaleUpLimit" {
			b.Fatal(c)
		}
	}
}

func conversion(s *Step, f Flags) func(*testing.B) {
	return func(b *testing.B) {
		l := NewLibrary(f)
		one := *s
		one.Readings = s.Readings[:1]
		l.observe(&one)
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			l.observe(&one)
		}
	}
}

var windowsOfAnHour = stabilize.Windows{Up: time.Hour, Down: time.Hour}
