package simulate

import (
	"math"
	"math/bits"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// integral is an amount over time, in milli-units times nanoseconds, exact in
// 128 bits. In 64 bits, a million requests per second over a year would
// overflow. Negative amounts and times count as 0. Sums saturate.
type integral struct {
	hi, lo uint64
}

func product(a, b uint64) integral {
	hi, lo := bits.Mul64(a, b)
	return integral{hi, lo}
}

func (i *integral) add(amount metrics.Milli, d time.Duration) {
	if amount > 0 && d > 0 {
		i.plus(product(uint64(amount), uint64(d)))
	}
}

func (i *integral) plus(j integral) {
	lo, carry := bits.Add64(i.lo, j.lo, 0)
	hi, overflow := bits.Add64(i.hi, j.hi, carry)
	if overflow != 0 {
		hi, lo = math.MaxUint64, math.MaxUint64
	}
	*i = integral{hi, lo}
}

// over returns i / n, truncated and saturated. n must not be 0.
func (i integral) over(n uint64) uint64 {
	if i.hi >= n {
		return math.MaxUint64
	}
	q, _ := bits.Div64(i.hi, i.lo, n)
	return q
}

// average returns the average over d, truncated to a whole milli-unit and
// saturated; 0 if d is not positive.
func (i integral) average(d time.Duration) metrics.Milli {
	if d <= 0 {
		return 0
	}
	return metrics.Milli(min(i.over(uint64(d)), math.MaxInt64))
}

// hours returns the integral in units times hours.
func (i integral) hours() float64 {
	return i.float64() / (1000 * float64(time.Hour))
}

// float64 returns i as a float64, rounded once for each word.
func (i integral) float64() float64 {
	// Multiplying by a power of two is exact, fused or not.
	return float64(i.hi)*(1<<64) + float64(i.lo)
}

// share returns i as a fraction of whole; 0 if whole is 0.
func (i integral) share(whole integral) float64 {
	if whole == (integral{}) {
		return 0
	}
	return i.float64() / whole.float64()
}

// scale returns m*by/per, truncated and saturated. m must not be negative, nor
// per 0.
func scale(m metrics.Milli, by, per uint64) metrics.Milli {
	return metrics.Milli(min(product(uint64(m), by).over(per), math.MaxInt64))
}

// mulCeil returns m*by/per, rounded up and saturated. m must not be negative,
// nor per 0.
func mulCeil(m metrics.Milli, by, per uint64) uint64 {
	i := product(uint64(m), by)
	i.plus(integral{lo: per - 1})
	return i.over(per)
}

// addSat returns a+b, saturated. Neither may be negative.
func addSat[T ~int64](a, b T) T {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// times returns m*n, saturated. Neither may be negative.
func times[T ~int64](m T, n int) T {
	return T(min(product(uint64(m), uint64(n)).over(1), math.MaxInt64))
}
