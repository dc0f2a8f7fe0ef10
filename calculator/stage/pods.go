package stage

import (
	"encoding/json"

	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/podgroup"
)

// Pods counts the pods of each class.
type Pods struct {
	Ready   int `json:"ready"`
	Unready int `json:"unready"`
	Missing int `json:"missing"`
	Ignored int `json:"ignored"`
	// Strays counts the samples of pods that are not listed.
	Strays int `json:"strays"`
	// Reasons counts the pods that are not ready by why.
	Reasons Reasons `json:"reasons,omitzero"`
}

// Reasons counts pods by reason. Its JSON is an object with a key for each
// reason that any pod has, such as {"PhasePending":2}.
type Reasons podgroup.ReasonCounts

// MarshalJSON returns the object.
func (r Reasons) MarshalJSON() ([]byte, error) {
	counts := map[podgroup.Reason]int32{}
	for reason, n := range r {
		if n != 0 {
			counts[podgroup.Reason(reason)] = n
		}
	}
	return json.Marshal(counts)
}

// UnmarshalJSON reads the object. The error of an unknown reason is a
// [*podgroup.WordError].
func (r *Reasons) UnmarshalJSON(data []byte) error {
	var counts map[podgroup.Reason]int32
	if err := json.Unmarshal(data, &counts); err != nil {
		return err
	}
	*r = Reasons{}
	for reason, n := range counts {
		if int(reason) >= len(r) {
			return &podgroup.WordError{Type: "podgroup.Reason", Word: reason.String()}
		}
		r[reason] = n
	}
	return nil
}

// appendTo says how many pods there are of each class, and why they are not
// ready, after a word for many pods or for one.
func (p *Pods) appendTo(w *writer, many, one string) {
	all := p.Ready + p.Unready + p.Missing + p.Ignored
	if all == 1 {
		many = one
	}
	w.say("%s%s", many, words.Count(all, "pod"))
	if all > 0 && p.Ready == all {
		w.say(", all ready")
	} else {
		p.appendClasses(w)
	}
	if p.Strays > 0 {
		w.say(", and %s of pods that are not listed", words.Count(p.Strays, "sample"))
	}
	w.say(".")
	if !w.until.IsZero() {
		w.say(" The first unready one counts as ready from %s.", w.moment(w.until))
	}
}

func (p *Pods) appendClasses(w *writer) {
	separator := ": "
	for _, part := range [...]struct {
		n     int
		what  string
		class podgroup.Class
	}{
		{p.Ready, "ready", podgroup.Ready}, {p.Unready, "unready", podgroup.Unready},
		{p.Missing, "missing", podgroup.Missing}, {p.Ignored, "ignored", podgroup.Ignored},
	} {
		if part.n == 0 {
			continue
		}
		w.say("%s%d %s", separator, part.n, part.what)
		if why := podgroup.ReasonCounts(p.Reasons).Text(part.class); why != "" {
			w.say(" (%s)", why)
		}
		separator = ", "
	}
}

// measured names the pods whose samples count.
func (p *Pods) measured() string {
	s := words.Count(p.Ready, "ready pod")
	if p.Strays > 0 {
		s += " and " + words.Count(p.Strays, "pod") + " not listed"
	}
	return s
}
