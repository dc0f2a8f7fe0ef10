package podgroup_test

import (
	"math"
	"math/big"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// This is the reference: a second implementation of the package, naive and
// slow. Its pods are as in Kubernetes' API, with words, pointers and maps, and
// it computes with time.Time and math/big.

type apiPod struct {
	name             string
	phase            string
	deletion, start  *time.Time
	ready            *apiCondition
	containers       []apiContainer
	init             []apiContainer
	whole, overheads map[string]int64 // nil if absent
	wholeInForce     map[string]int64 // nil if as in whole
	foreign          bool
}

type apiCondition struct {
	status     string
	transition time.Time
}

type apiContainer struct {
	name     string
	restarts bool
	requests map[string]int64
	inForce  map[string]int64 // nil if as in requests
}

func (c *apiContainer) container() podgroup.Container {
	return podgroup.Container{Name: c.name, Requests: requests(c.requests), InForce: inForce(c.inForce)}
}

type apiSample struct {
	value  int64
	time   time.Time
	window time.Duration
}

// pod returns p in the type of the package.
func (p *apiPod) pod() podgroup.Pod {
	pod := podgroup.Pod{Name: p.name, Phase: podgroup.ParsePhase(p.phase), Deleted: p.deletion != nil, Foreign: p.foreign}
	if p.start != nil {
		pod.StartTime = metrics.At(*p.start)
	}
	if p.ready != nil {
		pod.Ready = podgroup.ParseReadiness(p.ready.status)
		pod.ReadyTransition = metrics.At(p.ready.transition)
	}
	for _, c := range p.containers {
		pod.Containers = append(pod.Containers, c.container())
	}
	for _, c := range p.init {
		pod.InitContainers = append(pod.InitContainers, podgroup.InitContainer{Container: c.container(), Restarts: c.restarts})
	}
	if p.whole != nil || p.overheads != nil {
		pod.PodLevel = &podgroup.PodLevel{Requests: requests(p.whole), Overhead: requests(p.overheads), InForce: inForce(p.wholeInForce)}
	}
	return pod
}

func requests(m map[string]int64) podgroup.Requests {
	var r podgroup.Requests
	for name, v := range m {
		r.Set(name, metrics.Milli(v))
	}
	return r
}

func inForce(m map[string]int64) *podgroup.Requests {
	if m == nil {
		return nil
	}
	r := requests(m)
	return &r
}

// resized returns the pod with the requests in force as those of the spec.
func (p apiPod) resized() *apiPod {
	replace := func(list []apiContainer) []apiContainer {
		list = append([]apiContainer{}, list...)
		for i := range list {
			if list[i].inForce != nil {
				list[i].requests = list[i].inForce
			}
		}
		return list
	}
	p.containers, p.init = replace(p.containers), replace(p.init)
	if p.wholeInForce != nil && (p.whole != nil || p.overheads != nil) {
		p.whole = p.wholeInForce
	}
	return &p
}

func (s *apiSample) sample() metrics.Sample {
	return metrics.Sample{Value: metrics.Milli(s.value), Time: metrics.At(s.time), Window: s.window, Present: true}
}

// reason returns the reason for a pod with sample s, or without one if s is
// nil.
func (p *apiPod) reason(now time.Time, s *apiSample, cpu bool, q *podgroup.Query) podgroup.Reason {
	set := q.ReadinessSettings
	if p.foreign && q.OwnedOnly {
		return podgroup.NotOwned
	}
	if p.phase == "Succeeded" && q.SucceededIgnored {
		return podgroup.PhaseIsSucceeded
	}
	if p.deletion != nil {
		return podgroup.BeingDeleted
	}
	if p.phase == "Failed" {
		return podgroup.PhaseIsFailed
	}
	if p.phase == "Pending" {
		return podgroup.PhaseIsPending
	}
	if s == nil {
		return podgroup.NoSample
	}
	if !cpu {
		return podgroup.Counted
	}
	if p.ready == nil {
		return podgroup.NoReadyCondition
	}
	if p.start == nil {
		return podgroup.NoStartTime
	}
	notReady := p.ready.status == "False"
	young := now.Before(p.start.Add(set.CPUInitializationPeriod))
	early := s.time.Before(p.ready.transition.Add(s.window))
	never := p.ready.transition.Before(p.start.Add(set.InitialReadinessDelay))
	if young && notReady {
		return podgroup.NotReadyYet
	}
	if young && early {
		return podgroup.SampleTooEarly
	}
	if !young && notReady && never {
		return podgroup.NeverReady
	}
	return podgroup.Counted
}

func classOf(r podgroup.Reason) podgroup.Class {
	return map[podgroup.Reason]podgroup.Class{
		podgroup.Counted:          podgroup.Ready,
		podgroup.BeingDeleted:     podgroup.Ignored,
		podgroup.PhaseIsFailed:    podgroup.Ignored,
		podgroup.PhaseIsPending:   podgroup.Unready,
		podgroup.NoSample:         podgroup.Missing,
		podgroup.NoReadyCondition: podgroup.Unready,
		podgroup.NoStartTime:      podgroup.Unready,
		podgroup.NotReadyYet:      podgroup.Unready,
		podgroup.SampleTooEarly:   podgroup.Unready,
		podgroup.NeverReady:       podgroup.Unready,
		podgroup.PhaseIsSucceeded: podgroup.Ignored,
		podgroup.NotOwned:         podgroup.Ignored,
	}[r]
}

// sampleOf returns the pod's sample, or nil.
func sampleOf(p *apiPod, samples map[string]apiSample) *apiSample {
	if s, ok := samples[p.name]; ok {
		return &s
	}
	return nil
}

// until returns the first moment after now at which a pod is in another class.
func until(now time.Time, pods []apiPod, samples map[string]apiSample, cpu bool, q *podgroup.Query) metrics.Instant {
	first := metrics.Instant(0)
	for i := range pods {
		p := &pods[i]
		if p.start == nil {
			continue
		}
		s := sampleOf(p, samples)
		// Nothing else is compared with the clock.
		at := p.start.Add(q.CPUInitializationPeriod)
		if at.After(now) && classOf(p.reason(now, s, cpu, q)) != classOf(p.reason(at, s, cpu, q)) && (first == 0 || metrics.At(at) < first) {
			first = metrics.At(at)
		}
	}
	return first
}

// request returns the pod's request, or nil and the text of the error.
func (p *apiPod) request(resource, container string, rules podgroup.Options) (*big.Int, string) {
	if rules.RequestsInForce {
		p = p.resized()
	}
	steady := append([]apiContainer{}, p.containers...)
	for _, c := range p.init {
		if c.restarts {
			steady = append(steady, c)
		}
	}
	if container != "" {
		for _, c := range steady {
			if c.name != container {
				continue
			}
			if v, ok := c.requests[resource]; ok {
				return big.NewInt(v), ""
			}
			return nil, "missing request for " + resource + " in container " + c.name + " of Pod " + p.name
		}
		if rules.AbsentIsZero {
			return new(big.Int), ""
		}
		return nil, "container " + container + " not found in Pod " + p.name
	}
	for name := range p.whole {
		if ofWholePods(name) && !rules.ContainersOnly {
			if sum, ok := p.wholeRequests()[resource]; ok {
				return sum, ""
			}
			return nil, "missing pod-level request for " + resource + " in Pod " + p.name
		}
	}
	sum := new(big.Int)
	for _, c := range steady {
		v, ok := c.requests[resource]
		if !ok {
			return nil, "missing request for " + resource + " in container " + c.name + " of Pod " + p.name
		}
		sum.Add(sum, big.NewInt(v))
	}
	return sum, ""
}

func ofWholePods(resource string) bool {
	return resource == "cpu" || resource == "memory" || strings.HasPrefix(resource, "hugepages-")
}

type amounts map[string]*big.Int

func (a amounts) add(m map[string]int64) {
	for name, v := range m {
		if a[name] == nil {
			a[name] = new(big.Int)
		}
		a[name] = new(big.Int).Add(a[name], big.NewInt(v))
	}
}

func (a amounts) raise(b amounts) {
	for name, v := range b {
		if a[name] == nil || a[name].Cmp(v) < 0 {
			a[name] = v
		}
	}
}

// wholeRequests returns the requests of a pod with pod-level requests. It walks
// through the pod's life, one init container after the other, and takes the
// most that it needs at any time.
func (p *apiPod) wholeRequests() amounts {
	most := amounts{}
	var sidecars []apiContainer
	for _, c := range p.init {
		here := amounts{}
		here.add(c.requests)
		for _, s := range sidecars {
			here.add(s.requests)
		}
		most.raise(here)
		if c.restarts {
			sidecars = append(sidecars, c)
		}
	}
	running := amounts{}
	for _, c := range append(sidecars, p.containers...) {
		running.add(c.requests)
	}
	most.raise(running)
	for name, v := range p.whole {
		if ofWholePods(name) {
			most[name] = big.NewInt(v)
		}
	}
	most.add(p.overheads)
	return most
}

// milli returns n, saturated.
func milli(n *big.Int) metrics.Milli {
	switch {
	case n == nil:
		return 0
	case n.IsInt64():
		return metrics.Milli(n.Int64())
	case n.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// tally is the reference of Count. It sums saturated requests.
func tally(now time.Time, pods []apiPod, samples map[string]apiSample, q *podgroup.Query) podgroup.Tally {
	cpu := q.Resource == "cpu"
	t := podgroup.Tally{NoRequest: -1, Until: until(now, pods, samples, cpu, q)}
	for i := range pods {
		var of metrics.Milli
		if q.Requests && !(q.OwnedOnly && pods[i].foreign) {
			r, complaint := pods[i].request(q.Resource, q.Container, q.Options)
			if complaint != "" && t.NoRequest < 0 {
				t.NoRequest = i
			}
			of = milli(r)
		}
		r := pods[i].reason(now, sampleOf(&pods[i], samples), cpu, q)
		if r != podgroup.Counted {
			t.Reasons[r]++
		}
		switch classOf(r) {
		case podgroup.Ready:
			t.Ready++
			t.Usage.Add(metrics.Milli(samples[pods[i].name].value))
			t.Requests.Add(of)
		case podgroup.Unready:
			t.Unready++
			t.UnreadyRequests.Add(of)
		case podgroup.Missing:
			t.Missing++
			t.MissingRequests.Add(of)
			share := new(big.Int).Mul(big.NewInt(int64(of)), big.NewInt(int64(q.MissingPercent)))
			share.Quo(share, big.NewInt(100))
			for !share.IsInt64() {
				t.MissingShare.Add(math.MaxInt64)
				share.Sub(share, big.NewInt(math.MaxInt64))
			}
			t.MissingShare.Add(metrics.Milli(share.Int64()))
		case podgroup.Ignored:
			t.Ignored++
		}
	}
	return t
}

// All generated times are within a few nanoseconds of noon, so that boundaries
// are met often.
var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func nearNoon() *rapid.Generator[time.Time] {
	return rapid.Map(rapid.Int64Range(-5, 5), func(ns int64) time.Time { return noon.Add(time.Duration(ns)) })
}

func nanoseconds() *rapid.Generator[time.Duration] {
	return rapid.Map(rapid.Int64Range(0, 4), func(ns int64) time.Duration { return time.Duration(ns) })
}

func apiRequests() *rapid.Generator[map[string]int64] {
	amount := rapid.OneOf(
		rapid.Int64Range(0, 5),
		rapid.Int64Range(0, 5),
		rapid.SampledFrom([]int64{math.MaxInt64/2 + 1, math.MaxInt64 - 1, math.MaxInt64}),
	)
	names := []string{"cpu", "cpu", "memory", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/gpu"}
	return rapid.OneOf(
		rapid.Map(amount, func(v int64) map[string]int64 { return map[string]int64{"cpu": v, "memory": v} }),
		rapid.MapOfN(rapid.SampledFrom(names), amount, 0, 4),
	)
}

func apiContainers(prefix string) *rapid.Generator[[]apiContainer] {
	return rapid.Custom(func(t *rapid.T) []apiContainer {
		all := make([]apiContainer, rapid.IntRange(0, 3).Draw(t, "number"))
		for i := range all {
			all[i].name = prefix + string(rune('a'+i))
			all[i].restarts = prefix != "" && rapid.Bool().Draw(t, "restarts")
			all[i].requests = apiRequests().Draw(t, "requests")
			if rapid.IntRange(0, 3).Draw(t, "resized") == 0 {
				all[i].inForce = apiRequests().Draw(t, "in force")
			}
		}
		return all
	})
}

// apiPods draws pods. About half are old and ready.
func apiPods() *rapid.Generator[[]apiPod] {
	return rapid.Custom(func(t *rapid.T) []apiPod {
		pods := make([]apiPod, rapid.IntRange(0, 5).Draw(t, "pods"))
		for i := range pods {
			p := &pods[i]
			p.name = "web-" + string(rune('0'+i))
			p.containers = apiContainers("").Draw(t, "containers")
			p.foreign = rapid.IntRange(0, 4).Draw(t, "foreign") == 0
			if rapid.Bool().Draw(t, "simple") {
				start := noon.Add(-time.Hour)
				p.phase, p.start = "Running", &start
				p.ready = &apiCondition{status: "True", transition: start}
				continue
			}
			p.phase = rapid.SampledFrom([]string{"", "Pending", "Running", "Running", "Running", "Succeeded", "Failed", "Unknown", "Sleeping"}).Draw(t, "phase")
			p.init = apiContainers("init-").Draw(t, "init containers")
			if rapid.IntRange(0, 4).Draw(t, "deleted") == 0 {
				p.deletion = &noon
			}
			p.start = rapid.Ptr(nearNoon(), true).Draw(t, "start")
			if status := rapid.SampledFrom([]string{"", "True", "True", "False", "False", "Unknown", "Maybe"}).Draw(t, "ready"); status != "" {
				p.ready = &apiCondition{status: status}
				if rapid.IntRange(0, 5).Draw(t, "dated") > 0 {
					p.ready.transition = nearNoon().Draw(t, "transition")
				}
			}
			if rapid.Bool().Draw(t, "whole") {
				p.whole = apiRequests().Draw(t, "whole requests")
				if rapid.Bool().Draw(t, "resized as a whole") {
					p.wholeInForce = apiRequests().Draw(t, "whole requests in force")
				}
			}
			if rapid.Bool().Draw(t, "overhead") {
				p.overheads = apiRequests().Draw(t, "overhead requests")
			}
		}
		return pods
	})
}

func apiSettings() *rapid.Generator[podgroup.ReadinessSettings] {
	return rapid.Custom(func(t *rapid.T) podgroup.ReadinessSettings {
		return podgroup.ReadinessSettings{
			CPUInitializationPeriod: nanoseconds().Draw(t, "initialization"),
			InitialReadinessDelay:   nanoseconds().Draw(t, "delay"),
		}
	})
}

func apiSamples(t *rapid.T, pods []apiPod) map[string]apiSample {
	samples := map[string]apiSample{}
	for i := range pods {
		if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
			continue
		}
		s := apiSample{window: nanoseconds().Draw(t, "window")}
		s.value = rapid.OneOf(rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64})).Draw(t, "value")
		if rapid.IntRange(0, 5).Draw(t, "dated") > 0 {
			s.time = nearNoon().Draw(t, "time")
		}
		samples[pods[i].name] = s
	}
	return samples
}
