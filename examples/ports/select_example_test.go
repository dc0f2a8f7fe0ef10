package ports

import "time"

// largestLimit is wrong: it takes the larger limit as the larger change. That
// is right for scaling up only.
type largestLimit struct{ selectPolicy string }

func (p largestLimit) size(_ time.Time, current, desired int32) int32 {
	if desired >= current {
		return desired
	}
	pods, percent := current-1, current/2 // 1 pod or 50 percent
	limit := max(pods, percent)
	if p.selectPolicy == "Min" {
		limit = min(pods, percent)
	}
	return max(desired, limit)
}

func (largestLimit) applied(time.Time, int32, int32) {}

// The select policy is Min, to be careful. A sync a minute.
func Example_select() {
	rules := `{"scaleDown": {
		"stabilizationWindowSeconds": 0,
		"selectPolicy": "Min",
		"policies": [
			{"type": "Pods", "value": 1, "periodSeconds": 60},
			{"type": "Percent", "value": 50, "periodSeconds": 60}
		]
	}}`
	run(time.Minute, 32, beside(largestLimit{"Min"}, like(rules)), sync{desired: 4, times: 4})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00         4    16          31
	// 12:01:00         4     8          30
	// 12:02:00         4     4          29
	// 12:03:00         4     4          28
}
