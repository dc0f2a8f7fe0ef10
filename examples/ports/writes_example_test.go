package ports

import "time"

// eager is wrong: it counts a change when it decides on it, written or not. Its
// policy is 4 pods a minute.
type eager struct{ added []entry }

func (p *eager) size(now time.Time, current, desired int32) int32 {
	if desired <= current {
		return desired
	}
	start := current - sum(p.added, now, 60)
	to := max(current, min(desired, start+4))
	if to > current {
		p.added = append(p.added, entry{now, to - current})
	}
	return to
}

func (*eager) applied(time.Time, int32, int32) {}

// The first write of the new size fails.
func Example_writes() {
	rules := `{"scaleUp": {"policies": [{"type": "Pods", "value": 4, "periodSeconds": 60}]}}`
	run(15*time.Second, 10, beside(&eager{}, like(rules)),
		sync{desired: 14, fails: true}, sync{desired: 14, times: 5})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00        14    10          10  writes fail
	// 12:00:15        14    10          14
	// 12:01:00        14    14          14
}
