package describe

import (
	"strconv"
	"time"
)

// unit is a unit of time and its letter.
type unit struct {
	length time.Duration
	letter string
}

var (
	years   = unit{365 * 24 * time.Hour, "y"}
	days    = unit{24 * time.Hour, "d"}
	hours   = unit{time.Hour, "h"}
	minutes = unit{time.Minute, "m"}
	seconds = unit{time.Second, "s"}
)

// ages are the units in which an age is printed, by its length. The rest is
// left out where it has no length.
var ages = [...]struct {
	below      time.Duration
	unit, rest unit
}{
	{2 * time.Minute, seconds, unit{}},
	{10 * time.Minute, minutes, seconds},
	{3 * time.Hour, minutes, unit{}},
	{8 * time.Hour, hours, minutes},
	{48 * time.Hour, hours, unit{}},
	{8 * days.length, days, hours},
	{2 * years.length, days, unit{}},
	{8 * years.length, years, days},
}

// age returns an age with two or three digits, such as "45s", "5m30s", "3d4h"
// or "1y20d", as upstream's HumanDuration in k8s.io/apimachinery does. Clocks
// may differ by less than two seconds: beyond that, a time to come is
// "<invalid>".
func age(d time.Duration) string {
	if d <= -2*time.Second {
		return "<invalid>"
	}
	d = max(d, 0)
	for _, a := range ages {
		if d >= a.below {
			continue
		}
		text := a.unit.count(d)
		if rest := d % a.unit.length; a.rest.length > 0 && rest >= a.rest.length {
			text += a.rest.count(rest)
		}
		return text
	}
	return years.count(d)
}

// count returns how many whole units there are in d.
func (u unit) count(d time.Duration) string {
	return strconv.FormatInt(int64(d/u.length), 10) + u.letter
}
