package calculator

import "cmp"

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
	if own := scaleErrorIn(err); own != nil {
		f.reason, f.message = cmp.Or(own.Reason, f.reason), own.Message
	}
	return f
}

// scaleErrorIn returns the first *ScaleError that err is or wraps, nil if there
// is none. It is errors.As without its allocation.
func scaleErrorIn(err error) *ScaleError {
	switch e := err.(type) {
	case *ScaleError:
		return e
	case interface{ Unwrap() error }:
		return scaleErrorIn(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			if own := scaleErrorIn(err); own != nil {
				return own
			}
		}
	}
	return nil
}

// appendMessage appends the message of the condition AbleToScale.
func (f *scaleFailure) appendMessage(dst []byte) []byte {
	if f.message != "" {
		return append(dst, f.message...)
	}
	return appendAll(dst, "the HPA controller was unable to get the target's current scale: ", f.text)
}
