package ports

import (
	"encoding/json"
	"time"
)

// forgetful is wrong: after a restart, neither its window nor its policy of 1
// pod in 5 minutes knows anything.
type forgetful struct {
	window        time.Duration
	past, removed []entry
}

func (p *forgetful) size(now time.Time, current, desired int32) int32 {
	highest := desired
	for _, e := range p.past {
		if e.time.After(now.Add(-p.window)) {
			highest = max(highest, e.replicas)
		}
	}
	p.past = append(p.past, entry{now, desired})
	start := current + sum(p.removed, now, 300)
	return min(current, max(highest, start-1))
}

func (p *forgetful) applied(now time.Time, from, to int32) {
	p.removed = append(p.removed, entry{now, from - to})
}

func (p *forgetful) restart() { p.past, p.removed = nil, nil }

// saved is a Scaler whose JSON is kept.
type saved struct{ *kubernetes }

func (s saved) restart() {
	text, err := json.Marshal(&s.scaler)
	if err != nil {
		panic(err)
	}
	s.kubernetes.restart()
	if err := json.Unmarshal(text, &s.scaler); err != nil {
		panic(err)
	}
}

// A controller restarts every 2 minutes. All start with a recommendation of 10.
func Example_restart() {
	rules := `{"scaleDown": {
		"stabilizationWindowSeconds": 60,
		"policies": [{"type": "Pods", "value": 1, "periodSeconds": 300}]
	}}`
	again := []sync{{desired: 4}, {desired: 4}, {desired: 4}, {desired: 4, restart: true}}
	syncs := append([]sync{{desired: 10}}, again...)
	for range 4 {
		syncs = append(syncs, again...)
	}
	run(30*time.Second, 10, []column{
		{name: "port", port: &forgetful{window: time.Minute}},
		{name: "Kubernetes", port: like(rules)},
		{name: "Scaler, saved", port: saved{like(rules)}},
	}, syncs...)
	// Output:
	// time      proposed  port  Kubernetes  Scaler, saved
	// 12:00:00        10    10          10             10
	// 12:00:30         4    10          10             10
	// 12:01:00         4     9           9              9
	// 12:02:00         4     8           9              9  restart
	// 12:03:00         4     8           8              9
	// 12:04:00         4     7           8              9  restart
	// 12:05:00         4     7           7              9
	// 12:06:00         4     6           7              8  restart
	// 12:07:00         4     6           6              8
	// 12:08:00         4     5           6              8  restart
	// 12:09:00         4     5           5              8
	// 12:10:00         4     4           5              8  restart
}
