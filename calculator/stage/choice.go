package stage

// Choice is which of the proposals decides. Low and High of its stage are that
// proposal, or the current size if the choice is blocked.
type Choice struct {
	// By is the rule: "Max", "Min" or "First", as in calculator.ChooseBy.
	By string `json:"by"`
	// Metric is the number of the metric that decides, from 1; 0 if none does.
	Metric int `json:"metric"`
	// Blocked reports whether failed metrics keep the size as it is.
	Blocked bool `json:"blocked"`
	// Replicas is the proposal that decides. If the choice is blocked, it is
	// the one that would decide if the failed metrics did not exist.
	Replicas int32 `json:"replicas"`
	// Candidates are the proposals of the metrics, in their order.
	Candidates []Candidate `json:"candidates"`
}

// Candidate is one of the proposals.
type Candidate struct {
	// Replicas is the size proposed, 0 if the metric failed.
	Replicas int32 `json:"replicas"`
	// Failed reports whether the metric failed and no fallback counts.
	Failed bool `json:"failed,omitempty"`
}

func (c *Choice) appendTo(w *writer) {
	switch {
	case c.Blocked:
		c.appendBlocked(w)
	case len(c.Candidates) == 1:
		w.say("%s, by the only metric.", w.size())
	default:
		w.say("%s, by metric %d, the %s proposal.", w.size(), c.Metric, c.which())
		c.appendOthers(w)
		c.appendEffect(w)
	}
}

// which is the proposal that decides, in a word.
func (c *Choice) which() string {
	switch c.By {
	case "Min":
		return "smallest"
	case "First":
		return "first"
	}
	return "largest"
}

// appendOthers lists the other proposals.
func (c *Choice) appendOthers(w *writer) {
	word := " Metric"
	for i, other := range c.Candidates {
		switch {
		case i+1 == c.Metric:
			continue
		case other.Failed:
			w.say("%s %d failed", word, i+1)
		default:
			w.say("%s %d asks for %d", word, i+1, other.Replicas)
		}
		word = ", metric"
	}
	if word != " Metric" {
		w.say(".")
	}
}

// appendEffect says what metrics that failed prevent.
func (c *Choice) appendEffect(w *writer) {
	switch first, failed := c.failed(); {
	case failed == 0:
	case c.By == "Min":
		w.say(" A metric that failed keeps the size from rising, not from falling.")
	case c.By != "First" || first < c.Metric:
		w.say(" A metric that failed keeps the size from falling, not from rising.")
	}
}

// failed returns the number of the first metric that failed, and how many did.
func (c *Choice) failed() (first, count int) {
	for i, candidate := range c.Candidates {
		if candidate.Failed {
			if count++; count == 1 {
				first = i + 1
			}
		}
	}
	return first, count
}

func (c *Choice) appendBlocked(w *writer) {
	asked, must := "more", "fall"
	if c.By == "Min" {
		asked, must = "less", "rise"
	}
	first, failed := c.failed()
	switch {
	case len(c.Candidates) == 1:
		w.say("none, because the only metric failed.")
	case failed >= len(c.Candidates):
		w.say("none, because all metrics failed.")
	case failed == 1:
		w.say("none. The %s proposal is %s, but metric %d failed and might have asked for %s, so the size must not %s.",
			c.which(), replicas(c.Replicas), first, asked, must)
	default:
		w.say("none. The %s proposal is %s, but %d metrics failed and might have asked for %s, so the size must not %s.",
			c.which(), replicas(c.Replicas), failed, asked, must)
	}
}
