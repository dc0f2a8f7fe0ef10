package calculator

import (
	"fmt"
	"strconv"
	"time"

	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/release"
)

// String returns the text of AppendText.
func (d Decision) String() string {
	text, _ := d.AppendText(nil)
	return string(text)
}

// AppendText appends the decision in sentences for people who know Kubernetes:
// first what becomes of the size, then one stage of the calculation a line, in
// order, each with the size after it and what bound it there. What belongs to
// the stage above it is indented. Every line ends with a newline. The error is
// nil.
//
// Amounts are Kubernetes quantities, times are RFC 3339 in UTC, and ratios have
// four digits, or as many more as it takes to see on which side of the tolerance
// they are. The same decision gives the same text; another release may word it
// differently, so machines are better served by MarshalJSON.
func (d Decision) AppendText(dst []byte) ([]byte, error) {
	t := text{d: &d, dst: dst}
	t.headline()
	if d.Zone != NoZone {
		t.zone()
		t.selector()
		for i := range d.Proposals {
			t.metric(i)
		}
		t.choice()
		if d.normalized() {
			t.stabilization()
			t.limits()
			t.raisedToMin()
			t.cooldown()
		}
		t.next()
		t.err()
	}
	return t.dst, nil
}

// text is a decision being written.
type text struct {
	d   *Decision
	dst []byte
}

// say appends a formatted text.
func (t *text) say(format string, args ...any) { t.dst = fmt.Appendf(t.dst, format, args...) }

// at says when the decision was made, and as which release if not as the newest.
func (t *text) at() {
	t.say("At %s, ", rfc3339(t.d.Now))
	if r := t.d.Release; !r.IsZero() {
		t.say("as Kubernetes %s, ", r)
	}
}

func (t *text) headline() {
	d := t.d
	t.at()
	change := strconv.Itoa(int(d.CurrentReplicas)) + " to " + replicas(d.DesiredReplicas)
	switch {
	case d.Zone == NoZone && d.inputErr != nil:
		t.say("there is no decision: the input is not valid: %s.\n", plain(d.inputErr.Error()))
	case d.Zone == NoZone && d.scaleErr.err != nil:
		t.say("there is no decision: the scale could not be read: %s.\n", plain(d.scaleErr.text))
	case d.Zone == NoZone:
		t.say("there is no decision.\n")
	case !d.Rescale && d.blocked():
		t.say("the size stays at %s, because no size could be computed.\n", replicas(d.CurrentReplicas))
	case !d.Rescale:
		t.say("the size stays at %s.\n", replicas(d.CurrentReplicas))
	case d.Outcome == OutcomeWritten:
		t.say("the size was changed from %s: %s.\n", change, t.why())
	case d.Outcome == OutcomeNotWritten:
		t.say("the size should have changed from %s (%s), but it could not be written: %s.\n", change, t.why(), plain(d.writeErr.text))
	default:
		t.say("the size is to be changed from %s: %s.\n", change, t.why())
	}
}

// why is Kubernetes' reason for the change.
func (t *text) why() string {
	if t.d.Reason == NoReason {
		return "no metric asks for it, but stabilization or a bound does"
	}
	if s := t.d.ReasonText(); s != "" {
		return plain(s)
	}
	return plain(string(t.d.Reason))
}

func (t *text) zone() {
	d := t.d
	current := replicas(d.CurrentReplicas)
	switch d.Zone {
	case ZoneNormal:
		t.say("Size: %s, within the bounds of %d to %d, so the metrics decide.\n", current, d.MinReplicas, d.MaxReplicas)
	case ZoneDisabled:
		t.say("Size: %s in spec.replicas. Scaling is disabled until somebody sets another size", current)
		if !d.as.Has(release.NoScaleToZero) && !d.as.Has(release.ZeroByMinReplicas) {
			t.say(", because the autoscaler did not scale to zero itself")
		}
		t.say(".\n")
	case ZoneFromZero:
		t.say("Size: %s. The autoscaler scaled to zero itself, so the metrics decide whether it scales up again, within the bounds of %d to %d.\n",
			current, d.MinReplicas, d.MaxReplicas)
	case ZoneAboveMax:
		t.say("Size: %s, above the maximum of %d. %s\n", current, d.MaxReplicas, t.toTheBound())
	case ZoneBelowMin:
		t.say("Size: %s, below the minimum of %d. %s\n", current, d.MinReplicas, t.toTheBound())
	default:
		t.say("Size: %s, %s.\n", current, d.Zone)
	}
	t.release("", d.Differences&release.Differences(release.ZeroByMinReplicas|release.NoScaleToZero))
	t.corrections("", d.Corrections&correction.Of(correction.Bounds))
}

// toTheBound says how a size outside of the bounds gets there.
func (t *text) toTheBound() string {
	if t.d.Corrections.Has(correction.Bounds) {
		return "It goes there by windows and policies: no metric counts."
	}
	return "It goes straight there: no metric, window or policy counts."
}

// release says what of the differences of the release made another size.
func (t *text) release(indent string, differences release.Differences) {
	for d := range differences.All() {
		if row := d.Row(); row.Kind == release.Decides {
			t.say("%sRelease: Kubernetes %s %s; %s %s.\n", indent, t.d.Release, row.Did, release.Release{}, row.Does)
		}
	}
}

