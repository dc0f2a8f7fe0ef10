package conformance

import (
	"fmt"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/correction"
)

// Corrected counts what one correction, alone, made of syncs that agree without
// it.
type Corrected struct {
	// Named counts the syncs in which the library named it: some stage of the
	// decision differs. Seen counts those of them in which an API client sees a
	// difference.
	Named, Seen int64
}

// corrected decides on the last step again, with each correction alone and with
// the memory and the status from before the step, and counts what differs from
// upstream's answer. It returns what differs if the library does not name the
// correction, or that it names one without a difference.
func (l *Library) corrected(a *Answer, step *Step, before *Library, report *Report) []Difference {
	for c := range correction.All().All() {
		n := &Library{settings: l.settings, Spec: l.Spec, generation: l.generation, state: before.state.Clone(), status: before.status, obs: l.obs}
		n.settings.Corrections = correction.NewSet(c)
		n.decide(step)
		list, named := n.compare(a, step), n.decision.Corrections
		switch {
		case len(list) > 0 && named == 0:
			return list
		case named == 0:
			continue
		case named != correction.NewSet(c) || !differ(&l.decision, &n.decision):
			return []Difference{{"corrections", -1, "the same at each stage", fmt.Sprintf("names %v, alone with %v", named, c)}}
		}
		report.corrected(c, len(list) > 0)
	}
	return nil
}

// differ reports whether any stage of the decisions differs.
func differ(a, b *calculator.Decision) bool {
	for i := range a.Proposals {
		p, q := &a.Proposals[i], &b.Proposals[i]
		if p.Replicas != q.Replicas || p.Usage != q.Usage || p.Utilization != q.Utilization || p.Failure.Kind != q.Failure.Kind || p.Failure.Request != q.Failure.Request {
			return true
		}
	}
	return a.Stabilization.Reason != b.Stabilization.Reason || a.DesiredReplicas != b.DesiredReplicas
}

// corrected counts a sync that the correction changed.
func (r *Report) corrected(c correction.Correction, seen bool) {
	if r.Corrected == nil {
		r.Corrected = map[string]Corrected{}
	}
	n := r.Corrected[c.String()]
	n.Named++
	if seen {
		n.Seen++
	}
	r.Corrected[c.String()] = n
}

func (r *Report) addCorrected(s *Report) {
	for name, n := range s.Corrected {
		if r.Corrected == nil {
			r.Corrected = map[string]Corrected{}
		}
		m := r.Corrected[name]
		r.Corrected[name] = Corrected{m.Named + n.Named, m.Seen + n.Seen}
	}
}
