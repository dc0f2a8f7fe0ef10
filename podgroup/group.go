package podgroup

import (
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Group is a snapshot of pods that was prepared once to be tallied many times:
// for several metrics, or for syncs between which the pods stay the same. What
// does not depend on samples and clock is known beforehand, so that Count reads
// little more than the samples. The zero Group is that of no pods.
//
// A Group refers to the pods that it was prepared from. They must not change
// until it is prepared again.
type Group struct {
	pods []Pod
	// odd are the indices of the pods that need to be looked at each time:
	// all but those that run, are ready and have a start and both requests.
	odd []int32
	// latest is the latest start of the others.
	latest metrics.Instant
	// cpu and memory are the sums of the others' requests.
	cpu, memory metrics.Sum
}

// Prepare makes g a snapshot of the pods. It uses g's memory again.
func (g *Group) Prepare(pods []Pod) {
	*g = Group{pods: pods, odd: g.odd[:0]}
	for i := range pods {
		p := &pods[i]
		if p.Phase != PhaseRunning || p.Ready != ReadyTrue || p.Deleted ||
			!p.StartTime.IsSet() || !p.CPU.Set || !p.Memory.Set {
			g.odd = append(g.odd, int32(i))
			continue
		}
		g.latest = max(g.latest, p.StartTime)
		g.cpu.Add(p.CPU.Milli)
		g.memory.Add(p.Memory.Milli)
	}
}

// Pods returns the pods that g was prepared from.
func (g *Group) Pods() []Pod { return g.pods }

// Of reports whether g was prepared from just these pods: from the same memory.
func (g *Group) Of(pods []Pod) bool {
	return len(g.pods) == len(pods) && (len(pods) == 0 || &g.pods[0] == &pods[0])
}

// Count is the function Count over the group's pods.
func (g *Group) Count(now time.Time, samples []metrics.Sample, q *Query) Tally {
	if q == nil {
		q = &Query{}
	}
	cpu := q.Resource == CPU
	at := metrics.At(now)
	whole := q.Container == "" && (cpu || q.Resource == Memory)
	if len(samples) < len(g.pods) || q.Requests && !whole ||
		cpu && g.latest > at.Add(-q.CPUInitializationPeriod) {
		return Count(now, g.pods, samples, q)
	}
	t := Tally{NoRequest: -1, Ready: len(g.pods) - len(g.odd)}
	if q.Requests {
		t.Requests = g.memory
		if cpu {
			t.Requests = g.cpu
		}
	}
	next := 0
	for _, i := range g.odd {
		g.countPlain(&t, next, int(i), samples, q)
		t.rare(int(i), &g.pods[i], &samples[i], at, q)
		next = int(i) + 1
	}
	g.countPlain(&t, next, len(g.pods), samples, q)
	return t
}

// countPlain counts the pods from first to before end, none of which is odd. They
// are in the tally as ready already, requests included.
func (g *Group) countPlain(t *Tally, first, end int, samples []metrics.Sample, q *Query) {
	usage := t.Usage
	for i := first; i < end; i++ {
		s := &samples[i]
		if s.Present {
			usage.Add(s.Value)
			continue
		}
		t.Ready--
		t.Missing++
		if q.Requests {
			request := g.pods[i].request(q.Resource, "").Milli
			t.Requests.Sub(request)
			t.MissingRequests.Add(request)
			t.MissingShare.AddShare(request, int64(q.MissingPercent))
		}
	}
	t.Usage = usage
}
