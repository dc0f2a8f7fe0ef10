package ports

import (
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// deadband is wrong: it applies the tolerance of 10 percent to the change of
// the size.
type deadband struct{}

func (deadband) size(_ time.Time, current, desired int32) int32 {
	change := desired - current
	if max(change, -change)*10 < current {
		return current
	}
	return desired
}

func (deadband) applied(time.Time, int32, int32) {}

// The load is what 3 pods carry, give or take 5 percent, and then more.
func Example_tolerance() {
	tolerance := metrics.Symmetric(0.1)
	port, kubernetes := int32(3), int32(3)
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	fmt.Println("time      load  proposed  port  Kubernetes")
	for _, load := range []float64{3, 3.05, 2.95, 3.1, 2.9, 3.4} {
		proposed := int32(math.Ceil(load))
		port = deadband{}.size(now, port, proposed)
		if ratio := load / float64(kubernetes); !tolerance.Within(ratio) {
			kubernetes = proposed
		}
		fmt.Printf("%s  %4.2f  %8d  %4d  %10d\n", now.Format(time.TimeOnly), load, proposed, port, kubernetes)
		now = now.Add(15 * time.Second)
	}
	// Output:
	// time      load  proposed  port  Kubernetes
	// 12:00:00  3.00         3     3           3
	// 12:00:15  3.05         4     4           3
	// 12:00:30  2.95         3     3           3
	// 12:00:45  3.10         4     4           3
	// 12:01:00  2.90         3     3           3
	// 12:01:15  3.40         4     4           4
}
