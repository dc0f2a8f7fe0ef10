package ports

import "time"

// lastTen is wrong: it keeps a number of recommendations, and not those of the
// window.
type lastTen struct{ past []entry }

func (p *lastTen) size(now time.Time, current, desired int32) int32 {
	if p.past == nil {
		p.past = append(p.past, entry{now, current})
	}
	highest := desired
	for _, e := range p.past {
		highest = max(highest, e.replicas)
	}
	p.past = append(p.past, entry{now, desired})
	if len(p.past) > 10 {
		p.past = p.past[1:]
	}
	if desired < current {
		return min(highest, current)
	}
	return desired
}

func (*lastTen) applied(time.Time, int32, int32) {}

// A peak every 4 minutes, and syncs 15 seconds apart.
func Example_length() {
	rules := `{"scaleDown": {"stabilizationWindowSeconds": 300}}`
	run(15*time.Second, 10, beside(&lastTen{}, like(rules)),
		sync{desired: 10}, sync{desired: 4, times: 15}, sync{desired: 10}, sync{desired: 4, times: 15}, sync{desired: 10})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00        10    10          10
	// 12:00:15         4    10          10
	// 12:02:45         4     4          10
	// 12:04:00        10    10          10
	// 12:04:15         4    10          10
	// 12:06:45         4     4          10
	// 12:08:00        10    10          10
}
