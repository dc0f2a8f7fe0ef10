package lint

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// disabledScaleUp finds a size that falls and never rises again.
func (l *linter) disabledScaleUp() {
	low, usual := l.bounds.Min, min(l.facts.UsualReplicas, l.bounds.Max)
	if !l.noUp || l.noDown || low >= usual {
		return
	}
	l.find(ScaleUpDisabled, "spec.behavior.scaleUp.selectPolicy",
		fmt.Sprintf("scale up is disabled: a size that has fallen to minReplicas, %d, stays there, though %d is usual", low, usual),
		Moment{Current: low, Metric: -1, Proposed: usual, Desired: low})
}

// window finds a stabilization window that hides a whole peak: a recommendation
// from just before the peak is within it at each sync of the peak.
func (l *linter) window() {
	window, peak, period := l.upWindow, l.facts.Peak, l.facts.SyncPeriod
	low, high := max(l.bounds.Min, 1), l.bounds.Max
	if period <= 0 || peak < period || low == high || l.noUp {
		return
	}
	last := peak / period * period // sync of the peak
	if window <= last {
		return
	}
	at := func(t time.Duration, proposed int32) Moment {
		return Moment{At: t, Current: low, Metric: -1, Proposed: proposed, Desired: low}
	}
	c := []Moment{at(0, low), at(period, high)}
	if last > period {
		c = append(c, at(last, high))
	}
	l.find(WindowOutlastsPeaks, "spec.behavior.scaleUp.stabilizationWindowSeconds",
		fmt.Sprintf("the window of %s outlasts a peak of %s: a recommendation from before the peak holds the size throughout",
			words.Span(window), words.Span(peak)),
		append(c, at(last+period, low))...)
}
