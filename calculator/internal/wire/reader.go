package wire

import (
	"errors"
	"fmt"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/internal/align"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// The errors of empty answers, in the words of upstream's metrics clients.
var (
	ErrNoResource = errors.New("no metrics returned from resource metrics API")
	ErrNoCustom   = errors.New("no metrics returned from custom metrics API")
	ErrNoExternal = errors.New("no metrics returned from external metrics API")
)

// Unavailable returns the error of a metric whose API has no answer, in upstream's
// words.
func Unavailable(api string, why error) error {
	return fmt.Errorf("unable to fetch metrics from %s metrics API: %w", api, why)
}

// NotOne returns the error of an answer about one object with n values.
func NotOne(n int) error {
	return fmt.Errorf("the custom metrics API server returned %d results when we asked for exactly one", n)
}

// Reader makes readings of the answers to one metric, from sync to sync. The zero
// Reader is ready to use. A reading is good until the next call.
//
// Each method reports whether the answer is ordinary. If it is not, the reading does
// not count.
type Reader struct {
	answer  Answer
	aligner align.Aligner
	values  []metrics.Milli
}

// Resource returns the usage of a resource by the named container of each pod, or if
// container is "" the sum over its containers.
func (r *Reader) Resource(pods []podgroup.Pod, body []byte, resource, container string) (reading calculator.Reading, ordinary bool) {
	a, n, without := &r.answer, 0, ""
	r.aligner.Start(pods)
	for a.PodMetrics(body, resource, container); a.Next(); n++ {
		switch p := &a.Pod; {
		case p.Measured:
			r.aligner.AddBytes(p.Name, metrics.NewSample(p.Usage, p.Time, p.Window))
		case container != "" && without == "" && !p.Listed:
			without = string(p.Name)
		}
	}
	reading = r.aligned(n, ErrNoResource)
	reading.WithoutContainer = without
	return reading, r.done()
}

// Pods returns the values of a custom metric of the pods.
func (r *Reader) Pods(pods []podgroup.Pod, body []byte) (reading calculator.Reading, ordinary bool) {
	a, n := &r.answer, 0
	r.aligner.Start(pods)
	for a.CustomMetrics(body); a.Next(); n++ {
		r.aligner.AddBytes(a.Value.Name, metrics.NewSample(a.Value.Value, a.Value.Time, a.Value.Window))
	}
	return r.aligned(n, ErrNoCustom), r.done()
}

// Object returns the value of a custom metric of an object.
func (r *Reader) Object(body []byte) (reading calculator.Reading, ordinary bool) {
	a, n := &r.answer, 0
	r.values = r.values[:0]
	for a.CustomMetrics(body); a.Next(); n++ {
		r.values = append(r.values[:0], a.Value.Value)
	}
	if n != 1 {
		return calculator.Reading{Err: Unavailable("custom", NotOne(n))}, r.done()
	}
	return calculator.Reading{Values: r.values}, r.done()
}

// External returns the series of an external metric.
func (r *Reader) External(body []byte) (reading calculator.Reading, ordinary bool) {
	a := &r.answer
	r.values = r.values[:0]
	for a.ExternalMetrics(body); a.Next(); {
		r.values = append(r.values, a.Value.Value)
	}
	if len(r.values) == 0 {
		return calculator.Reading{Err: ErrNoExternal}, r.done()
	}
	return calculator.Reading{Values: r.values}, r.done()
}

// aligned returns the samples of n items. None is an error.
func (r *Reader) aligned(n int, none error) calculator.Reading {
	samples, strays := r.aligner.Aligned()
	if n == 0 {
		return calculator.Reading{Err: none}
	}
	return calculator.Reading{Samples: samples, Strays: strays}
}

// done lets go of the body, and reports whether it was ordinary.
func (r *Reader) done() (ordinary bool) {
	ordinary = r.answer.Ordinary()
	r.answer = Answer{}
	return ordinary
}
