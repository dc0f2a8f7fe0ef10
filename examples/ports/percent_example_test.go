package ports

import "time"

// truncated is wrong: it computes 10 percent in integers, which is nothing for
// less than 10 pods.
type truncated struct{}

func (truncated) size(_ time.Time, current, desired int32) int32 {
	allowed := current * 10 / 100
	if desired > current {
		return min(desired, current+allowed)
	}
	return max(desired, current-allowed)
}

func (truncated) applied(time.Time, int32, int32) {}

// The load rises and falls. A policy of 10 percent a minute, with a sync a
// minute.
func Example_percent() {
	rules := `{
		"scaleUp": {"policies": [{"type": "Percent", "value": 10, "periodSeconds": 60}]},
		"scaleDown": {
			"stabilizationWindowSeconds": 0,
			"policies": [{"type": "Percent", "value": 10, "periodSeconds": 60}]
		}
	}`
	run(time.Minute, 3, beside(truncated{}, like(rules)), sync{desired: 6, times: 4}, sync{desired: 2, times: 4})
	run(time.Minute, 100, beside(truncated{}, like(rules)), sync{desired: 130, times: 3})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00         6     3           4
	// 12:01:00         6     3           5
	// 12:02:00         6     3           6
	// 12:04:00         2     3           5
	// 12:05:00         2     3           4
	// 12:06:00         2     3           3
	// 12:07:00         2     3           2
	// time      proposed  port  Kubernetes
	// 12:00:00       130   110         111
	// 12:01:00       130   121         123
	// 12:02:00       130   130         130
}
