package stage

// Adopted is a proposal that the caller's own algorithm made.
type Adopted struct {
	// Text is the caller's explanation.
	Text string `json:"text,omitempty"`
}

func (a *Adopted) appendTo(w *writer) {
	w.say("proposed by the caller")
	if a.Text != "" {
		w.say(": %s", plain(a.Text))
	}
	w.say(".")
}
