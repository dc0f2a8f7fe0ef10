package stage

// Error is the error that Kubernetes' sync returns.
type Error struct {
	// Message is its text.
	Message string `json:"message"`
}

func (e *Error) appendTo(w *writer) { w.say("%s.", plain(e.Message)) }
