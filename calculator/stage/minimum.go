package stage

// Minimum is a minReplicas that was raised while the size was zero, so that the
// size goes there.
type Minimum struct {
	// Desired is the size before the stage.
	Desired int32 `json:"desired"`
}

func (m *Minimum) appendTo(w *writer) {
	w.say("%s instead of %d, because minReplicas was raised while the size was 0.", w.size(), m.Desired)
}
