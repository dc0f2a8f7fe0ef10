package conformance

import (
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// read converts an answer, with samples in the order of the pods.
func (r *calculatorReading) read(from *Reading, pods []podgroup.Pod) {
	*r = calculatorReading{Err: from.Err, Samples: r.Samples[:0], Strays: r.Strays[:0], Values: r.Values[:0]}
	if from.Err != nil {
		return
	}
	if r.Values == nil {
		r.Values = []metrics.Milli{} // an answer without series
	}
	for _, v := range from.Values {
		r.Values = append(r.Values, metrics.Milli(v))
	}
	if len(from.Samples) == 0 {
		return
	}
	for range pods {
		r.Samples = append(r.Samples, metrics.Sample{})
	}
	at := 0 // samples are mostly in the order of the pods
	for i := range from.Samples {
		s := &from.Samples[i]
		if s.NoContainer {
			if r.WithoutContainer == "" {
				r.WithoutContainer = s.Pod
			}
			continue // missing
		}
		sample := metrics.Sample{Value: metrics.Milli(s.Value), Time: metrics.At(s.Time), Window: s.Window, Present: true}
		found := false
		for range pods {
			if at++; at >= len(pods) {
				at = 0
			}
			if pods[at].Name == s.Pod {
				r.Samples[at], found = sample, true
				break
			}
		}
		if !found {
			r.Strays = append(r.Strays, sample)
		}
	}
}

type calculatorReading calculator.Reading

// rivals and slavir are two autoscalers that share pods, in both orders.
// Upstream's is random; rivals is the one compared.
const (
	rivals = "[" + key + " " + Namespace + "/rival]"
	slavir = "[" + Namespace + "/rival " + key + "]"
)
