package ports

import "time"

// noFirst is wrong: its history starts empty. Kubernetes records the current
// size before the first proposal.
type noFirst struct {
	window time.Duration
	past   []entry
}

func (p *noFirst) size(now time.Time, current, desired int32) int32 {
	highest := desired
	for _, e := range p.past {
		if e.time.After(now.Add(-p.window)) {
			highest = max(highest, e.replicas)
		}
	}
	p.past = append(p.past, entry{now, desired})
	if desired < current {
		return min(highest, current)
	}
	return desired
}

func (*noFirst) applied(time.Time, int32, int32) {}

// A controller starts at a size of 10, while its metrics are still incomplete.
func Example_first() {
	rules := `{"scaleDown": {"stabilizationWindowSeconds": 300}}`
	run(30*time.Second, 10, beside(&noFirst{window: 5 * time.Minute}, like(rules)),
		sync{desired: 3, times: 2}, sync{desired: 9, times: 3}, sync{desired: 10, times: 2})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00         3     3          10
	// 12:01:00         9     9          10
	// 12:02:30        10    10          10
}
