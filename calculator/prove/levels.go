package prove

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// setLevels sets the levels of the search, and which of them each size up to
// most has.
func (w *world) setLevels(s Search, most int32) error {
	levels, err := s.levels(w.setup)
	if err != nil {
		return err
	}
	w.levels = levels
	all := make([]uint8, len(levels))
	for i := range all {
		all[i] = uint8(i)
	}
	for size := range most + 1 {
		near := all
		if s.Around > 0 {
			near = w.around(size, s.Around)
			w.partial = w.partial || len(near) < len(all)
		}
		slots := slices.Repeat([]int16{-1}, len(levels))
		for i, l := range near {
			slots[l] = int16(i)
		}
		w.near, w.slots = append(w.near, near), append(w.slots, slots)
	}
	return nil
}

// levels returns the levels of the search, the lowest first.
func (s Search) levels(setup *Setup) ([]float64, error) {
	levels := slices.Clone(s.Levels)
	if s.Levels == nil {
		for l := range setup.Spec.MaxReplicas + 1 {
			levels = append(levels, float64(l))
		}
	}
	for i, l := range levels {
		if !(l >= 0 && l <= math.MaxInt32) {
			return nil, fmt.Errorf("prove: Search.Levels[%d]: %v is not a load", i, l)
		}
	}
	switch {
	case len(levels) == 0:
		return nil, errors.New("prove: Search.Levels: the list is empty")
	case len(levels) > math.MaxUint8+1:
		return nil, fmt.Errorf("prove: Search.Levels: %d are too many for a search", len(levels))
	}
	slices.Sort(levels)
	return slices.Compact(levels), nil
}

// around returns the levels that Search.Around leaves to a size.
func (w *world) around(size int32, beyond int) []uint8 {
	tl := Timeline{Setup: w.setup}
	tolerance := w.setup.Tolerance()
	// low and high are the edges of tolerance, full is the target.
	last := len(w.levels) - 1
	beyond = min(beyond, last)
	low, full, high := last+1, 0, 0
	for i, l := range w.levels {
		ratio := tl.ratio(w.aims, size, l)
		within := tolerance.Within(ratio)
		if ratio >= 1 || within {
			low = min(low, i)
		}
		if ratio <= 1 {
			full = i
		}
		if ratio <= 1 || within {
			high = i
		}
	}
	var near []uint8
	for i := range w.levels {
		if i == 0 || i == full || i == last || low-beyond <= i && i <= low || high <= i && i <= high+beyond {
			near = append(near, uint8(i))
		}
	}
	return near
}
