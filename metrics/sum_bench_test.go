package metrics_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/purehpa/hpa/metrics"
)

// BenchmarkSumPercent is one metric's share of a sync, of sums that fit one
// word and of sums that need two.
func BenchmarkSumPercent(b *testing.B) {
	for _, bb := range []struct {
		name        string
		part, whole metrics.Milli
		times       int
	}{
		{"words=1", 450_000, 500_000, 1},
		{"words=1/product=2", math.MaxInt64, math.MaxInt64 - 7, 1},
		{"words=1/negative", -450_000, 500_000, 1},
		{"words=2", math.MaxInt64, math.MaxInt64 - 7, 1000},
	} {
		var part, whole metrics.Sum
		part.AddTimes(bb.part, bb.times)
		whole.AddTimes(bb.whole, bb.times)
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				part.Percent(whole)
			}
		})
	}
}

func BenchmarkSumAverage(b *testing.B) {
	for words, times := range []int{1, 1000} {
		var sum metrics.Sum
		sum.AddTimes(math.MaxInt64, times)
		b.Run(fmt.Sprintf("words=%d", 1+words), func(b *testing.B) {
			for b.Loop() {
				sum.Average(1000)
			}
		})
	}
}

func BenchmarkSumAddShare(b *testing.B) {
	var sum metrics.Sum
	for b.Loop() {
		sum.AddShare(500, 120)
	}
}
