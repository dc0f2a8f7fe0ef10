package release_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/release"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"1.37": "1.37", "v1.37.1": "1.37", "1.32": "1.32", "v1.29.6": "1.29",
		"v1.32.13-eks-1234567": "1.32", "1.33+": "1.33", "v1.31.0-alpha.1+abc": "1.31",
		"1.36,HPAScaleToZero=true":                          "1.36,HPAScaleToZero=true",
		"1.37,HPAScaleToZero=true":                          "1.37",
		"1.35,PodLevelResources=false,HPAScaleToZero=1":     "1.35,PodLevelResources=false,HPAScaleToZero=true",
		"1.34,HPAScaleToZero=true,HPAScaleToZero=false":     "1.34",
		"v1.29.6,HPAContainerMetrics=false":                 "1.29,HPAContainerMetrics=false",
		"1.30,HPAContainerMetrics=true":                     "1.30",
		"1.37,HPAGeneration=false,PodLevelResources=false ": "",
	} {
		r, err := release.Parse(text)
		if want == "" {
			require.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		require.Equal(t, want, r.String(), text)
		again, err := release.Parse(r.String())
		require.NoError(t, err)
		require.Equal(t, r, again)
	}
	require.Equal(t, release.Release{}, release.MustParse("1.37"))
	require.Panics(t, func() { release.MustParse("") })
}

func TestParseErrors(t *testing.T) {
	const version = `not a version of Kubernetes, such as "1.32" or "v1.32.13"`
	for text, problem := range map[string]string{
		"": version, "1": version, "v1.": version, "1.x": version, "2.32": version, "1.32x": version, ".32": version,
		"1.99999999999999999999": version, "1.-32": version, "newest": version,
		"1.28":                           "not among the releases known, 1.29 to 1.37",
		"v1.38.0":                        "not among the releases known, 1.29 to 1.37",
		"1.32,":                          `a gate is true or false, not ""`,
		"1.32,HPAScaleToZero":            `a gate is true or false, not "HPAScaleToZero"`,
		"1.32,HPAScaleToZero=maybe":      `a gate is true or false, not "HPAScaleToZero=maybe"`,
		"1.32,Other=true":                `Kubernetes 1.32 has no gate "Other"`,
		"1.32,HPAGeneration=true":        `Kubernetes 1.32 has no gate "HPAGeneration"`,
		"1.31,PodLevelResources=false":   `Kubernetes 1.31 has no gate "PodLevelResources"`,
		"1.30,HPAContainerMetrics=false": "the gate HPAContainerMetrics cannot be off in Kubernetes 1.30",
	} {
		_, err := release.Parse(text)
		var e *release.ParseError
		require.ErrorAs(t, err, &e, text)
		require.Equal(t, release.ParseError{Text: text, Problem: problem}, *e)
	}
	_, err := release.Parse("x")
	require.EqualError(t, err, `release: "x": `+version)
}

// The defaults of the gates are those of each release's kube_features.go, and a
// gate that is set comes back.
func TestGates(t *testing.T) {
	on := map[release.Gate][]int{
		release.HPAContainerMetrics:      {29, 30, 31, 32, 33, 34, 35, 36, 37},
		release.HPAConfigurableTolerance: {35, 36, 37},
		release.PodLevelResources:        {34, 35, 36, 37},
		release.HPAScaleToZero:           {37},
		release.HPAGeneration:            {37},
	}
	settable := map[release.Gate][]int{
		release.HPAContainerMetrics:      {29},
		release.HPAConfigurableTolerance: {33, 34, 35, 36},
		release.PodLevelResources:        {32, 33, 34, 35, 36, 37},
		release.HPAScaleToZero:           {29, 30, 31, 32, 33, 34, 35, 36, 37},
		release.HPAGeneration:            {37},
	}
	require.Len(t, release.Gates(), len(on))
	for _, r := range release.All() {
		for _, g := range release.Gates() {
			was := r.Enabled(g)
			require.Equal(t, slices.Contains(on[g], r.Minor()), was, "%s of %s", g, r)
			changed, err := r.With(g, !was)
			if !slices.Contains(settable[g], r.Minor()) {
				var e *release.GateError
				require.ErrorAs(t, err, &e)
				require.Equal(t, release.GateError{Gate: g, Release: r, AlwaysOn: was}, *e)
				require.Equal(t, r, changed)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, !was, changed.Enabled(g))
			back, err := changed.With(g, was)
			require.NoError(t, err)
			require.Equal(t, r, back)
		}
	}
	require.False(t, release.Release{}.Enabled("Other"))
}

