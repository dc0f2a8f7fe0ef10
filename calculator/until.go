package calculator

import "time"

// findUntil finds the earliest moment at which the clock alone matters.
func (d *Decision) findUntil() {
	d.until(&d.Stabilization.Until)
	d.until(&d.Limits.Until)
	d.until(&d.Cooldown.Until)
	for i := range d.Proposals {
		d.until(&d.Proposals[i].Until)
	}
}

// until is so small that it is inlined: mostly there is no such moment.
func (d *Decision) until(t *time.Time) {
	if !t.IsZero() {
		d.sooner(*t)
	}
}

func (d *Decision) sooner(t time.Time) {
	// A clock at the end of its range can leave no room for a later moment.
	if t.After(d.Now) && (d.Until.IsZero() || t.Before(d.Until)) {
		d.Until = t
	}
}
