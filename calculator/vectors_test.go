package calculator_test

import (
	"bufio"
	"bytes"
	stdcmp "cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// vectorFile holds what the real controller decided in random histories of an
// autoscaler each.
type vectorFile struct {
	name           string
	vectors, syncs int
	// deviations are the syncs that differ on purpose.
	deviations int
}

// vectorFiles are those of the newest release.
var vectorFiles = []vectorFile{
	{"testdata/kubernetes-1.37.1.jsonl.gz", 2000, 15027, 226},
	{"testdata/kubernetes-1.37.1-seed2.jsonl.gz", 160, 1133, 10},
}

// vectorsSyncs is the number of syncs in them.
const vectorsSyncs = 15027 + 1133

// vector is one line of vectorsFile.
type vector struct {
	Name   string
	Config struct {
		// Release is the newest, if there is none.
		Release                                                                release.Release
		Tolerance                                                              float64
		DownscaleStabilization, CPUInitializationPeriod, InitialReadinessDelay duration
	}
	Spec          json.RawMessage
	DefaultedSpec autoscaling.HorizontalPodAutoscalerSpec
	Steps         []vectorStep
}

type vectorStep struct {
	Now   time.Time
	Scale struct {
		SpecReplicas, StatusReplicas int32
	}
	Pods             json.RawMessage
	Metrics          []vectorMetric
	ScaleUpdateFails bool
	Want             vectorWant

	observed calculator.Observation
}

type vectorMetric struct {
	Error   string
	Samples []struct {
		Pod       string
		Value     metrics.Milli
		Timestamp time.Time
		Window    duration
		// NoContainer: the pod has metrics, but none of the metric's container.
		NoContainer bool
	}
	Values []metrics.Milli
}

type vectorWant struct {
	Rescaled bool
	Replicas int32
	Error    string
	// Status is the JSON of the status, compared byte by byte.
	Status json.RawMessage
	Events []string
}

type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// eachVector calls f with every vector of the newest release.
func eachVector(t testing.TB, f func(*vector)) {
	t.Helper()
	for _, file := range vectorFiles {
		eachVectorOf(t, file.name, file.vectors, f)
	}
}

// eachVectorOf calls f with every vector of the file, which has so many of them.
func eachVectorOf(t testing.TB, name string, vectors int, f func(*vector)) {
	t.Helper()
	decoded, _ := corpus.LoadOrStore(name, sync.OnceValues(func() ([]*vector, error) { return readVectors(name) }))
	all, err := decoded.(func() ([]*vector, error))()
	require.NoError(t, err)
	require.Len(t, all, vectors, "vectors of %s", name)
	for _, v := range all {
		f(v)
	}
}

// corpus holds the vectors of each file, which are decoded once. Tests share
// them and change nothing in them.
var corpus sync.Map

// readVectors decodes a file of vectors, and what each of their steps observes.
func readVectors(name string) ([]*vector, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	zipped, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, err
	}
	var all []*vector
	var observing errgroup
	lines := json.NewDecoder(zipped)
	for lines.More() {
		v := new(vector)
		if err := lines.Decode(v); err != nil {
			return nil, fmt.Errorf("vector %d: %w", len(all), err)
		}
		all = append(all, v)
		observing.do(v.observe)
	}
	return all, observing.wait()
}

// errgroup runs functions on all processors, and keeps one of their errors.
type errgroup struct {
	slots chan struct{}
	wg    sync.WaitGroup
	err   atomic.Pointer[error]
}

func (g *errgroup) do(f func() error) {
	if g.slots == nil {
		g.slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	}
	g.slots <- struct{}{}
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.err.Store(&err)
		}
		<-g.slots
	})
}

func (g *errgroup) wait() error {
	g.wg.Wait()
	if err := g.err.Load(); err != nil {
		return *err
	}
	return nil
}

// observe decodes what the steps of the vector observe.
func (v *vector) observe() error {
	for i := range v.Steps {
		s := &v.Steps[i]
		obs, err := s.decode()
		if err != nil {
			return fmt.Errorf("vector %s, step %d: %w", v.Name, i, err)
		}
		s.observed, s.Pods = obs, nil
	}
	return nil
}

