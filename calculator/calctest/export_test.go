package calctest

import (
	"time"

	"pgregory.net/rapid"
)

// FindAny is Find without shrinking.
func FindAny(seed uint64, checks int, property func(*rapid.T)) string {
	return find(seed, checks, 0, property)
}

// Monotone reports whether MoreLoadNeverFewer checks the sync.
func Monotone(tl *Timeline, s *Sync) bool { return monotone(tl, s) }

// Ordinal and Clock are how texts give numbers and times.
func Ordinal(n int) string         { return ordinal(n) }
func Clock(d time.Duration) string { return clock(d) }
