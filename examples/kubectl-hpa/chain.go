package main

import (
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// burst is how many events about one object a client emits in a row before it
// drops some.
const burst = 25

// scaled is one rescale, as an event tells.
type scaled struct {
	at   time.Time
	size int32
	// reason is why.
	reason string
	// only reports whether the event is about no other rescale.
	only bool
}

// chain returns the changes that the events record, without a gap up to the
// last scale and the current size.
func chain(events []*corev1.Event, last time.Time, size int32) past {
	all, total := rescales(events)
	switch {
	case last.IsZero():
		return past{Problem: "the status knows of no scale"}
	case len(all) == 0:
		return past{Problem: "there is no event of a scale"}
	case total >= burst:
		return past{Problem: "there are so many events that some may be missing"}
	}
	newest := all[len(all)-1]
	if newest.at.Sub(last).Abs() > clockSkew || newest.size != size {
		return past{Problem: "the last event is not that of the last scale"}
	}
	p := past{Since: newest.at.Add(clockSkew), Problem: "there is no older event"}
	for i := len(all) - 1; i > 0; i-- {
		c := change{all[i].at, all[i-1].size, all[i].size}
		switch {
		case !all[i].only:
			p.Problem = "an event stands for several"
			return p
		case !all[i].fits(c):
			p.Problem = "someone else has changed the size before"
			return p
		}
		p.Changes = slices.Insert(p.Changes, 0, c)
		p.Since = all[i-1].at.Add(clockSkew)
		if p.Since.After(c.Time) {
			p.Since = c.Time
		}
	}
	return p
}

// rescales returns the rescales that the events record, the oldest first, and
// how many events the client has emitted.
func rescales(events []*corev1.Event) (all []scaled, total int32) {
	for _, e := range events {
		total += max(e.Count, 1)
		if e.Series != nil {
			total += e.Series.Count
		}
		if e.Reason != "SuccessfulRescale" {
			continue
		}
		message, combined := strings.CutPrefix(e.Message, "(combined from similar events): ")
		text, reason, _ := strings.Cut(strings.TrimPrefix(message, "New size: "), ";")
		size, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			continue
		}
		s := scaled{at: e.LastTimestamp.Time, size: int32(size), reason: reason, only: !combined && e.Count <= 2}
		switch {
		case e.Series != nil:
			s.at, s.only = e.Series.LastObservedTime.Time, false
		case s.at.IsZero():
			s.at = e.EventTime.Time
		}
		all = append(all, s)
		if e.Count == 2 && !combined {
			s.at = e.FirstTimestamp.Time
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b scaled) int { return a.at.Compare(b.at) })
	return all, total
}

// fits reports whether the change goes the way of the reason, if that tells.
func (s *scaled) fits(c change) bool {
	up := strings.Contains(s.reason, "above target") || strings.Contains(s.reason, "below Spec.MinReplicas")
	down := strings.Contains(s.reason, "below target") || strings.Contains(s.reason, "above Spec.MaxReplicas")
	switch {
	case up:
		return c.To > c.From
	case down:
		return c.To < c.From
	}
	return c.To != c.From
}
