package podgroup

import (
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Query says which pods and which amounts a Tally counts.
type Query struct {
	// Settings decide the class of young pods; for cpu alone.
	Settings
	// Resource is the resource that the samples measure: CPU, Memory or any
	// other. It is "" for a metric that is not a resource.
	Resource string
	// Container is the container whose request counts; "" for the whole pod.
	Container string
	// Requests tells that the requests of Resource are wanted too. A pod
	// that has none then ends up in Tally.NoRequest.
	Requests bool
	// MissingPercent is what a missing pod counts as in Tally.MissingShare,
	// in percent of its request. Zero counts it as nothing.
	MissingPercent int32
}

// Tally is a group of pods by class, with what they use and request. The sums
// are exact.
type Tally struct {
	// Ready, Unready, Missing and Ignored count the pods of each class.
	Ready, Unready, Missing, Ignored int
	// Usage is the sum of the samples of the ready pods.
	Usage metrics.Sum
	// Requests is the sum of the requests of the ready pods, UnreadyRequests
	// of the unready and MissingRequests of the missing ones.
	Requests, UnreadyRequests, MissingRequests metrics.Sum
	// MissingShare is the sum of Query.MissingPercent of each missing pod's
	// request, each truncated to a whole milli-unit.
	MissingShare metrics.Sum
	// NoRequest is the index of the first pod, ignored ones included, that
	// has no request of the resource; -1 if all have one or nobody asked.
	NoRequest int
	// Until is the earliest moment at which time alone moves a pod to
	// another class; not set if there is none.
	Until metrics.Instant
}

// Count tallies the pods. samples[i] belongs to pods[i]; pods beyond the
// samples are missing one, and a nil query is the zero one. It is upstream's
// groupPods and calculateRequests in one pass.
func Count(now time.Time, pods []Pod, samples []metrics.Sample, q *Query) Tally {
	if q == nil {
		q = &Query{}
	}
	t := Tally{NoRequest: -1}
	at := metrics.At(now)
	cpu := q.Resource == CPU
	// A pod that started by then is past its initialization period.
	settled := at.Add(-q.CPUInitializationPeriod)
	whole := q.Container == ""
	for i := range pods {
		p := &pods[i]
		if i >= len(samples) {
			t.rare(i, p, &metrics.Sample{}, at, q)
			continue
		}
		s := &samples[i]
		// Almost all pods run, are ready, have a sample and are not young, and
		// need no more than this.
		if !s.Present || p.Phase != PhaseRunning || p.Ready != ReadyTrue || p.Deleted ||
			// One comparison: the start is set, and not after settled.
			cpu && p.StartTime-1 >= settled {
			t.rare(i, p, s, at, q)
			continue
		}
		t.Ready++
		t.Usage.Add(s.Value)
		if q.Requests {
			r := &p.CPU
			if !cpu {
				r = &p.Memory
			}
			if !r.Set || !whole || !cpu && q.Resource != Memory {
				t.Requests.Add(t.request(i, p, q))
				continue
			}
			t.Requests.Add(r.Milli)
		}
	}
	return t
}

// rare counts a pod in whichever class it is.
func (t *Tally) rare(i int, p *Pod, s *metrics.Sample, at metrics.Instant, q *Query) {
	var request metrics.Milli
	if q.Requests {
		request = t.request(i, p, q)
	}
	v := classify(at, p, s, q.Resource == CPU, q.Settings)
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
	r := p.request(q.Resource, q.Container)
	if !r.Set && t.NoRequest < 0 {
		t.NoRequest = i
	}
	return r.Milli
}

// RequestError says what pods[t.NoRequest] lacks, the zero RequestError if none
// lacks anything.
func (t *Tally) RequestError(pods []Pod, q *Query) RequestError {
	if q == nil || t.NoRequest < 0 || t.NoRequest >= len(pods) {
		return RequestError{}
	}
	return pods[t.NoRequest].requestError(q.Resource, q.Container)
}
