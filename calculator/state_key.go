package calculator

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize"
	"github.com/purehpa/hpa/stabilize/codec"
	"github.com/purehpa/hpa/stabilize/series"
)

// The key of a State, with numbers as package codec writes them:
//
//	flags        a sum of the ones below
//	start        if so flagged: its age in nanoseconds
//	last scale   if so flagged: its age
//	n            failing metrics:
//	  name, how long it fails
//	recommendations
//	events
const (
	keyScaledToZero = 1 << iota
	keyStarted
	keyLastScale

	keyFlags = 1<<iota - 1
)

// AppendKey appends the part of the state that a decision at now or later can
// depend on, under these settings and this spec, relative to now. Use it to
// find out that two states are equivalent, such as in a search through all
// states:
//
//	key := st.AppendKey(nil, next, &settings, &spec)
//	if !seen[string(key)] { … }
//
// States with the same key decide alike from now on, whatever else they
// remember: with equal observations at equal times they have equal sizes,
// reasons and limits forever. Their times may differ, if each is keyed as of
// its own now and pods and samples are as old. Pass the time of the next sync
// as now: the later now is, the more is forgotten. A key is compared with keys
// of the same settings, spec and version of this library only.
//
// The key has of the recommendations the highest and lowest of the windows,
// with their ages, the events within the periods of policies, whether the
// autoscaler scaled to zero, with HoldScaleDown the time since the start, with
// a Cooldown that since the last scale, and how long metrics with a fallback
// have failed. It has no conditions, and not DesiredReplicas: these are for the
// status. It presumes that the clock does not go back, and that no history is
// full, which takes more than one sync a second. Under settings that [Decide]
// refuses, or a nil spec, it is empty.
func (s *State) AppendKey(dst []byte, now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec) []byte {
	set, err := settings.OrDefault()
	if s == nil || err != nil || spec == nil {
		return dst
	}
	settings = &set
	b := spec.Behavior
	windows := b.Windows(settings.DownscaleStabilization)
	now = wall(now)
	appendAge := func(t time.Time) { dst = binary.AppendVarint(dst, int64(now.Sub(wall(t)))) }
	start := len(dst)
	dst = append(dst, 0)
	if s.zeroDecides(settings, spec) && s.scaledToZero() {
		dst[start] |= keyScaledToZero
	}
	held := max(windows.Down, b.LongestPeriods().Down)
	if settings.ColdStart == HoldScaleDown && !s.Started.IsZero() && !s.Recommendations.IsEmpty() && now.Before(series.Add(s.Started, held)) {
		dst[start] |= keyStarted
		appendAge(s.Started)
	}
	cooldown := max(settings.Cooldown.Up, settings.Cooldown.Down)
	if cooldown > 0 && !s.LastScaleTime.IsZero() && !wall(s.LastScaleTime).Add(cooldown).Before(now) {
		dst[start] |= keyLastScale
		appendAge(s.LastScaleTime)
	}
	failing := s.relevant(spec)
	dst = binary.AppendUvarint(dst, uint64(len(failing)))
	for _, f := range failing {
		dst = codec.AppendString(dst, f.Metric)
		dst = binary.AppendUvarint(dst, uint64(max(0, min(f.after, now.Sub(f.Since)))))
	}
	if b == nil {
		dst = s.Recommendations.AppendKeyDown(dst, now, windows.Down)
	} else {
		dst = s.Recommendations.AppendKey(dst, now, windows)
	}
	return s.Events.AppendKey(dst, now, b)
}

// relevantFailure is a failing metric whose fallback waits for after.
type relevantFailure struct {
	FailingMetric
	after time.Duration
}

// relevant returns the failing metrics that the spec has a fallback for, in its
// order. Of metrics with one name, the one that waits longest counts.
func (s *State) relevant(spec *autoscaling.HorizontalPodAutoscalerSpec) (list []relevantFailure) {
	if len(s.Failing) == 0 {
		return nil
	}
	for i := range spec.Metrics {
		f := spec.Metrics[i].Fallback()
		if f == nil {
			continue
		}
		m := spec.Metrics[i].Resolve()
		known := find(s.Failing, appendMetric(nil, &m))
		if known == nil {
			continue
		}
		at := slices.IndexFunc(list, func(r relevantFailure) bool { return r.Metric == known.Metric })
		if at < 0 {
			at, list = len(list), append(list, relevantFailure{FailingMetric: *known})
		}
		list[at].after = max(list[at].after, f.After())
	}
	return list
}

// SetKey makes s the smallest state that has the key at now. Its conditions,
// except ScaledToZero, and DesiredReplicas stay. Malformed keys give a
// *[codec.Error], and s is then without a history.
func (s *State) SetKey(key []byte, now time.Time) error {
	r := codec.NewReader("calculator.State", key)
	flags := r.Byte("flags", keyFlags)
	s.Started, s.LastScaleTime = time.Time{}, time.Time{}
	age := func() time.Time { return wall(now.Add(-time.Duration(r.Varint()))) }
	if flags&keyStarted != 0 {
		s.Started = age()
	}
	if flags&keyLastScale != 0 {
		s.LastScaleTime = age()
	}
	s.Failing = nil
	for range r.Uvarint("failing metrics", MaxFailing) {
		s.Failing = append(s.Failing, FailingMetric{r.String("metric", MaxMessageLength), wall(now.Add(-time.Duration(r.Uvarint("nanoseconds", math.MaxInt64))))})
	}
	s.Recommendations.ReadKey(r, now)
	s.Events.ReadKey(r, now)
	r.End()
	if r.Err() != nil {
		s.Recommendations, s.Events, s.Failing = stabilize.History{}, behavior.Events{}, nil
		return r.Err()
	}
	if zero := flags&keyScaledToZero != 0; zero != s.scaledToZero() {
		status, reason := autoscaling.ConditionFalse, "NotScaledToZero"
		if zero {
			status, reason = autoscaling.ConditionTrue, "ScaledToZero"
		}
		s.set(&now, autoscaling.ScaledToZero, status).Reason = reason
	}
	return nil
}

// Trim drops the recommendations, events and failing metrics that no decision
// at now or later can depend on, under these settings and this spec. So it is
// [State.AppendKey] for a caller that keeps many states. Later decisions and
// statuses stay the same. A spec changed later, with longer windows or periods,
// may miss what was dropped. Under settings that [Decide] refuses, Trim drops
// nothing.
func (s *State) Trim(now time.Time, settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec) {
	if s == nil {
		return
	}
	var t State
	if t.SetKey(s.AppendKey(nil, now, settings, spec), now) == nil { // an empty key is an error
		s.Recommendations, s.Events, s.Failing = t.Recommendations, t.Events, t.Failing
	}
}
