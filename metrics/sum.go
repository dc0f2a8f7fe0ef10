package metrics

import (
	"math"
	"math/bits"
)

// Sum adds amounts without overflow, in 128 bits. The zero Sum is 0. In
// Kubernetes' 64 bits, 100 GiB in each of 1,000 pods is -143%.
//
// Add and Sub could only overflow after 2^57 calls. AddSum, AddShare and
// AddTimes saturate at ±2^120.
type Sum struct {
	hi int64
	lo uint64
}

// sumEnd is the high word of 2^120. A hundred times that fits 128 bits.
const sumEnd = 1 << 56

// Add adds m.
func (s *Sum) Add(m Milli) {
	lo, carry := bits.Add64(s.lo, uint64(m), 0)
	s.lo = lo
	s.hi += int64(m>>63) + int64(carry)
}

// Sub subtracts m.
func (s *Sum) Sub(m Milli) {
	lo, borrow := bits.Sub64(s.lo, uint64(m), 0)
	s.lo = lo
	s.hi -= int64(m>>63) + int64(borrow)
}

// AddSum adds t.
func (s *Sum) AddSum(t Sum) {
	lo, carry := bits.Add64(s.lo, t.lo, 0)
	s.lo = lo
	s.hi += t.hi + int64(carry)
	switch {
	case s.hi >= sumEnd:
		*s = Sum{hi: sumEnd}
	case s.hi < -sumEnd:
		*s = Sum{hi: -sumEnd}
	}
}

// AddShare adds percent hundredths of m, truncated toward zero. It is the usage
// assumed for a missing pod that requests m, when scaling down.
func (s *Sum) AddShare(m Milli, percent int64) {
	if percent == 100 {
		s.Add(m)
		return
	}
	s.AddSum(product(int64(m), percent).quotient(Sum{lo: 100}))
}

// AddTimes adds n*m.
func (s *Sum) AddTimes(m Milli, n int) {
	s.AddSum(product(int64(m), int64(n)))
}

// Milli returns the sum as a Milli, saturated.
func (s Sum) Milli() Milli {
	switch {
	case s.hi == 0 && s.lo <= math.MaxInt64, s.hi == -1 && s.lo > math.MaxInt64:
		return Milli(s.lo)
	case s.hi < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// Sign returns -1, 0 or 1 for a negative, zero or positive sum.
func (s Sum) Sign() int {
	switch {
	case s.hi < 0:
		return -1
	case s.hi == 0 && s.lo == 0:
		return 0
	}
	return 1
}

// Average returns sum / n, truncated toward zero to a whole milli-unit as in
// Kubernetes, and saturated. It is 0 if n is not positive.
func (s Sum) Average(n int) Milli {
	if n <= 0 {
		return 0
	}
	return s.quotient(Sum{lo: uint64(n)}).Milli()
}

// Percent returns the sum as a percentage of whole, truncated toward zero to a
// whole percent as in Kubernetes, and saturated. If whole is 0, so is the
// result.
//
// It is the utilization of GetResourceUtilizationRatio in upstream's
// podautoscaler/metrics, which wraps around instead.
func (s Sum) Percent(whole Sum) int32 {
	hi, lo := bits.Mul64(s.lo, 100)
	if s.hi == 0 && whole.hi == 0 && hi < whole.lo {
		// The usual case: one word each.
		q, _ := bits.Div64(hi, lo, whole.lo)
		return int32(min(q, math.MaxInt32))
	}
	if whole.Sign() == 0 {
		return 0
	}
	q := Sum{hi: s.hi*100 + int64(hi), lo: lo}.quotient(whole).Milli()
	return int32(min(max(q, math.MinInt32), math.MaxInt32))
}

// times returns n*s, n not negative, in floating point: exact up to 2^53, the
// nearest beyond.
func (s Sum) times(n int32) float64 {
	whole := s.abs()
	carry, lo := bits.Mul64(whole.lo, uint64(n))
	// The conversions keep the processor from fusing the two operations.
	f := float64((float64(whole.hi)*float64(n)+float64(carry))*(1<<64)) + float64(lo)
	if s.hi < 0 {
		return -f
	}
	return f
}

func (s Sum) negate() Sum {
	lo, borrow := bits.Sub64(0, s.lo, 0)
	return Sum{hi: -s.hi - int64(borrow), lo: lo}
}

func (s Sum) abs() Sum {
	if s.hi < 0 {
		return s.negate()
	}
	return s
}

// quotient returns s/t truncated toward zero. t is not zero.
func (s Sum) quotient(t Sum) Sum {
	negative := s.hi^t.hi < 0
	s, t = s.abs(), t.abs()
	var q Sum
	if t.hi == 0 {
		rest := uint64(s.hi)
		if rest >= t.lo {
			q.hi, rest = int64(rest/t.lo), rest%t.lo
		}
		q.lo, _ = bits.Div64(rest, s.lo, t.lo)
	} else {
		q.lo = s.longQuotient(t)
	}
	if negative {
		return q.negate()
	}
	return q
}

// longQuotient is quotient for s >= 0 and t >= 2^64.
func (s Sum) longQuotient(t Sum) uint64 {
	// Dividing by the first 64 bits of t alone gives a quotient that is right
	// or one too great. Halving s keeps that quotient within 64 bits.
	n := bits.LeadingZeros64(uint64(t.hi))
	first := uint64(t.hi)<<n | t.lo>>(64-n)
	q, _ := bits.Div64(uint64(s.hi)>>1, uint64(s.hi)<<63|s.lo>>1, first)
	q >>= 63 - n
	hi, lo := bits.Mul64(q, t.lo)
	_, borrow := bits.Sub64(s.lo, lo, 0)
	if _, borrow = bits.Sub64(uint64(s.hi), hi+q*uint64(t.hi), borrow); borrow != 0 {
		q--
	}
	return q
}

// product returns a*b.
func product(a, b int64) Sum {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// Mul64 multiplied a+2^64 for a negative a, and likewise for b.
	return Sum{hi: int64(hi) - (a>>63)&b - (b>>63)&a, lo: lo}
}

// saturatedMilli returns the Milli nearest to ±magnitude.
func saturatedMilli(negative bool, magnitude uint64) Milli {
	s := Sum{lo: magnitude}
	if negative {
		s = s.negate()
	}
	return s.Milli()
}
