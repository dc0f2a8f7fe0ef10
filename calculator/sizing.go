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
	p.Counted, p.Calibration = counted, s.calibration
	if counted == 0 && s.corrections.Has(correction.NoReadyPods) {
		p.Rule, p.Replicas = NoReadyPods, s.current
		return
	}
	n := p.timesPods(ratio)
	guarded := rule == CorrectedRatioTimesPods || s.corrections.Has(correction.Direction)
	if guarded && (ratio < 1 && n > s.current || ratio > 1 && n < s.current) {
		p.Rule, p.Replicas = CountWouldChangeDirection, s.current
		return
	}
	p.Rule, p.Replicas = rule, n
}

// timesPods returns the ratio times the pods counted, divided by the calibration and
// rounded up.
func (p *Proposal) timesPods(ratio float64) int32 {
	pods := ratio * float64(p.Counted)
	if p.Calibration != 0 {
		pods /= p.Calibration
	}
	return metrics.Replicas(pods)
}
