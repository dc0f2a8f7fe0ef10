package stage

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// The names of the stages. A metric's number follows its name, as in
// "Metric 1".
const (
	NameResult        = "Result"
	NameSize          = "Size"
	NameSelector      = "Selector"
	NameMetric        = "Metric"
	NameChoice        = "Choice"
	NameStabilization = "Stabilization"
	NamePolicies      = "Policies"
	NameLimits        = "Limits"
	NameMinimum       = "Minimum"
	NameCooldown      = "Cooldown"
	NameFallback      = "Fallback"
	NameNext          = "Next"
	NameError         = "Error"
)

// MetricName returns the name of the stage of the metric with that number, from
// 1.
func MetricName(number int) string { return NameMetric + " " + strconv.Itoa(number) }

// Stage is a stage of an explanation. Its zero value has a text, too.
type Stage struct {
	// Name is the stage's name, the same in each explanation.
	Name string `json:"name"`
	// Now is the clock of the sync, which texts count from.
	Now time.Time `json:"now"`
	// Current is the size before the sync.
	Current int32 `json:"current"`
	// Low and High are the size after the stage. They differ if the size
	// depends on unknown recommendations or events. There is no upper bound
	// then if High is [math.MaxInt32]. A stage that computes no size has the
	// current one, and a metric that failed has 0.
	Low  int32 `json:"low"`
	High int32 `json:"high"`
	// Bound is what kept the size from being another one: Kubernetes' reason,
	// such as "ScaleDownStabilized" or "TooManyReplicas", or the word of an
	// enumeration of package calculator, such as "WithinTolerance". It is empty
	// if nothing did, or the reason is not known.
	Bound string `json:"bound,omitempty"`
	// Until is when time alone changes the stage. It is the zero time.Time if
	// that never happens, if the moment is not known, or if the size changes
	// before.
	Until time.Time `json:"until,omitzero"`

	// The other fields are the details of each kind of stage. One of them is
	// set.

	Result        *Result        `json:"result,omitempty"`
	Size          *Size          `json:"size,omitempty"`
	Selector      *Selector      `json:"selector,omitempty"`
	Metric        *Metric        `json:"metric,omitempty"`
	Choice        *Choice        `json:"choice,omitempty"`
	Stabilization *Stabilization `json:"stabilization,omitempty"`
	Policies      *Policies      `json:"policies,omitempty"`
	Limits        *Limits        `json:"limits,omitempty"`
	Minimum       *Minimum       `json:"minimum,omitempty"`
	Cooldown      *Cooldown      `json:"cooldown,omitempty"`
	Fallback      *Fallback      `json:"fallback,omitempty"`
	Next          *Next          `json:"next,omitempty"`
	Error         *Error         `json:"error,omitempty"`
}

// Text returns the stage as the explanation has it: lines that end with a
// newline. Those that belong to the first one are indented.
func (s Stage) Text() string {
	text, _ := s.AppendText(nil)
	return string(text)
}

// AppendText appends what Text returns. The error is nil.
func (s Stage) AppendText(dst []byte) ([]byte, error) {
	t := s.writer(append(dst, s.heading()...))
	s.appendTo(t)
	return append(t.dst, '\n'), nil
}

// Sentences returns the text for a table that has the name beside it: without
// the name, the moment of the decision, indentation, and the last newline.
func (s Stage) Sentences() string {
	t := s.writer(nil)
	s.appendTo(t)
	return strings.ReplaceAll(string(t.dst), "\n  ", "\n")
}

// MarshalJSON returns the data and the texts. The error is nil.
func (s Stage) MarshalJSON() ([]byte, error) {
	type plain Stage
	j := struct {
		plain
		Sentences string `json:"sentences"`
		Text      string `json:"text"`
	}{plain(s), s.Sentences(), s.Text()}
	j.Now, j.Until = words.JSONTime(s.Now), words.JSONTime(s.Until)
	return json.Marshal(j)
}

// writer returns a writer with what all kinds of stages share.
func (s *Stage) writer(dst []byte) *writer {
	return &writer{dst: dst, now: s.Now, current: s.Current, low: s.Low, high: s.High, bound: s.Bound, until: s.Until}
}

// heading is what a stage's text begins with.
func (s *Stage) heading() string {
	switch {
	case s.Result != nil:
		return "At " + rfc3339(s.Now) + ", "
	case s.Metric != nil && s.Metric.titled():
		return plain(s.Name) + " of " + strconv.Itoa(s.Metric.Of) + ", "
	case s.Metric != nil:
		return plain(s.Name) + " of " + strconv.Itoa(s.Metric.Of) + ": "
	}
	return plain(s.Name) + ": "
}

// appendTo writes what follows the heading, without the last newline.
func (s *Stage) appendTo(w *writer) {
	switch {
	case s.Result != nil:
		s.Result.appendTo(w)
	case s.Size != nil:
		s.Size.appendTo(w)
	case s.Selector != nil:
		s.Selector.appendTo(w)
	case s.Metric != nil:
		s.Metric.appendTo(w)
	case s.Choice != nil:
		s.Choice.appendTo(w)
	case s.Stabilization != nil:
		s.Stabilization.appendTo(w)
	case s.Policies != nil:
		s.Policies.appendTo(w)
	case s.Limits != nil:
		s.Limits.appendTo(w)
	case s.Minimum != nil:
		s.Minimum.appendTo(w)
	case s.Cooldown != nil:
		s.Cooldown.appendTo(w)
	case s.Fallback != nil:
		s.Fallback.appendTo(w)
	case s.Next != nil:
		s.Next.appendTo(w)
	case s.Error != nil:
		s.Error.appendTo(w)
	default:
		w.say("%s.", w.size())
	}
}
