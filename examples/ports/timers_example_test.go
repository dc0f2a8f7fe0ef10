package ports

import "time"

// timer is wrong: it scales down once the signal to do so has lasted, and then
// to the last proposal, whatever the others were.
type timer struct {
	wait  time.Duration
	since time.Time
}

func (p *timer) size(now time.Time, current, desired int32) int32 {
	if desired >= current {
		p.since = time.Time{}
		return desired
	}
	if p.since.IsZero() {
		p.since = now
	}
	if now.Sub(p.since) < p.wait {
		return current
	}
	p.since = time.Time{} // the next signal starts anew
	return desired
}

func (*timer) applied(time.Time, int32, int32) {}

// The load falls, with a gap in the metrics at 12:05:00.
func Example_timers() {
	rules := `{"scaleDown": {"stabilizationWindowSeconds": 300}}`
	run(time.Minute, 10, beside(&timer{wait: 5 * time.Minute}, like(rules)),
		sync{desired: 8, times: 5}, sync{desired: 2}, sync{desired: 8, times: 2},
		sync{desired: 7, times: 2}, sync{desired: 6, times: 2}, sync{desired: 5, times: 7})
	// Output:
	// time      proposed  port  Kubernetes
	// 12:00:00         8    10          10
	// 12:05:00         2     2           8
	// 12:06:00         8     8           8
	// 12:08:00         7     8           8
	// 12:10:00         6     8           8
	// 12:12:00         5     8           7
	// 12:13:00         5     5           7
	// 12:14:00         5     5           6
	// 12:16:00         5     5           5
}
