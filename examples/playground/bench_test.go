package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkFirstAnswer is the time from a loaded page to its first answer, with
// the compressed engine of an exported site.
func BenchmarkFirstAnswer(b *testing.B) {
	s, err := build(context.Background(), true)
	require.NoError(b, err)
	p := s.open(b, "")
	sum := 0.0
	for b.Loop() {
		p.visit("")
		sum += js[float64](p, `performance.getEntriesByName("answered")[0].startTime - performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`)
	}
	b.ReportMetric(sum/float64(b.N), "ms/answer")
}

// BenchmarkDay is the time from the movement of a slider until a day of 5,760
// syncs is computed and drawn again.
func BenchmarkDay(b *testing.B) {
	p := open(b, "")
	p.fill("preset", "day")
	p.until(`document.getElementById("syncs").textContent === "of 5761"`)
	sum, n := 0.0, 0
	for b.Loop() {
		n++
		js[bool](p, `performance.clearMeasures(), true`)
		p.fill("knob-startup", fmt.Sprint(20+n%60))
		p.until(`performance.getEntriesByName("recompute").length > 0`)
		sum += js[float64](p, `performance.getEntriesByName("recompute").at(-1).duration`)
	}
	b.ReportMetric(sum/float64(b.N), "ms/day")
}
