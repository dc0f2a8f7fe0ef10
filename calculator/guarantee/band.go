package guarantee

import (
	"encoding/json"
	"math"

	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/metrics"
)

// Band is the load at which a metric asks for the size that there is. While
// each metric is within its own, no sync asks for another size. One that is
// above moves the size up, and all that are below move it down, as far as the
// bounds, windows and policies allow.
//
// Without a behavior, the size may move within the band, too: the window raises
// it to the highest recommendation that it has. With one, nothing moves.
type Band struct {
	// Metric is the index of the metric, and Target its target.
	Metric int
	Target metrics.Target
	Size   int32
	// Low and High are the lowest and the highest reading: in whole percent of
	// the requests for a target Utilization, else in milli-units. For metrics
	// of pods they are the average, for others the total. High is math.MaxInt64
	// if no reading is too high.
	Low, High metrics.Milli
	// LowLoad is the lowest load in replicas, and HighLoad the first one that
	// is too high. It is math.MaxFloat64 if none is. Readings are truncated, so
	// the band is a little wider than the tolerance.
	LowLoad, HighLoad float64
}

// bandJSON is the JSON of a Band. Fields without a limit are left out.
type bandJSON struct {
	Metric          int              `json:"metric"`
	Size            int32            `json:"size"`
	LowUtilization  *metrics.Milli   `json:"lowUtilization,omitempty"`
	HighUtilization *metrics.Milli   `json:"highUtilization,omitempty"`
	LowUsage        metrics.Quantity `json:"lowUsage,omitzero"`
	HighUsage       metrics.Quantity `json:"highUsage,omitzero"`
	LowLoad         float64          `json:"lowLoad"`
	HighLoad        *float64         `json:"highLoad,omitempty"`
}

// MarshalJSON returns the band with readings as "lowUtilization" and
// "highUtilization", in percent, or "lowUsage" and "highUsage", as quantities.
func (b Band) MarshalJSON() ([]byte, error) {
	j := bandJSON{Metric: b.Metric, Size: b.Size, LowLoad: b.LowLoad}
	limited := b.HighLoad < math.MaxFloat64
	if limited {
		j.HighLoad = &b.HighLoad
	}
	switch percent := b.Target.Type() == metrics.UtilizationTarget; {
	case percent && limited:
		j.HighUtilization = &b.High
		fallthrough
	case percent:
		j.LowUtilization = &b.Low
	case limited:
		j.HighUsage = metrics.MilliQuantity(b.High, metrics.DecimalSI)
		fallthrough
	default:
		j.LowUsage = metrics.MilliQuantity(b.Low, metrics.DecimalSI)
	}
	return json.Marshal(j)
}

func (r *rules) bands(sizes []int32) []Band {
	bands := []Band{}
	for i := range r.metrics {
		for _, size := range sizes {
			if size > 0 {
				bands = append(bands, r.band(i, size))
			}
		}
	}
	return bands
}

func (r *rules) band(i int, size int32) Band {
	m := &r.metrics[i]
	b := Band{Metric: i, Target: m.Target, Size: size, High: math.MaxInt64, HighLoad: math.MaxFloat64}
	b.Low = metrics.Milli(r.asks(m, size, int64(size)))
	b.LowLoad = load(m, int64(b.Low), size)
	if above := r.asks(m, size, int64(size)+1); above < alike.MostReading {
		b.High, b.HighLoad = metrics.Milli(above-1), load(m, above, size)
	}
	return b
}

// asks returns the lowest reading at which the metric asks for n or more at
// that size, alike.MostReading if there is none below.
func (r *rules) asks(m *alike.Metric, size int32, n int64) int64 {
	asked := func(reading int64) bool { return int64(m.Propose(reading, size, r.tolerance)) >= n }
	low, high := int64(0), alike.MostReading
	// It is near n-1 times the target, or beyond the tolerance.
	some := max(size, 1)
	for at, by := m.Reading(float64(n-1)/float64(some), some), int64(1); low <= at && at < high; by *= 2 {
		if asked(at) {
			high = at
			at -= by
		} else {
			low = at + 1
			at += by
		}
	}
	for low < high {
		middle := low + (high-low)/2
		if asked(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// load returns the lowest load in replicas with that reading.
func load(m *alike.Metric, reading int64, size int32) float64 {
	perPod := float64(reading) / float64(m.Amount)
	if m.Total || size == 0 {
		return perPod
	}
	return perPod * float64(size)
}
