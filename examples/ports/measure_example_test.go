package ports

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/purehpa/hpa/behavior"
)

const (
	courses = 20_000
	syncs   = 120
)

// A port that makes five common mistakes, and ports that make one of them.
func Example_measure() {
	ports := []struct {
		mistakes string
		port     naive
		differ   int
	}{
		{mistakes: "all five", port: naive{first: true, directions: true, eager: true, truncated: true, keeps: true}},
		{mistakes: "no first recommendation", port: naive{first: true}},
		{mistakes: "events of one direction", port: naive{directions: true}},
		{mistakes: "events before the write", port: naive{eager: true}},
		{mistakes: "percent rounded down", port: naive{truncated: true}},
		{mistakes: "events kept for too long", port: naive{keeps: true}},
		{mistakes: "no mistake"},
	}
	random := rand.New(rand.NewPCG(7, 853))
	var c course
	for range courses {
		c.draw(random)
		k := kubernetes{scaler: behavior.Scaler{Behavior: c.rules}, bounds: c.bounds}
		c.record(&k)
		for i := range ports {
			p := &ports[i]
			p.port.reset(c.rules, c.bounds)
			if c.differs(&p.port) {
				p.differ++
			}
		}
	}
	fmt.Println("mistake                   courses that differ, of", courses)
	for _, p := range ports {
		fmt.Printf("%-24s  %19d\n", p.mistakes, p.differ)
	}
	// Output:
	// mistake                   courses that differ, of 20000
	// all five                                18094
	// no first recommendation                  9232
	// events of one direction                 10778
	// events before the write                  3365
	// percent rounded down                    11206
	// events kept for too long                 2738
	// no mistake                                  0
}

// course is half an hour of a workload, with a sync every 15 seconds.
type course struct {
	rules   *behavior.Behavior
	bounds  behavior.Bounds
	size    int32
	desired [syncs]int32
	fails   [syncs]bool
	sizes   [syncs]int32 // by Kubernetes
}

// draw draws a course. It uses Uint64 alone, so that all processors draw the
// same.
func (c *course) draw(r *rand.Rand) {
	n := func(n uint64) int32 { return int32(r.Uint64() % n) }
	pick := func(from ...int32) int32 { return from[n(uint64(len(from)))] }
	rules := func(windows ...int32) *behavior.ScalingRules {
		window := pick(windows...)
		s := &behavior.ScalingRules{StabilizationWindowSeconds: &window, SelectPolicy: behavior.SelectMax}
		if n(4) == 0 {
			s.SelectPolicy = behavior.SelectMin
		}
		for range 1 + n(2) {
			p := behavior.Policy{Type: behavior.PodsPolicy, Value: pick(1, 2, 4, 8), PeriodSeconds: pick(15, 60, 120, 300)}
			if n(2) == 0 {
				p.Type, p.Value = behavior.PercentPolicy, pick(10, 25, 50, 100)
			}
			s.Policies = append(s.Policies, p)
		}
		return s
	}
	c.rules = &behavior.Behavior{ScaleUp: rules(0, 0, 60), ScaleDown: rules(0, 60, 300, 300)}
	c.bounds = behavior.Bounds{Min: 1, Max: 50}
	c.size = 1 + n(40)
	var desired int32
	for i := range syncs {
		// The load changes every two minutes or so, and one write in 50 fails.
		if i == 0 || n(8) == 0 {
			desired = 1 + n(60)
		}
		c.desired[i], c.fails[i] = desired, n(50) == 0
	}
}

// record notes Kubernetes' sizes.
func (c *course) record(k *kubernetes) {
	c.run(k, func(i int, size int32) bool {
		c.sizes[i] = size
		return true
	})
}

// differs reports whether a port's sizes are not Kubernetes'.
func (c *course) differs(p port) (differs bool) {
	c.run(p, func(i int, size int32) bool {
		differs = size != c.sizes[i]
		return !differs
	})
	return differs
}

// run calls yield with the size after each sync, until that returns false.
func (c *course) run(p port, yield func(i int, size int32) bool) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	size := c.size
	for i, desired := range c.desired {
		to := p.size(now, size, desired)
		if to != size && !c.fails[i] {
			p.applied(now, size, to)
			size = to
		}
		if !yield(i, size) {
			return
		}
		now = now.Add(15 * time.Second)
	}
}
