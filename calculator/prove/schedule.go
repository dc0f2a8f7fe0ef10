package prove

import (
	"errors"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// errNoTimes is the error of a course whose syncs cannot be when it says.
var errNoTimes = errors.New("prove: no times of syncs are those of the course")

// noLater says that sync a is no later than a time after sync b.
type noLater struct {
	a, b int
	by   time.Duration
}

// schedule returns the waits before the steps, 0 for a sync period: with a
// jitter such that what each step lets count is as old as it says.
func (w *world) schedule(steps []step) ([]time.Duration, error) {
	waits := make([]time.Duration, len(steps))
	period, jitter := w.setup.Period(), w.timings[0].jitter
	if jitter == 0 {
		for i := 1; i < len(steps); i++ {
			if m := steps[i-1].missed; m > 0 {
				waits[i] = time.Duration(1+m) * period
			}
		}
		return waits, nil
	}
	var all []noLater
	for j := 1; j < len(steps); j++ {
		wait := time.Duration(1+steps[j-1].missed) * period
		all = append(all, noLater{j, j - 1, wait + jitter}, noLater{j - 1, j, jitter - wait})
		age := 0
		for i := j - 1; i >= 0; i-- {
			age += 1 + int(steps[i].missed)
			all = w.claims(all, steps, i, j, age)
		}
	}
	times, ok := solve(len(steps), all, func(i int) time.Duration {
		at := time.Duration(0)
		for k := range i {
			at += time.Duration(1+steps[k].missed) * period
		}
		return at
	})
	if !ok {
		return nil, errNoTimes
	}
	for i := 1; i < len(steps); i++ {
		waits[i] = times[i] - times[i-1]
	}
	return waits, nil
}

// claims appends what step j says about how long ago step i was, as far as it
// matters.
func (w *world) claims(all []noLater, steps []step, i, j, age int) []noLater {
	ago := w.timings[steps[j].timing].ago(age)
	claim := func(bound time.Duration) {
		if ago >= bound {
			all = append(all, noLater{i, j, -bound})
		} else {
			all = append(all, noLater{j, i, bound - 1})
		}
	}
	window := w.windows.Down
	if w.setup.Spec.Behavior == nil {
		window++
	}
	asks := steps[i].pieces[0].asks
	if i == 0 { // which recorded the size, too
		asks = max(asks, steps[0].size)
	}
	if asks >= steps[j].after || steps[j].pick.age == age {
		claim(window)
	}
	if b := w.setup.Spec.Behavior; b != nil {
		if w.windows.Up > 0 {
			claim(w.windows.Up)
		}
		for _, r := range []*behavior.ScalingRules{b.ScaleUp, b.ScaleDown} {
			for _, p := range r.Policies {
				if steps[i].size != steps[i].after {
					claim(time.Duration(p.PeriodSeconds) * time.Second)
				}
			}
		}
	}
	if steps[i].after > steps[i].size {
		for _, b := range w.pods {
			claim(b)
		}
	}
	if slices.Contains(steps[j].asked, age) {
		for _, b := range w.watch.bounds {
			claim(b)
		}
	}
	return all
}

// solve returns the latest times that keep all of it, none of them later than
// its wish. It reports whether there are any.
func solve(n int, all []noLater, wish func(int) time.Duration) ([]time.Duration, bool) {
	times := make([]time.Duration, n)
	for i := range times {
		times[i] = wish(i)
	}
	for range n + 1 {
		changed := false
		for _, c := range all {
			if latest := times[c.b] + c.by; times[c.a] > latest {
				times[c.a], changed = latest, true
			}
		}
		if !changed {
			return times, true
		}
	}
	return nil, false
}
