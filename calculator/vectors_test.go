package calculator_test

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/podgroup"
)

// vectorFile is a recording of kube-controller-manager: what it saw, and what
// it answered, in random histories of one autoscaler each.
type vectorFile struct {
	name    string
	vectors int // histories
	syncs   int
	// deviations are the syncs in which the library differs on purpose.
	deviations int
}

// vectorFiles are those of the newest release.
var vectorFiles = []vectorFile{
	{name: "testdata/kubernetes-1.37.1.jsonl.gz", vectors: 2000, syncs: 15027, deviations: 226},
	{name: "testdata/kubernetes-1.37.1-seed2.jsonl.gz", vectors: 160, syncs: 1133, deviations: 10},
}

// vectorsSyncs is the number of syncs in them.
const vectorsSyncs = 15027 + 1133

// TestVectors replays all syncs of the newest release. An API client sees no
// difference between the library and the controller:
//
//   - The scale is written in the same syncs, with the same size.
//   - The status is the same, byte by byte.
//   - So are the events, in their order, and the error.
//
// The deviations on purpose are those of [vectorStep.want].
func TestVectors(t *testing.T) {
	t.Parallel()
	for _, file := range vectorFiles {
		file.requireAnswers(t)
	}
}

// requireAnswers decides on what the controller saw, sync by sync, as the
// release that recorded the file, and requires what the controller answered. It
// returns the quirks of releases that mattered.
func (file *vectorFile) requireAnswers(t *testing.T) (mattered release.Quirks) {
	t.Helper()
	syncs, deviations := 0, 0
	file.each(t, func(v *vector) {
		require.Contains(t, file.name, v.Config.Release.Patch(), "vector %s", v.Name)
		settings := v.settings()
		var st calculator.State
		var d calculator.Decision
		for i := range v.Steps {
			s := &v.Steps[i]
			obs := s.observation()
			needs := calculator.NeedsReadings(&settings, &v.DefaultedSpec, &obs, &st)
			s.sync(&d, &settings, &v.DefaultedSpec, &st)
			require.Equal(t, len(d.Proposals) > 0, needs, "vector %s, step %d", v.Name, i)
			want, deviates := s.want()
			if got := s.result(t, &d, &st); !want.equal(&got) {
				t.Fatalf("vector %s, step %d (-want +got):\n%s", v.Name, i, cmp.Diff(want, got))
			}
			if syncs++; deviates {
				deviations++
			}
			mattered |= d.Quirks
		}
	})
	require.Equal(t, file.syncs, syncs, "syncs of %s", file.name)
	require.Equal(t, file.deviations, deviations, "deviations in %s", file.name)
	t.Logf("%s: %d syncs agree, %d of them but for a deviation on purpose", file.name, syncs, deviations)
	return mattered
}

// sync decides on the step and writes the scale, or fails to, as the controller
// did.
func (s *vectorStep) sync(d *calculator.Decision, settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, st *calculator.State) {
	obs := s.observation()
	if len(obs.Pods)%2 == 0 {
		// A prepared group of the pods makes no difference.
		obs.Group = new(podgroup.Group)
		obs.Group.Prepare(obs.Pods)
	}
	if !calculator.NeedsReadings(settings, spec, &obs, st) {
		obs.Pods, obs.Group, obs.Readings = nil, nil, nil
	}
	calculator.DecideInto(d, s.Now, settings, spec, &obs, st)
	switch {
	case !d.Rescale:
	case s.ScaleUpdateFails:
		st.Failed(s.Now, d, errors.New("injected failure"))
	default:
		st.Applied(s.Now, d)
	}
}

// result is what an API client sees of the decision.
func (s *vectorStep) result(t testing.TB, d *calculator.Decision, st *calculator.State) vectorAnswer {
	status := d.Status(st)
	if !d.Release.Quirks().Has(release.NoObservedGeneration) {
		// The recording is of an object whose generation is 0.
		status.ObservedGeneration = new(int64)
	}
	text, err := status.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	got := vectorAnswer{
		Rescaled: d.Outcome == calculator.OutcomeWritten,
		Replicas: s.Scale.SpecReplicas,
		Status:   unescaped(text),
	}
	if got.Rescaled {
		got.Replicas = d.DesiredReplicas
	}
	if err := d.Err(); err != nil {
		got.Error = err.Error()
	}
	for _, e := range d.AppendEvents(nil) {
		// The recording has no white space at the end of a line, which
		// Kubernetes leaves there when nothing asked for the change.
		got.Events = append(got.Events, strings.TrimRight(e.String(), " "))
	}
	return got
}

func (w *vectorAnswer) equal(got *vectorAnswer) bool {
	return w.Rescaled == got.Rescaled &&
		w.Replicas == got.Replicas &&
		w.Error == got.Error &&
		bytes.Equal(w.Status, got.Status) &&
		slices.Equal(w.Events, got.Events)
}

// unescaped undoes what package json does for browsers, and Kubernetes does
// not.
func unescaped(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u00`)) {
		return text
	}
	for escape, c := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		text = bytes.ReplaceAll(text, []byte(escape), []byte(c))
	}
	return text
}

// want is what the library is to answer, and reports whether that deviates from
// what the controller answered, which it does in two cases.
func (s *vectorStep) want() (want vectorAnswer, deviates bool) {
	want = s.Want
	if s.Scale.StatusReplicas == 0 {
		want.Status = bytes.ReplaceAll(want.Status, []byte(averageOverNone), []byte(averageOfZero))
	}
	if bytes.Contains(want.Status, []byte(`"type":""`)) {
		want.Status = untypedCondition.ReplaceAll(want.Status, nil)
	}
	return want, len(want.Status) != len(s.Want.Status)
}

// Over zero pods, Kubernetes divides by zero, and shows what amd64 makes of the
// result. The library's average over zero pods is 0.
const (
	averageOverNone = `"averageValue":"-9223372036854775808m"`
	averageOfZero   = `"averageValue":"0"`
)

// Kubernetes 1.29 sets a condition without a type for a metric source whose
// gate is off. The library leaves that condition out, and the comma before it.
var untypedCondition = regexp.MustCompile(`,\{"type":"","status"[^}]*\}`)
