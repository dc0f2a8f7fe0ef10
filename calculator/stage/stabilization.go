package stage

import (
	"encoding/json"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Stabilization is what the stabilization windows made of the choice. If Low
// and High of its stage differ, unknown recommendations decide.
type Stabilization struct {
	// Desired is the size before the stage.
	Desired int32 `json:"desired"`
	// Direction is the direction of the window that counts. It is empty if the
	// size does not change.
	Direction Direction `json:"direction,omitempty"`
	// Window is the length of that window; 0 means no window.
	Window Seconds `json:"windowSeconds"`
	// Recommended is the recommendation that holds the size, and Made when it
	// was made. For a cold start, Made is the first sync. They are zero if
	// nothing holds the size.
	Recommended int32     `json:"recommended,omitempty"`
	Made        time.Time `json:"made,omitzero"`
	// Started reports whether this is the first sync, whose current size counts
	// as a recommendation.
	Started bool `json:"started,omitempty"`
	// ColdStart reports whether a history that is too short holds the size.
	ColdStart bool `json:"coldStart,omitempty"`
	// KnownSince is the moment from which recommendations are known. It is the
	// zero time.Time if all are known, or none.
	KnownSince time.Time `json:"knownSince,omitzero"`
	// Latest is when the last recommendation that is not known leaves the
	// window. Until of the stage, if it is set, is when the last known one
	// does. It is the zero time.Time if all that count are known.
	Latest time.Time `json:"latest,omitzero"`
	// Spec is how it is known that the spec has not changed since the status
	// was written, if the status then shows the highest recommendation. It is
	// empty if a generation tells, or nothing depends on it.
	Spec SpecEvidence `json:"spec,omitempty"`
}

// SpecEvidence is how it is known that a spec has not changed.
type SpecEvidence string

const (
	// SpecUnknown: it may have changed.
	SpecUnknown SpecEvidence = "Unknown"
	// SpecByTimes: the time of its last write tells. The API server does not
	// change that time if someone only removes fields.
	SpecByTimes SpecEvidence = "ByTimes"
)

func (s SpecEvidence) appendTo(w *writer) {
	switch s {
	case SpecUnknown:
		w.say(" The spec may have changed since the status was written, so the status does not show the highest one.")
	case SpecByTimes:
		w.say(" This holds if no field was removed from the spec since the status was written: the time of the last write does not show that.")
	}
}

// MarshalJSON returns the fields, with times in years that RFC 3339 has.
func (s Stabilization) MarshalJSON() ([]byte, error) {
	type plain Stabilization
	s.Made, s.KnownSince, s.Latest = words.JSONTime(s.Made), words.JSONTime(s.KnownSince), words.JSONTime(s.Latest)
	return json.Marshal(plain(s))
}

func (s *Stabilization) appendTo(w *writer) {
	s.appendSize(w)
	s.Spec.appendTo(w)
}

func (s *Stabilization) appendSize(w *writer) {
	w.say("%s", w.size())
	switch {
	case w.low != w.high && s.Window <= 0:
		w.say(". Whether a recommendation of this moment holds the size is not known.")
	case w.low != w.high:
		known := "known"
		if !s.KnownSince.IsZero() {
			known = "all known"
		}
		w.say(". The recommendations of the last %s are not %s.", s.window(), known)
		if !s.Latest.IsZero() {
			w.say(" They count until %s, at the latest.", w.moment(s.Latest))
		}
	case w.low != s.Desired:
		w.say(" instead of %d, ", s.Desired)
		s.appendCause(w)
	case s.Direction == "":
		w.say(", unchanged.")
	case s.Window <= 0:
		w.say(". There is no stabilization window for scaling %s.", s.Direction.word())
	case s.Direction == Up:
		w.say(". There is no lower recommendation in the last %s.", s.window())
	default:
		w.say(". There is no higher recommendation in the last %s.", s.window())
	}
}

// appendCause says what holds the size.
func (s *Stabilization) appendCause(w *writer) {
	most := "highest"
	if s.Direction == Up {
		most = "lowest"
	}
	switch {
	case s.ColdStart:
		w.say("because the history began only %s. It counts as complete from %s.", w.ago(s.Made), w.moment(w.until))
		return
	case s.Started:
		w.say("because there are no recommendations yet: the current size counts as one.")
	case !s.Latest.IsZero():
		w.say("because of recommendations in the last %s. They count until %s, at least, and until %s, at the latest.", s.window(), w.moment(w.until), w.moment(s.Latest))
		return
	case s.Recommended == w.low:
		w.say("the %s recommendation in the last %s, made %s.", most, s.window(), w.ago(s.Made))
	default:
		w.say("because of a recommendation of %d, made %s.", s.Recommended, w.ago(s.Made))
	}
	w.say(" It counts until %s.", w.moment(w.until))
}

func (s *Stabilization) window() string { return words.Span(time.Duration(s.Window)) }
