package behavior_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// BenchmarkLimit limits a scale-up with all the events that an Events holds, or
// with as many as the search for Until has room for.
func BenchmarkLimit(b *testing.B) {
	for _, events := range []int32{4, 128, behavior.MaxEvents} {
		for _, policies := range []int32{1, 3, 16, 17, 10_000} {
			b.Run(fmt.Sprintf("events=%d/policies=%d", events, policies), func(b *testing.B) {
				rules := &behavior.ScalingRules{SelectPolicy: behavior.SelectMin}
				for i := range policies {
					rules.Policies = append(rules.Policies, behavior.Policy{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 1800 - i%1700})
				}
				rule := &behavior.Behavior{ScaleUp: rules, ScaleDown: rules}
				var e behavior.Events
				for i := range events {
					e.Record(noon.Add(time.Duration(i)*800*time.Millisecond), 0, 1, rule)
					e.Record(noon.Add(time.Duration(i)*800*time.Millisecond+time.Millisecond), 1, 0, rule)
				}
				now := noon.Add(time.Duration(events) * 800 * time.Millisecond)
				c, bounds := behavior.Change{Current: 5000, Desired: 9000}, behavior.Bounds{Min: 1, Max: 10_000}
				_, limits := rule.Limit(now, c, bounds, &e, nil)
				b.ReportAllocs()
				for b.Loop() {
					_, limits = rule.Limit(now, c, bounds, &e, limits[:0])
				}
			})
		}
	}
}
