package podgroup

import (
	"math/bits"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Tally is the pods counted by class, with what they use and request. The sums
// are exact, in milli-units.
type Tally struct {
	// Ready, Unready, Missing and Ignored are the number of pods per class.
	Ready, Unready, Missing, Ignored int
	// Usage is the sum of the samples of the ready pods.
	Usage metrics.Sum
	// Requests, UnreadyRequests and MissingRequests are the sums of the
	// requests of the ready, unready and missing pods.
	Requests, UnreadyRequests, MissingRequests metrics.Sum
	// MissingShare is the sum of Query.MissingPercent of each missing pod's
	// request, each truncated to a whole milli-unit.
	MissingShare metrics.Sum
	// NoRequest is the index of the first pod without a request of the
	// resource, ignored pods included. It is -1 if all pods have one or
	// Query.Requests is false.
	NoRequest int
	// Until is the first moment at which a pod becomes ready if only time
	// passes. It is not set if time alone changes nothing.
	Until metrics.Instant
	// Reasons counts why pods are not ready.
	Reasons ReasonCounts
}

// Count counts the pods in one pass. samples[i] belongs to pods[i]; pods beyond
// the samples have none. A nil q is the zero Query. It is upstream's groupPods
// and calculateRequests.
func Count(now time.Time, pods []Pod, samples []metrics.Sample, q *Query) (t Tally) {
	t.Count(now, pods, samples, q)
	return t
}

// Count is for this library's own packages, outside of the promise of
// compatibility. It is like the function [Count] but counts into t, which must
// be zero.
func (t *Tally) Count(now time.Time, pods []Pod, samples []metrics.Sample, q *Query) {
	if q == nil {
		q = &Query{}
	}
	t.NoRequest = -1
	at := metrics.At(now)
	cpu := q.Resource == CPU
	// A pod that started by then is past its initialization period.
	settled := at.Add(-q.CPUInitializationPeriod)
	// The pods' own totals of the resource can stand for their containers'.
	totals := q.Container == "" && (cpu || q.Resource == Memory) && !q.ContainersOnly && !q.RequestsInForce
	sampled := min(len(pods), len(samples))
	if q.OwnedOnly {
		sampled = 0 // each pod is looked at
	}
	for first := 0; first < sampled; first += maxRun {
		end := min(first+maxRun, sampled)
		odd := allOf(end - first)
		if totals || !q.Requests {
			odd = t.countRun(pods[first:end], samples[first:end], q, settled)
		}
		for ; odd != 0; odd &= odd - 1 {
			i := first + bits.TrailingZeros64(odd)
			if p, s := &pods[i], &samples[i]; p.ordinary(s, cpu, settled) {
				t.Ready++
				t.Usage.Add(s.Value)
				if q.Requests {
					t.Requests.Add(t.request(i, p, q))
				}
			} else {
				t.countSlow(i, p, s, at, q)
			}
		}
	}
	for i := sampled; i < len(pods); i++ {
		var s metrics.Sample
		if i < len(samples) {
			s = samples[i]
		}
		t.countSlow(i, &pods[i], &s, at, q)
	}
}

// maxRun is how many pods are counted in registers at once: as many as a word
// has bits. The sum of so many amounts below 2^53 fits in 64 bits.
const maxRun = 64

// allOf returns n bits, from 1 to maxRun.
func allOf(n int) uint64 { return ^uint64(0) >> (maxRun - n) }

// countRun counts pods, at most maxRun. It returns the bits of those that it
// leaves out: pods that are not ordinary, or lack the request asked for. Most
// pods need no more than this.
func (t *Tally) countRun(pods []Pod, samples []metrics.Sample, q *Query, settled metrics.Instant) (odd uint64) {
	cpu, wanted := q.Resource == CPU, q.Requests
	var usage, requests, all metrics.Milli
	samples = samples[:len(pods)]
	for i := range pods {
		p, s := &pods[i], &samples[i]
		r := &p.Memory
		if cpu {
			r = &p.CPU
		}
		if !p.ordinary(s, cpu, settled) || wanted && !r.Set {
			odd |= 1 << i
			continue
		}
		usage += s.Value
		requests += r.Milli
		all |= s.Value | r.Milli
	}
	if all>>53 != 0 {
		return allOf(len(pods)) // too large to be added so
	}
	t.Ready += len(pods) - bits.OnesCount64(odd)
	t.Usage.Add(usage)
	if wanted {
		t.Requests.Add(requests)
	}
	return odd
}

// ordinary reports whether the pod has a sample, is ready and, where that
// matters, past its initialization period, as most pods are.
func (p *Pod) ordinary(s *metrics.Sample, cpu bool, settled metrics.Instant) bool {
	return s.Present && p.runs() && !p.Deleted &&
		// The start is set (0-1 wraps around), and not after settled.
		(!cpu || p.StartTime-1 < settled)
}

// runs reports whether the pod is running and ready. It compares both bytes at
// once.
func (p *Pod) runs() bool {
	const running = uint16(PhaseRunning) | uint16(ReadyTrue)<<8
	return uint16(p.Phase)|uint16(p.Ready)<<8 == running
}

// countSlow counts a pod of any class.
func (t *Tally) countSlow(i int, p *Pod, s *metrics.Sample, at metrics.Instant, q *Query) {
	v := q.classify(at, p, s)
	var request metrics.Milli
	if q.Requests && v.Reason != NotOwned {
		request = t.request(i, p, q)
	}
	if v.Reason != Counted {
		t.Reasons[v.Reason]++
	}
	switch v.Class {
	case Ready:
		t.Ready++
		t.Usage.Add(s.Value)
		t.Requests.Add(request)
	case Unready:
		t.Unready++
		t.UnreadyRequests.Add(request)
		if v.Until.IsSet() && (!t.Until.IsSet() || v.Until < t.Until) {
			t.Until = v.Until
		}
	case Missing:
		t.Missing++
		t.MissingRequests.Add(request)
		t.MissingShare.AddShare(request, int64(q.MissingPercent))
	case Ignored:
		t.Ignored++
	}
}

// request returns the pod's request, and notes the first pod without one.
func (t *Tally) request(i int, p *Pod, q *Query) metrics.Milli {
	r := p.request(q.Resource, q.Container, &q.Options)
	if !r.Set && t.NoRequest < 0 {
		t.NoRequest = i
	}
	return r.Milli
}

// RequestError returns the error of pods[t.NoRequest], in upstream's words. It
// takes the pods and the query of the count. If no pod lacks a request, it
// returns the zero RequestError.
func (t *Tally) RequestError(pods []Pod, q *Query) RequestError {
	if q == nil || t.NoRequest < 0 || t.NoRequest >= len(pods) {
		return RequestError{}
	}
	return pods[t.NoRequest].requestError(q.Resource, q.Container, &q.Options)
}
