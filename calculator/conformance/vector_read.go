package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// EachVector calls f with the vectors in r, which are one a line, plain or
// compressed by gzip. An error names the line.
func EachVector(r io.Reader, f func(*Vector) error) error {
	plain, err := unzipped(r)
	if err != nil {
		return err
	}
	lines := bufio.NewReaderSize(plain, 1<<16)
	for number, more := 1, true; more; number++ {
		line, err := lines.ReadBytes('\n')
		more = err == nil
		switch {
		case err != nil && err != io.EOF:
		case len(bytes.TrimSpace(line)) == 0:
			err = nil
		default:
			err = decodeVector(line, f)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

// unzipped returns r, or what is in it if it is compressed by gzip.
func unzipped(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	return gzip.NewReader(buffered)
}

func decodeVector(line []byte, f func(*Vector) error) error {
	v := new(Vector)
	if err := json.Unmarshal(line, v); err != nil {
		return fmt.Errorf("not a vector: %w", err)
	}
	if err := v.check(); err != nil {
		return fmt.Errorf("not a vector: %w", err)
	}
	return f(v)
}

// check reports what a vector cannot be without.
func (v *Vector) check() error {
	if v.Spec == nil {
		return errors.New("no spec")
	}
	if len(v.Steps) == 0 {
		return errors.New("no steps")
	}
	for i := range v.Steps {
		switch s := &v.Steps[i]; {
		case s.Now.IsZero():
			return fmt.Errorf("no steps[%d].now", i)
		case s.Want.Status == nil:
			return fmt.Errorf("no steps[%d].want.status", i)
		}
	}
	return nil
}

// flags returns the controller's flags, without the release.
func (c *vectorConfig) flags() (f Flags, err error) {
	f.Tolerance = c.Tolerance
	for _, field := range []struct {
		name, text string
		to         *time.Duration
	}{
		{"downscaleStabilization", c.DownscaleStabilization, &f.DownscaleStabilization},
		{"cpuInitializationPeriod", c.CPUInitializationPeriod, &f.CPUInitializationPeriod},
		{"initialReadinessDelay", c.InitialReadinessDelay, &f.InitialReadinessDelay},
	} {
		if *field.to, err = time.ParseDuration(field.text); err != nil {
			return f, fmt.Errorf("config.%s: %w", field.name, err)
		}
	}
	return f, nil
}

// step returns what the sync saw.
func (s *vectorStep) step() (*Step, error) {
	out := &Step{
		Now:            s.Now,
		SpecReplicas:   s.Scale.SpecReplicas,
		StatusReplicas: s.Scale.StatusReplicas,
		Selector:       selector,
		Pods:           s.Pods,
		Readings:       make([]Reading, len(s.Metrics)),
	}
	if s.ScaleUpdateFails {
		out.UpdateError = errUpdate
	}
	for i := range s.Metrics {
		m, r := &s.Metrics[i], &out.Readings[i]
		r.Time, r.Values = m.Timestamp, m.Values
		if m.Error != "" {
			r.Err = errors.New(m.Error)
		}
		for j := range m.Samples {
			sample, err := m.Samples[j].sample()
			if err != nil {
				return nil, fmt.Errorf("metrics[%d].samples[%d].window: %w", i, j, err)
			}
			r.Samples = append(r.Samples, sample)
		}
	}
	return out, nil
}

func (s *vectorSample) sample() (Sample, error) {
	out := Sample{Pod: s.Pod, Time: s.Timestamp, NoContainer: s.NoContainer}
	if s.Value != nil {
		out.Value = *s.Value
	}
	var err error
	out.Window, err = time.ParseDuration(s.Window)
	return out, err
}

// UnmarshalJSON keeps how amounts of memory are written, which decoding a
// quantity loses: one in powers of 1024 can be written without a suffix.
func (w *vectorWant) UnmarshalJSON(data []byte) error {
	type decoded vectorWant
	if err := json.Unmarshal(data, (*decoded)(w)); err != nil || w.Status == nil {
		return err
	}
	type current struct{ Current struct{ AverageValue string } }
	var texts struct {
		Status struct {
			CurrentMetrics []struct{ Resource, ContainerResource current }
		}
	}
	if err := json.Unmarshal(data, &texts); err != nil {
		return err
	}
	for i, text := range texts.Status.CurrentMetrics {
		if m := w.Status.CurrentMetrics[i].Resource; m != nil {
			writeAs(m.Current.AverageValue, text.Resource.Current.AverageValue)
		}
		if m := w.Status.CurrentMetrics[i].ContainerResource; m != nil {
			writeAs(m.Current.AverageValue, text.ContainerResource.Current.AverageValue)
		}
	}
	return nil
}

// writeAs gives a quantity the notation of the text that it was decoded from.
func writeAs(q *resource.Quantity, text string) {
	if q == nil {
		return
	}
	binary := q.DeepCopy()
	if q.String() != text {
		binary.Format = resource.BinarySI
		*q = binary
	}
}

// answer returns what upstream answered. Its events have no white space at the
// end.
func (w *vectorWant) answer() *Answer {
	return &Answer{Size: w.Replicas, Rescaled: w.Rescaled, Error: w.Error, Events: w.Events, Status: w.Status.DeepCopy()}
}
