package behavior_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// Add no more than 4 pods a minute, and remove no more than a tenth.
func exampleBehavior() *behavior.Behavior {
	b := &behavior.Behavior{
		ScaleUp:   &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 60}}},
		ScaleDown: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PercentPolicy, Value: 10, PeriodSeconds: 60}}},
	}
	b.SetDefaults()
	return b
}

func ExampleUpLimit() {
	b := exampleBehavior()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var events behavior.Events
	events.Record(now.Add(-20*time.Second), 7, 10, b)

	rate, policies := behavior.UpLimit(now, 10, b.ScaleUp, &events, nil)
	fmt.Println("from", policies[0].Start, "to", policies[0].Limit)
	fmt.Println(rate.Replicas)
	// Output:
	// from 7 to 11
	// 11
}

func ExampleDownLimit() {
	b := exampleBehavior()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	rate, _ := behavior.DownLimit(now, 25, b.ScaleDown, nil, nil)
	fmt.Println(rate.Replicas) // 22.5, truncated
	// Output: 22
}

func ExampleBehavior_Limit() {
	b := exampleBehavior()
	var events behavior.Events
	var policies []behavior.PolicyLimit
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	current := int32(2)
	for range 3 {
		var l behavior.LimitResult
		l, policies = b.Limit(now, behavior.Change{Current: current, Desired: 50}, behavior.Bounds{Min: 1, Max: 8}, &events, policies[:0])
		fmt.Println(now.Format(time.TimeOnly), current, "to", l.Replicas, l.Reason)
		events.Record(now, current, l.Replicas, b)
		current = l.Replicas
		now = now.Add(30 * time.Second)
	}
	// Output:
	// 12:00:00 2 to 6 ScaleUpLimit
	// 12:00:30 6 to 6 ScaleUpLimit
	// 12:01:00 6 to 8 TooManyReplicas
}

func ExampleLimitResult() {
	b := exampleBehavior()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var events behavior.Events
	events.Record(now.Add(-20*time.Second), 7, 10, b)
	l, _ := b.Limit(now, behavior.Change{Current: 10, Desired: 50}, behavior.Bounds{Min: 1, Max: 100}, &events, nil)
	fmt.Println(l.Desired, "becomes", l.Replicas, "-", l.Reason.Message())
	fmt.Println("until", l.Until.Format(time.TimeOnly))
	// Output:
	// 50 becomes 11 - the desired replica count is increasing faster than the maximum scale rate
	// until 12:00:40
}

func ExampleLimitWithoutBehavior() {
	l := behavior.LimitWithoutBehavior(behavior.Change{Current: 3, Desired: 50}, behavior.Bounds{Min: 1, Max: 100})
	fmt.Println(l.Replicas, l.Reason)
	l = behavior.LimitWithoutBehavior(behavior.Change{Current: 1, Desired: 50}, behavior.Bounds{Min: 1, Max: 100})
	fmt.Println(l.Replicas, l.Reason)
	// Output:
	// 6 ScaleUpLimit
	// 4 ScaleUpLimit
}

func ExampleEvents_Record() {
	b := exampleBehavior()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var events behavior.Events
	events.Record(now, 3, 7, b)
	events.Record(now.Add(30*time.Second), 7, 6, b)
	for e := range events.Added() {
		fmt.Println(e.Time.Format(time.TimeOnly), "added", e.Value)
	}
	for e := range events.Removed() {
		fmt.Println(e.Time.Format(time.TimeOnly), "removed", e.Value)
	}
	// Output:
	// 12:00:00 added 4
	// 12:00:30 removed 1
}

func ExampleEvents_Advance() {
	b := exampleBehavior()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var events behavior.Events
	events.Record(now.Add(time.Hour), 3, 7, b)
	events.Advance(now, b) // the clock went back
	for e := range events.Added() {
		fmt.Println(e.Time.Format(time.TimeOnly), "added", e.Value)
	}
	// Output: 12:00:00 added 4
}

func ExampleCooldown_Apply() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	lastScale := now.Add(-4 * time.Minute)
	c := behavior.DefaultCooldown()

	up := c.Apply(now, lastScale, 10, 15)
	fmt.Println(up.Replicas, up.Backoff)
	down := c.Apply(now, lastScale, 10, 5)
	fmt.Println(down.Replicas, down.Backoff, "until after", down.Until.Format(time.TimeOnly))
	// Output:
	// 15 BackoffDownscale
	// 10 BackoffDownscale until after 12:01:00
}

func ExampleDefaultCooldown() {
	c := behavior.DefaultCooldown()
	fmt.Println(c.Up, c.Down)
	// Output: 3m0s 5m0s
}
