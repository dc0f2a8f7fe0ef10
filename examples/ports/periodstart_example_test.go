package ports

import "time"

// fromCurrent is wrong: its policy of 4 pods a minute counts from the current
// size, and so anew at each sync.
type fromCurrent struct{}

func (fromCurrent) size(_ time.Time, current, desired int32) int32 {
	if desired > current {
		return min(desired, current+4)
	}
	return desired
}

func (fromCurrent) applied(time.Time, int32, int32) {}

// The load rises from 10 to 26, and syncs are 15 seconds apart.
func Example_periodStart() {
	rules := `{"scaleUp": {"policies": [{"type": "Pods", "value": 4, "periodSeconds": 60}]}}`
	run(15*time.Second, 10, beside(fromCurrent{}, like(rules)), sync{desired: 26, times: 13})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00        26    14          14
	// 12:00:15        26    18          14
	// 12:00:30        26    22          14
	// 12:00:45        26    26          14
	// 12:01:00        26    26          18
	// 12:02:00        26    26          22
	// 12:03:00        26    26          26
}
