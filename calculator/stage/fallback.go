package stage

// Fallback is a fallback that may count: a metric fails, and since when is not
// known. The stages that follow are left out, since they depend on it.
type Fallback struct {
	// Metrics are the numbers of these metrics, from 1.
	Metrics []int `json:"metrics"`
}

func (f *Fallback) appendTo(w *writer) {
	w.say("a metric fails, and for how long is not known, so its fallback may count.")
}