// settings returns the vector's flags.
func (v *vector) settings() calculator.Settings {
	return calculator.Settings{
		Release:                v.Config.Release,
		Tolerance:              v.Config.Tolerance,
		DownscaleStabilization: time.Duration(v.Config.DownscaleStabilization),
		ReadinessSettings: podgroup.ReadinessSettings{
			CPUInitializationPeriod: time.Duration(v.Config.CPUInitializationPeriod),
			InitialReadinessDelay:   time.Duration(v.Config.InitialReadinessDelay),
		},
	}
}

// observation returns what the sync of the step saw.
func (s *vectorStep) observation() calculator.Observation { return s.observed }

func (s *vectorStep) decode() (calculator.Observation, error) {
	o := calculator.Observation{
		Namespace:      "ns",
		SpecReplicas:   s.Scale.SpecReplicas,
		StatusReplicas: s.Scale.StatusReplicas,
	}
	var err error
	list := `{"apiVersion":"v1","kind":"PodList","items":` + stdcmp.Or(string(s.Pods), "[]") + `}`
	if o.Pods, err = kubejson.DecodePods(nil, []byte(list)); err != nil {
		return o, err
	}
	for _, m := range s.Metrics {
		r := calculator.Reading{Values: m.Values}
		if m.Error != "" {
			r.Err = errors.New(m.Error)
		}
		byName := make(map[string]metrics.Sample, len(m.Samples))
		for _, s := range m.Samples {
			if s.NoContainer {
				if r.WithoutContainer == "" {
					r.WithoutContainer = s.Pod
				}
				continue // missing
			}
			byName[s.Pod] = metrics.Sample{
				Value:   s.Value,
				Time:    metrics.At(s.Timestamp),
				Window:  time.Duration(s.Window),
				Present: true,
			}
		}
		var a podgroup.Aligner
		r.Samples, r.Strays = a.Align(o.Pods, byName)
		o.Readings = append(o.Readings, r)
	}
	return o, nil
}

// sync decides on the step and writes, or fails to, as the vector's sync did.
func (s *vectorStep) sync(t testing.TB, d *calculator.Decision, settings *calculator.Settings, spec *autoscaling.HorizontalPodAutoscalerSpec, st *calculator.State) {
	t.Helper()
	obs := s.observation()
	if len(obs.Pods)%2 == 0 {
		// Every other time with a prepared group, which makes no difference.
		obs.Group = new(podgroup.Group)
		obs.Group.Prepare(obs.Pods)
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

// result is the decision as a vector tells it.
func (s *vectorStep) result(t testing.TB, d *calculator.Decision, st *calculator.State) vectorWant {
	t.Helper()
	status := d.Status(st)
	if !d.Release.Differences().Has(release.NoObservedGeneration) {
		// The recording is of an object whose generation is 0.
		status.ObservedGeneration = new(int64)
	}
	text, err := json.Marshal(status)
	require.NoError(t, err)
	got := vectorWant{Rescaled: d.Outcome == calculator.OutcomeWritten, Replicas: s.Scale.SpecReplicas, Status: unescaped(text)}
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

func (w *vectorWant) equal(got *vectorWant) bool {
	return w.Rescaled == got.Rescaled && w.Replicas == got.Replicas && w.Error == got.Error &&
		bytes.Equal(w.Status, got.Status) && slices.Equal(w.Events, got.Events)
}

// unescaped undoes what json.Marshal does for browsers, and Kubernetes does not.
func unescaped(text []byte) []byte {
	for escape, c := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		text = bytes.ReplaceAll(text, []byte(escape), []byte(c))
	}
	return text
}

// emptyCondition is a condition without a type, and the comma before it.
var emptyCondition = regexp.MustCompile(`,\{"type":"","status"[^}]*\}`)

// want is what the vector tells, and reports whether this library answers it
// differently on purpose: upstream divides by zero pods and shows what amd64 makes
// of it; here the average over zero pods is 0. And 1.29 sets a condition without a
// type for a source whose gate is off.
func (s *vectorStep) want() (want vectorWant, deviates bool) {
	want = s.Want
	const there, here = `"averageValue":"-9223372036854775808m"`, `"averageValue":"0"`
	if s.Scale.StatusReplicas == 0 {
		want.Status = bytes.ReplaceAll(want.Status, []byte(there), []byte(here))
	}
	want.Status = emptyCondition.ReplaceAll(want.Status, nil)
	return want, len(want.Status) != len(s.Want.Status)
}

// TestVectors replays all syncs of the recorded histories and compares all that
// an API client sees.
func TestVectors(t *testing.T) {
	t.Parallel()
	for _, file := range vectorFiles {
		file.replay(t)
	}
}
