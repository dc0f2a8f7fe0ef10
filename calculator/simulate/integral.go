package simulate

import (
	"math"
	"math/bits"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// integral is an amount over time, in milli-units times nanoseconds, exact in
// 128 bits: a million requests per second over a year do not fit 64. Amounts
// and times that are negative count as zero. A sum that does not fit stops at
// the end.
type integral struct {
	hi, lo uint64
}

func (i *integral) add(amount metrics.Milli, d time.Duration) {
	if amount <= 0 || d <= 0 {
		return
	}
	hi, lo := bits.Mul64(uint64(amount), uint64(d))
	i.plus(integral{hi, lo})
}

func (i *integral) plus(j integral) {
	lo, carry := bits.Add64(i.lo, j.lo, 0)
	hi, overflow := bits.Add64(i.hi, j.hi, carry)
	if overflow != 0 {
		hi, lo = math.MaxUint64, math.MaxUint64
	}
	*i = integral{hi, lo}
}

// average returns the amount that over d comes to the integral, truncated to a
// whole milli-unit; zero if d is not positive.
func (i integral) average(d time.Duration) metrics.Milli {
	if d <= 0 {
		return 0
	}
	if i.hi >= uint64(d) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(i.hi, i.lo, uint64(d))
	return metrics.Milli(min(q, math.MaxInt64))
}

// hours returns the integral in units times hours.
func (i integral) hours() float64 {
	return i.float64() / (1000 * float64(time.Hour))
}

// float64 returns the nearest float64 but for the rounding of each word.
func (i integral) float64() float64 {
	// A product with a power of two is exact, whether it is fused or not.
	return float64(i.hi)*(1<<64) + float64(i.lo)
}

// share returns i as a fraction of whole; 0 of nothing.
func (i integral) share(whole integral) float64 {
	if whole == (integral{}) {
		return 0
	}
	return i.float64() / whole.float64()
}

// scale returns m*by/per truncated, stopping at the end of int64. None of them
// is negative, and per is not zero.
func scale(m metrics.Milli, by, per uint64) metrics.Milli {
	hi, lo := bits.Mul64(uint64(m), by)
	if hi >= per {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, per)
	return metrics.Milli(min(q, math.MaxInt64))
}

// addSat returns a+b, stopping at the end of int64. Neither is negative.
func addSat[T ~int64](a, b T) T {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// times returns m*n, stopping at the end of int64. Neither is negative.
func times[T ~int64](m T, n int) T {
	hi, lo := bits.Mul64(uint64(m), uint64(n))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return T(lo)
}
