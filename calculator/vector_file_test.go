package calculator_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
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

// vector is a line of a vectorFile: consecutive syncs of one autoscaler.
type vector struct {
	Name string
	// Config are the flags of kube-controller-manager.
	Config struct {
		// Release is the newest, if not set.
		Release                                                                release.Release
		Tolerance                                                              float64
		DownscaleStabilization, CPUInitializationPeriod, InitialReadinessDelay duration
	}
	DefaultedSpec autoscaling.HorizontalPodAutoscalerSpec
	Steps         []vectorStep
}

// vectorStep is a sync: what the controller saw, and what it answered.
type vectorStep struct {
	Now   time.Time
	Scale struct {
		SpecReplicas, StatusReplicas int32
	}
	Pods    json.RawMessage
	Metrics []vectorMetric
	// ScaleUpdateFails: a write of the scale fails.
	ScaleUpdateFails bool
	Want             vectorAnswer

	// observed is what the fields above amount to.
	observed calculator.Observation
}

// vectorMetric is what the metrics API says of a metric of the spec.
type vectorMetric struct {
	Error   string
	Samples []vectorSample  // of a metric of pods
	Values  []metrics.Milli // of an Object or External metric
}

type vectorSample struct {
	Pod       string
	Value     metrics.Milli
	Timestamp time.Time
	Window    duration
	// NoContainer: the pod has metrics, but not of the metric's container.
	NoContainer bool
}

// vectorAnswer is what an API client sees of a sync.
type vectorAnswer struct {
	// Rescaled reports whether the scale was written, and Replicas is the size
	// then.
	Rescaled bool
	Replicas int32
	Error    string
	Status   json.RawMessage
	Events   []string
}

type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// settings returns the vector's flags.
func (v *vector) settings() calculator.Settings {
	return calculator.Settings{
		ZeroFlags:              true,
		Release:                v.Config.Release,
		Tolerance:              v.Config.Tolerance,
		DownscaleStabilization: time.Duration(v.Config.DownscaleStabilization),
		ReadinessSettings: podgroup.ReadinessSettings{
			CPUInitializationPeriod: time.Duration(v.Config.CPUInitializationPeriod),
			InitialReadinessDelay:   time.Duration(v.Config.InitialReadinessDelay),
		},
	}
}

// observation returns what the controller saw. The pods are shared.
func (s *vectorStep) observation() calculator.Observation { return s.observed }

// eachVector calls f with every vector of the newest release.
func eachVector(t testing.TB, f func(*vector)) {
	t.Helper()
	for _, file := range vectorFiles {
		file.each(t, f)
	}
}

// each calls f with every vector of the file.
func (file *vectorFile) each(t testing.TB, f func(*vector)) {
	t.Helper()
	vectors := file.decoded(t)
	require.Len(t, vectors, file.vectors, "vectors of %s", file.name)
	for _, v := range vectors {
		f(v)
	}
}

// decodedFiles holds the vectors of each file by its name. They are decoded
// once. Tests share them and change nothing in them.
var decodedFiles sync.Map

func (file *vectorFile) decoded(t testing.TB) []*vector {
	t.Helper()
	once := sync.OnceValues(func() ([]*vector, error) { return readVectors(file.name) })
	decode, _ := decodedFiles.LoadOrStore(file.name, once)
	vectors, err := decode.(func() ([]*vector, error))()
	require.NoError(t, err)
	return vectors
}

// readVectors decodes the lines of a file on all processors.
func readVectors(name string) ([]*vector, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	var vectors []*vector
	var errs []error
	var decoders sync.WaitGroup
	idle := make(chan struct{}, runtime.GOMAXPROCS(0))
	var lock sync.Mutex
	lines := bufio.NewReaderSize(zipped, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		v := new(vector)
		vectors = append(vectors, v)
		idle <- struct{}{}
		decoders.Go(func() {
			if err := v.decode(line); err != nil {
				lock.Lock()
				errs = append(errs, err)
				lock.Unlock()
			}
			<-idle
		})
	}
	decoders.Wait()
	return vectors, errors.Join(errs...)
}

// decode decodes a line, and what the controller saw.
func (v *vector) decode(line []byte) error {
	if err := json.Unmarshal(line, v); err != nil {
		return err
	}
	for i := range v.Steps {
		s := &v.Steps[i]
		if err := s.observe(); err != nil {
			return fmt.Errorf("vector %s, step %d: %w", v.Name, i, err)
		}
	}
	return nil
}

// observe fills in observed.
func (s *vectorStep) observe() error {
	o := calculator.Observation{
		Namespace:      "ns",
		SpecReplicas:   s.Scale.SpecReplicas,
		StatusReplicas: s.Scale.StatusReplicas,
	}
	if len(s.Pods) > 0 {
		var list []byte
		list = append(list, `{"apiVersion":"v1","kind":"PodList","items":`...)
		list = append(append(list, s.Pods...), '}')
		var err error
		if o.Pods, err = kubejson.DecodePods(nil, list); err != nil {
			return err
		}
	}
	for i := range s.Metrics {
		o.Readings = append(o.Readings, s.Metrics[i].reading(o.Pods))
	}
	s.observed, s.Pods, s.Metrics = o, nil, nil
	return nil
}

// reading returns the metric with samples aligned with the pods.
func (m *vectorMetric) reading(pods []podgroup.Pod) calculator.Reading {
	r := calculator.Reading{Values: append([]metrics.Milli{}, m.Values...)}
	if m.Error != "" {
		r.Err = errors.New(m.Error)
	}
	byPod := make(map[string]metrics.Sample, len(m.Samples))
	for _, s := range m.Samples {
		if !s.NoContainer {
			byPod[s.Pod] = metrics.NewSample(s.Value, s.Timestamp, time.Duration(s.Window))
		} else if r.WithoutContainer == "" {
			r.WithoutContainer = s.Pod
		}
	}
	var a podgroup.Aligner
	r.Samples, r.Strays = a.Align(pods, byPod)
	return r
}
