package calculator

import "github.com/purehpa/hpa/calculator/release"

// SelectorError is what is wrong with the selector of a scale. Kubernetes
// checks it before it computes any metric.
type SelectorError struct {
	// Reason says what is wrong.
	Reason SelectorReason `json:"reason,omitempty"`
	// Selector is the selector, for SelectorAmbiguous.
	Selector string `json:"selector,omitempty"`
	// Others are the autoscalers that share the pods, for SelectorAmbiguous, as
	// they are to appear in texts: two of them, or all of them up to 1.36.
	Others string `json:"others,omitempty"`
	// Problem is what parsing said, for SelectorInvalid.
	Problem string `json:"problem,omitempty"`
}

// SelectorReason is what is wrong with a selector, in Kubernetes' words.
type SelectorReason string

const (
	// SelectorRequired: the scale has no selector. The empty reason means the
	// same.
	SelectorRequired SelectorReason = "SelectorRequired"
	// SelectorInvalid: it cannot be parsed.
	SelectorInvalid SelectorReason = "InvalidSelector"
	// SelectorAmbiguous: another autoscaler has some of its pods.
	SelectorAmbiguous SelectorReason = "AmbiguousSelector"
)

// Error returns Kubernetes' text.
func (e *SelectorError) Error() string { return string(e.appendText(nil, 0)) }

// appendText appends what Kubernetes says of the selector.
func (e *SelectorError) appendText(dst []byte, quirks release.Quirks) []byte {
	switch e.Reason {
	case SelectorInvalid:
		return appendAll(dst, "couldn't convert selector into a corresponding internal selector object: ", e.Problem)
	case SelectorAmbiguous:
		if quirks.Has(release.SharedSelectorByAll) {
			return appendAll(dst, "pods by selector ", e.Selector, " are controlled by multiple HPAs: ", e.Others)
		}
		return appendAll(dst, "pods by selector ", e.Selector, " are controlled by more than one HPA (e.g. ", e.Others, ")")
	}
	return append(dst, "selector is required"...)
}

// event is the reason of the event.
func (e *SelectorError) event() string {
	switch e.Reason {
	case SelectorInvalid, SelectorAmbiguous:
		return string(e.Reason)
	}
	return string(SelectorRequired)
}

// appendCondition appends the message of the condition ScalingActive, whose
// reason it returns.
func (e *SelectorError) appendCondition(dst []byte, quirks release.Quirks) (reason string, message []byte) {
	if e.event() == string(SelectorRequired) {
		return string(SelectorInvalid), append(dst, "the HPA target's scale is missing a selector"...)
	}
	return e.event(), e.appendText(dst, quirks)
}

// selectorFailure is a SelectorError, if there is one.
type selectorFailure struct {
	SelectorError
	failed bool
}
