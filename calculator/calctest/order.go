package calctest

import (
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/prove"
)

const orderChangesNothing = "The decision does not depend on the order of pods."

// OrderChangesNothing: the decision does not depend on the order of the pods
// with their samples, of the samples of pods that are not listed, or of the
// series of External metrics. That holds for sizes, reasons, proposals and
// conditions.
//
// The exception is a message: if several pods lack a request, it names the
// first.
func OrderChangesNothing(t *rapid.T, setup *prove.Setup, opts ...Option) {
	c := prepare(t, setup, opts)
	c.KeepBefore = true
	tl := Timelines(setup, opts...).Draw(t, "timeline")
	seed := rapid.Uint64().Draw(t, "order")
	var d calculator.Decision
	c.hold(t, tl, orderChangesNothing, func(s *prove.Sync) string {
		st := s.Before.Clone()
		c.again(&d, s, setup, shuffled(s.Observation, seed), &st)
		if what := differ(&d, s.Decision); what != "" {
			return "in another order of the pods, " + what
		}
		return ""
	})
}

// shuffled returns the observation with its lists in another order, reversed
// for seed 0.
func shuffled(obs *calculator.Observation, seed uint64) *calculator.Observation {
	after := *obs
	after.Pods, after.Readings = slices.Clone(obs.Pods), slices.Clone(obs.Readings)
	order := func(n int) []int {
		if seed != 0 {
			return rand.New(rand.NewPCG(seed, 0)).Perm(n)
		}
		p := make([]int, n)
		for i := range p {
			p[i] = n - 1 - i
		}
		return p
	}
	pods := order(len(obs.Pods))
	for i, from := range pods {
		after.Pods[i] = obs.Pods[from]
	}
	for i := range after.Readings {
		r := &after.Readings[i]
		from := obs.Readings[i]
		r.Samples, r.Strays, r.Values = slices.Clone(r.Samples), slices.Clone(r.Strays), slices.Clone(r.Values)
		if len(r.Samples) == len(pods) {
			for j, k := range pods {
				r.Samples[j] = from.Samples[k]
			}
		}
		for j, k := range order(len(r.Strays)) {
			r.Strays[j] = from.Strays[k]
		}
		for j, k := range order(len(r.Values)) {
			r.Values[j] = from.Values[k]
		}
	}
	return &after
}
