package podgroup

import "github.com/purehpa/hpa/metrics"

// Aligner puts samples that are keyed by pod name, as metrics clients return
// them, into the order of the pods. It reuses its memory from call to call. The
// zero Aligner is ready to use, by one goroutine at a time.
type Aligner struct {
	samples []metrics.Sample
	strays  []metrics.Sample
	listed  map[string]struct{}
}

// Align returns the samples in the order of the pods, and the strays: samples
// of pods that are not listed, in no order. A pod without a sample has the zero
// Sample. Both slices are valid until the next call.
//
// Pods of the same name all get its sample. So align the pods of several
// clusters cluster by cluster, and append the results.
//
// Upstream counts strays in averages but not in utilizations.
func (a *Aligner) Align(pods []Pod, byName map[string]metrics.Sample) (samples, strays []metrics.Sample) {
	a.samples, a.strays = a.samples[:0], a.strays[:0]
	found, ascending := 0, true
	for i := range pods {
		s, ok := byName[pods[i].Name]
		if ok {
			found++
		}
		ascending = ascending && (i == 0 || pods[i-1].Name < pods[i].Name)
		a.samples = append(a.samples, s)
	}
	// In the order of API servers, no name was found twice.
	if ascending && found == len(byName) || len(byName) == 0 {
		return a.samples, a.strays
	}
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
	return a.samples, a.strays
}
