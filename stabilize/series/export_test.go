package series

import "time"

// Tests take the two halves of Advance one by one.

func (s *Series) Rewind(now time.Time) { s.rewind(instantOf(now)) }

func (s *Series) Forget(now time.Time, age time.Duration) { s.forget(instantOf(now).sub(age)) }
