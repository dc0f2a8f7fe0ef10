package metrics

import (
	"math"
	"math/bits"
)

// Sum adds any number of Milli without overflow, in 128 bits. Its zero value
// is 0. Kubernetes adds in 64 bits, where the memory of 1,000 pods of 100 GiB
// each already makes `sum * 100` negative.
//
// It would take 2^57 samples to leave the range. What AddSum, AddShare and
// AddTimes could bring there stops at 2^120 and -2^120.
type Sum struct {
	hi int64
	lo uint64
}

// sumEnd is the high word of 2^120: a hundred times that fits 128 bits.
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

// AddShare adds percent hundredths of m, truncated toward zero: what a missing
// pod that requests m counts as on the way down.
func (s *Sum) AddShare(m Milli, percent int64) {
	if percent == 100 {
		s.Add(m)
		return
	}
	p := product(int64(m), percent)
	negative := p.hi < 0
	if negative {
		p = p.negate()
	}
	qhi, r := bits.Div64(0, uint64(p.hi), 100)
	qlo, _ := bits.Div64(r, p.lo, 100)
	q := Sum{hi: int64(qhi), lo: qlo}
	if negative {
		q = q.negate()
	}
	s.AddSum(q)
}

// AddTimes adds n times m.
func (s *Sum) AddTimes(m Milli, n int) {
	s.AddSum(product(int64(m), int64(n)))
}

// Milli returns the sum, or the nearest Milli if it does not fit one.
func (s Sum) Milli() Milli {
	switch {
	case s.hi == 0 && s.lo <= math.MaxInt64, s.hi == -1 && s.lo > math.MaxInt64:
		return Milli(s.lo)
	case s.hi < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// Sign returns -1, 0 or 1 as the sum is negative, zero or positive.
func (s Sum) Sign() int {
	switch {
	case s.hi < 0:
		return -1
	case s.hi == 0 && s.lo == 0:
		return 0
	}
	return 1
}

// Average returns the sum divided by n, truncated toward zero to a whole
// milli-unit, as Kubernetes truncates it. The average over no sample, and over
// a negative number of them, is 0.
func (s Sum) Average(n int) Milli {
	if n <= 0 {
		return 0
	}
	if s.hi == int64(s.lo)>>63 {
		return Milli(int64(s.lo) / int64(n))
	}
	return s.quotient(Sum{lo: uint64(n)}).Milli()
}

// Percent returns the sum as a percentage of whole, truncated toward zero to a
// whole percent, as Kubernetes truncates it, and stopping at the ends of int32
// (where Kubernetes wraps around). The percentage of nothing is 0.
//
// It is the utilization of GetResourceUtilizationRatio in upstream's package
// podautoscaler/metrics.
func (s Sum) Percent(whole Sum) int32 {
	if whole.hi == 0 && whole.lo != 0 && s.hi == 0 {
		// A hundred times the sum over the whole in two words over one, which
		// processors divide in one instruction. It does not fit one word if
		// the high word of the product reaches the divisor.
		hi, lo := bits.Mul64(s.lo, 100)
		if hi == 0 {
			return int32(min(lo/whole.lo, math.MaxInt32))
		}
		if hi >= whole.lo {
			return math.MaxInt32
		}
		q, _ := bits.Div64(hi, lo, whole.lo)
		return int32(min(q, math.MaxInt32))
	}
	return s.percentSlow(whole)
}

func (s Sum) percentSlow(whole Sum) int32 {
	if whole.Sign() == 0 {
		return 0
	}
	q := s.times100().quotient(whole).Milli()
	return int32(min(max(q, math.MinInt32), math.MaxInt32))
}

func (s Sum) negate() Sum {
	lo, borrow := bits.Sub64(0, s.lo, 0)
	return Sum{hi: -s.hi - int64(borrow), lo: lo}
}

func (s Sum) times100() Sum {
	hi, lo := bits.Mul64(s.lo, 100)
	return Sum{hi: s.hi*100 + int64(hi), lo: lo}
}

// quotient returns s/t truncated toward zero; t is not zero. It is the slow
// and rare way, taken when one of them needs more than 64 bits or is negative.
func (s Sum) quotient(t Sum) Sum {
	negative := (s.hi < 0) != (t.hi < 0)
	if s.hi < 0 {
		s = s.negate()
	}
	if t.hi < 0 {
		t = t.negate()
	}
	var q, r Sum
	for i := 127; i >= 0; i-- {
		r.hi = r.hi<<1 | int64(r.lo>>63)
		r.lo = r.lo<<1 | s.bit(i)
		if r.hi > t.hi || r.hi == t.hi && r.lo >= t.lo {
			lo, borrow := bits.Sub64(r.lo, t.lo, 0)
			r = Sum{hi: r.hi - t.hi - int64(borrow), lo: lo}
			q.setBit(i)
		}
	}
	if negative {
		return q.negate()
	}
	return q
}

func (s Sum) bit(i int) uint64 {
	if i >= 64 {
		return uint64(s.hi) >> (i - 64) & 1
	}
	return s.lo >> i & 1
}

func (s *Sum) setBit(i int) {
	if i >= 64 {
		s.hi |= 1 << (i - 64)
		return
	}
	s.lo |= 1 << i
}

// product returns a*b in full.
func product(a, b int64) Sum {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// Mul64 multiplied a+2^64 for a negative a, and likewise for b.
	return Sum{hi: int64(hi) - (a>>63)&b - (b>>63)&a, lo: lo}
}