// corrections says what the corrections made otherwise.
func (t *text) corrections(indent string, corrections correction.Set) {
	for c := range corrections.All() {
		t.say("%sCorrected: %s %s; Kubernetes %s.\n", indent, c, c.Row().Does, c.Row().Did)
	}
}

func (t *text) selector() {
	if e := &t.d.selector; e.failed {
		t.say("Selector: no metric can be computed: %s.\n", plain(string(e.appendText(nil, t.d.as))))
	}
}

// choice says which proposal decides, and what the others are.
func (t *text) choice() {
	d := t.d
	n := len(d.Proposals)
	if n == 0 {
		return
	}
	if d.Choice.Blocked {
		t.blockedChoice()
		return
	}
	size := replicas(d.Choice.Replicas)
	if n == 1 {
		t.say("Choice: %s, by the only metric.\n", size)
		return
	}
	t.say("Choice: %s, by metric %d, the %s proposal.", size, d.Choice.Metric+1, d.Choosing.word())
	said := 0
	for i := range d.Proposals {
		if i == d.Choice.Metric {
			continue
		}
		word := ", metric"
		if said == 0 {
			word = " Metric"
		}
		said++
		if d.Proposals[i].Failed() {
			t.say("%s %d failed", word, i+1)
		} else {
			t.say("%s %d asks for %d", word, i+1, d.Proposals[i].Replicas)
		}
	}
	if said > 0 {
		t.say(".")
	}
	switch {
	case d.Choice.Invalid == 0:
	case d.Choosing == ChooseMin:
		t.say(" A metric that failed keeps the size from rising, not from falling.")
	case d.Choosing == ChooseMax || d.Choice.FirstFailed < d.Choice.Metric:
		t.say(" A metric that failed keeps the size from falling, not from rising.")
	}
	t.say("\n")
}

// word says which proposal decides.
func (c Choosing) word() string {
	switch c {
	case ChooseMin:
		return "smallest"
	case ChooseFirst:
		return "first"
	}
	return "largest"
}

func (t *text) blockedChoice() {
	d := t.d
	n := len(d.Proposals)
	var answered []Proposal
	for i := range d.Proposals {
		if p := &d.Proposals[i]; !p.Failed() {
			answered = append(answered, *p)
		}
	}
	decides := d.Choosing.Choose(d.CurrentReplicas, answered)
	which, size := d.Choosing.word(), replicas(decides.Replicas)
	asked, must := "more", "fall"
	if d.Choosing == ChooseMin {
		asked, must = "less", "rise"
	}
	switch {
	case n == 1:
		t.say("Choice: none, because the only metric failed.\n")
	case d.Choice.Invalid >= n:
		t.say("Choice: none, because all metrics failed.\n")
	case d.Choice.Invalid == 1:
		t.say("Choice: none. The %s proposal is %s, but metric %d failed and might have asked for %s, so the size must not %s.\n",
			which, size, d.Choice.FirstFailed+1, asked, must)
	default:
		t.say("Choice: none. The %s proposal is %s, but %d metrics failed and might have asked for %s, so the size must not %s.\n",
			which, size, d.Choice.Invalid, asked, must)
	}
}

// next says when time alone changes something. Once the size is written, the
// next sync starts from another one.
func (t *text) next() {
	d := t.d
	switch {
	case d.Rescale:
	case d.Until.IsZero():
		t.say("Next: the decision stays the same until something other than the time changes.\n")
	default:
		t.say("Next: the decision stays the same until %s, unless something other than the time changes.\n", t.until(d.Until))
	}
}

// err says what Kubernetes' sync returns.
func (t *text) err() {
	if t.d.Outcome == OutcomeNotWritten {
		return
	}
	if s := t.d.errText(); s != "" {
		t.say("Error: %s.\n", plain(s))
	}
}

// errText is the text of Err, "" if there is no error.
func (d *Decision) errText() string {
	if err := d.Err(); err != nil {
		return err.Error()
	}
	return ""
}

// replicas is a number with its unit.
func replicas(n int32) string { return words.Count(n, "replica") }

// rfc3339 is a time in RFC 3339.
func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// until is a moment to come and how far away it is. One that lies a nanosecond
// after a round time is the end of a window that counts its last moment, too.
func (t *text) until(at time.Time) string {
	word := ""
	if at.Nanosecond()%1000 == 1 {
		word, at = "just after ", at.Add(-1)
	}
	left := at.Sub(t.d.Now)
	if left <= 0 {
		return word + "now"
	}
	return word + rfc3339(at) + ", in " + words.Span(left)
}

// ago is a moment that has passed and how long ago it was.
func (t *text) ago(at time.Time) string {
	age := t.d.Now.Sub(at)
	if age <= 0 {
		return "just now"
	}
	return words.Span(age) + " ago, at " + rfc3339(at)
}

// plain replaces control characters with spaces.
func plain(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c < ' ' || c == 0x7f {
			b[i] = ' '
		}
	}
	return string(b)
}
