package lint

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/metrics"
)

// Finding is a setting that is valid but probably a mistake.
type Finding struct {
	// Kind is what is wrong with it.
	Kind Kind `json:"kind"`
	// Field is the path of the field, such as
	// "spec.behavior.scaleUp.policies[1]".
	Field string `json:"field"`
	// Message says why, for people.
	Message string `json:"message"`
	// Numbers are those of the message, by names that end in their unit, such
	// as "windowSeconds" and "targetMilli". Others are replicas, indexes and
	// fractions.
	Numbers map[string]float64 `json:"numbers,omitempty"`
	// Case shows it: decisions that follow each other on one autoscaler.
	Case []Moment `json:"case,omitempty"`
}

// String returns the finding in a line: field, kind and message.
func (f Finding) String() string { return f.Field + ": " + string(f.Kind) + ": " + f.Message }

// Moment is one decision of a case. All pods are ready and have a sample.
type Moment struct {
	// At is the time since the start of the case.
	At time.Duration
	// Current is the size before. If it differs from Desired of the moment
	// before, someone else set it. A zero was set by the autoscaler.
	Current int32
	// Metric is the index of the metric that Usage is of; the others read zero.
	// It is -1 if any metrics may make the proposal.
	Metric int
	// Usage is the metric's reading: in whole percent of the requests for a
	// target Utilization, else in milli-units. For metrics of pods it is the
	// average, for others the total.
	Usage metrics.Milli
	// Target is the metric's target.
	Target metrics.Target
	// Proposed is the size that the metrics propose.
	Proposed int32
	// Desired is the size after.
	Desired int32
}

// String returns the moment in a line.
func (m Moment) String() string {
	var proposal string
	switch {
	case m.Metric < 0:
		proposal = "the metrics propose"
	case m.Target.Type() == metrics.UtilizationTarget:
		proposal = fmt.Sprintf("metric %d reads %d%% and proposes", m.Metric+1, int64(m.Usage))
	default:
		proposal = fmt.Sprintf("metric %d reads %v and proposes", m.Metric+1, m.Usage)
	}
	then := "unchanged"
	if m.Desired != m.Current {
		then = fmt.Sprintf("scaled to %d", m.Desired)
	}
	return fmt.Sprintf("after %s, %s: %s %d; %s", words.Span(m.At), words.Count(m.Current, "replica"), proposal, m.Proposed, then)
}

// MarshalJSON returns the moment with the time in seconds and the reading as
// utilization in percent, or as usage, a quantity such as "250m". A moment of
// any metrics has no reading.
func (m Moment) MarshalJSON() ([]byte, error) {
	j := struct {
		AtSeconds        float64          `json:"atSeconds"`
		CurrentReplicas  int32            `json:"currentReplicas"`
		Metric           *int             `json:"metric,omitempty"`
		Utilization      *metrics.Milli   `json:"utilization,omitempty"`
		Usage            metrics.Quantity `json:"usage,omitzero"`
		ProposedReplicas int32            `json:"proposedReplicas"`
		DesiredReplicas  int32            `json:"desiredReplicas"`
	}{AtSeconds: m.At.Seconds(), CurrentReplicas: m.Current, ProposedReplicas: m.Proposed, DesiredReplicas: m.Desired}
	switch {
	case m.Metric < 0:
	case m.Target.Type() == metrics.UtilizationTarget:
		j.Metric, j.Utilization = &m.Metric, &m.Usage
	default:
		j.Metric, j.Usage = &m.Metric, metrics.MilliQuantity(m.Usage, metrics.DecimalSI)
	}
	return json.Marshal(j)
}
