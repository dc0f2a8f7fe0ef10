package calculator

// ChooseBy selects which of several proposals decides. The zero ChooseBy is
// Kubernetes'. A change that a failed metric might have prevented does not
// happen:
//
//	             decides                       a metric that failed prevents
//	ChooseMax    the largest                   scaling down
//	ChooseMin    the smallest                  scaling up
//	ChooseFirst  the first that did not fail   scaling down, if it comes before
//
// With ChooseFirst, the metrics are in order of trust. If one fails, the next
// may scale up for it, since too many replicas harm less than too few.
type ChooseBy string

const (
	// ChooseMax takes the largest proposal.
	ChooseMax ChooseBy = ""
	// ChooseMin takes the smallest proposal.
	ChooseMin ChooseBy = "Min"
	// ChooseFirst takes the first proposal, in the order of the spec.
	ChooseFirst ChooseBy = "First"
)

// known reports whether c is one of the above.
func (c ChooseBy) known() bool { return c == ChooseMax || c == ChooseMin || c == ChooseFirst }

// ChooseResult is the outcome of the choice among several proposals.
type ChooseResult struct {
	// Replicas is the proposal that decides, and Metric its index: the first
	// among equals (with ChooseMax, among proposals of 0, the last). They are 0
	// and -1 if the choice is blocked.
	Replicas int32 `json:"replicas"`
	Metric   int   `json:"metric"`
	// Invalid counts the metrics that failed, and FirstFailed is the index of
	// the first that did, -1 if none did.
	Invalid     int `json:"invalid"`
	FirstFailed int `json:"firstFailed"`
	// Blocked reports that nothing may be scaled: all metrics failed, or some
	// did that might have prevented the change.
	Blocked bool `json:"blocked"`
}

// Choose returns the largest proposal. If metrics failed, they might have asked
// for more, so the size may not fall. No proposals at all block, too. It is
// upstream's computeReplicasForMetrics.
func Choose(current int32, proposals []Proposal) ChooseResult {
	return ChooseMax.Choose(current, proposals)
}

// Choose returns the proposal that decides. No proposals at all block.
func (c ChooseBy) Choose(current int32, proposals []Proposal) ChooseResult {
	var choice ChooseResult
	choice.choose(c, current, proposals)
	return choice
}

func (c *ChooseResult) choose(by ChooseBy, current int32, proposals []Proposal) {
	c.Metric, c.FirstFailed = -1, -1
	for i := range proposals {
		p := &proposals[i]
		if p.Failed() {
			if c.FirstFailed < 0 {
				c.FirstFailed = i
			}
			c.Invalid++
			continue
		}
		decides := c.Replicas == 0 || p.Replicas > c.Replicas
		if by != ChooseMax {
			decides = by.prefers(p.Replicas, c)
		}
		if decides {
			c.Replicas, c.Metric = p.Replicas, i
		}
	}
	if c.Invalid > 0 && (c.Invalid >= len(proposals) || by.prevented(current, c)) || len(proposals) == 0 {
		c.Replicas, c.Metric, c.Blocked = 0, -1, true
	}
}

// prefers reports whether a proposal decides rather than the ones before it,
// for ChooseMin and ChooseFirst.
func (c ChooseBy) prefers(replicas int32, before *ChooseResult) bool {
	return before.Metric < 0 || c == ChooseMin && replicas < before.Replicas
}

// prevented reports whether metrics that failed might have prevented the
// change.
func (c ChooseBy) prevented(current int32, choice *ChooseResult) bool {
	switch c {
	case ChooseMin:
		return choice.Replicas > current
	case ChooseFirst:
		return choice.FirstFailed < choice.Metric && choice.Replicas < current
	}
	return choice.Replicas < current
}
