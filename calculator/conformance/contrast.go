package conformance

import (
	"slices"

	"github.com/purehpa/hpa/calculator/release"
)

// asNewest returns the library at the newest release, with the same memory. It
// is nil if that is upstream's release.
func (l *Library) asNewest() *Library {
	if Release().IsZero() {
		return nil
	}
	n := &Library{settings: l.settings, Spec: l.Spec, generation: l.generation, state: l.state.Clone(), status: l.status}
	n.settings.Release = release.Release{}
	return n
}

// contrast has the newest release decide on a step that the library decided on
// as upstream did, and counts what of the answer differs by the differences
// that the library names. It returns what differs if the library names none.
func (l *Library) contrast(a *Answer, step *Step, as *Library, report *Report) []Difference {
	if l == nil {
		return nil
	}
	l.pods = as.pods
	l.Sync(step)
	list := l.compare(a, step)
	named := as.decision.Quirks
	seen := slices.DeleteFunc(slices.Clone(list), func(d Difference) bool { return d.Path == "status.observedGeneration" })
	if len(seen) < len(list) {
		report.named(release.NoObservedGeneration, true)
	}
	switch {
	case len(seen) > 0 && named == 0:
		return seen
	case len(seen) == 0 && named != 0:
		report.Unseen++
		return nil
	}
	alone := named&(named-1) == 0
	for d := range named.All() {
		report.named(d, alone)
	}
	return nil
}
