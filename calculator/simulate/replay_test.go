package simulate_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// vector is what the real controller saw and decided in the history of one
// autoscaler; see the tests of package calculator.
type vector struct {
	Name   string
	Config struct {
		Tolerance                                                              float64
		DownscaleStabilization, CPUInitializationPeriod, InitialReadinessDelay duration
	}
	DefaultedSpec autoscaling.HorizontalPodAutoscalerSpec
	Steps         []struct {
		Now     time.Time
		Scale   struct{ SpecReplicas, StatusReplicas int32 }
		Pods    []json.RawMessage
		Metrics []struct {
			Error   string
			Samples []struct {
				Pod       string
				Value     metrics.Milli
				Timestamp time.Time
				Window    duration
			}
			Values []metrics.Milli
		}
		ScaleUpdateFails bool
		Want             struct {
			Rescaled bool
			Replicas int32
		}
	}
}

type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// syncs are the vector's steps as a recording.
func (v *vector) syncs() iter.Seq2[simulate.RecordedSync, error] {
	return func(yield func(simulate.RecordedSync, error) bool) {
		for i := range v.Steps {
			s := &v.Steps[i]
			obs := &calculator.Observation{SpecReplicas: s.Scale.SpecReplicas, StatusReplicas: s.Scale.StatusReplicas}
			list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "PodList", "items": s.Pods})
			if err == nil {
				obs.Pods, err = kubejson.DecodePods(nil, list)
			}
			for _, m := range s.Metrics {
				r := calculator.Reading{Values: m.Values}
				if m.Error != "" {
					r.Err = errors.New(m.Error)
				}
				byName := make(map[string]metrics.Sample, len(m.Samples))
				for _, s := range m.Samples {
					byName[s.Pod] = metrics.Sample{Value: s.Value, Time: metrics.At(s.Timestamp), Window: time.Duration(s.Window), Present: true}
				}
				var a podgroup.Aligner
				r.Samples, r.Strays = a.Align(obs.Pods, byName)
				obs.Readings = append(obs.Readings, r)
			}
			sync := simulate.RecordedSync{Time: s.Now, Observation: obs}
			if s.ScaleUpdateFails {
				sync.WriteErr = errors.New("injected failure")
			}
			if !yield(sync, err) {
				return
			}
		}
	}
}

// TestReplayOfVectors: a replay of what the real controller saw gives the sizes
// that it decided on.
func TestReplayOfVectors(t *testing.T) {
	file, err := os.Open("../testdata/kubernetes-1.37.1.jsonl.gz")
	require.NoError(t, err)
	defer file.Close()
	zipped, err := gzip.NewReader(bufio.NewReader(file))
	require.NoError(t, err)
	syncs, rescales := 0, 0
	for lines := json.NewDecoder(zipped); lines.More(); {
		var v vector
		require.NoError(t, lines.Decode(&v))
		a := &simulate.Autoscaler{Spec: &v.DefaultedSpec, Settings: calculator.Settings{
			Tolerance:              v.Config.Tolerance,
			DownscaleStabilization: time.Duration(v.Config.DownscaleStabilization),
			ReadinessSettings: podgroup.ReadinessSettings{
				CPUInitializationPeriod: time.Duration(v.Config.CPUInitializationPeriod),
				InitialReadinessDelay:   time.Duration(v.Config.InitialReadinessDelay),
			},
		}}
		i := 0
		for answers, err := range simulate.Replay(v.syncs(), a) {
			require.NoError(t, err)
			want := v.Steps[i].Want
			require.Equal(t, want.Replicas, answers.Size(0), "vector %s, step %d", v.Name, i)
			require.Equal(t, want.Rescaled, answers.Decisions[0].Outcome == calculator.OutcomeWritten, "vector %s, step %d", v.Name, i)
			if want.Rescaled {
				rescales++
			}
			i++
		}
		require.Len(t, v.Steps, i)
		syncs += i
	}
	require.Equal(t, 15_027, syncs)
	require.Positive(t, rescales)
}

// recording is of an External metric, each 15 seconds, at a size of 5.
func recording(values ...metrics.Milli) iter.Seq2[simulate.RecordedSync, error] {
	return func(yield func(simulate.RecordedSync, error) bool) {
		for i, v := range values {
			obs := &calculator.Observation{SpecReplicas: 5, StatusReplicas: 5, Readings: []calculator.Reading{{Values: []metrics.Milli{v}}}}
			if !yield(simulate.RecordedSync{Time: start.Add(time.Duration(i) * 15 * time.Second), Observation: obs}, nil) {
				return
			}
		}
	}
}

func queueRules(t testing.TB, behavior string) *simulate.Autoscaler {
	return &simulate.Autoscaler{Settings: calculator.DefaultSettings(), Spec: specOf(t, `{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},
		"maxReplicas":100,"metrics":[{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"10"}}}]`+behavior+`}`)}
}

