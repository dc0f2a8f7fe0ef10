package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/trial"
)

// subject is an autoscaler of a request. It can be simulated if it has no
// Problems.
type subject struct {
	About
	flags      *trial.Flags
	autoscaler calculator.Autoscaler
	// object is what the API server stores, given what was applied. Both are
	// zero for a Threshold.
	object, given kubejson.HorizontalPodAutoscaler
}

// subject reads the autoscaler with that index.
func (q *Request) subject(i int) *subject {
	a := &q.Autoscalers[i]
	s := &subject{}
	s.Name = a.Name
	var common []Problem
	s.flags, common, s.Problems = q.flags(a.Flags)
	if len(common) > 0 {
		return s
	}
	s.autoscaler.Settings = &s.flags.Settings
	s.Release = s.flags.Settings.Release.String()
	switch {
	case a.Threshold != nil && len(a.Manifest) > 0:
		s.refuse("", "give a manifest or a threshold, not both")
	case a.Threshold != nil:
		s.Name = cmp.Or(s.Name, "threshold")
		s.readThreshold(a.Threshold)
	case len(a.Manifest) > MaxManifest:
		s.refuse("", fmt.Sprintf("%d bytes are more than %d, the most of a request to an API server", len(a.Manifest), MaxManifest))
	default:
		s.readManifest(a.Manifest)
		s.File = file(s.object.Name, i)
	}
	s.Name = cmp.Or(s.Name, fmt.Sprintf("autoscaler %d", i+1))
	return s
}

func (s *subject) refuse(field, message string) {
	s.Problems = append(s.Problems, Problem{"manifest", field, message})
}

// readManifest reads an autoscaler as the API server does: first its fields,
// then what they say.
func (s *subject) readManifest(text json.RawMessage) {
	a, err := kubejson.DecodeManifest(text)
	var strict *kubejson.StrictError
	var wrong *kubejson.Error
	switch {
	case errors.As(err, &strict):
		for _, f := range strict.Fields {
			s.refuse(f.Path, fmt.Sprintf("strict decoding error: %s %q", f.Problem, f.Path))
		}
	case errors.As(err, &wrong):
		s.refuse(strings.TrimPrefix(wrong.Path, "."), wrong.Problem)
	case err != nil:
		s.refuse("", err.Error())
	}
	if err != nil {
		return
	}
	s.Name = cmp.Or(s.Name, a.Name)
	s.given, s.object = a, a
	spec := a.Spec.Clone()
	for _, e := range spec.ApplyAdmission(s.flags.Settings.Release) {
		s.refuse(e.Field, e.Error())
	}
	s.object.Spec = *spec
	s.autoscaler.Spec = spec
}

// tell adds what is wanted.
func (s *subject) tell(w *Want) {
	if len(s.Problems) > 0 || s.object.Name == "" {
		return
	}
	if w.Defaults {
		s.Defaults = changes(&s.given.Spec, &s.object.Spec)
		s.Object = s.objectJSON()
	}
	if w.Findings {
		facts := lint.DefaultFacts()
		facts.SyncPeriod = s.flags.Sync
		found, err := lint.Lint(s.autoscaler.Settings, s.autoscaler.Spec, facts)
		if err != nil {
			s.refuse("", err.Error())
		}
		for _, f := range found {
			shown := Finding{Finding: f}
			for _, m := range f.Case {
				shown.Shows = append(shown.Shows, m.String())
			}
			s.Findings = append(s.Findings, shown)
		}
	}
	if w.Guarantees {
		g, err := guarantee.Compute(s.autoscaler.Settings, s.autoscaler.Spec, s.flags.Sync, s.startup())
		if err != nil {
			s.GuaranteesProblem = err.Error()
			return
		}
		s.Guarantees, s.GuaranteesText = &g, g.String()
	}
}

// startup returns the time until a pod is ready: of a distribution, the longest
// that some draws give.
func (s *subject) startup() (longest time.Duration) {
	r := simulate.NewRand(0)
	for range 100 {
		took := s.flags.Startup.Draw(&r)
		if s.flags.Pending != nil {
			took += s.flags.Pending.Draw(&r)
		}
		longest = max(longest, took)
	}
	return longest
}

// objectJSON is the object as an API server would return it, without a status.
func (s *subject) objectJSON() json.RawMessage {
	type meta struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace,omitempty"`
	}
	text, err := json.Marshal(struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   meta   `json:"metadata"`
		Spec       any    `json:"spec"`
	}{"autoscaling/v2", "HorizontalPodAutoscaler", meta{s.object.Name, s.object.Namespace}, s.object.Spec})
	if err != nil {
		return nil
	}
	return text
}

// changes returns what the API server changed: the fields that it filled in,
// with their values, and those that it dropped, with null.
func changes(given, stored any) (all []Default) {
	add := func(path string, value any) {
		text, err := json.Marshal(value)
		if err == nil {
			all = append(all, Default{path, text})
		}
	}
	var walk func(path string, before, after any)
	walk = func(path string, before, after any) {
		switch b := before.(type) {
		case map[string]any:
			a, _ := after.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(merged(a, b))) {
				was, had := b[name]
				is, has := a[name]
				switch at := path + "." + name; {
				case !had:
					add(at, is)
				case !has:
					add(at, nil)
				default:
					walk(at, was, is)
				}
			}
		case []any:
			a, _ := after.([]any)
			for i := range min(len(a), len(b)) {
				walk(fmt.Sprintf("%s[%d]", path, i), b[i], a[i])
			}
		}
	}
	walk("spec", tree(given), tree(stored))
	return all
}

func merged(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return all
}

// tree returns v as encoding/json decodes its JSON.
func tree(v any) (t any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	if err != nil {
		return nil
	}
	return t
}
