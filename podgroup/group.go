package podgroup

import (
	"math/bits"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Group is pods prepared for many counts: of several metrics, or of syncs
// between which the pods stay the same. What depends on neither samples nor
// clock is summed once, so Count reads little more than the samples. The zero
// Group has no pods.
//
// A Group is valid as long as the pods that it was prepared from do not change.
// Many goroutines may read it; Prepare needs it alone.
type Group struct {
	pods []Pod
	// slow are the indices of the pods that every count has to look at. The
	// others are running, ready and not deleted, not foreign, and have a start
	// time and both requests, neither of them very large.
	slow []int32
	// latest is the latest start of the others.
	latest metrics.Instant
	// cpu and memory are the sums of the others' requests.
	cpu, memory metrics.Sum
}

// Prepare makes g a Group of the pods. It keeps a reference to them and reuses
// g's memory.
func (g *Group) Prepare(pods []Pod) {
	*g = Group{pods: pods, slow: g.slow[:0]}
	for first := 0; first < len(pods); first += maxRun {
		for odd := g.prepareRun(pods[first:min(first+maxRun, len(pods))]); odd != 0; odd &= odd - 1 {
			g.slow = append(g.slow, int32(first+bits.TrailingZeros64(odd)))
		}
	}
}

// prepareRun adds pods, at most maxRun. It returns the bits of the slow ones,
// which it leaves out.
func (g *Group) prepareRun(pods []Pod) (odd uint64) {
	latest := g.latest
	var cpu, memory, all metrics.Milli
	for i := range pods {
		p := &pods[i]
		if !p.runs() || p.Deleted || p.Foreign || !p.StartTime.IsSet() || !p.CPU.Set || !p.Memory.Set {
			odd |= 1 << i
			continue
		}
		latest = max(latest, p.StartTime)
		cpu += p.CPU.Milli
		memory += p.Memory.Milli
		all |= p.CPU.Milli | p.Memory.Milli
	}
	if all>>53 != 0 {
		return allOf(len(pods)) // too large to be added so
	}
	g.latest = latest
	g.cpu.Add(cpu)
	g.memory.Add(memory)
	return odd
}

// Pods returns the pods that g was prepared from.
func (g *Group) Pods() []Pod { return g.pods }

// PreparedFrom reports whether g was prepared from these very pods, in the same
// memory.
func (g *Group) PreparedFrom(pods []Pod) bool {
	return len(g.pods) == len(pods) && (len(pods) == 0 || &g.pods[0] == &pods[0])
}

// Count returns what the function [Count] returns for g's pods.
func (g *Group) Count(now time.Time, samples []metrics.Sample, q *Query) (t Tally) {
	t.CountGroup(now, g, samples, q)
	return t
}

// CountGroup is for this library's own packages, outside of the promise of
// compatibility. It is like [Group.Count] but counts into t, which must be
// zero.
func (t *Tally) CountGroup(now time.Time, g *Group, samples []metrics.Sample, q *Query) {
	if q == nil {
		q = &Query{}
	}
	cpu := q.Resource == CPU
	at := metrics.At(now)
	whole := q.Container == "" && (cpu || q.Resource == Memory) && !q.ContainersOnly && !q.RequestsInForce
	// With many slow pods, such as unresolved ones, it would be slower.
	if 4*len(g.slow) > len(g.pods) || len(samples) < len(g.pods) || q.Requests && !whole ||
		cpu && g.latest > at.Add(-q.CPUInitializationPeriod) {
		t.Count(now, g.pods, samples, q)
		return
	}
	t.NoRequest, t.Ready = -1, len(g.pods)-len(g.slow)
	if q.Requests {
		t.Requests = g.memory
		if cpu {
			t.Requests = g.cpu
		}
	}
	next := 0
	for _, i := range g.slow {
		g.countOrdinary(t, next, int(i), samples, q)
		t.countSlow(int(i), &g.pods[i], &samples[i], at, q)
		next = int(i) + 1
	}
	g.countOrdinary(t, next, len(g.pods), samples, q)
}

// countOrdinary adds the samples of pods[first:end], which are all ordinary.
// The tally has already counted them as ready, with their requests.
func (g *Group) countOrdinary(t *Tally, first, end int, samples []metrics.Sample, q *Query) {
	samples = samples[:end]
	for i := first; i < end; {
		var sum, all metrics.Milli
		start, stop := i, min(i+maxRun, end)
		for ; i+4 <= stop; i += 4 {
			s := samples[i : i+4 : i+4]
			if !(s[0].Present && s[1].Present && s[2].Present && s[3].Present) {
				break
			}
			sum += s[0].Value + s[1].Value + s[2].Value + s[3].Value
			all |= s[0].Value | s[1].Value | s[2].Value | s[3].Value
		}
		for ; i < stop && samples[i].Present; i++ {
			sum += samples[i].Value
			all |= samples[i].Value
		}
		if all>>53 == 0 {
			t.Usage.Add(sum)
		} else {
			for j := range samples[start:i] {
				t.Usage.Add(samples[start+j].Value)
			}
		}
		if i == stop {
			continue
		}
		t.Ready--
		t.Missing++
		t.Reasons[NoSample]++
		if q.Requests {
			request := g.pods[i].request(q.Resource, "", &Options{}).Milli
			t.Requests.Sub(request)
			t.MissingRequests.Add(request)
			t.MissingShare.AddShare(request, int64(q.MissingPercent))
		}
		i++
	}
}