func TestDifferences(t *testing.T) {
	quick := queueRules(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0}}`)
	slow := queueRules(t, `,"behavior":{"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":15}]}}`)
	values := []metrics.Milli{50_000, 120_000, 80_000, 20_000, 50_000}
	var sizes [][]int32
	for a, err := range simulate.Replay(recording(values...), queueRules(t, ""), quick, slow) {
		require.NoError(t, err)
		sizes = append(sizes, []int32{a.Size(0), a.Size(1), a.Size(2)})
		require.Equal(t, a.Size(0) != a.Size(1) || a.Size(0) != a.Size(2), a.Differ())
	}
	// Without a behavior, the size goes up to twice the present one, and the
	// highest recommendation of the window counts for scaling up, too.
	require.Equal(t, [][]int32{{5, 5, 5}, {10, 10, 6}, {10, 8, 6}, {10, 2, 5}, {10, 5, 5}}, sizes)

	got, err := simulate.Differences(simulate.Replay(recording(values...), queueRules(t, ""), quick, slow))
	require.NoError(t, err)
	at := func(i int) time.Time { return start.Add(time.Duration(i) * 15 * time.Second) }
	require.Equal(t, []simulate.Difference{
		{Syncs: 5},
		{Syncs: 5, Lower: 3, MostLower: 8, First: at(2), Last: at(4)},
		{Syncs: 5, Lower: 4, MostLower: 5, First: at(1), Last: at(4)},
	}, got)
	got, err = simulate.Differences(simulate.Replay(recording(values...), quick, queueRules(t, "")))
	require.NoError(t, err)
	require.Equal(t, simulate.Difference{Syncs: 5, Higher: 3, MostHigher: 8, First: at(2), Last: at(4)}, got[1])
}

func TestReplayErrors(t *testing.T) {
	rules := queueRules(t, "")
	broken := func(yield func(simulate.RecordedSync, error) bool) {
		for s := range recording(1) {
			yield(s, nil)
		}
		yield(simulate.RecordedSync{}, errors.New("the file ends too soon"))
	}
	empty := func(yield func(simulate.RecordedSync, error) bool) { yield(simulate.RecordedSync{Time: start}, nil) }
	two := queueRules(t, "")
	two.Spec.Metrics = append(two.Spec.Metrics, two.Spec.Metrics[0])
	for _, tt := range []struct {
		syncs       iter.Seq2[simulate.RecordedSync, error]
		autoscalers []*simulate.Autoscaler
		answers     int
		want        string
	}{
		{nil, nil, 0, "syncs: Required value"},
		{recording(1), []*simulate.Autoscaler{rules, nil}, 0, "autoscalers[1]: Required value"},
		{recording(1), []*simulate.Autoscaler{{}}, 0, "autoscalers[0].spec: Required value"},
		{broken, []*simulate.Autoscaler{rules}, 1, "the file ends too soon"},
		{empty, []*simulate.Autoscaler{rules}, 0, "syncs[0].observation: Required value"},
		{recording(1, 2), []*simulate.Autoscaler{rules, two}, 0, "syncs[0]: autoscalers[1]: observation.readings: Invalid value: 1: 1 readings for 2 metrics"},
	} {
		answers, failures := 0, 0
		for a, err := range simulate.Replay(tt.syncs, tt.autoscalers...) {
			if err == nil {
				answers++
				continue
			}
			failures++
			require.Nil(t, a)
			require.EqualError(t, err, tt.want)
		}
		require.Equal(t, 1, failures, tt.want)
		require.Equal(t, tt.answers, answers, tt.want)
		_, err := simulate.Differences(simulate.Replay(tt.syncs, tt.autoscalers...))
		require.EqualError(t, err, tt.want)
	}
	for range simulate.Replay(recording(1, 2, 3), rules) {
		break
	}
}

// TestReplayOfWhatFailed: a size that could not be written is none, and a scale
// that could not be read is a sync like any other.
func TestReplayOfWhatFailed(t *testing.T) {
	syncs := func(yield func(simulate.RecordedSync, error) bool) {
		for s := range recording(100_000) {
			s.WriteErr = errors.New("conflict")
			if !yield(s, nil) {
				return
			}
			s.Observation = &calculator.Observation{ScaleError: errors.New("gone")}
			if !yield(s, nil) {
				return
			}
		}
	}
	rules := queueRules(t, "")
	rules.State.Conditions = []autoscaling.HorizontalPodAutoscalerCondition{{Type: autoscaling.AbleToScale, Status: autoscaling.ConditionUnknown}}
	before := rules.State.Clone()
	var sizes []int32
	for a, err := range simulate.Replay(syncs, rules) {
		require.NoError(t, err)
		require.Error(t, a.Decisions[0].Err())
		sizes = append(sizes, a.Size(0))
	}
	require.Equal(t, []int32{5, 0}, sizes)
	require.True(t, rules.State.Equal(&before), "the caller's state stays as it is")
}
