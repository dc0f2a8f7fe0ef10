package stage

import (
	"strconv"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/metrics"
)

// Proposal is how the size was computed. The size is that of its stage.
type Proposal struct {
	// Rule is what ended the calculation, a calculator.Rule such as
	// "RatioTimesPods".
	Rule string `json:"rule"`
	// Ratio is the ratio that counts, and Counted the number of pods that it
	// was multiplied by, for rules that multiply.
	Ratio   Float `json:"ratio"`
	Counted int   `json:"counted,omitempty"`
	// Calibration is the share of all pods that were counted, which divides the
	// product, the quotient or status.replicas; 0 and 1 stand for all pods.
	Calibration Float `json:"calibration,omitempty"`
	// Product is the size that was not taken, for CountWouldChangeDirection.
	Product int32 `json:"product,omitempty"`
	// FromStatus reports whether a size that stays is status.replicas instead
	// of the current size.
	FromStatus bool `json:"fromStatus,omitempty"`
	// Dividend is what was divided by Divisor, the target, for UsagePerTarget.
	Dividend metrics.Quantity `json:"dividend,omitzero"`
	Divisor  metrics.Quantity `json:"divisor,omitzero"`
}

// The rules of package calculator.
const (
	withinTolerance           = "WithinTolerance"
	correctedWithinTolerance  = "CorrectedWithinTolerance"
	directionWouldChange      = "DirectionWouldChange"
	countWouldChangeDirection = "CountWouldChangeDirection"
	ratioTimesPods            = "RatioTimesPods"
	correctedRatioTimesPods   = "CorrectedRatioTimesPods"
	ratioFromZero             = "RatioFromZero"
	usagePerTarget            = "UsagePerTarget"
	noReadyPods               = "NoReadyPods"
	asProposed                = "AsProposed"
	fallback                  = "Fallback"
)

// appendTo says the size and the rule. The pod is one that counts for a ratio
// without a correction, and since is when the metric first failed.
func (p *Proposal) appendTo(w *writer, tolerance Tolerance, pod string, since time.Time) {
	ratio := tolerance.digits(float64(p.Ratio))
	w.say("\n  Proposal: %s, ", w.size())
	switch p.Rule {
	case withinTolerance:
		w.say("%s, because the ratio is within the tolerance.", p.stays())
	case correctedWithinTolerance:
		w.say("%s, because the corrected ratio is within the tolerance.", p.stays())
	case directionWouldChange:
		w.say("%s, because the correction would turn %s.", p.stays(), p.turned())
	case countWouldChangeDirection:
		w.say("%s, because %s times %s counted%s, rounded up, is %d, which would turn %s.",
			p.stays(), ratio, words.Count(p.Counted, "pod"), p.calibrated("they"), p.Product, p.turned())
	case noReadyPods:
		w.say("%s, because there are no pods to multiply the ratio by.", p.stays())
	case ratioTimesPods:
		w.say("%s times %s%s, rounded up.", ratio, words.Count(p.Counted, pod), p.calibrated("they"))
	case correctedRatioTimesPods:
		w.say("%s times %s counted%s, rounded up.", ratio, words.Count(p.Counted, "pod"), p.calibrated("they"))
	case ratioFromZero:
		w.say("the ratio, rounded up.")
	case asProposed:
		w.say("as proposed.")
	case fallback:
		w.say("the fallback, because the metric has failed since %s.", rfc3339(since))
	case usagePerTarget:
		w.say("%s divided by %s%s, rounded up.", p.Dividend, p.Divisor, p.calibrated("the pods"))
	default:
		w.say("%s.", plain(p.Rule))
	}
}

// stays is the size that stays.
func (p *Proposal) stays() string {
	if p.FromStatus {
		return "as in status.replicas" + p.calibrated("they")
	}
	return "the current size"
}

// calibrated says that the size is divided by the share that the pods are.
func (p *Proposal) calibrated(pods string) string {
	return p.Calibration.divides(", divided by the share of ", " that "+pods+" are")
}

// divides returns the number between two texts, or nothing for 0 and 1, which
// change no size.
func (f Float) divides(before, after string) string {
	if f == 0 || f == 1 {
		return ""
	}
	return before + strconv.FormatFloat(float64(f), 'g', -1, 64) + after
}

// turned names the change of direction that the rule prevents.
func (p *Proposal) turned() string {
	if p.Ratio > 1 {
		return "scaling up into scaling down"
	}
	return "scaling down into scaling up"
}
