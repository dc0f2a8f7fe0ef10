package stage

import (
	"encoding/json"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Failure is why a metric has no proposal of its own.
type Failure struct {
	// Kind is a calculator.FailureKind, such as "NoSamples", and Message
	// Kubernetes' text.
	Kind    string `json:"kind"`
	Message string `json:"message"`
	// Since is when a metric with a fallback began to fail. It is the zero
	// time.Time for metrics without one.
	Since time.Time `json:"since,omitzero"`
	// Waits reports whether the fallback does not count yet. It counts from
	// Until of the stage.
	Waits bool `json:"waits,omitempty"`
	// Unknown reports that it is not known since when a metric with a fallback
	// fails. Since and Waits are not set then.
	Unknown bool `json:"unknown,omitempty"`
}

// MarshalJSON returns the fields, with times in years that RFC 3339 has.
func (f Failure) MarshalJSON() ([]byte, error) {
	type plain Failure
	f.Since = words.JSONTime(f.Since)
	return json.Marshal(plain(f))
}

func (f *Failure) appendTo(w *writer, pods *Pods) {
	w.say("it failed: %s.", plain(f.Message))
	if pods != nil {
		pods.appendTo(w, " There are ", " There is ")
	}
	if f.Waits {
		w.say(" Its fallback counts from %s.", w.moment(w.until))
	}
	if f.Unknown {
		w.say(" For how long is not known, so its fallback may count.")
	}
}
