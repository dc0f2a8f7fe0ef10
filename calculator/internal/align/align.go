// Package align puts samples that have names into the order of the pods, from sync to
// sync.
package align

import (
	"slices"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Aligner puts samples that have names into the order of the pods, as
// podgroup.Aligner does. It expects the names to follow each other as they did
// last time, those of the pods and those of the samples, and looks up only the
// others. The zero Aligner is ready to use.
type Aligner struct {
	ids map[string]int32
	// known are the names by id. Id 0 is no name: both orders begin there.
	known []known
	round uint32
	last  int32 // the id of the sample last added

	samples []metrics.Sample
	strays  []metrics.Sample
	// repeats are the pods whose name an earlier pod has.
	repeats []repeat
}

// known is a name, and where it was last seen.
type known struct {
	name string
	// listed and stray are the rounds in which the name last was a pod's and a
	// stray's. At is the position of the pod, or else of the stray.
	listed, stray uint32
	at            int32
	// nextPod and nextSample are the ids of the names that followed; 0 for no
	// name.
	nextPod, nextSample int32
}

// repeat is a pod that gets the sample of another one.
type repeat struct{ at, of int32 }

// Start begins anew, for these pods and without samples.
func (a *Aligner) Start(pods []podgroup.Pod) {
	if a.ids == nil {
		a.ids, a.known = make(map[string]int32, len(pods)), make([]known, 1, len(pods)+1)
	}
	a.round++
	a.samples = slices.Grow(a.samples[:0], len(pods))[:len(pods)]
	clear(a.samples)
	a.strays, a.repeats = a.strays[:0], a.repeats[:0]
	last := int32(0)
	for i := range pods {
		name := pods[i].Name
		id := a.known[last].nextPod
		if id == 0 || a.known[id].name != name {
			id = a.id(name)
			a.known[last].nextPod = id
			// The same string next time, which is compared by its address.
			a.known[id].name = name
		}
		last = id
		k := &a.known[id]
		if k.listed == a.round {
			a.repeats = append(a.repeats, repeat{int32(i), k.at})
			continue
		}
		k.listed, k.at = a.round, int32(i)
	}
	a.last = 0
}

// Add adds a sample. It replaces one of the same name.
func (a *Aligner) Add(name string, s metrics.Sample) {
	id := a.known[a.last].nextSample
	if id == 0 || a.known[id].name != name {
		id = a.id(name)
		a.known[a.last].nextSample = id
	}
	a.put(id, s)
}

// AddBytes is Add for a name that is part of something else.
func (a *Aligner) AddBytes(name []byte, s metrics.Sample) {
	id := a.known[a.last].nextSample
	if id == 0 || a.known[id].name != string(name) {
		var ok bool
		if id, ok = a.ids[string(name)]; !ok {
			id = a.id(string(name))
		}
		a.known[a.last].nextSample = id
	}
	a.put(id, s)
}

// put adds a sample of the name with an id.
func (a *Aligner) put(id int32, s metrics.Sample) {
	a.last = id
	switch k := &a.known[id]; a.round {
	case k.listed:
		a.samples[k.at] = s
	case k.stray:
		a.strays[k.at] = s
	default:
		k.stray, k.at = a.round, int32(len(a.strays))
		a.strays = append(a.strays, s)
	}
}

// id returns the id of the name.
func (a *Aligner) id(name string) int32 {
	id, ok := a.ids[name]
	if !ok {
		id = int32(len(a.known))
		a.ids[name] = id
		a.known = append(a.known, known{name: name})
	}
	return id
}

// Aligned returns the samples in the order of the pods, and those of no pod in
// the order in which their names were first added. It forgets names once most
// of them are in use no more.
func (a *Aligner) Aligned() (samples, strays []metrics.Sample) {
	for _, r := range a.repeats {
		a.samples[r.at] = a.samples[r.of]
	}
	if used := len(a.samples) + len(a.strays); len(a.known) > 2*used+16 {
		clear(a.ids)
		clear(a.known)
		a.known = a.known[:1]
	}
	return a.samples, a.strays
}
