package guarantee

import "time"

// Peak is what a peak of load leaves behind: one for which the size was
// maxReplicas for at least the longest period of scaleDown, and after which
// each sync asks for minReplicas. It ends right after a sync. A shorter peak
// may be gone much sooner: what was added within a period, policies let go at
// once.
type Peak struct {
	// Held is the time from the end of the peak until the first pod is removed.
	Held Time `json:"held"`
	// Gone is the time until the size is minReplicas again.
	Gone Time `json:"gone"`
	// PodHours is what it costs in that time: pod-hours per pod of the peak,
	// which are the pods above minReplicas.
	PodHours float64 `json:"podHours"`
	// Bound is that of PodHours. If the peak is never gone, that is zero, and
	// Bound AtLeast.
	Bound Bound `json:"bound"`
}

func (r *rules) peak() Peak {
	d, zero := &r.down, Time{Bound: Exactly}
	p := Peak{Held: zero, Gone: zero, Bound: d.bound}
	if d.from == d.to {
		p.Bound = Exactly
		return p
	}
	var hours float64 // of all pods
	w, at, size := d.Steady(d.from, d.to), int64(0), d.from
	count := func(until int64) {
		hours += float64(size-d.to) * (time.Duration(until-at) * r.period).Hours()
		at = until
	}
	for w.Next(maxWork) {
		if size == d.from && w.Size < size {
			p.Held = d.after(d.hold+w.Sync, d.bound)
		}
		count(d.hold + w.Sync)
		size = w.Size
	}
	r.work += w.Work
	switch {
	case w.Stuck:
		never := Time{Never: true, Bound: Exactly}
		if size == d.from {
			p.Held = never
		}
		p.Gone, p.Bound = never, AtLeast
		return p
	case size != d.to:
		p.Gone, p.Bound = d.after(d.hold+w.Sync, AtLeast), AtLeast
	default:
		p.Gone = d.after(at, d.bound)
	}
	p.PodHours = hours / float64(int64(d.from)-int64(d.to))
	return p
}
