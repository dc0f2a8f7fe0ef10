package ports

import "time"

// exchanged is wrong: its window for scaling down takes the lowest
// recommendation, and its window for scaling up the highest.
type exchanged struct {
	up, down time.Duration
	past     []entry
}

func (p *exchanged) size(now time.Time, current, desired int32) int32 {
	if p.past == nil {
		p.past = append(p.past, entry{now, current})
	}
	lowest, highest := desired, desired
	for _, e := range p.past {
		if e.time.After(now.Add(-p.down)) {
			lowest = min(lowest, e.replicas)
		}
		if e.time.After(now.Add(-p.up)) {
			highest = max(highest, e.replicas)
		}
	}
	p.past = append(p.past, entry{now, desired})
	if desired < current {
		return lowest
	}
	return highest
}

func (*exchanged) applied(time.Time, int32, int32) {}

// The load dips for one sync, and later peaks for one.
func Example_extremes() {
	rules := `{
		"scaleUp": {"stabilizationWindowSeconds": 120},
		"scaleDown": {"stabilizationWindowSeconds": 300}
	}`
	run(time.Minute, 10, beside(&exchanged{up: 2 * time.Minute, down: 5 * time.Minute}, like(rules)),
		sync{desired: 10}, sync{desired: 4}, sync{desired: 9}, sync{desired: 10}, sync{desired: 20}, sync{desired: 11}, sync{desired: 10})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00        10    10          10
	// 12:01:00         4     4          10
	// 12:02:00         9     9          10
	// 12:03:00        10    10          10
	// 12:04:00        20    20          10
	// 12:05:00        11     4          11
	// 12:06:00        10    11          11
}
