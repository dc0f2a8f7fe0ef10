package ports

import "time"

// keepsAll is wrong: it keeps the pods removed for the 5 minutes of its policy
// for scaling up, which allows 4 pods.
type keepsAll struct{ added, removed []entry }

func (p *keepsAll) size(now time.Time, current, desired int32) int32 {
	if desired < current {
		return desired
	}
	start := current - sum(p.added, now, 300) + sum(p.removed, now, 300)
	return max(current, min(desired, start+4))
}

func (p *keepsAll) applied(now time.Time, from, to int32) {
	if to > from {
		p.added = append(p.added, entry{now, to - from})
	} else {
		p.removed = append(p.removed, entry{now, from - to})
	}
}

// The load falls in two steps, a minute apart, and rises again.
func Example_kept() {
	rules := `{
		"scaleUp": {"policies": [{"type": "Pods", "value": 4, "periodSeconds": 300}]},
		"scaleDown": {
			"stabilizationWindowSeconds": 0,
			"policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]
		}
	}`
	run(time.Minute, 20, beside(&keepsAll{}, like(rules)),
		sync{desired: 15}, sync{desired: 10}, sync{desired: 30, times: 6})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00        15    15          15
	// 12:01:00        10    10          10
	// 12:02:00        30    24          19
	// 12:07:00        30    28          23
}
