package simulate

import (
	"math"
	"math/bits"
	"time"
)

// Distribution is how long something takes that does not always take as long.
// What it draws may depend on nothing but the generator; negative durations
// count as zero.
//
// Where a Distribution is asked for, nil stands for no time at all, unless it
// says otherwise.
type Distribution interface {
	Draw(r *Rand) time.Duration
}

// Fixed always takes as long.
type Fixed time.Duration

// Draw returns f.
func (f Fixed) Draw(*Rand) time.Duration { return time.Duration(f) }

// Uniform takes from Min to Max, all equally likely. If Max is below Min, it
// takes Min.
type Uniform struct {
	Min, Max time.Duration
}

// Draw returns the next duration.
func (u Uniform) Draw(r *Rand) time.Duration {
	if u.Max <= u.Min {
		return u.Min
	}
	return u.Min + time.Duration(r.Below(uint64(u.Max-u.Min)+1))
}

// Exponential is the time to something that may happen at any moment, such as
// a crash: Mean is how long that takes on average. Arithmetic is in integers,
// so that it is the same everywhere; no draw exceeds 44.4 times the mean.
type Exponential struct {
	Mean time.Duration
}

// Draw returns the next duration.
func (e Exponential) Draw(r *Rand) time.Duration {
	if e.Mean <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(e.Mean), negativeLog(r.Uint64()))
	if hi >= 1<<31 {
		return math.MaxInt64
	}
	return time.Duration(hi<<32 | lo>>32)
}

// negativeLog returns -ln((u+1)/2^64) in units of 2^-32.
func negativeLog(u uint64) uint64 {
	u++
	if u == 0 {
		return 0 // ln 1
	}
	zeros := bits.LeadingZeros64(u)
	// x/2^63 lies in [1, 2). Its binary logarithm comes bit by bit: squaring
	// doubles it, and carries a bit over 1.
	x := u << zeros
	var fraction uint64
	for range 32 {
		hi, lo := bits.Mul64(x, x)
		fraction <<= 1
		if hi>>63 == 1 {
			fraction |= 1
			x = hi
		} else {
			x = hi<<1 | lo>>63
		}
	}
	// -log2 of u/2^64 is zeros+1 less the fraction.
	const ln2 = 0xb17217f8 // in units of 2^-32
	hi, lo := bits.Mul64(uint64(zeros+1)<<32-fraction, ln2)
	return hi<<32 | lo>>32
}

// Quantile is a point of a measured distribution: Percent of all take no longer
// than Duration.
type Quantile struct {
	// Percent is from 0 to 100.
	Percent float64
	// Duration is not negative.
	Duration time.Duration
}

// Quantiles is a measured distribution: p50, p90, p99 and the like, in ascending
// order of both. Between two of them all durations are equally likely; below
// the first one it takes as long as that, and beyond the last one as long as
// the last.
type Quantiles []Quantile

// Draw returns the next duration. That of no quantiles is zero.
func (q Quantiles) Draw(r *Rand) time.Duration {
	if len(q) == 0 {
		return 0
	}
	u := r.Uint64()
	if u <= uint64(chanceOf(q[0].Percent/100)) {
		return q[0].Duration
	}
	for i := 1; i < len(q); i++ {
		from, to := uint64(chanceOf(q[i-1].Percent/100)), uint64(chanceOf(q[i].Percent/100))
		if u > to || to <= from {
			continue
		}
		span := q[i].Duration - q[i-1].Duration
		if span <= 0 {
			return q[i].Duration
		}
		hi, lo := bits.Mul64(uint64(span), u-from)
		part, _ := bits.Div64(hi, lo, to-from)
		return q[i-1].Duration + time.Duration(part)
	}
	return q[len(q)-1].Duration
}

// problem returns what is wrong with the quantiles, "" if nothing is.
func (q Quantiles) problem() string {
	for i := range q {
		switch p := q[i].Percent; {
		case !(p >= 0 && p <= 100):
			return "a quantile is not between 0 and 100 percent"
		case q[i].Duration < 0:
			return "a quantile is negative"
		case i > 0 && (p <= q[i-1].Percent || q[i].Duration < q[i-1].Duration):
			return "the quantiles are not in ascending order"
		}
	}
	return ""
}

// Times is a distribution that takes Factor times as long as Of. A factor that
// is negative counts as zero; what does not fit stops there.
type Times struct {
	Of     Distribution
	Factor int32
}

// Draw returns the next duration.
func (t Times) Draw(r *Rand) time.Duration {
	d := draw(t.Of, r)
	if t.Factor <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(d), uint64(t.Factor))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(lo)
}

// draw returns what d draws, zero for nil and for negative durations.
func draw(d Distribution, r *Rand) time.Duration {
	if d == nil {
		return 0
	}
	return max(d.Draw(r), 0)
}
