package calculator

import (
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/metrics"
)

// sizing is what makes a size of a ratio and a number of pods, beside these.
type sizing struct {
	current     int32
	calibration float64
	corrections correction.Set
}

// size ends the calculation with the ratio times the pods counted, rounded up.
func (p *Proposal) size(s sizing, rule Rule, ratio float64, counted int) {
	p.Counted = counted
	if counted == 0 && s.corrections.Has(correction.NoReadyPods) {
		p.Rule, p.Replicas = NoReadyPods, s.current
		return
	}
	n := timesPods(ratio, counted, s.calibration)
	guarded := rule == CorrectedRatioTimesPods || s.corrections.Has(correction.Direction)
	if guarded && (ratio < 1 && n > s.current || ratio > 1 && n < s.current) {
		p.Rule, p.Replicas = CountWouldChangeDirection, s.current
		return
	}
	p.Rule, p.Replicas = rule, n
}

// timesPods returns the ratio times the pods counted, divided by the
// calibration if there is one, and rounded up.
func timesPods(ratio float64, counted int, calibration float64) int32 {
	pods := ratio * float64(counted)
	if calibration != 0 {
		pods /= calibration
	}
	return metrics.Replicas(pods)
}

// settleCorrected ends the calculation with the corrected ratio.
func (p *Proposal) settleCorrected(tolerance metrics.Tolerance, s sizing) {
	p.Replicas = s.current
	switch {
	case tolerance.Within(p.CorrectedRatio):
		p.Rule = CorrectedWithinTolerance
		return
	case p.Ratio < 1 && p.CorrectedRatio > 1, p.Ratio > 1 && p.CorrectedRatio < 1:
		p.Rule = DirectionWouldChange
		return
	}
	// Strays count here even where their usage does not.
	counted := p.Pods.Ready + p.Pods.Strays
	if p.MissingAs != NotCounted {
		counted += p.Pods.Missing
	}
	if p.UnreadyAs != NotCounted {
		counted += p.Pods.Unready
	}
	p.size(s, CorrectedRatioTimesPods, p.CorrectedRatio, counted)
}
