package calctest

import (
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/prove"
)

// FindAny is Find without shrinking.
func FindAny(seed uint64, checks int, property func(*rapid.T)) string {
	return find(seed, checks, 0, property)
}

// Monotone reports whether MoreLoadNeverFewer checks the sync.
func Monotone(tl *prove.Timeline, s *prove.Sync) bool { return monotone(tl, s) }
