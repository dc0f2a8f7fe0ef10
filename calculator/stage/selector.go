package stage

// Selector is what is wrong with the selector of the scale, so that no metric
// can be computed. Bound of its stage is Kubernetes' reason, such as
// "InvalidSelector".
type Selector struct {
	// Problem is Kubernetes' text.
	Problem string `json:"problem"`
}

func (s *Selector) appendTo(w *writer) {
	w.say("no metric can be computed: %s.", plain(s.Problem))
}
