package calculator

import "fmt"

// ColdStart is what an autoscaler without a history, one that is new or whose
// state was lost, does about the way down. The zero ColdStart is Kubernetes'.
type ColdStart uint8

const (
	// RecommendCurrent takes the current size as the only recommendation, as
	// Kubernetes does: the size does not fall below the one of the first sync
	// until that is older than the stabilization window. It holds nothing if
	// the window is zero and there is a behavior, if the size was raised since
	// then by others, or if a policy would have forbidden it because of a change
	// that is forgotten.
	RecommendCurrent ColdStart = iota
	// HoldScaleDown does not let the metrics lower the size at all until
	// everything that a history could hold against it would have passed since
	// the first sync: the stabilization window of the way down, or the longest
	// period of its policies, if that is longer. Then the history is as good as
	// one that was kept. A size above the maximum still goes to the maximum.
	HoldScaleDown
)

// String returns the name of the constant.
func (c ColdStart) String() string {
	switch c {
	case RecommendCurrent:
		return "RecommendCurrent"
	case HoldScaleDown:
		return "HoldScaleDown"
	}
	return fmt.Sprintf("ColdStart(%d)", uint8(c))
}

// MarshalText returns the word of String.
func (c ColdStart) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes. The error is a
// *metrics.WordError.
func (c *ColdStart) UnmarshalText(text []byte) error {
	return parseWord(c, "calculator.ColdStart", text, ColdStart.String)
}

// holdColdStart applies the setting to the stabilized size.
func (d *Decision) holdColdStart(settings *Settings, st *State) {
	if settings.ColdStart != HoldScaleDown || st.Started.IsZero() {
		return
	}
	_, period := d.behavior.LongestPeriods()
	before := d.Stabilization
	d.Stabilization.HoldDown(d.Now, d.CurrentReplicas, st.Started, max(d.Windows.Down, period))
	d.ColdStart = d.Stabilization != before
}
