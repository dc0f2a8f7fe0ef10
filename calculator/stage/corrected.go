package stage

import (
	"strconv"
	"strings"

	"github.com/purehpa/hpa/metrics"
)

// Corrected is the usage with the assumed usage of missing and unready pods.
type Corrected struct {
	// Missing and Unready count these pods. MissingAs and UnreadyAs are the
	// usage assumed for each: "AsZero", "AsTarget" or "AsRequest", as in
	// calculator.Assumption. They are empty if the pods do not count.
	Missing   int    `json:"missing"`
	MissingAs string `json:"missingAs,omitempty"`
	Unready   int    `json:"unready"`
	UnreadyAs string `json:"unreadyAs,omitempty"`
	// Sum, Requests, Utilization and Average are as in Usage. They are not set
	// if no such pod counts, or the target is a Value.
	Sum         metrics.Quantity `json:"sum,omitzero"`
	Requests    metrics.Quantity `json:"requests,omitzero"`
	Utilization *int32           `json:"utilization,omitempty"`
	Average     metrics.Quantity `json:"average,omitzero"`
	// Ratio is the corrected ratio to the target.
	Ratio Float `json:"ratio"`
}

// appendTo says what missing and unready pods make of the usage. The target is
// a utilization in percent, or nil.
func (c *Corrected) appendTo(w *writer, resource string, target *int32) {
	var parts []string
	if c.Missing > 0 {
		parts = append(parts, assumed(c.Missing, "missing pod", c.MissingAs, target))
	}
	if c.Unready > 0 {
		parts = append(parts, assumed(c.Unready, "unready pod", c.UnreadyAs, target))
	}
	w.say("\n  Correction: %s.", strings.Join(parts, ", "))
	switch {
	case c.Utilization != nil:
		w.say(" That makes %s of %s %s: %s%s.", c.Sum, c.Requests, plain(resource), percent(*c.Utilization), truncated(c.Sum, c.Requests))
	case c.Sum.IsSet():
		w.say(" That makes %s: %s on average.", c.Sum, c.Average)
	}
}

// assumed says what n pods are counted as.
func assumed(n int, pod, as string, target *int32) string {
	who, counts, not := "the "+pod, " counts", " does not count"
	if n != 1 {
		who, counts, not = "the "+strconv.Itoa(n)+" "+pod+"s", " count", " do not count"
	}
	switch {
	case as == "":
		return who + not
	case as == "AsZero":
		return who + counts + " as using nothing"
	case as == "AsTarget":
		return who + counts + " as using the target"
	case target != nil && *target > 100:
		return who + counts + " as using " + percent(*target) + " of the request"
	}
	return who + counts + " as using the request"
}