// Each release differs from the newest in what is gone since, and each
// difference occurs in some release with some gates.
func TestDifferences(t *testing.T) {
	require.Zero(t, release.Release{}.Quirks())
	require.Equal(t, "NoScaleToZero,NoScaledToZero,NoObservedGeneration,ObjectErrorSwapped,SharedSelectorByAll,ZeroMinReplicasRefused,HandwrittenValidation",
		release.MustParse("1.36").Quirks().String())
	require.Equal(t, "ZeroByMinReplicas,NoScaledToZero,NoObservedGeneration,ObjectErrorSwapped,SharedSelectorByAll,ZeroMinReplicasRefused,HandwrittenValidation,MaxReplicasInvalid",
		release.MustParse("1.35").Quirks().String())
	require.Equal(t, "ZeroByMinReplicas,NoScaledToZero,NoObservedGeneration,ObjectErrorSwapped,SharedSelectorByAll,HandwrittenValidation,MaxReplicasInvalid",
		release.MustParse("1.35,HPAScaleToZero=true").Quirks().String())
	require.Equal(t, release.MustParse("1.30").Quirks(), release.MustParse("1.32").Quirks())
	var seen release.Quirks
	for _, r := range release.All() {
		seen |= r.Quirks()
		for _, g := range release.Gates() {
			if changed, err := r.With(g, !r.Enabled(g)); err == nil {
				seen |= changed.Quirks()
			}
		}
	}
	require.Equal(t, release.Known(), seen)
	require.Equal(t, []release.Quirk{release.FormatsTwice}, release.MustParse("1.30").Changed())
	require.Empty(t, release.MustParse("1.31").Changed())
	require.Empty(t, release.MustParse("1.29").Changed())
}

// Each row is whole and has a name of its own.
func TestRows(t *testing.T) {
	names := map[string]bool{}
	for d := range release.Known().All() {
		row := d.Row()
		require.False(t, names[row.Name], row.Name)
		names[row.Name] = true
		require.Equal(t, row.Name, d.String())
		require.True(t, row.Since > 0 || row.Gate != "", row.Name)
		require.Contains(t, []release.Kind{release.Decides, release.Shows, release.Admits}, row.Kind)
		for _, s := range []string{row.Did, row.Does, row.Source} {
			require.NotEmpty(t, s, row.Name)
			require.False(t, strings.HasSuffix(s, "."), s)
		}
	}
	require.Zero(t, release.Quirk(0).Row())
	require.Zero(t, release.Quirk(3).Row())
	require.Zero(t, release.Quirk(1<<31).Row())
}

func TestTexts(t *testing.T) {
	type settings struct {
		Release release.Release `json:"release,omitzero"`
		Did     release.Quirks  `json:"did,omitzero"`
	}
	for want, s := range map[string]settings{
		`{}`: {},
		`{"release":"1.32","did":["ToleranceByDistance","DecimalMemory"]}`: {
			release.MustParse("1.32"), release.Quirks(0).With(release.DecimalMemory).With(release.ToleranceByDistance)},
	} {
		text, err := json.Marshal(s)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
	s := settings{Release: release.MustParse("1.30")}
	require.NoError(t, json.Unmarshal([]byte(`{"release":""}`), &s))
	require.Zero(t, s.Release)
	require.NoError(t, json.Unmarshal([]byte(`{"release":"v1.36.1,HPAScaleToZero=true"}`), &s))
	require.Equal(t, "1.36,HPAScaleToZero=true", s.Release.String())
	require.Error(t, json.Unmarshal([]byte(`{"release":"1.12"}`), &s))
	require.Equal(t, "1.36,HPAScaleToZero=true", s.Release.String(), "changed on an error")
}

// Nothing panics, and what parses is printed as itself.
func TestParseAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`v?1\.(2|3)[0-9](\.[0-9]+)?[-+a-z]*(,[A-Za-z]+=(true|false))*`)).Draw(t, "text")
		r, err := release.Parse(text)
		if err != nil {
			require.Zero(t, r)
			return
		}
		require.Equal(t, r, release.MustParse(r.String()))
	})
}

func ExampleParse() {
	r, err := release.Parse("v1.32.13-eks-1234567")
	if err != nil {
		panic(err)
	}
	for d := range r.Quirks().All() {
		if row := d.Row(); row.Kind == release.Decides {
			fmt.Println("Kubernetes", r, row.Did)
		}
	}
	// Output:
	// Kubernetes 1.32 compares the rounded distance of the ratio from 1 with the tolerance
	// Kubernetes 1.32 has one tolerance, and drops those of spec.behavior
	// Kubernetes 1.32 takes a pod whose metrics lack the container as a failure of the metric
	// Kubernetes 1.32 counts the requests of containers, not those of the whole pod
	// Kubernetes 1.32 takes the request of a pod without the container as zero
	// Kubernetes 1.32 looks at minReplicas to see whether a size of zero may change
}
