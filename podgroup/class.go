package podgroup

// Class is how a pod counts for a metric.
type Class uint8

// The classes, as in upstream's groupPods.
const (
	// Ready pods count with their sample.
	Ready Class = iota
	// Unready pods count as using nothing when scaling up, and not at all when
	// scaling down.
	Unready
	// Missing pods have no sample. They count as using nothing when scaling
	// up, and their whole request or target when scaling down.
	Missing
	// Ignored pods do not count.
	Ignored
)

const classWords words = "Class|Ready|Unready|Missing|Ignored"

// String returns "Ready", "Unready", "Missing" or "Ignored".
func (c Class) String() string { return classWords.of(uint8(c)) }

// MarshalText returns the text of String.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText parses the text of String. The error is a [*WordError].
func (c *Class) UnmarshalText(text []byte) error { return classWords.unmarshal((*uint8)(c), text) }
