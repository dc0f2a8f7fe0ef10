package series

import (
	"fmt"
	"time"
)

// Tests take the two halves of Advance one by one.

func (s *Series) Rewind(now time.Time) { s.rewind(instantOf(now)) }

func (s *Series) Forget(now time.Time, age time.Duration) { s.forget(instantOf(now).sub(age)) }

// Unsound returns what is not as the fields of s promise, "" if nothing is.
func (s *Series) Unsound() string {
	for i, e := range s.slots {
		switch {
		case e.isVacant():
			if i >= s.tail {
				return fmt.Sprintf("place %d of the tail is vacant", i)
			}
		case s.latest.before(e.at()):
			return fmt.Sprintf("place %d is later than the latest", i)
		case i < s.tail && e.at().before(s.earliest):
			return fmt.Sprintf("place %d is earlier than the earliest", i)
		case e.value < s.lowest || e.value > s.highest:
			return fmt.Sprintf("place %d is out of the bounds", i)
		case i > s.tail && (e.at().before(s.slots[i-1].at()) || e.stale() && !s.slots[i-1].stale()):
			return fmt.Sprintf("place %d of the tail is out of order", i)
		}
	}
	return ""
}
