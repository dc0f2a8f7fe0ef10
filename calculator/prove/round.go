package prove

// round returns the load of the span with the fewest digits.
func (s span) round() int64 {
	for _, step := range []int64{1000, 500, 100, 50, 10, 5} {
		if n := (s.low + step - 1) / step * step; n <= s.high {
			return n
		}
	}
	return s.low
}
