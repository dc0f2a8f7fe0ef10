package podgroup

import "github.com/purehpa/hpa/metrics"

// Aligner puts samples that are known by pod name, as metrics clients give
// them, into the order of the pods. It keeps its memory from one call to the
// next; its zero value is ready.
type Aligner struct {
	samples []metrics.Sample
	strays  []metrics.Sample
	listed  map[string]struct{}
}

// Align returns the samples in the order of the pods, the zero Sample for a pod
// without one, and the strays: samples of pods that are not listed, in no
// order. Both are the aligner's, and valid until its next call.
//
// Upstream counts strays in averages, but not in utilization; see
// calculator.Reading.
func (a *Aligner) Align(pods []Pod, byName map[string]metrics.Sample) (samples, strays []metrics.Sample) {
	a.samples, a.strays = a.samples[:0], a.strays[:0]
	found := 0
	for i := range pods {
		s, ok := byName[pods[i].Name]
		if ok {
			found++
		}
		a.samples = append(a.samples, s)
	}
	if found < len(byName) {
		if a.listed == nil {
			a.listed = make(map[string]struct{}, len(pods))
		}
		clear(a.listed)
		for i := range pods {
			a.listed[pods[i].Name] = struct{}{}
		}
		for name, s := range byName {
			if _, ok := a.listed[name]; !ok {
				a.strays = append(a.strays, s)
			}
		}
	}
	return a.samples, a.strays
}
