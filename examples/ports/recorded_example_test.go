package ports

import "time"

// policiesFirst is wrong: it limits the proposal, here to 2 pods a minute, and
// records and stabilizes what is left.
type policiesFirst struct {
	window        time.Duration
	past, removed []entry
}

func (p *policiesFirst) size(now time.Time, current, desired int32) int32 {
	if p.past == nil {
		p.past = append(p.past, entry{now, current})
	}
	limited := min(current, max(desired, current+sum(p.removed, now, 60)-2))
	highest := limited
	for _, e := range p.past {
		if e.time.After(now.Add(-p.window)) {
			highest = max(highest, e.replicas)
		}
	}
	p.past = append(p.past, entry{now, limited})
	return min(highest, current)
}

func (p *policiesFirst) applied(now time.Time, from, to int32) {
	p.removed = append(p.removed, entry{now, from - to})
}

// ownOutput is wrong: it records the size that it decided on, which keeps
// itself.
type ownOutput struct {
	window time.Duration
	past   []entry
}

func (p *ownOutput) size(now time.Time, current, desired int32) int32 {
	if p.past == nil {
		p.past = append(p.past, entry{now, current})
	}
	highest := desired
	for _, e := range p.past {
		if e.time.After(now.Add(-p.window)) {
			highest = max(highest, e.replicas)
		}
	}
	p.past = append(p.past, entry{now, min(highest, current)})
	return min(highest, current)
}

func (*ownOutput) applied(time.Time, int32, int32) {}

// The load falls from 20 to 10 for good.
func Example_recorded() {
	rules := `{"scaleDown": {
		"stabilizationWindowSeconds": 300,
		"policies": [{"type": "Pods", "value": 2, "periodSeconds": 60}]
	}}`
	run(time.Minute, 20, []column{
		{name: "policies first", port: &policiesFirst{window: 5 * time.Minute}},
		{name: "own output", port: &ownOutput{window: 5 * time.Minute}},
		{name: "Kubernetes", port: like(rules)},
	}, sync{desired: 10, times: 35})
	// Output:
	// time      proposed  policies first  own output  Kubernetes
	// 12:00:00        10              20          20          20
	// 12:05:00        10              18          20          18
	// 12:06:00        10              18          20          16
	// 12:07:00        10              18          20          14
	// 12:08:00        10              18          20          12
	// 12:09:00        10              18          20          10
	// 12:10:00        10              16          20          10
	// 12:15:00        10              14          20          10
	// 12:20:00        10              12          20          10
	// 12:25:00        10              10          20          10
}
