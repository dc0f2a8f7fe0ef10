package series

import "time"

// MaxAge is the longest period that Ages answer for, in seconds.
const MaxAge = 1800

// Ages count the entries of a Series once by their age in whole seconds. They answer
// [Series.Within] for any number of periods, each at once. An Ages is some 60 kB.
type Ages struct {
	now instant
	// younger has at n the entries younger than n seconds.
	younger [MaxAge + 1]younger
}

type younger struct {
	sum, leaving int64
	count        int32
	// oldest is the age of the oldest one in seconds and nanoseconds.
	oldest, nanoseconds int32
}

// Count counts the entries of s. What was counted before is forgotten.
func (a *Ages) Count(s *Series, now time.Time) {
	*a = Ages{now: instantOf(now)}
	slots := s.asOf(a.now).slots
	for i := range slots {
		if slots[i].isVacant() {
			continue
		}
		age := a.now.since(slots[i].at())
		if age.sec >= MaxAge {
			continue
		}
		y, value := &a.younger[age.sec+1], int64(slots[i].value)
		switch {
		case y.count == 0 || age.nsec > y.nanoseconds:
			y.oldest, y.nanoseconds, y.leaving = int32(age.sec), age.nsec, value
		case age.nsec == y.nanoseconds:
			y.leaving += value
		}
		y.sum += value
		y.count++
	}
	for n := 1; n <= MaxAge; n++ {
		y, before := &a.younger[n], &a.younger[n-1]
		if y.count == 0 {
			*y = *before
			continue
		}
		y.sum += before.sum
		y.count += before.count
	}
}

// Within returns what [Series.Within] does for a period of so many seconds, from 0 to
// [MaxAge].
func (a *Ages) Within(seconds int32) (w Window) {
	y := &a.younger[seconds]
	w.Sum, w.Count, w.Leaving = y.sum, int(y.count), y.leaving
	if y.count > 0 {
		w.Expires = a.now.move(-int64(y.oldest), -y.nanoseconds).move(int64(seconds), 0).time()
	}
	return w
}
