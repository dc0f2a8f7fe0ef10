package stage

// Next is how long the decision stays the same if only the time changes: to
// Until of its stage. A decision that changes the size has no such stage, since
// the next sync starts from another size.
type Next struct {
	// Unknown reports whether the moment is not known.
	Unknown bool `json:"unknown,omitempty"`
}

func (n *Next) appendTo(w *writer) {
	switch {
	case n.Unknown:
		w.say("how long the decision stays the same is not known.")
	case w.until.IsZero():
		w.say("the decision stays the same until an input changes.")
	default:
		w.say("the decision stays the same until %s, unless an input changes first.", w.moment(w.until))
	}
}
