package behavior

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// MaxEvents is the most scale events of each direction that [Events] holds,
// more than one a second over [MaxPeriodSeconds].
//
// If they are full, the two events closest in time are merged into one,
// scale-ups at the earlier and scale-downs at the later time. So full Events
// may allow a scale-down later, and never sooner.
const MaxEvents = 2048

// Event is a scale event: when pods were added or removed, and how many. It is
// stale if the next event of its direction may take its place.
type Event = series.Entry

// Events is the history of one autoscaler's scale events, which policies look
// back on. The zero Events is empty and ready to use. Copies share memory;
// [Events.Clone] does not.
//
// It is scaleUpEvents and scaleDownEvents of kube-controller-manager.
type Events struct {
	added, removed series.Series
}

// Record adds the event that the size was changed at now. Call it once the
// change was written. It does nothing if b is nil or from equals to.
//
// An event older than the longest period of its own direction's policies
// becomes stale: the next event of that direction takes its place. Until then
// the policies of both directions see it. Record advances the clock first, as
// [Events.Advance] does.
//
// It is upstream's storeScaleEvent.
func (e *Events) Record(now time.Time, from, to int32, b *Behavior) {
	if b != nil {
		e.RecordWithin(now, from, to, b.LongestPeriods())
	}
}

// RecordWithin is for this library's own packages, outside of the promise of
// compatibility. It is [Events.Record] for rules of which only the longest
// periods are at hand. It does nothing if from equals to.
func (e *Events) RecordWithin(now time.Time, from, to int32, longest Periods) {
	if from == to {
		return
	}
	e.advance(now, longest)
	change := series.Clamp(max(int64(to)-int64(from), -math.MaxInt32))
	if change > 0 {
		e.added.MarkStale(now, longest.Up)
		e.added.Record(now, change, longest.Up, MaxEvents, series.MergeSumEarlier)
		return
	}
	e.removed.MarkStale(now, longest.Down)
	e.removed.Record(now, -change, longest.Down, MaxEvents, series.MergeSumLater)
}

// Advance forgets events older than [MaxPeriodSeconds], or than a longer period
// of b, and changes the time of those dated after now to now. A nil b has no
// periods. Record does so, too: call Advance in a sync without a change.
func (e *Events) Advance(now time.Time, b *Behavior) {
	if e.added.Places()+e.removed.Places() > 0 {
		e.advance(now, b.LongestPeriods())
	}
}

func (e *Events) advance(now time.Time, longest Periods) {
	horizon := max(time.Duration(MaxPeriodSeconds)*time.Second, longest.Up, longest.Down)
	e.added.Advance(now, horizon)
	e.removed.Advance(now, horizon)
}

// Len returns the number of events, stale ones included; 0 for nil.
func (e *Events) Len() int {
	if e == nil {
		return 0
	}
	return e.added.Len() + e.removed.Len()
}

// Added returns the scale-ups, oldest place first, in pods added. That is the
// order of time only until one takes the place of an older one.
func (e *Events) Added() iter.Seq[Event] { return e.added.All() }

// Removed returns the scale-downs, oldest place first, in pods removed.
func (e *Events) Removed() iter.Seq[Event] { return e.removed.All() }

// Clone returns a copy that shares no memory with e.
func (e *Events) Clone() Events { return Events{e.added.Clone(), e.removed.Clone()} }

// Equal reports whether both would give the same answers forever.
func (e *Events) Equal(other *Events) bool {
	return e.added.Equal(&other.added) && e.removed.Equal(&other.removed)
}

// Periods are the longest period of each direction's policies, after which its
// events become stale.
type Periods struct{ Up, Down time.Duration }

// LongestPeriods returns the longest period of each direction's policies. Nil
// rules are the default ones; a nil b has no periods.
func (b *Behavior) LongestPeriods() Periods {
	if b == nil {
		return Periods{}
	}
	return Periods{Up: b.ScaleUp.longestPeriod(up), Down: b.ScaleDown.longestPeriod(down)}
}

func (r *ScalingRules) longestPeriod(d direction) time.Duration {
	if r == nil {
		r = d.defaults()
	}
	var longest int32
	for i := range r.Policies {
		longest = max(longest, r.Policies[i].PeriodSeconds)
	}
	return time.Duration(longest) * time.Second
}

// MarshalJSON returns the events of each direction, oldest place first:
//
//	{"added": [{"time": "2026-07-01T12:00:00Z", "replicas": 4}], "removed": []}
//
// Stale events have "stale": true, and {"vacant": 1} is the place of a
// forgotten one. Times are RFC 3339 to the nanosecond. The same Events always
// give the same bytes. The error is nil.
func (e Events) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Added   series.Series `json:"added"`
		Removed series.Series `json:"removed"`
	}{e.added, e.removed})
}

// UnmarshalJSON reads what MarshalJSON writes, and times in any location. A
// list that is left out is empty. Unknown fields are refused, and values that
// no scale event has; see [codec.UnmarshalStrict] for what is accepted. The
// error is a *[codec.Error], or a *json.SyntaxError if data is not JSON. On an
// error e is unchanged.
func (e *Events) UnmarshalJSON(data []byte) error {
	const typ = "behavior.Events"
	var j struct{ Added, Removed series.Series }
	if err := codec.UnmarshalStrict(typ, data, &j); err != nil {
		return err
	}
	for i, s := range []*series.Series{&j.Added, &j.Removed} {
		if problem := checkEvents(s); problem != "" {
			return codec.JSONError(typ, eventsField(i), "%s", problem)
		}
	}
	*e = Events{j.Added, j.Removed}
	return nil
}

func eventsField(i int) string { return [...]string{"added", "removed"}[i] }

// checkEvents returns what is wrong with a series that Record did not make.
func checkEvents(s *series.Series) (problem string) {
	if n := s.Places(); n > MaxEvents {
		return fmt.Sprintf("%d events, more than %d", n, MaxEvents)
	}
	for event := range s.All() {
		if event.Value < 1 {
			return fmt.Sprintf("%d is not a number of pods", event.Value)
		}
	}
	return ""
}

// AppendBinary is for this library's own packages, outside of the promise of
// compatibility. It appends the events in a compact form, for an encoding that
// contains it: it has neither tag nor version.
func (e Events) AppendBinary(dst []byte) []byte {
	return e.removed.AppendBinary(e.added.AppendBinary(dst))
}

// ReadBinary is for this library's own packages, outside of the promise of
// compatibility. It reads what AppendBinary writes, and nothing else. On an
// error, which r keeps, e is unchanged.
func (e *Events) ReadBinary(r *codec.Reader) {
	var f Events
	for i, s := range []*series.Series{&f.added, &f.removed} {
		start := r.Offset()
		s.ReadBinary(r)
		if problem := checkEvents(s); problem != "" {
			r.Fail(start, "%s: %s", eventsField(i), problem)
		}
	}
	if r.Err() == nil {
		*e = f
	}
}
