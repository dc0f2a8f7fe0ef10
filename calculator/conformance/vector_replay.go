package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purehpa/hpa/calculator/release"
)

// Replayed counts the syncs of recorded vectors by how the library answers
// them.
type Replayed struct {
	// Vectors and Syncs count what was replayed, Agreed the syncs that agree in
	// everything.
	Vectors, Syncs, Agreed int64
	// Deviated counts those that deviate on purpose, by the name of the
	// deviation.
	Deviated map[string]int64
	// Differed counts unexplained differences, one a vector at most.
	Differed int64
	// Skipped counts the syncs of a vector that come after one from which on
	// both remember different things. They are not among Syncs.
	Skipped int64
	// Mattered counts the syncs to which a difference of the release mattered,
	// by the difference.
	Mattered map[release.Quirk]int64
	// Releases counts the vectors by the release that the library decided as.
	Releases map[release.Release]int64
	// First is the first sync that differs; nil if none does.
	First *Mismatch
}

// Mismatch is a recorded sync that the library answers differently, and nothing
// explains it.
type Mismatch struct {
	// Vector is the vector's name, Step the index of its step.
	Vector      string
	Step        int
	Differences []Difference
}

func (m *Mismatch) String() string {
	text := fmt.Sprintf("vector %s, step %d:\n", m.Vector, m.Step)
	for _, d := range m.Differences {
		text += d.String() + "\n"
	}
	return text
}

// NewReplayed returns counts of zero.
func NewReplayed() *Replayed {
	return &Replayed{
		Deviated: map[string]int64{},
		Mattered: map[release.Quirk]int64{},
		Releases: map[release.Release]int64{},
	}
}

// Play plays a vector to the library, as the release that the vector names or,
// if as is not nil, as that one. The error is that of a vector that cannot be
// played.
func (r *Replayed) Play(v *Vector, as *release.Release) error {
	lib, err := v.library(as)
	if err != nil {
		return err
	}
	steps := make([]*Step, len(v.Steps))
	for i := range v.Steps {
		if steps[i], err = lib.playable(&v.Steps[i]); err != nil {
			return fmt.Errorf("steps[%d].%w", i, err)
		}
	}
	r.Vectors++
	r.Releases[lib.settings.Release]++
	for i, s := range steps {
		lib.Sync(s)
		r.Syncs++
		for d := range lib.decision.Quirks.All() {
			r.Mattered[d]++
		}
		if !r.judge(lib, s, v, i) {
			r.Skipped += int64(len(steps) - i - 1)
			return nil
		}
	}
	return nil
}

// library returns the library as it is before the first step.
func (v *Vector) library(as *release.Release) (*Library, error) {
	flags, err := v.Config.flags()
	if err != nil {
		return nil, err
	}
	lib := NewLibrary(flags)
	switch {
	case as != nil:
		lib.settings.Release = *as
	case v.Config.Release == "":
		lib.settings.Release = release.Release{}
	default:
		if lib.settings.Release, err = release.Parse(v.Config.Release); err != nil {
			return nil, fmt.Errorf("config.%w", err)
		}
	}
	if err := lib.SetSpec(v.Spec, 0, tolerances{}); err != nil {
		return nil, fmt.Errorf("spec: %w", err)
	}
	return lib, nil
}

// playable decodes a step, and checks that the library can take it.
func (l *Library) playable(recorded *vectorStep) (*Step, error) {
	if n, want := len(recorded.Metrics), len(l.Spec.Metrics); n != want {
		return nil, fmt.Errorf("metrics: %d, but the spec has %d", n, want)
	}
	if _, err := l.pods.appendTo(nil, recorded.Pods); err != nil {
		return nil, fmt.Errorf("pods: %w", err)
	}
	return recorded.step()
}

// judge counts the library's last sync, and reports whether both remember the
// same after it.
func (r *Replayed) judge(lib *Library, s *Step, v *Vector, step int) bool {
	a := v.Steps[step].Want.answer()
	empty := a.dropEmptyCondition()
	// Recorded events have no white space at the end.
	list := slices.DeleteFunc(lib.compare(a, s), func(d Difference) bool {
		return strings.HasPrefix(d.Path, "events[") && strings.TrimRight(d.Library, " ") == d.Upstream
	})
	if len(list) == 0 {
		list = lib.compareJSON(a)
	}
	verdict := lib.explain(list, nil, s)
	if spec := marshal(&lib.Spec); step == 0 && v.DefaultedSpec != nil && marshal(v.DefaultedSpec) != spec {
		verdict.unexplained = append(verdict.unexplained, Difference{"defaultedSpec", -1, marshal(v.DefaultedSpec), spec})
	}
	switch {
	case len(verdict.unexplained) > 0:
		r.Differed++
		if r.First == nil {
			r.First = &Mismatch{v.Name, step, verdict.unexplained}
		}
		return false
	case verdict.name != "":
		r.Deviated[verdict.name]++
	case empty:
		r.Deviated[EmptyCondition]++
	default:
		r.Agreed++
	}
	return !verdict.diverged
}
