package ports

import "time"

// oneDirection is wrong: its policies of 4 pods a minute count the events of
// their own direction alone.
type oneDirection struct{ added, removed []entry }

func (p *oneDirection) size(now time.Time, current, desired int32) int32 {
	if desired > current {
		start := current - sum(p.added, now, 60)
		return max(current, min(desired, start+4))
	}
	start := current + sum(p.removed, now, 60)
	return min(current, max(desired, start-4))
}

func (p *oneDirection) applied(now time.Time, from, to int32) {
	if to > from {
		p.added = append(p.added, entry{now, to - from})
	} else {
		p.removed = append(p.removed, entry{now, from - to})
	}
}

// A gap in the metrics takes 4 pods away, just before the load rises.
func Example_directions() {
	rules := `{
		"scaleUp": {"policies": [{"type": "Pods", "value": 4, "periodSeconds": 60}]},
		"scaleDown": {
			"stabilizationWindowSeconds": 0,
			"policies": [{"type": "Pods", "value": 4, "periodSeconds": 60}]
		}
	}`
	run(15*time.Second, 10, beside(&oneDirection{}, like(rules)),
		sync{desired: 10}, sync{desired: 2}, sync{desired: 14, times: 6})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00        10    10          10
	// 12:00:15         2     6           6
	// 12:00:30        14    10          14
	// 12:01:30        14    14          14
}
