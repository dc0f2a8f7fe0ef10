package series

import "time"

// Advance moves the clock to now: it changes the time of entries dated after
// now to now, and drops those older than age. Their places stay vacant, so that
// the others are replaced no sooner than they would have been. Use it with an
// age that no window can see.
func (s *Series) Advance(now time.Time, age time.Duration) {
	if len(s.slots) == 0 {
		return
	}
	at := instantOf(now)
	s.rewind(at)
	s.forget(at.sub(age))
}

// rewind changes the time of entries dated after at.
func (s *Series) rewind(at instant) {
	if !at.before(s.latest) {
		return
	}
	for i, e := range s.slots {
		if !e.isVacant() && at.before(e.at()) {
			s.slots[i] = at.slot(e.value, e.stale())
		}
	}
	s.latest, s.earliest = at, s.earliest.earlier(at)
}

// MarkStale marks the entries older than age as stale, for good. An entry of
// exactly that age is not.
func (s *Series) MarkStale(now time.Time, age time.Duration) {
	cutoff := instantOf(now).sub(age)
	if s.earliest.before(cutoff) {
		markStale(s.slots[:s.tail], cutoff)
	}
	old := s.tail
	for old < len(s.slots) && s.slots[old].at().before(cutoff) {
		old++
	}
	markStale(s.slots[s.tail:old], cutoff)
}

func markStale(slots []slot, cutoff instant) {
	for i, e := range slots {
		if !e.stale() && e.at().before(cutoff) {
			slots[i].nsec = ^e.nsec
		}
	}
}

// forget drops the entries before the cutoff.
func (s *Series) forget(cutoff instant) {
	if s.earliest.before(cutoff) {
		s.earliest = endOfTime()
		for i := range s.slots[:s.tail] {
			e := &s.slots[i]
			switch {
			case e.sec > s.earliest.sec, e.isVacant():
			case e.at().before(cutoff):
				*e = vacantSlot()
			default:
				s.earliest = s.earliest.earlier(e.at())
			}
		}
	}
	for ; s.tail < len(s.slots) && s.slots[s.tail].at().before(cutoff); s.tail++ {
		s.slots[s.tail] = vacantSlot()
	}
}

// Record adds a value dated now. It takes the last place that is vacant, or
// whose entry is stale or older than age; without one it is appended.
//
// A Series that has reached limit places errs on the safe side. With [MergeMax]
// and [MergeSumLater] it replaces no entry, since that may stand for several,
// of which only some are old. With [MergeSumEarlier] it drops all stale ones.
// It then takes a vacant place, or merges the two entries closest in time. So
// what a window sees is never less than without a limit, or with
// MergeSumEarlier never more, provided that no value is negative and no sum
// exceeds int32.
//
// A limit below 2 counts as 2, and one above [MaxEntries] as that.
func (s *Series) Record(now time.Time, value int32, age time.Duration, limit int, merge Merge) {
	at := instantOf(now)
	limit = min(max(limit, 2), MaxEntries)
	full := len(s.slots) >= limit
	if s.tail == len(s.slots) {
		s.survey()
	}
	s.see(at, value)
	if full && merge == MergeSumEarlier {
		s.vacateStale()
	}
	if i := s.place(at.sub(age), full); i >= 0 {
		s.behead(i)
		s.tail = max(s.tail, i+1)
		s.earliest = s.earliest.earlier(at)
		s.slots[i] = at.slot(value, false)
		return
	}
	for len(s.slots) >= limit {
		s.merge(merge)
	}
	if n := len(s.slots); s.tail < n && at.before(s.slots[n-1].at()) {
		s.behead(n)
	}
	s.slots = append(s.slots, at.slot(value, false))
}

// vacateStale drops the stale entries.
func (s *Series) vacateStale() {
	s.behead(len(s.slots))
	for i, e := range s.slots {
		if e.stale() {
			s.slots[i] = vacantSlot()
		}
	}
}
