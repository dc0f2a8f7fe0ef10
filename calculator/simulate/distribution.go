package simulate

import (
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/purehpa/hpa/behavior/field"
)

// Distribution draws random durations. Draws must depend on the generator
// alone. Negative ones count as 0.
type Distribution interface {
	// Draw returns the next duration.
	Draw(r *Rand) time.Duration
}

// Fixed always draws the same duration.
type Fixed time.Duration

// Draw returns f.
func (f Fixed) Draw(*Rand) time.Duration { return time.Duration(f) }

// Uniform draws from Min to Max, inclusive, all equally likely. If Max is below
// Min, it draws Min.
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

// Exponential draws the time to an event that is equally likely at any moment,
// such as a crash. Mean is the average. No draw exceeds 44.4 times the mean.
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
	// x/2^63 is in [1, 2). Squaring x doubles its binary logarithm, which moves
	// the next bit above 1.
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

// Quantile is a point of a measured distribution: Percent of all durations are
// not longer than Duration.
type Quantile struct {
	// Percent is from 0 to 100.
	Percent float64
	// Duration is not negative.
	Duration time.Duration
}

// Quantiles is a measured distribution, such as p50, p90 and p99, in ascending
// order. Between two quantiles all durations are equally likely. Below the
// first one it draws the first, above the last one the last.
type Quantiles []Quantile

// Draw returns the next duration; 0 without quantiles.
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
		return q[i-1].Duration + time.Duration(product(uint64(span), u-from).over(to-from))
	}
	return q[len(q)-1].Duration
}

// Multiple multiplies the draws of another distribution, for what-if runs such
// as "pods start twice as slowly". The result saturates. A negative Factor
// counts as 0.
type Multiple struct {
	Of     Distribution
	Factor int32
}

// Draw returns the next duration.
func (m Multiple) Draw(r *Rand) time.Duration {
	return times(draw(m.Of, r), int(max(m.Factor, 0)))
}

// draw returns what d draws, 0 for nil and for negative durations.
func draw(d Distribution, r *Rand) time.Duration {
	if d == nil {
		return 0
	}
	return max(d.Draw(r), 0)
}

// checkDistribution returns what is wrong with a distribution of this package.
func checkDistribution(path string, d Distribution) error {
	v := pointee(d)
	if v == nil && d != nil {
		return field.Required(path, "")
	}
	switch d := v.(type) {
	case Fixed:
		if d < 0 {
			return negative(path, time.Duration(d))
		}
	case Uniform:
		switch {
		case d.Min < 0:
			return negative(path+".min", d.Min)
		case d.Max < d.Min:
			return field.Invalid(path+".max", d.Max.String(), "must not be less than min, "+d.Min.String())
		}
	case Exponential:
		if d.Mean < 0 {
			return negative(path+".mean", d.Mean)
		}
	case Quantiles:
		for i, q := range d {
			at := fmt.Sprintf("%s[%d]", path, i)
			switch {
			case !(q.Percent >= 0 && q.Percent <= 100):
				return field.Invalid(at+".percent", q.Percent, "must be between 0 and 100")
			case q.Duration < 0:
				return negative(at+".duration", q.Duration)
			case i > 0 && q.Percent <= d[i-1].Percent:
				return field.Invalid(at+".percent", q.Percent, "must be greater than the one before it")
			case i > 0 && q.Duration < d[i-1].Duration:
				return field.Invalid(at+".duration", q.Duration.String(), "must not be less than the one before it")
			}
		}
	case Multiple:
		if d.Factor < 0 {
			return field.Invalid(path+".factor", d.Factor, mustNotBeNegative)
		}
		return checkDistribution(path+".of", d.Of)
	}
	return nil
}
