package calculator

// Choice is which of several proposals decides.
type Choice struct {
	// Replicas is the largest proposal, and Metric its index, the first among
	// equals (among proposals of 0, the last). They are 0 and -1 if the choice is
	// blocked.
	Replicas int32 `json:"replicas"`
	Metric   int   `json:"metric"`
	// Invalid counts the metrics that failed, and FirstFailed is the index of the
	// first that did, -1 if none did.
	Invalid     int `json:"invalid"`
	FirstFailed int `json:"firstFailed"`
	// Blocked reports that nothing may be scaled: all metrics failed, or some did
	// and the others would scale down.
	Blocked bool `json:"blocked"`
}

// Choose returns the largest proposal. If metrics failed, they might have asked
// for more, so the size may not fall. No proposals at all block, too. It is
// upstream's computeReplicasForMetrics.
func Choose(current int32, proposals []Proposal) Choice {
	var c Choice
	c.choose(current, proposals)
	return c
}

func (c *Choice) choose(current int32, proposals []Proposal) {
	c.Metric, c.FirstFailed = -1, -1
	for i := range proposals {
		p := &proposals[i]
		if p.Failure.Kind != NoFailure {
			if c.FirstFailed < 0 {
				c.FirstFailed = i
			}
			c.Invalid++
			continue
		}
		if c.Replicas == 0 || p.Replicas > c.Replicas {
			c.Replicas, c.Metric = p.Replicas, i
		}
	}
	if c.Invalid >= len(proposals) || c.Invalid > 0 && c.Replicas < current {
		c.Replicas, c.Metric, c.Blocked = 0, -1, true
	}
}
