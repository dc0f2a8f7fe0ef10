package conformance

import (
	"slices"
	"testing"
)

// Shrink makes the choices of a failing history fewer and smaller while it
// fails, and returns the last failure; nil if the history does not fail.
func Shrink(t *testing.T, rolls []int) *Failure {
	var last *Failure
	fails := func(rolls []int) bool {
		f := History(t, &Replay{Rolls: rolls}).Failure
		if f != nil {
			last = f
		}
		return f != nil
	}
	if !fails(rolls) {
		return nil
	}
	try := func(candidate []int) bool {
		if !fails(candidate) {
			return false
		}
		rolls = candidate
		return true
	}
	for again, rounds := true, 0; again && rounds < 12; rounds++ {
		again = false
		for size := len(rolls) / 2; size > 0; size /= 2 {
			for i := 0; i+size <= len(rolls); {
				if try(slices.Delete(slices.Clone(rolls), i, i+size)) {
					again = true
					continue
				}
				i += size
			}
		}
		for i := range rolls {
			for _, smaller := range []int{0, rolls[i] / 2, rolls[i] - 1} {
				if i >= len(rolls) || smaller < 0 || smaller >= rolls[i] {
					continue
				}
				c := slices.Clone(rolls)
				c[i] = smaller
				if try(c) {
					again = true
					break
				}
			}
		}
	}
	return last
}
