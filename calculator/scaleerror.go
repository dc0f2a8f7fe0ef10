package calculator

import (
	"cmp"
	"errors"
)

// ScaleError is an Observation.ScaleError with a reason of its own. It is for
// callers that read more than a scale to find the size, such as the clusters of
// a federation:
//
//	obs.ScaleError = &calculator.ScaleError{
//		Reason:  "FailedGetTargetClusters",
//		Message: "unable to get the target clusters: " + err.Error(),
//		Err:     err,
//	}
type ScaleError struct {
	// Reason is that of the condition AbleToScale and of the event. Empty, it
	// is Kubernetes' FailedGetScale.
	Reason string
	// Message is that of the condition, and the text of Decision.Err. Empty, it
	// is Kubernetes' text, which ends with that of Err.
	Message string
	// Err is the error that was met, whose text the event has.
	Err error
}

// Error returns the text of Err.
func (e *ScaleError) Error() string { return textOf(e.Unwrap()) }

// Unwrap returns Err.
func (e *ScaleError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// foreignError is an error of the caller's, with the text that it had.
type foreignError struct {
	err  error
	text string
}

// scaleFailure is why the scale could not be read, if err is not nil.
type scaleFailure struct {
	foreignError
	reason, message string
}

func newScaleFailure(err error) scaleFailure {
	f := scaleFailure{foreignError{err, err.Error()}, "FailedGetScale", ""}
	for ; err != nil; err = errors.Unwrap(err) { // errors.As would allocate
		if own, ok := err.(*ScaleError); ok && own != nil {
			f.reason, f.message = cmp.Or(own.Reason, f.reason), own.Message
			break
		}
	}
	return f
}

// appendMessage appends the message of the condition AbleToScale.
func (f *scaleFailure) appendMessage(dst []byte) []byte {
	if f.message != "" {
		return append(dst, f.message...)
	}
	return appendAll(dst, "the HPA controller was unable to get the target's current scale: ", f.text)
}
