package simulate

import "math/bits"

// Rand is a generator of random numbers: SplitMix64 (Steele, Lea, Flood: Fast
// Splittable Pseudorandom Number Generators, 2014). It gives the same numbers
// on every processor and in every release. A copy continues independently. The
// zero Rand has seed 0. It is not for secrets.
type Rand struct {
	state uint64
}

// goldenGamma is the odd integer nearest to 2^64 divided by the golden ratio.
const goldenGamma = 0x9e3779b97f4a7c15

// NewRand returns the generator of the seed and keys. Generators with different
// keys are independent.
func NewRand(seed uint64, keys ...uint64) Rand {
	r := Rand{state: seed}
	for _, k := range keys {
		r.state = mix(mix(r.state+goldenGamma) ^ k)
	}
	return r
}

// Uint64 returns the next number.
func (r *Rand) Uint64() uint64 {
	r.state += goldenGamma
	return mix(r.state)
}

// Below returns a number from 0 to n-1, all equally likely up to n/2^64. For n
// = 0 it is 0.
func (r *Rand) Below(n uint64) uint64 {
	hi, _ := bits.Mul64(r.Uint64(), n)
	return hi
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// chance is a probability in units of 2^-64.
type chance uint64

// chanceOf returns the chance nearest to p, clamped to 0 to 1.
func chanceOf(p float64) chance {
	switch {
	case !(p > 0):
		return 0
	case p >= 1:
		return 1<<64 - 1
	}
	// Scaling by a power of two is exact, and so is the conversion.
	return chance(uint64(p*(1<<53)) << 11)
}

// hits draws once. A chance of zero draws nothing.
func (c chance) hits(r *Rand) bool { return c != 0 && r.Uint64() <= uint64(c) }

// The purposes of random numbers, first keys of their generators.
const (
	drawPending uint64 = iota + 1
	drawStartup
	drawCrash
	drawRestart
	drawSample
	drawFailure
	drawSync
	drawScrape
)
